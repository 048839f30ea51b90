// Attachment files: staged, kept or discarded, never partial.

import { afterAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { newUlid } from '../../src/base/ids.ts';
import { createLocalBlobs } from '../../src/files/blobs.ts';
import { temporaryFolder } from '../support/folders.ts';

const root = join(temporaryFolder(), 'attachments');
const blobs = createLocalBlobs(root);
const now = systemClock.now();
const hour = 3_600_000;

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

const filesUnder = () =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

async function put(text: string): Promise<string> {
  const ulid = newUlid(now);
  const staged = await blobs.stage(chunks(text), 1000);
  await staged.keep(ulid);
  return ulid;
}

const textOf = (ulid: string, start: number, end: number) => new Response(blobs.read(ulid, start, end)).text();

describe('a file that arrives', () => {
  test('is whole, with its size and hash, under its name once it is kept', async () => {
    const staged = await blobs.stage(chunks('hello ', 'world'), 11);
    expect(staged).toMatchObject({ size: 11, sha256: createHash('sha256').update('hello world').digest('hex') });
    expect(readFileSync(staged.path, 'utf8')).toBe('hello world');
    expect(statSync(staged.path).mode & 0o077).toBe(0);
    const ulid = newUlid(now);
    expect(await blobs.size(ulid)).toBeNull();
    await staged.keep(ulid);
    expect(existsSync(staged.path)).toBe(false);
    expect(await blobs.size(ulid)).toBe(11);
    await blobs.remove(ulid);
    expect(await blobs.size(ulid)).toBeNull();
    await blobs.remove(ulid);
  });

  test('too large is refused as soon as it is, and leaves nothing', async () => {
    let given = 0;
    async function* endless() {
      for (;;) {
        given += 1;
        yield new Uint8Array(100);
      }
    }
    const before = filesUnder();
    await expect(blobs.stage(endless(), 1000)).rejects.toMatchObject({
      code: 'too_large',
      reason: 'attachment_too_large',
    });
    expect(given).toBeLessThan(30);
    expect(filesUnder()).toEqual(before);
  });

  test('of exactly the limit is taken, and so is an empty one', async () => {
    const full = await blobs.stage(chunks('x'.repeat(1000)), 1000);
    const empty = await blobs.stage(chunks(), 1000);
    expect([full.size, empty.size]).toEqual([1000, 0]);
    const ulid = newUlid(now);
    await empty.keep(ulid);
    expect(await textOf(ulid, 0, -1)).toBe('');
    await full.discard();
    await full.discard();
    expect(existsSync(full.path)).toBe(false);
  });

  test('that breaks off leaves nothing, and its own error', async () => {
    async function* broken() {
      yield new Uint8Array(10);
      throw new Error('the line broke');
    }
    const before = filesUnder();
    await expect(blobs.stage(broken(), 1000)).rejects.toThrow('the line broke');
    expect(filesUnder()).toEqual(before);
  });

  test('where no file can be made is refused as unavailable', async () => {
    const other = join(temporaryFolder(), 'attachments');
    const lost = createLocalBlobs(other);
    const staged = await lost.stage(chunks('x'), 10);
    const ulid = newUlid(now);
    // A file is in the place of the folder.
    writeFileSync(join(other, ulid.slice(-2)), '');
    await expect(staged.keep(ulid)).rejects.toThrow();
    await staged.discard();
  });
});

describe('reading', () => {
  test('gives any stretch', async () => {
    const ulid = await put('0123456789');
    expect(await textOf(ulid, 0, 9)).toBe('0123456789');
    expect(await textOf(ulid, 3, 5)).toBe('345');
    expect(await textOf(ulid, 9, 9)).toBe('9');
    await blobs.read(ulid, 0, 9).cancel();
  });

  test('a large file comes whole', async () => {
    const big = 'abcdefgh'.repeat(64 * 1024);
    const ulid = newUlid(now);
    await (await blobs.stage(chunks(big), big.length)).keep(ulid);
    expect(
      createHash('sha256')
        .update(await textOf(ulid, 0, big.length - 1))
        .digest('hex'),
    ).toBe(createHash('sha256').update(big).digest('hex'));
  });
});

describe('the sweep', () => {
  test('takes old files without a row and old staged ones, and nothing else', async () => {
    const age = (path: string) => utimesSync(path, (now - 2 * hour) / 1000, (now - 2 * hour) / 1000);
    const pathOf = (ulid: string) => join(root, ulid.slice(-2), ulid);
    const [kept, orphan, young] = (await Promise.all(['a', 'b', 'c'].map(put))) as [string, string, string];
    const left = await blobs.stage(chunks('left'), 10);
    const arriving = await blobs.stage(chunks('arriving'), 10);
    for (const path of [pathOf(kept), pathOf(orphan), left.path]) age(path);
    const removed = await blobs.sweep(now, (ulids) => new Set(ulids.filter((ulid) => ulid === kept)));
    expect(removed).toBe(2);
    expect([kept, orphan, young].map((ulid) => existsSync(pathOf(ulid)))).toEqual([true, false, true]);
    expect([existsSync(left.path), existsSync(arriving.path)]).toEqual([false, true]);
    await arriving.discard();
  });
});

afterAll(() => undefined);
