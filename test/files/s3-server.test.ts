// Files in a real S3 server: what is kept, exported and examined there, and what the log says when it refuses.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { configOf } from '../../cli/flags.ts';
import { newUlid } from '../../src/base/ids.ts';
import { openDataDirectory } from '../../src/data/directory.ts';
import { attachAsAgent } from '../../src/desk/tickets/attachments.ts';
import { createS3Blobs } from '../../src/files/s3-blobs.ts';
import type { S3Options } from '../../src/files/s3-client.ts';
import type { S3Fault } from '../../src/files/s3-requests.ts';
import { terminal } from '../cli/terminal.ts';
import { temporaryFolder } from '../support/folders.ts';

const desk = terminal();
const data = join(desk.directory, 'data');
const stored = temporaryFolder();
const large = 'x'.repeat(700_000);
let server: S3rver;
let s3: S3Options;
let ulids: string[] = [];

beforeAll(async () => {
  server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: stored,
    configureBuckets: [{ name: 'desk', configs: [] }],
  });
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  s3 = { endpoint, bucket: 'desk', region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  Object.assign(process.env, {
    HELPDESK_S3_ENDPOINT: endpoint,
    HELPDESK_S3_BUCKET: s3.bucket,
    HELPDESK_S3_REGION: s3.region,
    HELPDESK_S3_ACCESS_KEY_ID: s3.accessKeyId,
    HELPDESK_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  });
  await desk.type('site', 'create', '--name', 'Web shop');
  const ticket = ['--site', 'web-shop', '--email', 'mia@example.org', '--subject', 'Hello', '--body', 'World'];
  await desk.type('ticket', 'open', ...ticket);
  ulids = await attach(['first', large]);
});
afterAll(async () => {
  for (const name of Object.keys(process.env)) if (name.startsWith('HELPDESK_S3_')) delete process.env[name];
  await server.close();
  desk.remove();
});

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

/** Attaches files to the ticket, as an upload does. */
async function attach(texts: string[]): Promise<string[]> {
  const opened = openDataDirectory(configOf({ data }));
  try {
    const kept: string[] = [];
    for (const [at, text] of texts.entries()) {
      const { size, sha256, keep } = await opened.blobs.stage(chunksOf(text), 1_000_000);
      const ulid = newUlid(Date.now());
      await keep(ulid);
      const file = { ulid, filename: `${at}.txt`, contentType: 'text/plain', size, sha256 };
      const ctx = opened.desk.context({ kind: 'command_line' }, 'test');
      await opened.desk.write((tx) => attachAsAgent(tx, ctx, '1', file, null));
      kept.push(ulid);
    }
    return kept;
  } finally {
    await opened.close();
  }
}

function blobsWith(change: Partial<S3Options>) {
  const faults: S3Fault[] = [];
  const onFault = (fault: S3Fault) => faults.push(fault);
  const staging = join(temporaryFolder(), 'staging');
  return { blobs: createS3Blobs({ s3: { ...s3, ...change }, staging, prefix: 'attachments/', onFault }), faults };
}

const keyOf = (ulid: string) => `attachments/${ulid.slice(-2)}/${ulid}`;

test('a file is kept, measured, read in part, and removed', async () => {
  const { blobs, faults } = blobsWith({});
  const ulid = newUlid(Date.now());
  expect(await blobs.size(ulid)).toBeNull();
  await (await blobs.stage(chunksOf('hello world'), 100)).keep(ulid);
  expect(await blobs.size(ulid)).toBe(11);
  expect(await new Response(blobs.read(ulid, 6, 10)).text()).toBe('world');
  expect(await new Response(blobs.read(ulid, 0, 10)).text()).toBe('hello world');
  await blobs.remove(ulid);
  await blobs.remove(ulid);
  expect(await blobs.size(ulid)).toBeNull();
  expect(faults).toEqual([]);
});

test('an export has every file, and an import keeps them', async () => {
  const file = join(desk.directory, 'web-shop.jsonl');
  const exported = await desk.type('export', '--site', 'web-shop', '--output', file);
  expect([exported.code, exported.errors]).toEqual([0, '']);
  expect(readFileSync(file, 'utf8')).toContain(Buffer.from('first').toString('base64'));
  const imported = await desk.type('import', '--input', file, '--as', 'copy', '--json');
  expect(imported.json().meta).toMatchObject({ files_stored: 2, files_missing: [] });
});

test('doctor asks the bucket', async () => {
  const sound = await desk.type('doctor', '--json');
  expect(sound.json().data).toMatchObject({ is_sound: true, checked: { files: 4 } });
  const { blobs } = blobsWith({});
  const [first = '', second = ''] = ulids;
  await blobs.remove(first);
  await blobs.remove(second);
  await (await blobs.stage(chunksOf(large.replaceAll('x', 'y')), 1_000_000)).keep(second);
  const { code, json } = await desk.type('doctor', '--json');
  const findings = json().data.findings as unknown as { name: string; count: number; examples: string[] }[];
  expect(code).toBe(1);
  expect(
    findings.flatMap(({ examples }) => examples).filter((text) => ulids.some((ulid) => text.includes(ulid))),
  ).toEqual([`${second}: other bytes`, first]);
});

test('doctor finds what no row names in the bucket, and --fix removes it', async () => {
  const { blobs } = blobsWith({});
  const forgotten = newUlid(Date.now());
  await (await blobs.stage(chunksOf('forgotten'), 100)).keep(forgotten);
  const path = join(stored, 'desk', 'attachments', forgotten.slice(-2), `${forgotten}._S3rver_object`);
  const orphansOf = async (...flags: string[]) => {
    const { data } = (await desk.type('doctor', '--json', ...flags)).json();
    const findings = data.findings as unknown as { code: string; fixed: number; examples: string[] }[];
    return findings.filter(({ code }) => code === 'file_orphaned').map(({ fixed, examples }) => [fixed, ...examples]);
  };
  // It could be an upload whose row is being written.
  expect(await orphansOf()).toEqual([]);
  const then = Date.now() / 1000 - 7200;
  utimesSync(path, then, then);
  const found = `attachments/${forgotten.slice(-2)}/${forgotten} in the bucket`;
  expect(await orphansOf()).toEqual([[0, found]]);
  expect(await orphansOf('--fix')).toEqual([[1, found]]);
  expect(await orphansOf()).toEqual([]);
  expect(await blobs.size(forgotten)).toBeNull();
});

test.each([
  ['a wrong key', { secretAccessKey: 'wrong' }, { status: 403, code: 'SignatureDoesNotMatch' }],
  ['no such bucket', { bucket: 'nowhere' }, { status: 404, code: 'NoSuchBucket' }],
  ['no one there', { endpoint: 'http://127.0.0.1:2' }, { status: null, code: expect.stringMatching(/refused/i) }],
] as const)('%s is told with bucket, key, status and code', async (_why, change, said) => {
  const { blobs, faults } = blobsWith(change);
  const ulid = newUlid(Date.now());
  const at = { bucket: 'bucket' in change ? change.bucket : 'desk', key: keyOf(ulid) };
  const staged = await blobs.stage(chunksOf('x'), 100);
  for (const [method, act] of [
    ['PUT', () => staged.keep(ulid)],
    ['GET', () => new Response(blobs.read(ulid, 0, 0)).text()],
    ['DELETE', () => blobs.remove(ulid)],
  ] as const) {
    await expect(act()).rejects.toMatchObject({ code: 'unavailable', reason: 'storage_unavailable' });
    expect(faults.splice(0)).toEqual([{ ...at, method, ...said, message: expect.any(String) }]);
  }
  await expect(new Response(blobs.read(ulid, 0, 0)).text()).rejects.toThrow(
    /^The file store is not working properly\.$/,
  );
  expect(faults.splice(0)).toHaveLength(1);
  // A store says that a file is missing only if it has the bucket.
  await expect(blobs.size(ulid)).rejects.toMatchObject({ code: 'unavailable' });
  expect(faults).toMatchObject([{ ...at, ...said }]);
});

test('a command says why the bucket refused', async () => {
  process.env.HELPDESK_S3_SECRET_ACCESS_KEY = 'wrong';
  try {
    const exported = await desk.type('export', '--site', 'web-shop', '--output', join(desk.directory, 'none.jsonl'));
    expect(exported.code).toBe(1);
    expect(exported.errors).toContain('in bucket desk: 403 SignatureDoesNotMatch');
    const examined = await desk.type('doctor');
    expect(examined.code).toBe(1);
    expect(examined.output).toContain('database: ok');
    expect(examined.output).toMatch(/The file store did not answer.*\n.*attachment 01/);
    expect(examined.errors).toContain('in bucket desk: 403 SignatureDoesNotMatch');
  } finally {
    process.env.HELPDESK_S3_SECRET_ACCESS_KEY = s3.secretAccessKey;
  }
});
