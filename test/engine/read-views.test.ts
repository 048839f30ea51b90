// On LiteFS, the reads of one turn of the event loop share a transaction; no commit of this process is missed by them.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { openDatabase } from '#platform/sqlite.ts';
import { openStore } from '../../src/engine/database.ts';
import { createWriter } from '../../src/engine/writer.ts';
import { temporaryFolder } from '../support/folders.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

function setUp(isReplicated: boolean) {
  const path = join(temporaryFolder(), 'views.db');
  const other = openDatabase(path, 'create');
  other.run('PRAGMA journal_mode = WAL');
  other.run('CREATE TABLE notes (id INTEGER PRIMARY KEY)');
  const store = openStore(path, 'OFF', null, undefined, isReplicated);
  const writer = createWriter(store);
  const count = () =>
    store.view((tx) => tx.client.query<{ n: number }, []>('SELECT count(*) AS n FROM notes').get()?.n ?? -1);
  const writeElsewhere = () => other.run('INSERT INTO notes DEFAULT VALUES');
  const write = () =>
    writer.write((tx) => {
      tx.client.run('INSERT INTO notes DEFAULT VALUES');
      return null;
    });
  return { store, writer, count, writeElsewhere, write };
}

test('reads of one turn see the same data, those of the next turn what another process wrote', async () => {
  const { store, count, writeElsewhere } = setUp(true);
  expect(count()).toBe(0);
  writeElsewhere();
  expect(count()).toBe(0);
  expect(store.reading.client.inTransaction).toBe(true);
  await turn();
  expect(store.reading.client.inTransaction).toBe(false);
  expect(count()).toBe(1);
  store.close();
});

test('a read after a commit of this process sees it, also in the same turn', async () => {
  const { store, count, write } = setUp(true);
  const seen: number[] = [];
  const [first, second] = [write(), write()];
  count();
  await Promise.all([first.then(() => seen.push(count())), second.then(() => seen.push(count()))]);
  expect(seen).toEqual([2, 2]);
  store.close();
});

test('a read that throws leaves the others their view', async () => {
  const { store, count } = setUp(true);
  expect(() =>
    store.view(() => {
      throw new Error('not found');
    }),
  ).toThrow('not found');
  expect(count()).toBe(0);
  await turn();
  expect(count()).toBe(0);
  store.close();
});

test('a database that is opened again between two reads of a turn is read by its new handle', () => {
  const { store, count, writeElsewhere } = setUp(true);
  expect(count()).toBe(0);
  writeElsewhere();
  store.rest();
  expect(count()).toBe(1);
  store.close();
});

test('without LiteFS, each read is a transaction of its own', () => {
  const { store, count, writeElsewhere } = setUp(false);
  expect(count()).toBe(0);
  writeElsewhere();
  expect(count()).toBe(1);
  expect(store.reading.client.inTransaction).toBe(false);
  store.close();
});
