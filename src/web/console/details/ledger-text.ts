// The ledger of an SLA clock as sentences, in the order in which things happened.

import type * as z from 'zod';
import type { ledgerShape } from '../../../http/wire/sla/sla.ts';

export type Ledger = z.output<typeof ledgerShape>;
export type LedgerClock = Ledger['clocks'][number];
type Interval = LedgerClock['intervals'][number];

export interface Entry {
  kind: 'started' | 'warned' | 'breached' | 'due' | 'stopped' | 'now' | Interval['kind'];
  at: string;
  /** Null for moments, and for a stretch that has not ended. */
  until: string | null;
  workingSeconds: number;
  /** Has not happened yet. */
  isAhead: boolean;
}

// A moment in the middle of a stretch comes before it, and of those at the same instant the one that explains the next.
const order: Record<Entry['kind'], number> = {
  started: 0,
  stopped: 1,
  warned: 2,
  breached: 3,
  counted: 5,
  outside_hours: 5,
  paused: 5,
  resolved: 5,
  spam: 5,
  now: 4,
  due: 9,
};

/** Every stretch and every moment of the clock, the oldest first. */
export function entriesOf(clock: LedgerClock, nowMs: number): Entry[] {
  if (clock.started_at === null) return [];
  const moment = (kind: Entry['kind'], at: string | null, isAhead = false): Entry[] =>
    at === null ? [] : [{ kind, at, until: null, workingSeconds: 0, isAhead }];
  const isStopped = clock.stopped_at !== null;
  // The clocks of desk and browser differ a little: what lies ahead begins where the desk says.
  const nowAt = clock.intervals.find(({ is_projected: isAhead }) => isAhead)?.from ?? new Date(nowMs).toISOString();
  const isDueAhead = clock.due_at !== null && Date.parse(clock.due_at) > nowMs;
  const stretches = clock.intervals.map(
    (interval): Entry => ({
      kind: interval.kind,
      at: interval.from,
      until: interval.to,
      workingSeconds: interval.working_seconds,
      isAhead: interval.is_projected,
    }),
  );
  const entries = [
    ...moment('started', clock.started_at),
    ...stretches,
    ...moment('warned', clock.warned_at),
    ...moment('breached', clock.breached_at),
    ...moment('stopped', clock.stopped_at),
    ...(isStopped ? [] : moment('now', nowAt)),
    // While it is paused, the deadline moves on.
    ...(isStopped || !isDueAhead || clock.is_paused ? [] : moment('due', clock.due_at, true)),
  ];
  return entries.sort((one, other) => Date.parse(one.at) - Date.parse(other.at) || order[one.kind] - order[other.kind]);
}
