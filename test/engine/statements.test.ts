// Statements as functions of the transaction and their values.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { Store } from '../../src/engine/database.ts';
import { insertInto, selectFrom, statement, updateById } from '../../src/engine/statements.ts';
import { agents, totpSecrets } from '../../src/store/schema/agents.ts';
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
  const byId = selectFrom(agents, 'WHERE id = ?');
  const found = byId.get(store.reading, 7);
  expect(found).toMatchObject({
    id: 7,
    name: 'Kim',
    isActive: false,
    createdAt: 5,
    passwordHash: null,
    notificationPreferences: {},
  });
  expect(byId.all(store.reading, 7)).toEqual([found!]);
  expect(byId.get(store.reading, 8)).toBeUndefined();
  expect(byId.all(store.reading, 8)).toEqual([]);
});

test('a change is encoded by the schema, and one without columns does nothing', () => {
  const update = updateById(agents);
  update(store.writing, 7, { notificationPreferences: { muted_sites: [1] }, isActive: true, timeZone: null });
  update(store.writing, 7, {});
  expect(selectFrom(agents, 'WHERE id = ?').get(store.reading, 7)).toMatchObject({
    notificationPreferences: { muted_sites: [1] },
    isActive: true,
    timeZone: null,
  });
});

test('a row gets every column but a number that SQLite gives it', () => {
  insertInto(totpSecrets)(store.writing, {
    agentId: 7,
    secretSealed: 's',
    confirmedAt: null,
    lastStep: 0,
    createdAt: 9,
  });
  expect(selectFrom(totpSecrets, '').all(store.reading)).toMatchObject([{ agentId: 7, createdAt: 9 }]);
});

test('a list is read with json_each', () => {
  const among = selectFrom(agents, 'WHERE id IN (SELECT value FROM json_each(?))').all<[ids: readonly number[]]>;
  expect(among(store.reading, [6, 7]).map(({ id }) => id)).toEqual([7]);
  expect(among(store.reading, [])).toEqual([]);
});

test('a statement gives rows, a column, a number, a truth or how much it changed', () => {
  const names = statement('SELECT name, id FROM agents WHERE id >= ?');
  expect(names.all<{ name: string; id: number }, [from: number]>(store.reading, 7)).toEqual([{ name: 'Kim', id: 7 }]);
  expect(names.get<{ name: string }, [from: number]>(store.reading, 8)).toBeUndefined();
  expect(names.column<string, [from: number]>(store.reading, 7)).toEqual(['Kim']);
  expect([names.has(store.reading, 7), names.has(store.reading, 8)]).toEqual([true, false]);
  const newest = statement('SELECT max(created_at) FROM agents WHERE id > ?').number<[after: number]>;
  expect([newest(store.reading, 6), newest(store.reading, 7)]).toEqual([5, 0]);
  const remove = statement('DELETE FROM agents WHERE id = ?').run<[id: number]>;
  expect([remove(store.writing, 8), remove(store.writing, 7)]).toEqual([0, 1]);
});
