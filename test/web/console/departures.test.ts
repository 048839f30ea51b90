// A ticket that leaves the list under the cursor: its row stays until the agent moves, and comes back with Undo.

import { beforeEach, expect, test } from 'bun:test';
import { createDepartures } from '../../../src/web/console/list/bulk/departures.ts';
import { createTicketRows, type ListPage } from '../../../src/web/console/list/rows/ticket-rows.ts';
import type { Ticket } from '../../../src/web/console/wire.ts';

const ticket = (ulid: string, change: Partial<Ticket> = {}) =>
  ({
    ulid,
    status: 'open',
    assignee: null,
    tags: [],
    category: null,
    priority: null,
    snoozed_until: null,
    is_spam: false,
    merged_into: null,
    ...change,
  }) as unknown as Ticket;
const mine = { assignee: { id: 7, name: 'Kim', email: 'kim@example.org' } } as Partial<Ticket>;

async function listOf(...ulids: string[]) {
  const page: ListPage = {
    data: ulids.map((ulid) => ticket(ulid)),
    meta: { total: ulids.length, is_capped: false, next_cursor: null, newest_seq: 1 },
  };
  const rows = createTicketRows(async () => ({ isOk: true, status: 200, data: page }));
  await rows.reload();
  const departures = createDepartures(rows, { unassigned: true }, 7, (ulid) => ulid === 'B');
  const shown = () => Array.from({ length: rows.total.peek() ?? 0 }, (_, row) => rows.at(row)?.ulid);
  return { rows, departures, shown };
}

let list: Awaited<ReturnType<typeof listOf>>;
beforeEach(async () => {
  list = await listOf('A', 'B', 'C');
});

test('others leave at once, the one under the cursor when the agent moves', () => {
  list.departures.change('C', mine);
  list.departures.change('B', mine);
  expect(list.shown()).toEqual(['A', 'B']);
  expect(list.departures.staying.peek()).toBe('B');
  expect(list.departures.release()).toBe(1);
  expect(list.shown()).toEqual(['A']);
  expect(list.departures.release()).toBeNull();
});

test('one that came back belongs here, whether it had gone or stayed', () => {
  list.departures.change('B', mine);
  list.departures.change('B', { assignee: null });
  expect(list.departures.staying.peek()).toBeNull();
  expect(list.departures.release()).toBeNull();
  list.departures.change('B', mine);
  list.departures.release();
  list.departures.change('B', { assignee: null });
  expect(list.shown()).toEqual(['A', 'B', 'C']);
});

test('one that someone else brings back counts again', () => {
  list.departures.change('B', mine);
  list.departures.look();
  expect(list.departures.staying.peek()).toBe('B');
  list.rows.put(ticket('B'));
  list.departures.look();
  expect(list.departures.staying.peek()).toBeNull();
});

test('a list that is loaded again keeps the row under the cursor, but no second one of a ticket that is in it', async () => {
  list.departures.stay(1, ticket('X', mine));
  expect(list.shown()).toEqual(['A', 'X', 'B', 'C']);
  list.departures.stay(1, ticket('A', mine));
  list.departures.stay(1, ticket('Y'));
  expect(list.shown()).toEqual(['A', 'X', 'B', 'C']);
});
