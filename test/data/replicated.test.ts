// Snapshots of a database in a mount: complete, outside of it, and only on the primary.

import { describe, expect, test } from 'bun:test';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '#platform/sqlite.ts';
import { silentLog } from '../../src/base/log.ts';
import { createReplicatedSnapshots } from '../../src/data/replicated-snapshots.ts';
import { temporaryFolder } from '../support/folders.ts';
import { migratedStore } from '../support/store.ts';

function setUp(everyMs = 1, keep = 2) {
  const { store, path } = migratedStore();
  const folder = join(temporaryFolder(), 'backups');
  const state = { mayRun: true };
  const regular = createReplicatedSnapshots({
    database: path,
    folder,
    log: silentLog,
    everyMs,
    keep,
    mayRun: () => state.mayRun,
  });
  return { store, path, folder, state, regular };
}

describe('a snapshot beside the mount', () => {
  test('holds what was committed, while the desk has the database open', async () => {
    const { store, path, folder, regular } = setUp();
    store.writing.client.run('CREATE TABLE notes (text TEXT) STRICT');
    store.writing.client.run("INSERT INTO notes VALUES ('kept')");
    store.writing.client.run('BEGIN IMMEDIATE');
    store.writing.client.run("INSERT INTO notes VALUES ('not yet')");
    const beside = readdirSync(join(path, '..')).toSorted();
    expect(regular.newestAt()).toBeNull();
    const from = Date.now();
    await regular.look();
    const to = Date.now();
    store.writing.client.run('COMMIT');
    const names = readdirSync(folder);
    expect(names).toEqual([expect.stringMatching(/^replicated-\d{8}T\d{9}Z\.db$/)]);
    const copy = openDatabase(join(folder, names[0] ?? ''), 'existing');
    expect(copy.query('SELECT text FROM notes').all()).toEqual([{ text: 'kept' }]);
    expect(copy.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    copy.close();
    expect(readdirSync(join(path, '..')).toSorted()).toEqual(beside);
    expect(regular.newestAt()).toBeWithin(from, to + 1);
    store.close();
  });

  test('is taken when it is due, and so many are kept', async () => {
    const { store, folder, regular } = setUp(1, 2);
    for (let at = 0; at < 4; at += 1) {
      await regular.look();
      await sleep(2);
    }
    expect(readdirSync(folder)).toHaveLength(2);
    const rare = setUp(60_000, 2);
    await rare.regular.look();
    await rare.regular.look();
    expect(readdirSync(rare.folder)).toHaveLength(1);
    store.close();
    rare.store.close();
  });

  test('is done only by the primary', async () => {
    const { store, folder, state, regular } = setUp();
    state.mayRun = false;
    await regular.look();
    expect(readdirSync(folder)).toEqual([]);
    store.close();
  });

  test('that cannot be made, or is given up, leaves nothing behind', async () => {
    const { store, path, folder, regular } = setUp();
    store.close();
    writeFileSync(path, 'no database at all '.repeat(100));
    expect(await regular.look().catch((error: Error) => error.message)).toBe('the copy of the database is incomplete');
    expect(readdirSync(folder)).toEqual([]);
    const other = setUp();
    const looking = other.regular.look().catch((error: Error) => error.message);
    await other.regular.stop();
    expect(await looking).toBe('the copy of the database is incomplete');
    expect(readdirSync(other.folder)).toEqual([]);
    other.store.close();
  });
});
