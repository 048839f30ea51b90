// What drizzle writes, run on the desk's own handle.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { eq, sql } from 'drizzle-orm';
import { type Store, statement } from '../../src/store/database.ts';
import { agents } from '../../src/store/schema/agents.ts';
import { migratedStore } from '../support/store.ts';

let store: Store;
beforeEach(() => {
  ({ store } = migratedStore());
  store.writing.client.run(
    "INSERT INTO agents (id, name, email, role, is_active, created_at) VALUES (7, 'Kim', 'kim@agents.example', 'agent', 0, 5)",
  );
});
afterEach(() => store.close());

test('rows are decoded by the schema, and a missing row is undefined', () => {
  const byId = statement((db) =>
    db
      .select()
      .from(agents)
      .where(eq(agents.id, sql.placeholder('id')))
      .prepare(),
  );
  const found = byId(store.reading).get({ id: 7 });
  expect(found).toMatchObject({
    id: 7,
    name: 'Kim',
    isActive: false,
    createdAt: 5,
    passwordHash: null,
    mutedNotices: [],
  });
  expect(byId(store.reading).all({ id: 7 })).toEqual([found!]);
  expect(byId(store.reading).get({ id: 8 })).toBeUndefined();
  expect(byId(store.reading).all({ id: 8 })).toEqual([]);
});

test('a transaction, or rows within rows, is refused', () => {
  const { db } = store.writing;
  expect(() => db.transaction(() => undefined)).toThrow(/begin in the writer/);
  expect(() =>
    db
      .select({ agent: { id: agents.id } })
      .from(agents)
      .all(),
  ).toThrow(/nested/);
});
