// Large files reach the disk, and leave it, a part at a time.

import { expect, test } from 'bun:test';
import { existsSync, linkSync, mkdtempSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { copyInParts, removeInParts, syncInParts } from '../../src/base/large-file.ts';
import { temporaryFolder } from '../support/folders.ts';

const mebibyte = 1 << 20;
const folder = () => mkdtempSync(join(temporaryFolder(), 'large-'));

test('a growing file is synced whenever 8 MiB are waiting, and not before', async () => {
  let syncs = 0;
  const file = {
    datasync() {
      syncs += 1;
      return Promise.resolve();
    },
  } as FileHandle;
  const sync = syncInParts(file);
  const seen: number[] = [];
  for (let written = 0; written < 20; written += 1) {
    await sync(mebibyte);
    seen.push(syncs);
  }
  expect(seen.slice(5, 9)).toEqual([0, 0, 1, 1]);
  expect(seen.at(-1)).toBe(2);
});

test.each([0, 1, mebibyte, 19 * mebibyte + 5])('a copy of %d bytes is the same file', async (size) => {
  const [from, to] = ['from', 'to'].map((name) => join(folder(), name)) as [string, string];
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 4093) bytes[at] = at % 251;
  writeFileSync(from, bytes);
  writeFileSync(to, 'longer than nothing');
  await copyInParts(from, to);
  expect(Buffer.compare(readFileSync(to), bytes)).toBe(0);
});

test('a file that is removed has been cut to its last part before its name goes', async () => {
  const path = join(folder(), 'file');
  const other = `${path}.other`;
  await (await open(path, 'w')).close();
  truncateSync(path, 100 * mebibyte);
  linkSync(path, other);
  await removeInParts(path);
  expect(existsSync(path)).toBe(false);
  expect(statSync(other).size).toBe(4 * mebibyte);
});

test('a file that is not there is not removed', async () => {
  await removeInParts(join(folder(), 'nothing'));
});
