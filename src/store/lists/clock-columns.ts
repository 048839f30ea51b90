// The columns of each SLA clock as conditions in SQL. Partial indexes contain the same words.

import { type SlaClock, slaClocks } from '../../domain/sla/clock.ts';

interface Columns {
  done: string;
  warned: string;
  breached: string;
  sort: string;
  /** The index in the order of `sort`. */
  index: string;
}

const columns = {
  first_response: {
    done: 'first_response_at',
    warned: 'first_response_warned_at',
    breached: 'first_response_breached_at',
    sort: 'first_response_sort',
    index: 'tickets_by_site_first_response',
  },
  resolution: {
    done: 'resolved_at',
    warned: 'resolution_warned_at',
    breached: 'resolution_breached_at',
    sort: 'resolution_sort',
    index: 'tickets_by_site_resolution',
  },
} as const satisfies Record<SlaClock, Columns>;

export const clockColumns: readonly Columns[] = slaClocks.map((clock) => columns[clock]);

/** True where the condition holds for one of the clocks. */
export function ofAnyClock(condition: (clock: Columns) => string): string {
  return `(${clockColumns.map(condition).join(' OR ')})`;
}
