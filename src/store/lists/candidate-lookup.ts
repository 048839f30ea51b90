// Looks up candidate rows a few at a time, and sorts them at the end.

import { type Instant, monotonicMs } from '../../base/clock.ts';
import type { TicketSort } from '../../domain/tickets/ticket.ts';
import { query, type Tx } from '../../engine/database.ts';
import type { Candidates } from './candidates.ts';
import { allOf, conditions, isAmong, statusesOf, type TicketFilter } from './filter.ts';
import {
  compareKeys,
  type Key,
  type ListedTicket,
  listed,
  type PageSteps,
  sortKeys,
  type TicketPage,
  windowSize,
} from './page.ts';

// Each is a row somewhere in the table.
const mostLookUps = 256;

interface Until {
  direction: TicketPage['direction'];
  enough: number;
  /** The id of the row before the page; null for the first page. */
  after: number | null;
}

export interface CandidateLookup {
  found: ListedTicket[];
  step(tx: Tx): boolean;
}

/** @param until for a page in the order of ids: how many tickets are enough, and from where */
export function lookUpCandidates(
  filter: TicketFilter,
  candidates: Candidates,
  sort: TicketSort,
  now: Instant,
  also: (tx: Tx, rows: readonly ListedTicket[]) => readonly ListedTicket[] = (_tx, rows) => rows,
  until: Until | null = null,
): CandidateLookup {
  let left: number[] | null = null;
  const found: ListedTicket[] = [];
  const window = windowSize(32, mostLookUps);
  const where = allOf([isAmong('status', statusesOf(filter)), ...conditions(filter, now)]);
  const keys = sortKeys[sort].map((key) => `tickets.${key}`).join(', ');
  return {
    found,
    step(tx) {
      const startedAt = monotonicMs();
      if (left === null) {
        const rows = query<{ id: number }>(
          tx,
          `SELECT tickets.id FROM ${candidates.from.text} WHERE ${candidates.where.text}`,
        );
        const ids = rows.all(...candidates.from.values, ...candidates.where.values).map(({ id }) => id);
        // In storage order.
        left = until === null ? [...Float64Array.from(ids).sort()] : inOrder(ids, until);
        return left.length === 0;
      }
      // The last come first.
      const ids = JSON.stringify(left.splice(-window.size()));
      const fitting = listed(tx, sort, {
        text: `SELECT ${keys} FROM json_each(?) AS asked CROSS JOIN tickets ON tickets.id = asked.value WHERE ${where.text}`,
        values: [ids, ...where.values],
      });
      if (fitting.length > 0) found.push(...also(tx, fitting));
      window.took(monotonicMs() - startedAt);
      return left.length === 0 || (until !== null && found.length >= until.enough);
    },
  };
}

function inOrder(ids: number[], { direction, after }: Until): number[] {
  const isDown = direction === 'desc';
  return ids
    .filter((id) => after === null || (isDown ? id < after : id > after))
    .sort((one, other) => (isDown ? one - other : other - one));
}

export interface CandidatePage {
  page: TicketPage;
  after: Key | null;
  keyOf(row: ListedTicket): Key;
}

export function plainPageOf(page: TicketPage): CandidatePage {
  return { page, after: 'after' in page.from ? page.from.after : null, keyOf: ({ key }) => key };
}

export function pageOfCandidates({ step, found }: CandidateLookup, { page, after, keyOf }: CandidatePage): PageSteps {
  const sign = page.direction === 'desc' ? -1 : 1;
  return {
    step,
    rows() {
      const sorted = found
        .filter((row) => after === null || sign * compareKeys(keyOf(row), after) > 0)
        .sort((one, other) => sign * compareKeys(keyOf(one), keyOf(other)));
      const offset = 'offset' in page.from ? page.from.offset : 0;
      return sorted.slice(offset, offset + page.limit);
    },
  };
}
