// A copy of a database whose log is partly in its file, while both go on changing: it has the state of the moment it began.

import { expect, test } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '#platform/sqlite.ts';
import { copyPinned } from '../../src/data/snapshots.ts';
import { openStore, query } from '../../src/engine/database.ts';
import { usualPace } from '../../src/engine/wal/upkeep.ts';
import { createWriter } from '../../src/engine/writer.ts';
import { temporaryFolder } from '../support/folders.ts';

/** Rows that are written again and again, so that their pages are in the log many times. */
function changing() {
  const folder = mkdtempSync(join(temporaryFolder(), 'data-'));
  const pace = { ...usualPace, partFrames: 60, lastFrames: 0, againMs: 0 };
  const store = openStore(join(folder, 'helpdesk.db'), 'OFF', join(folder, 'wal'), pace);
  store.writing.client.run(
    'CREATE TABLE word (id INTEGER PRIMARY KEY, turn INTEGER NOT NULL, text TEXT NOT NULL) STRICT',
  );
  const writer = createWriter(store);
  let turn = 0;
  return {
    folder,
    store,
    async change(commits: number) {
      for (let at = 0; at < commits; at += 1) {
        turn += 1;
        await writer.write((tx) => {
          const put = query(tx, 'INSERT OR REPLACE INTO word VALUES (?, ?, ?)');
          for (const row of [1, 2, 3]) put.run((turn * 7 * row) % 90, turn, 'x'.repeat(2500));
          put.run(1000 + turn, turn, 'new');
          return null;
        });
        store.tend();
      }
    },
    rows: () => store.reading.client.query('SELECT id, turn FROM word ORDER BY id').all(),
  };
}

test('a copy has what was committed when it began: nothing older, nothing newer', async () => {
  const { folder, store, change, rows } = changing();
  let partly = 0;
  for (let round = 0; round < 40; round += 1) {
    await change(10 + ((round * 13) % 40));
    // Now and then everything but the last commits is in the file.
    if (round % 3 === 0) await store.copyMostOfLog();
    await change(round % 4);
    const pinned = store.pin();
    const expected = rows();
    if (pinned.overlay !== null && pinned.overlay.after > 0) partly += 1;
    const path = join(folder, `copy-${round}.db`);
    const file = await open(path, 'wx');
    // What is copied into the file meanwhile must do no harm, and must not be needed.
    const changed = round % 2 === 0 ? change(30) : Promise.resolve();
    await copyPinned(pinned, file, { isKept: false });
    await changed;
    await file.close();
    pinned.release();
    const copy = openDatabase(path, 'existing');
    expect(copy.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    expect(copy.query('SELECT id, turn FROM word ORDER BY id').all()).toEqual(expected);
    copy.close();
  }
  expect(partly).toBeGreaterThan(3);
  store.close();
});
