// Tickets read one at a time and many together.

import { expect, test } from 'bun:test';
import { query } from '../../../src/engine/database.ts';
import { extrasText, ticketById, updateTicket } from '../../../src/store/tickets/tickets.ts';
import { migratedStore } from '../../support/store.ts';
import { manyTickets } from '../lists/many-tickets.ts';

test('a list reads metadata.extra from an index, and no context', () => {
  const { store } = migratedStore();
  const plan = query<{ detail: string }>(store.reading, `EXPLAIN QUERY PLAN ${extrasText}`).all('[1]');
  expect(plan.map(({ detail }) => detail)).toContain('SEARCH tickets USING COVERING INDEX tickets_extra (id=?)');
  store.close();
});

test('no ticket is updated before it was created, whatever the clock says', () => {
  const { store, tx } = manyTickets(1);
  const ticket = ticketById(tx, 1);
  if (!ticket) throw new Error('no ticket');
  const changed = updateTicket(store.writing, ticket, { updatedAt: ticket.createdAt - 5 });
  expect(changed.updatedAt).toBe(ticket.createdAt);
  expect(ticketById(store.writing, 1)).toEqual(changed);
  expect(updateTicket(store.writing, changed, { updatedAt: ticket.createdAt + 5 }).updatedAt).toBe(
    ticket.createdAt + 5,
  );
  store.close();
});
