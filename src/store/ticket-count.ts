// Counting what a filter matches in slices of an index, so that nobody has to wait until a million rows are looked at.

import type { Instant } from '../base/clock.ts';
import { query, type Tx } from './database.ts';
import { countTickets, type TicketFilter, type Walk, walkOf } from './ticket-list.ts';

// A few milliseconds where every row has to be looked up.
const rowsOfSlice = 2000;

export interface TicketCount {
  /** Counts on for a slice; answers whether that was the last. */
  step(tx: Tx): boolean;
  /** How many there are so far. */
  total(): number;
}

type Key = readonly [createdAt: number, id: number];

/**
 * Counts the tickets of a filter, slice by slice; what changes between two slices may be counted as it was or as it is.
 * A filter that only a bounded part of an index can match is counted in one.
 */
export function createCount(filter: TicketFilter, now: Instant, sliceSize = rowsOfSlice): TicketCount {
  let total = 0;
  let walks: Walk[] | null | undefined;
  let after: Key | null = null;

  return {
    total: () => total,
    step(tx) {
      walks ??= walkOf(tx, filter, now);
      if (walks === null) {
        total = countTickets(tx, filter, now);
        return true;
      }
      const [walk] = walks;
      if (walk === undefined) return true;
      const begin: Key = after ?? [(walk.createdFrom ?? 0) - 1, Number.MAX_SAFE_INTEGER];
      const end = endOfSlice(tx, walk, begin, sliceSize);
      total += walk.sign * countSlice(tx, walk, begin, end);
      after = end;
      if (end === null) walks.shift();
      return walks.length === 0;
    },
  };
}

/** The key of the last row of a slice; null when fewer than that are left. */
function endOfSlice(tx: Tx, { from, stretch, createdTo }: Walk, begin: Key, sliceSize: number): Key | null {
  const until = createdTo === null ? '' : 'AND created_at <= ?';
  const end = query<{ created_at: number; id: number }>(
    tx,
    `SELECT created_at, id ${from} WHERE ${stretch.text} AND (created_at, id) > (?, ?) ${until}
     ORDER BY created_at, id LIMIT 1 OFFSET ?`,
  ).get(...stretch.values, ...begin, ...(createdTo === null ? [] : [createdTo]), sliceSize - 1);
  return end === null ? null : [end.created_at, end.id];
}

function countSlice(tx: Tx, { from, where, createdTo }: Walk, begin: Key, end: Key | null): number {
  const until = end !== null ? 'AND (created_at, id) <= (?, ?)' : createdTo !== null ? 'AND created_at <= ?' : '';
  const bounds = end ?? (createdTo === null ? [] : [createdTo]);
  return (
    query<{ total: number }>(
      tx,
      `SELECT count(*) AS total ${from} WHERE ${where.text} AND (created_at, id) > (?, ?) ${until}`,
    ).get(...where.values, ...begin, ...bounds)?.total ?? 0
  );
}
