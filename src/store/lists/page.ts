// Builds a page of a list from windows: each step reads a bounded part, so that it does not hold up other requests.

import { monotonicMs } from '../../base/clock.ts';
import type { Direction, TicketSort } from '../../domain/tickets/ticket.ts';
import { query, type Tx } from '../../engine/database.ts';
import type { Sql } from './filter.ts';

export interface TicketPage {
  sort: TicketSort;
  direction: Direction;
  limit: number;
  /** A number of rows to skip, or the key of the last row seen. */
  from: { offset: number } | { after: readonly number[] };
}

export type Key = readonly number[];

export interface ListedTicket {
  id: number;
  key: Key;
}

// Every key ends with the id, so that keys are unique and a page can start after any row.
export const sortKeys: Record<TicketSort, readonly string[]> = {
  created_at: ['created_at', 'id'],
  updated_at: ['updated_at', 'id'],
  priority: ['priority_level', 'created_at', 'id'],
  first_response_due_at: ['first_response_sort', 'id'],
  resolution_due_at: ['resolution_sort', 'id'],
  next_due_at: ['next_due_sort', 'id'],
};

export interface PageSteps {
  /** Works for a few milliseconds; returns whether the page is complete. */
  step(tx: Tx): boolean;
  rows(): ListedTicket[];
  /** Of all pages, if reading this one has told it. */
  total?(): number | null;
}

/** Rows in the order of the page. `after` and `end` are keys; null means the start and the end. */
export interface Source {
  /** The key of the last of `size` entries, matching or not; null if fewer are left. */
  endOf(tx: Tx, after: Key | null, size: number): Key | null;
  count(tx: Tx, after: Key | null, end: Key | null): number;
  rows(tx: Tx, after: Key | null, end: Key | null, limit: number, offset: number): ListedTicket[];
}

export function listed(tx: Tx, sort: TicketSort, { text, values }: Sql): ListedTicket[] {
  const rows = query<Record<string, number>>(tx, text).all(...values);
  return rows.map((row) => ({ id: row.id ?? 0, key: sortKeys[sort].map((name) => row[name] ?? 0) }));
}

export function compareKeys(one: Key, other: Key): number {
  for (const [at, part] of one.entries()) {
    const against = other[at] ?? 0;
    if (part !== against) return part < against ? -1 : 1;
  }
  return 0;
}

export function lazily(make: (tx: Tx) => PageSteps): PageSteps {
  let made: PageSteps | null = null;
  return {
    step(tx) {
      made ??= make(tx);
      return made.step(tx);
    },
    rows: () => made?.rows() ?? [],
    total: () => made?.total?.() ?? null,
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

const shortMs = 2;
const longMs = 5;
// On a busy disk each row may have to wait for it: a window this large still ends soon, and the limit of the list is kept.
const sizes = { least: 16, most: 4096 };

export function windowSize(first: number, most = sizes.most): { size(): number; took(ms: number): void } {
  let size = first;
  return {
    size: () => size,
    took(ms) {
      if (ms < shortMs) size = Math.min(most, size * 2);
      else if (ms > longMs) size = Math.max(sizes.least, Math.floor(size / 2));
    },
  };
}

export function inWindows(
  source: Source,
  { from, limit }: Pick<TicketPage, 'from' | 'limit'>,
  firstSize = 500,
  mostSize = sizes.most,
): PageSteps {
  const window = windowSize(firstSize, mostSize);
  const rows: ListedTicket[] = [];
  let after: Key | null = 'after' in from ? from.after : null;
  let skip = 'offset' in from ? from.offset : 0;

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

// If a page is incomplete after this many windows, its rows are far down.
const patience = 12;

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
