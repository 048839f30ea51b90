// A bucket that an owner has set: files on the disk and in it are read, and a copy of the desk takes nothing from the original.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createSeal, randomKey } from '../../src/base/crypto.ts';
import { newUlid } from '../../src/base/ids.ts';
import { type DataDirectory, openDataDirectory } from '../../src/data/directory.ts';
import { examine } from '../../src/data/doctor/examine.ts';
import { changeDesk } from '../../src/desk/desk-settings.ts';
import { type DeskInput, deskInput } from '../../src/domain/input/people.ts';
import { dayMs } from '../../src/domain/instant.ts';
import { updateDeskSettings } from '../../src/store/desk-settings.ts';
import { temporaryFolder } from '../support/folders.ts';
import { type FakeS3, fakeS3 } from '../support/s3.ts';
import { configFor } from './copying.ts';

let store: FakeS3;
let path: string;
const opened: DataDirectory[] = [];
beforeEach(async () => {
  store = await fakeS3('desk', 'the-key', 'eu-1');
  path = join(temporaryFolder(), 'data');
});
afterEach(async () => {
  for (const data of opened.splice(0)) await data.close();
  store.close();
});

function open(at = path, more: Record<string, string> = {}): DataDirectory {
  const data = openDataDirectory(configFor(at, more));
  opened.push(data);
  return data;
}

const settings = () => ({ endpoint: store.endpoint, bucket: 'desk', region: 'eu-1', access_key_id: 'the-key' });

async function set(data: DataDirectory, bucket: object | null): Promise<void> {
  const { desk, place } = data;
  const input: DeskInput = deskInput.parse({ bucket });
  const ctx = () => desk.context({ kind: 'command_line' }, 'test');
  await desk.write((tx) => {
    changeDesk(tx, ctx(), input, null, place);
    return null;
  });
}

const setBucket = (data: DataDirectory) => set(data, { ...settings(), secret_access_key: 'secret' });

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function keep({ blobs }: DataDirectory, text: string): Promise<string> {
  const ulid = newUlid(Date.now());
  await (await blobs.stage(bytesOf(text), 1000)).keep(ulid);
  return ulid;
}

const read = async ({ blobs }: DataDirectory, ulid: string) => {
  const size = await blobs.size(ulid);
  return size === null ? null : await new Response(blobs.read(ulid, 0, size - 1)).text();
};
const isOnDisk = (ulid: string, at = path) => existsSync(join(at, 'attachments', ulid.slice(-2), ulid));
const keysOf = (ulid: string) => [...store.objects.keys()].filter((key) => key.endsWith(ulid));
const sweep = ({ blobs }: DataDirectory) => blobs.sweep(Date.now() + dayMs, () => new Set());

/** What `cp -r` makes of it, opened. */
function copyOf(original: string): DataDirectory {
  const copy = join(temporaryFolder(), 'copy');
  cpSync(original, copy, { recursive: true });
  return open(copy);
}

test('files stay where they are, new ones go where they are told to, and all are read', async () => {
  const data = open();
  const before = await keep(data, 'on the disk');
  await setBucket(data);
  const during = await keep(data, 'in the bucket');
  expect([isOnDisk(before), isOnDisk(during), keysOf(during).length]).toEqual([true, false, 1]);
  expect(keysOf(during)[0]).toMatch(/^desk-[0-9a-z]{26}\/attachments\/../);
  await set(data, { ...settings(), stores_files: false });
  const after = await keep(data, 'on the disk again');
  expect([isOnDisk(after), keysOf(after)]).toEqual([true, []]);
  for (const [ulid, text] of [
    [before, 'on the disk'],
    [during, 'in the bucket'],
    [after, 'on the disk again'],
  ] as const)
    expect(await read(data, ulid)).toBe(text);
  await data.blobs.remove(before);
  await data.blobs.remove(during);
  expect([isOnDisk(before), store.objects.size]).toEqual([false, 0]);
  expect(await data.blobs.size(during)).toBeNull();
});

test('a bucket that is removed keeps its files, which are read once it is set again', async () => {
  const data = open();
  await setBucket(data);
  const ulid = await keep(data, 'a file');
  await set(data, null);
  expect([await data.blobs.size(ulid), await sweep(data), keysOf(ulid).length]).toEqual([null, 0, 1]);
  await setBucket(data);
  expect(await read(data, ulid)).toBe('a file');
});

test('a copy of the desk reads the files of the original, and removes none of them', async () => {
  const original = open();
  await setBucket(original);
  const old = await keep(original, 'from before');
  await original.close();
  const copy = copyOf(path);
  const again = open();
  const newer = await keep(again, 'the original goes on');

  expect(await read(copy, old)).toBe('from before');
  const own = await keep(copy, 'of the copy');
  expect(keysOf(own)[0]?.split('/')[0]).not.toBe(keysOf(old)[0]?.split('/')[0]);
  await copy.blobs.remove(old);
  expect(await sweep(copy)).toBe(1);
  expect([keysOf(own), keysOf(old).length, keysOf(newer).length]).toEqual([[], 1, 1]);
  expect([await read(again, old), await read(again, newer)]).toEqual(['from before', 'the original goes on']);
});

test('a copy that takes the folders over removes in them what it does not have, and writes to one of its own', async () => {
  const original = open();
  await setBucket(original);
  const kept = await keep(original, 'known to both');
  const lost = await keep(original, 'known to the original');
  await original.close();
  const copy = copyOf(path);
  await set(copy, { ...settings(), takes_folders: true });
  const own = await keep(copy, 'of the copy');
  expect(keysOf(own)[0]?.split('/')[0]).not.toBe(keysOf(kept)[0]?.split('/')[0]);
  const removed = await copy.blobs.sweep(Date.now() + dayMs, (ulids) => new Set(ulids.filter((one) => one !== lost)));
  expect([removed, keysOf(lost), await read(copy, kept)]).toEqual([1, [], 'known to both']);
});

test('what the environment sets comes first, and the other files are still read', async () => {
  const data = open();
  await setBucket(data);
  const own = await keep(data, 'in the folder');
  await data.close();
  const environment = {
    HELPDESK_S3_ENDPOINT: store.endpoint,
    HELPDESK_S3_BUCKET: 'desk',
    HELPDESK_S3_REGION: 'eu-1',
    HELPDESK_S3_ACCESS_KEY_ID: 'the-key',
    HELPDESK_S3_SECRET_ACCESS_KEY: 'secret',
  };
  const named = open(path, environment);
  const ulid = await keep(named, 'where the environment says');
  expect(keysOf(ulid)).toEqual([`attachments/${ulid.slice(-2)}/${ulid}`]);
  expect([await read(named, own), await read(named, ulid)]).toEqual(['in the folder', 'where the environment says']);
});

test('a store that does not answer is no missing file', async () => {
  const data = open();
  await setBucket(data);
  const ulid = await keep(data, 'a file');
  store.fail('HEAD', 'error');
  await expect(data.blobs.size(ulid)).rejects.toMatchObject({ code: 'unavailable' });
});

test('a secret that the key does not open makes the files unavailable, and stops nothing else', async () => {
  const data = open();
  await setBucket(data);
  const ulid = await keep(data, 'a file');
  await data.desk.write((tx) => {
    updateDeskSettings(tx, { bucketSecretSealed: createSeal(randomKey()).seal('secret') });
    return null;
  });
  await data.close();
  for (const method of ['HEAD', 'GET', 'PUT']) store.fail(method, 'denied');
  const again = open();
  await expect(again.blobs.size(ulid)).rejects.toMatchObject({ code: 'unavailable' });
  await expect(keep(again, 'another')).rejects.toMatchObject({ code: 'unavailable' });
});

test('doctor looks into the folder, and finds there what belongs to no ticket', async () => {
  const data = open();
  await setBucket(data);
  const ulid = await keep(data, 'without a row');
  await data.close();
  const now = Date.now() + dayMs;
  const found = async (isFixing: boolean) => {
    const config = configFor(path);
    const { findings } = await examine({ path, config, configFault: null, isFixing, now });
    return findings.find(({ code }) => code === 'file_orphaned')?.examples;
  };
  expect(await found(false)).toEqual([`attachments/${ulid.slice(-2)}/${ulid} in the bucket`]);
  await found(true);
  expect([await found(false), store.objects.size]).toEqual([undefined, 0]);
});
