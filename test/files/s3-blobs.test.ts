// Files in an S3-compatible store: complete or absent, whatever the store does.

import { afterEach, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newUlid } from '../../src/base/ids.ts';
import { DeskError } from '../../src/domain/errors.ts';
import type { Blobs } from '../../src/files/blobs.ts';
import { createS3Blobs } from '../../src/files/s3-blobs.ts';
import type { S3Fault } from '../../src/files/s3-requests.ts';
import { temporaryFolder } from '../support/folders.ts';
import { type Failure, type FakeS3, fakeS3 } from '../support/s3.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function setUp(key = 'the-key'): Promise<{ store: FakeS3; blobs: Blobs; staging: string; faults: S3Fault[] }> {
  const faults: S3Fault[] = [];
  const store = await fakeS3('desk', 'the-key', 'eu-1');
  closing.push(store.close);
  const staging = join(temporaryFolder(), 'staging');
  const blobs = createS3Blobs({
    s3: { endpoint: store.endpoint, bucket: 'desk', region: 'eu-1', accessKeyId: key, secretAccessKey: 'secret' },
    staging,
    prefix: 'attachments/',
    onFault: (fault) => faults.push(fault),
  });
  return { store, blobs, staging, faults };
}

async function* chunks(...parts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? new TextEncoder().encode(part) : part;
}

async function keep(blobs: Blobs, text: string | Uint8Array): Promise<string> {
  const ulid = newUlid(Date.now());
  const staged = await blobs.stage(chunks(text), 100_000_000);
  try {
    await staged.keep(ulid);
  } catch (error) {
    await staged.discard();
    throw error;
  }
  return ulid;
}

async function refusalOf(promise: Promise<unknown>): Promise<DeskError> {
  const error = await promise.then(
    () => null,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(DeskError);
  return error as DeskError;
}

const text = (blobs: Blobs, ulid: string, start: number, end: number) =>
  new Response(blobs.read(ulid, start, end)).text();

test('a file is staged here, uploaded, and gone from here', async () => {
  const { store, blobs, staging } = await setUp();
  const ulid = newUlid(Date.now());
  const staged = await blobs.stage(chunks('Hello ', 'there'), 100);
  expect(staged).toMatchObject({ size: 11, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(store.requests).toEqual([]);
  expect(readdirSync(staging)).toHaveLength(1);
  await staged.keep(ulid);
  expect([...store.objects.keys()]).toEqual([`attachments/${ulid.slice(-2)}/${ulid}`]);
  expect(readdirSync(staging)).toEqual([]);
  await staged.discard();
  expect(await blobs.size(ulid)).toBe(11);
  expect(await text(blobs, ulid, 0, 10)).toBe('Hello there');
});

test('too large is refused while it arrives, and nothing is left or sent', async () => {
  const { store, blobs, staging } = await setUp();
  expect(await refusalOf(blobs.stage(chunks('12345', '67890'), 9))).toMatchObject({ code: 'too_large' });
  expect(readdirSync(staging)).toEqual([]);
  expect(store.requests).toEqual([]);
});

test('a file of thirty megabytes goes up in one request', async () => {
  const { store, blobs } = await setUp();
  const ulid = await keep(blobs, new Uint8Array(30 * 1024 * 1024).fill(7));
  expect(store.requests.map(({ method }) => method)).toEqual(['PUT', 'HEAD']);
  expect(await blobs.size(ulid)).toBe(30 * 1024 * 1024);
});

test('ranges are asked for as such', async () => {
  const { store, blobs } = await setUp();
  const ulid = await keep(blobs, '0123456789');
  for (const [start, end, expected] of [
    [0, 9, '0123456789'],
    [0, 0, '0'],
    [3, 5, '345'],
    [9, 9, '9'],
    [0, -1, ''],
  ] as const) {
    expect(await text(blobs, ulid, start, end)).toBe(expected);
  }
  expect(store.requests.filter(({ method }) => method === 'GET').map(({ range }) => range)).toEqual([
    'bytes=0-9',
    'bytes=0-0',
    'bytes=3-5',
    'bytes=9-9',
  ]);
});

test('what is not there has no size; removing it is no fault', async () => {
  const { blobs } = await setUp();
  const ulid = newUlid(Date.now());
  expect(await blobs.size(ulid)).toBeNull();
  await blobs.remove(ulid);
  const kept = await keep(blobs, 'x');
  await blobs.remove(kept);
  expect(await blobs.size(kept)).toBeNull();
});

describe('a store that fails', () => {
  const uploads: [method: string, failure: Failure][] = [
    ['PUT', 'error'],
    ['PUT', 'denied'],
    ['PUT', 'half'],
    ['PUT', 'nothing'],
    ['HEAD', 'error'],
  ];
  for (const [method, failure] of uploads) {
    test(`(${method}: ${failure}) keeps no file, and says that it is away`, async () => {
      const { store, blobs, staging } = await setUp();
      store.fail(method, failure);
      const refused = await refusalOf(keep(blobs, 'Hello there'));
      expect(refused).toMatchObject({ code: 'unavailable', reason: 'storage_unavailable', retryAfterSeconds: 30 });
      expect(readdirSync(staging)).toEqual([]);
      store.fail(method, null);
      if (method === 'PUT') expect(store.objects.size).toBe(0);
      expect(await blobs.size(await keep(blobs, 'again'))).toBe(5);
    });
  }

  for (const failure of ['error', 'denied', 'cut', 'rangeless'] as const) {
    test(`(GET: ${failure}) never makes a part pass for the whole`, async () => {
      const { store, blobs } = await setUp();
      const ulid = await keep(blobs, '0123456789');
      store.fail('GET', failure);
      expect(await refusalOf(text(blobs, ulid, 2, 5))).toMatchObject({ code: 'unavailable' });
    });
  }

  test('to tell a size does not mean that there is no file', async () => {
    const { store, blobs } = await setUp();
    const ulid = await keep(blobs, 'x');
    for (const failure of ['error', 'denied'] as const) {
      store.fail('HEAD', failure);
      expect(await refusalOf(blobs.size(ulid))).toMatchObject({ code: 'unavailable' });
    }
    store.close();
    expect(await refusalOf(blobs.size(ulid))).toMatchObject({ code: 'unavailable' });
    expect(await refusalOf(blobs.remove(ulid))).toMatchObject({ code: 'unavailable' });
  });

  test('because the key is wrong is the same', async () => {
    const { blobs } = await setUp('another-key');
    expect(await refusalOf(keep(blobs, 'x'))).toMatchObject({ code: 'unavailable' });
  });
});

describe('the sweep', () => {
  test('takes what is older than an hour and has no row, page by page, and nothing else', async () => {
    const { store, blobs, staging } = await setUp();
    const now = Date.now();
    const kept: string[] = [];
    for (let at = 0; at < 10; at += 1) kept.push(await keep(blobs, `${at}`));
    const old = kept.slice(0, 8);
    for (const ulid of old) {
      const object = store.objects.get(`attachments/${ulid.slice(-2)}/${ulid}`);
      if (object) object.changedAt = now - 2 * 60 * 60 * 1000;
    }
    const foreign = ['attachments/readme.txt', 'attachments/zz/no-ulid', `attachments/zz/${newUlid(now)}`, 'backups/x'];
    for (const key of foreign) store.objects.set(key, { bytes: new Uint8Array(1), changedAt: 0 });
    const forgotten = join(staging, 'part_old');
    const arriving = join(staging, 'part_new');
    for (const path of [forgotten, arriving]) writeFileSync(path, 'x');
    utimesSync(forgotten, 0, 0);
    const rows = new Set(old.slice(0, 3));
    const asked: string[] = [];
    const removed = await blobs.sweep(now, (ulids) => {
      asked.push(...ulids);
      return new Set(ulids.filter((ulid) => rows.has(ulid)));
    });
    expect(removed).toBe(6);
    expect(asked.toSorted()).toEqual(old.toSorted());
    expect(
      [...store.objects.keys()]
        .filter((key) => !foreign.includes(key))
        .map((key) => key.slice(-26))
        .toSorted(),
    ).toEqual([...rows, ...kept.slice(8)].toSorted());
    for (const key of foreign) expect(store.objects.has(key)).toBe(true);
    expect([existsSync(forgotten), existsSync(arriving)]).toEqual([false, true]);
  });

  test('that cannot list removes nothing', async () => {
    const { store, blobs } = await setUp();
    await keep(blobs, 'x');
    store.fail('GET', 'error');
    expect(await refusalOf(blobs.sweep(Date.now() + 10 * 60 * 60 * 1000, () => new Set()))).toMatchObject({
      code: 'unavailable',
    });
    expect(store.objects.size).toBe(1);
  });
});
