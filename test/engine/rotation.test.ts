// Logs that end and begin again: not if the database could not be reopened, and never without its readers.

import { expect, test } from 'bun:test';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../src/engine/database.ts';
import { createWriter } from '../../src/engine/writer.ts';
import { temporaryFolder } from '../support/folders.ts';

function opened() {
  const folder = mkdtempSync(join(temporaryFolder(), 'data-'));
  const store = openStore(join(folder, 'helpdesk.db'), 'OFF', join(folder, 'wal'));
  store.writing.client.run('CREATE TABLE word (text TEXT NOT NULL) STRICT');
  const writer = createWriter(store);
  return {
    folder,
    store,
    add: (text: string) =>
      writer.write((tx) => {
        tx.client.run('INSERT INTO word VALUES (?)', [text]);
        return null;
      }),
    words: () =>
      store.reading.client
        .query<{ text: string }, []>('SELECT text FROM word ORDER BY rowid')
        .all()
        .map(({ text }) => text),
  };
}

test('a finished log is kept under its name, and the next one records its length', async () => {
  const { folder, store, add, words } = opened();
  await add('one');
  expect(store.rotate()).toBe(true);
  await add('two');
  expect(store.rotate()).toBe(true);
  await add('three');
  expect(words()).toEqual(['one', 'two', 'three']);
  const [first, second, third] = readdirSync(join(folder, 'wal'))
    .filter((name) => name.endsWith('.wal'))
    .sort();
  expect(first).toBe('00000001.new.wal');
  expect(second).toBe(`00000002.${statSync(join(folder, 'wal', first ?? '')).size}.wal`);
  expect(third).toBe(`00000003.${statSync(join(folder, 'wal', second ?? '')).size}.wal`);
  store.close();
});

test('a database that could not be opened again is not closed', async () => {
  const { folder, store, add, words } = opened();
  await add('one');
  renameSync(folder, `${folder}-gone`);
  expect(() => store.rotate()).not.toThrow();
  expect(words()).toEqual(['one']);
  renameSync(`${folder}-gone`, folder);
  expect(store.rotate()).toBe(true);
  await add('two');
  expect(words()).toEqual(['one', 'two']);
  store.close();
});

test('a log that another handle reads does not end', async () => {
  const { folder, store, add, words } = opened();
  await add('one');
  const other = openStore(join(folder, 'helpdesk.db'), 'OFF', join(folder, 'wal'));
  other.reading.client.query('SELECT count(*) FROM word').get();
  expect(store.rotate()).toBe(false);
  await add('two');
  other.close();
  expect(store.rotate()).toBe(true);
  expect(words()).toEqual(['one', 'two']);
  expect(readdirSync(join(folder, 'wal')).filter((name) => name.endsWith('.wal'))).toHaveLength(1);
  store.close();
});

test('an uncommitted transaction is removed from the log', async () => {
  const { folder, store, add, words } = opened();
  await add('one');
  const log = join(folder, 'helpdesk.db-wal');
  const whole = statSync(log).size;
  // The rest of a transaction whose fsync failed: complete, but not in the index.
  appendFileSync(log, readFileSync(log).subarray(32));
  expect(statSync(log).size).toBeGreaterThan(whole);
  expect(store.cutTail()).toBe(true);
  expect(statSync(log).size).toBe(whole);
  await add('two');
  expect(words()).toEqual(['one', 'two']);
  store.close();
});

test('a database that cannot be reopened after a log has ended is still read, and reopened as soon as possible', async () => {
  const { folder, store, add, words } = opened();
  await add('one');
  // The disk fails when the log has ended.
  const { client } = store.writing;
  const close = client.close.bind(client);
  client.close = () => {
    close();
    renameSync(folder, `${folder}-gone`);
  };
  expect(store.rotate()).toBe(true);
  expect(words()).toEqual(['one']);
  await expect(add('refused')).rejects.toMatchObject({ code: 'unavailable', reason: 'storage_unavailable' });
  expect(words()).toEqual(['one']);
  renameSync(`${folder}-gone`, folder);
  await add('two');
  expect(words()).toEqual(['one', 'two']);
  store.close();
});
