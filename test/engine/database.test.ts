// The settings of a connection, and what a reader sees.

import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { openDatabase } from '#platform/sqlite.ts';
import { openStore, query, sqliteCode, type Tx } from '../../src/engine/database.ts';
import { temporaryFolder } from '../support/folders.ts';
import { emptyStore, migratedStore, pageBytes } from '../support/store.ts';

function pragma(tx: Tx, name: string): unknown {
  return Object.values(tx.client.query<Record<string, unknown>, []>(`PRAGMA ${name}`).get() ?? {})[0];
}

describe('a store', () => {
  const { path, store: first } = emptyStore();
  first.close();
  const store = openStore(path);
  afterAll(() => store.close());

  for (const side of ['writing', 'reading'] as const) {
    test(`syncs every commit and keeps foreign keys (${side})`, () => {
      expect(pragma(store[side], 'journal_mode')).toBe('wal');
      expect(pragma(store[side], 'synchronous')).toBe(2);
      expect(pragma(store[side], 'foreign_keys')).toBe(1);
      expect(Number(pragma(store[side], 'busy_timeout'))).toBeGreaterThanOrEqual(5000);
    });
  }

  test('begins a file with small pages, and leaves an older file its own', () => {
    expect(pragma(store.reading, 'page_size')).toBe(pageBytes);
    const olderPath = join(temporaryFolder(), 'helpdesk.db');
    const made = openDatabase(olderPath, 'create');
    made.run('PRAGMA journal_mode = WAL');
    made.run('CREATE TABLE kept (a INTEGER) STRICT');
    made.close();
    const older = openStore(olderPath);
    older.writing.client.run('INSERT INTO kept VALUES (1)');
    older.copyInto(`${olderPath}.copy`);
    expect(pragma(older.reading, 'page_size')).toBe(4096);
    older.close();
  });

  test('cannot be written through the reading side', () => {
    expect(() => store.reading.client.run('CREATE TABLE t (a)')).toThrow(/readonly/);
  });

  test('shows a reader nothing that is not committed', () => {
    store.writing.client.run('CREATE TABLE seen (a INTEGER) STRICT');
    store.writing.client.run('BEGIN IMMEDIATE');
    store.writing.client.run('INSERT INTO seen VALUES (1)');
    expect(query<{ n: number }>(store.reading, 'SELECT count(*) AS n FROM seen').get()?.n).toBe(0);
    store.writing.client.run('COMMIT');
    expect(query<{ n: number }>(store.reading, 'SELECT count(*) AS n FROM seen').get()?.n).toBe(1);
  });

  test('tells of commits, of this process and of others', () => {
    const before = store.dataVersion();
    store.writing.client.run('INSERT INTO seen VALUES (2)');
    const after = store.dataVersion();
    expect(after).not.toBe(before);
    const other = openStore(path, 'OFF');
    other.writing.client.run('INSERT INTO seen VALUES (3)');
    other.close();
    expect(store.dataVersion()).not.toBe(after);
  });

  test('goes on preparing statements when hundreds of different ones were asked for', () => {
    for (let at = 0; at < 1000; at += 1) {
      expect(query<{ n: number }>(store.reading, `SELECT ${at} AS n`).get()?.n).toBe(at);
    }
    expect(query<{ n: number }>(store.reading, 'SELECT 0 AS n').get()?.n).toBe(0);
  });

  test('prepares statements that keep their plan, with the same values and texts', () => {
    const { client } = store.reading;
    const prepared: string[] = [];
    const prepare = (text: string) => {
      prepared.push(text);
      return client.prepare(text);
    };
    const tx = { ...store.reading, client: { prepare } } as unknown as Tx;
    const text = `SELECT ?2 AS two, ? AS three, 'why? ''?' AS said, "a?" AS named FROM (SELECT ?1 AS "a?") ORDER BY ?1 LIMIT ?4`;
    expect(query(tx, text).get('7', null, 1.5, 1)).toEqual({ two: null, three: 1.5, said: "why? '?", named: '7' });
    // SQLite plans a statement with an order again at each run if a parameter stands bare.
    expect(prepared).toEqual([
      `SELECT +?2 AS two, +? AS three, 'why? ''?' AS said, "a?" AS named FROM (SELECT +?1 AS "a?") ORDER BY +?1 LIMIT +?4`,
    ]);
  });

  test('names what SQLite says', () => {
    const { store: other } = migratedStore();
    let code: string | undefined;
    try {
      other.writing.client.run("INSERT INTO ticket_tags VALUES ('a', 1)");
    } catch (error) {
      code = sqliteCode(new Error('wrapped', { cause: error }));
    }
    other.close();
    expect(code).toBe('SQLITE_CONSTRAINT_FOREIGNKEY');
    expect(sqliteCode(new Error('something else'))).toBeUndefined();
  });
});
