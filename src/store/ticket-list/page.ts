// A page of a list, put together window by window: each step looks at a bounded stretch, so that nobody waits for the whole.

import { monotonicMs } from '../../base/clock.ts';
import { query, type Tx } from '../database.ts';
import type { Sql } from './filter.ts';

export const ticketSorts = [
  'created_at',
  'updated_at',
  'priority',
  'first_response_due_at',
  'resolution_due_at',
] as const;
export type TicketSort = (typeof ticketSorts)[number];
export type Direction = 'asc' | 'desc';

export interface TicketPage {
  sort: TicketSort;
  direction: Direction;
  limit: number;
  /** Either a number of rows to skip, or the key of the last row seen. */
  from: { offset: number } | { after: readonly number[] };
}

/** The values of an order's key, the id last. */
export type Key = readonly number[];

export interface ListedTicket {
  id: number;
  /** By what the next page begins after it. */
  key: Key;
}

// The key of each order ends with the id, so that no two rows are equal and a page can begin after any of them.
export const sortKeys: Record<TicketSort, readonly string[]> = {
  created_at: ['created_at', 'id'],
  updated_at: ['updated_at', 'id'],
  priority: ['priority_level', 'created_at', 'id'],
  first_response_due_at: ['first_response_sort', 'id'],
  resolution_due_at: ['resolution_sort', 'id'],
};

export interface PageSteps {
  /** Goes on for a few milliseconds; answers whether the page is whole. */
  step(tx: Tx): boolean;
  rows(): ListedTicket[];
}

/** What a page is read from, in the order of the page. `after` and `end` are keys; null is the beginning and the end of all. */
export interface Source {
  /** The key of the last of so many entries, matching or not; null when fewer are left. */
  endOf(tx: Tx, after: Key | null, size: number): Key | null;
  count(tx: Tx, after: Key | null, end: Key | null): number;
  rows(tx: Tx, after: Key | null, end: Key | null, limit: number, offset: number): ListedTicket[];
}

export function listed(tx: Tx, sort: TicketSort, { text, values }: Sql): ListedTicket[] {
  const rows = query<Record<string, number>>(tx, text).all(...values);
  return rows.map((row) => ({ id: row.id ?? 0, key: sortKeys[sort].map((name) => row[name] ?? 0) }));
}

/** Whether the first key comes before the second in ascending order (-1), after it (1), or is it (0). */
export function compareKeys(one: Key, other: Key): number {
  for (const [at, part] of one.entries()) {
    const against = other[at] ?? 0;
    if (part !== against) return part < against ? -1 : 1;
  }
  return 0;
}

/** Steps that are known only once the database has been looked at. */
export function lazily(make: (tx: Tx) => PageSteps): PageSteps {
  let made: PageSteps | null = null;
  return {
    step(tx) {
      made ??= make(tx);
      return made.step(tx);
    },
    rows: () => made?.rows() ?? [],
  };
}

export function inOne(read: (tx: Tx) => ListedTicket[]): PageSteps {
  let rows: ListedTicket[] = [];
  return {
    step(tx) {
      rows = read(tx);
      return true;
    },
    rows: () => rows,
  };
}

// A window grows and shrinks until looking through it takes about this long.
const shortMs = 2;
const longMs = 5;
const sizes = { least: 16, most: 50_000 };

/** A size that follows how long the last window took. */
export function windowSize(first: number): { size(): number; took(ms: number): void } {
  let size = first;
  return {
    size: () => size,
    took(ms) {
      if (ms < shortMs) size = Math.min(sizes.most, size * 2);
      else if (ms > longMs) size = Math.max(sizes.least, Math.floor(size / 2));
    },
  };
}

/** @param firstSize entries of the first window */
export function inWindows(
  source: Source,
  { from, limit }: Pick<TicketPage, 'from' | 'limit'>,
  firstSize = 500,
): PageSteps {
  const window = windowSize(firstSize);
  const rows: ListedTicket[] = [];
  let after: Key | null = 'after' in from ? from.after : null;
  let skip = 'offset' in from ? from.offset : 0;

  /** Answers whether the page is whole with what this window has. */
  function take(tx: Tx, end: Key | null): boolean {
    if (skip > 0) {
      const passed = source.count(tx, after, end);
      if (passed <= skip) {
        skip -= passed;
        return false;
      }
    }
    rows.push(...source.rows(tx, after, end, limit - rows.length, skip));
    skip = 0;
    return rows.length >= limit;
  }

  return {
    step(tx) {
      const startedAt = monotonicMs();
      const end = source.endOf(tx, after, window.size());
      const isWhole = take(tx, end);
      after = end;
      window.took(monotonicMs() - startedAt);
      return isWhole || end === null;
    },
    rows: () => rows,
  };
}

// Where a page is not whole after so many windows, what is looked for lies far down.
const patience = 12;

/** Goes on with the first for some steps, and then with the other. */
export function orElse(first: PageSteps, other: PageSteps): PageSteps {
  let taken = 0;
  let chosen = first;
  return {
    step(tx) {
      if (taken === patience) chosen = other;
      taken += 1;
      return chosen.step(tx);
    },
    rows: () => chosen.rows(),
  };
}
