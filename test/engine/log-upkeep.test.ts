// The log is copied into the database on another thread: part by part, never restarted in place, and complete after a crash.

import { expect, test } from 'bun:test';
import { closeSync, existsSync, ftruncateSync, mkdtempSync, openSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '#platform/sqlite.ts';
import { openStore, query, type Store, sqliteCode } from '../../src/engine/database.ts';
import { listSegments } from '../../src/engine/wal/archive.ts';
import { readWalHeader } from '../../src/engine/wal/format.ts';
import { rollForward } from '../../src/engine/wal/roll-forward.ts';
import { type LogPace, usualPace } from '../../src/engine/wal/upkeep.ts';
import { createWriter } from '../../src/engine/writer.ts';
import { caseCount } from '../support/case-count.ts';
import { temporaryFolder } from '../support/folders.ts';
import { startProgram } from '../support/programs.ts';

const quick: LogPace = { partFrames: 40, lastFrames: 10, longBytes: 1_000_000, againMs: 200 };

function opened(pace: Partial<LogPace> = {}) {
  const folder = mkdtempSync(join(temporaryFolder(), 'data-'));
  const path = join(folder, 'helpdesk.db');
  const archive = join(folder, 'wal');
  const store = openStore(path, 'OFF', archive, { ...quick, ...pace });
  store.writing.client.run('CREATE TABLE IF NOT EXISTS word (text TEXT NOT NULL) STRICT');
  const writer = createWriter(store);
  let written = 0;
  return {
    folder,
    path,
    archive,
    store,
    written: () => written,
    async write(commits: number) {
      for (let at = 0; at < commits; at += 1) {
        written += 1;
        await writer.write((tx) => {
          tx.client.run('INSERT INTO word VALUES (?)', [`${written} ${'x'.repeat(3000)}`]);
          return null;
        });
        store.tend();
      }
    },
  };
}

const lacking = (store: Store) => {
  const index = store.archive?.index();
  return (index?.frames ?? 0) - (index?.backfilled ?? 0);
};

const wordsIn = (path: string) => {
  const database = openDatabase(path, 'existing');
  const found = database
    .query<{ n: number; newest: number }, []>('SELECT count(*) AS n, max(rowid) AS newest FROM word')
    .get();
  expect(database.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  database.close();
  return found;
};

/** What a copy would be made of: every log from the first on, over nothing. */
function replayed(folder: string, archive: string): string {
  const path = join(folder, 'replayed.db');
  const file = openSync(path, 'w+');
  ftruncateSync(file, 0);
  expect(rollForward(file, archive, { segment: 1, frames: 0 }).brokenAt).toBeNull();
  closeSync(file);
  return path;
}

test('commits are copied into the database step by step, and every log stays complete', async () => {
  const { folder, archive, store, written, write } = opened();
  await write(60);
  await store.settled();
  expect(store.archive?.index()?.backfilled).toBeGreaterThan(0);
  for (let round = 0; round < 12; round += 1) {
    await write(40);
    await store.settled();
    // On a busy machine a copy can be due again only after a while.
    while (lacking(store) >= 400) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      store.tend();
      await store.settled();
    }
  }
  expect(listSegments(archive).length).toBeGreaterThan(1);
  for (const { path } of listSegments(archive)) expect(readWalHeader(readFileSync(path))?.sequence ?? 0).toBe(0);
  expect(query(store.reading, 'SELECT count(*) AS n FROM word').get()).toEqual({ n: written() });
  store.close();
  expect(wordsIn(replayed(folder, archive))).toEqual({ n: written(), newest: written() });
});

test('copied commits do not let the next writer restart the log in place', async () => {
  // No copy beside a commit, which can keep it from some frames, and then the next one waits.
  const { archive, store, write } = opened({ partFrames: 1_000_000, longBytes: 100_000_000 });
  await write(60);
  await store.copyMostOfLog();
  const before = store.archive?.index();
  await write(1);
  expect(lacking(store)).toBeLessThan(60);
  expect(store.archive?.index()?.frames).toBeGreaterThan(before?.frames ?? 0);
  expect(store.archive?.index()?.salts).toBe(before?.salts ?? '');
  expect(listSegments(archive)).toHaveLength(1);
  store.close();
});

test('the file never has the whole log, so that no process that opens it can restart the log in place', async () => {
  const { path, archive, store, write } = opened({ longBytes: 100_000_000, lastFrames: 0 });
  await write(60);
  await store.copyMostOfLog();
  const salts = store.archive?.index()?.salts;
  expect(lacking(store)).toBeGreaterThan(0);
  const other = openStore(path, 'OFF', archive, { ...quick, longBytes: 100_000_000 });
  other.reading.client.query('SELECT count(*) FROM word').get();
  // It takes its own guard now.
  other.tend();
  store.close();
  const writer = createWriter(other);
  for (let at = 0; at < 5; at += 1) {
    await writer.write((tx) => {
      tx.client.run("INSERT INTO word VALUES ('more')");
      return null;
    });
    other.tend();
    await other.copyMostOfLog();
    expect(lacking(other)).toBeGreaterThan(0);
  }
  expect(other.archive?.index()?.salts).toBe(salts ?? '');
  other.close();
  expect(wordsIn(path)?.n).toBe(65);
});

test('closing waits for the step under way, and then the log ends', async () => {
  const { folder, path, store, written, write } = opened({ partFrames: 1_000_000, longBytes: 100_000_000 });
  await write(200);
  const taken = store.copyMostOfLog();
  store.close();
  expect(existsSync(`${path}-wal`)).toBe(false);
  expect(readFileSync(join(folder, 'wal', 'last.txt'), 'utf8')).toStartWith('1 ');
  await taken;
  expect(wordsIn(path)).toEqual({ n: written(), newest: written() });
});

test('a failed step is reported once and tried again later', async () => {
  const { folder, store, write } = opened({ partFrames: 1_000_000, longBytes: 100_000_000 });
  for (let turn = 0; turn < 2; turn += 1) {
    await write(50);
    await store.copyMostOfLog();
  }
  await write(50);
  renameSync(folder, `${folder}-gone`);
  await store.copyMostOfLog();
  let told: unknown = null;
  try {
    store.tend();
  } catch (error) {
    told = error;
  }
  expect(sqliteCode(told)).toBe('SQLITE_CANTOPEN');
  const left = lacking(store);
  renameSync(`${folder}-gone`, folder);
  store.tend();
  // Not at once.
  await store.copyMostOfLog();
  expect(lacking(store)).toBe(left);
  while (lacking(store) >= left) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    await store.copyMostOfLog();
  }
  store.close();
});

test('a log with another reader is tried again after a pause, and ends when the reader is gone', async () => {
  const { path, archive, store, write } = opened({ againMs: 400 });
  const reopenings = () => Math.floor(store.dataVersion() / 2 ** 32);
  const other = openStore(path, 'OFF', archive, usualPace);
  other.reading.client.query('SELECT count(*) FROM word').get();
  let triedAt = 0;
  while (reopenings() === 0) {
    triedAt = performance.now();
    await write(1);
  }
  expect(listSegments(archive)).toHaveLength(1);
  other.close();
  while (performance.now() - triedAt < 400) {
    await write(1);
    if (performance.now() - triedAt < 400) expect(reopenings()).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  while (listSegments(archive).length === 1) await write(1);
  expect(reopenings()).toBe(2);
  store.close();
});

test('kill -9 during a step loses no commit, in the database or in its logs', async () => {
  const child = new URL('./killed-upkeep.ts', import.meta.url).pathname;
  const folder = mkdtempSync(join(temporaryFolder(), 'data-'));
  const archive = join(folder, 'wal');
  let least = 0;
  let inTheMiddle = 0;
  for (let round = 0; round < caseCount(4, 8); round += 1) {
    const killed = startProgram([process.execPath, child, folder, String(round * 200)]);
    expect([await killed.errors, await killed.ended]).toEqual(['', { code: null, signal: 'SIGKILL' }]);
    const { words, left } = JSON.parse(await killed.output) as { words: number; left: number };
    expect(words).toBeGreaterThan(least);
    least = words;
    if (left > 0) inTheMiddle += 1;
    expect(wordsIn(replayed(folder, archive))).toEqual({ n: words, newest: words });
  }
  expect(inTheMiddle).toBeGreaterThan(0);
  const store = openStore(join(folder, 'helpdesk.db'), 'OFF', archive);
  expect(query(store.reading, 'SELECT count(*) AS n FROM word').get()).toEqual({ n: least });
  store.close();
  expect(wordsIn(join(folder, 'helpdesk.db'))?.n).toBe(least);
});
