// Whether every column of the real schema has a decision about erasures.

import { expect, test } from 'bun:test';
import { migratedStore } from '../support/store.ts';
import { decisions } from './decisions.ts';

const { store } = migratedStore();
const { client } = store.reading;
const tables = client
  .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
  .all()
  .map(({ name }) => name);

test('every table has one', () => {
  expect(Object.keys(decisions).sort()).toEqual(tables.sort());
});

test.each(tables)('every column of %s has one: add it to test/privacy/decisions.ts and to docs/privacy.md', (table) => {
  const columns = client.query<{ name: string }, []>(`PRAGMA table_xinfo(${table})`).all();
  const decided = Object.values(decisions[table] ?? {}).flatMap((names) => names.split(' '));
  expect(decided.sort()).toEqual(columns.map(({ name }) => name).sort());
});
