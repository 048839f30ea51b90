// Tickets read one at a time and many at once.

import { expect, test } from 'bun:test';
import { query } from '../../src/store/database.ts';
import { extrasText } from '../../src/store/tickets.ts';
import { migratedStore } from '../support/store.ts';

test('what a list mirrors of contexts is read from an index, and no context', () => {
  const { store } = migratedStore();
  const plan = query<{ detail: string }>(store.reading, `EXPLAIN QUERY PLAN ${extrasText}`).all('[1]');
  expect(plan.map(({ detail }) => detail)).toContain('SEARCH tickets USING COVERING INDEX tickets_extra (id=?)');
  store.close();
});
