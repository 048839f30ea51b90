// Snapshots of a database in a mount: complete, outside of it, and only on the primary.

import { describe, expect, test } from 'bun:test';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '#platform/sqlite.ts';
import { silentLog } from '../../src/base/log.ts';
import { createReplicatedKeeper } from '../../src/data/replicated-snapshots.ts';
import { temporaryFolder } from '../support/folders.ts';
import { migratedStore } from '../support/store.ts';

function setUp(everyMs = 1, keep = 2) {
  const { store, path } = migratedStore();
  const folder = join(temporaryFolder(), 'backups');
  const state = { mayRun: true };
  const keeper = createReplicatedKeeper({
    database: path,
    folder,
    log: silentLog,
    everyMs,
    keep,
    mayRun: () => state.mayRun,
  });
  return { store, path, folder, state, keeper };
}

describe('a snapshot beside the mount', () => {
  test('holds what was committed, while the desk has the database open', async () => {
    const { store, path, folder, keeper } = setUp();
    store.writing.client.run('CREATE TABLE notes (text TEXT) STRICT');
    store.writing.client.run("INSERT INTO notes VALUES ('kept')");
    store.writing.client.run('BEGIN IMMEDIATE');
    store.writing.client.run("INSERT INTO notes VALUES ('not yet')");
    const beside = readdirSync(join(path, '..')).toSorted();
    expect(keeper.newestAt()).toBeNull();
    const from = Date.now();
    await keeper.look();
    const to = Date.now();
    store.writing.client.run('COMMIT');
    const names = readdirSync(folder);
    expect(names).toEqual([expect.stringMatching(/^replicated-\d{8}T\d{9}Z\.db$/)]);
    const copy = openDatabase(join(folder, names[0] ?? ''), 'existing');
    expect(copy.query('SELECT text FROM notes').all()).toEqual([{ text: 'kept' }]);
    expect(copy.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    copy.close();
    expect(readdirSync(join(path, '..')).toSorted()).toEqual(beside);
    expect(keeper.newestAt()).toBeWithin(from, to + 1);
    store.close();
  });

  test('is taken when it is due, and so many are kept', async () => {
    const { store, folder, keeper } = setUp(1, 2);
    for (let at = 0; at < 4; at += 1) {
      await keeper.look();
      await sleep(2);
    }
    expect(readdirSync(folder)).toHaveLength(2);
    const rare = setUp(60_000, 2);
    await rare.keeper.look();
    await rare.keeper.look();
    expect(readdirSync(rare.folder)).toHaveLength(1);
    store.close();
    rare.store.close();
  });

  test('is done only by the primary', async () => {
    const { store, folder, state, keeper } = setUp();
    state.mayRun = false;
    await keeper.look();
    expect(readdirSync(folder)).toEqual([]);
    store.close();
  });

  test('that cannot be made, or is given up, leaves nothing behind', async () => {
    const { store, path, folder, keeper } = setUp();
    store.close();
    writeFileSync(path, 'no database at all '.repeat(100));
    expect(await keeper.look().catch((error: Error) => error.message)).toBe('the copy of the database is incomplete');
    expect(readdirSync(folder)).toEqual([]);
    const other = setUp();
    const looking = other.keeper.look().catch((error: Error) => error.message);
    await other.keeper.stop();
    expect(await looking).toBe('the copy of the database is incomplete');
    expect(readdirSync(other.folder)).toEqual([]);
    other.store.close();
  });
});
