// The doctor in a cluster: it examines a copy that LiteFS makes, and opens nothing in the mount.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../../src/base/config.ts';
import { newUlid } from '../../../src/base/ids.ts';
import { replicatedDatabase } from '../../../src/cluster/replicated-database.ts';
import { type DataDirectory, openDataDirectory } from '../../../src/data/directory.ts';
import { examine, type Options } from '../../../src/data/doctor/examine.ts';
import { attachAsAgent } from '../../../src/desk/tickets/attachments.ts';
import { fillDemo } from '../../../src/server/demo/demo.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { type FakeLiteFS, fakeLiteFS, type Pages } from '../../support/litefs.ts';
import { clusterKey } from '../../support/machines.ts';
import { startProgram } from '../../support/programs.ts';
import { roomyDisk } from '../../support/roomy-disk.ts';

const litefs: FakeLiteFS = await fakeLiteFS();
const others = {
  isPrimary: () => true,
  requirePrimary: () => undefined,
  whyNoDatabase: () => 'There is none.',
  fetchFile: () => () => Promise.reject(new Error('there is no other machine')),
};
let path = '';
let data: DataDirectory;
const config = () =>
  readConfig(
    {},
    {
      HELPDESK_DATA: path,
      HELPDESK_BASE_URL: 'https://desk.example.org',
      HELPDESK_SMTP_URL: 'smtp://mail.example.org',
      HELPDESK_SECRET_KEY: clusterKey,
      HELPDESK_LITEFS_DIR: litefs.mount,
      HELPDESK_LITEFS_URL: litefs.url,
    },
  );

async function attach(text: string): Promise<string> {
  const staged = await data.blobs.stage(new Blob([text]).stream() as unknown as AsyncIterable<Uint8Array>, 1000);
  const ulid = newUlid(data.desk.now());
  await staged.keep(ulid);
  const { size, sha256 } = staged;
  const ctx = data.desk.context({ kind: 'command_line' }, 'test');
  const file = { ulid, filename: 'a.txt', contentType: 'text/plain', size, sha256 };
  await data.desk.write((tx) => attachAsAgent(tx, ctx, 1, file, null));
  return ulid;
}
const fileOf = (ulid: string) => join(path, 'attachments', ulid.slice(-2), ulid);

beforeAll(async () => {
  path = join(temporaryFolder(), 'data');
  data = openDataDirectory(config(), others);
  await fillDemo(data.desk);
  await attach('kept');
});
afterAll(async () => {
  await data.close();
  litefs.close();
});
beforeEach(() => {
  litefs.onExport = (bytes) => new Response(bytes);
  litefs.setPosition(1);
});

function look(more: Partial<Options> & { isReplica?: boolean; mostMs?: number } = {}) {
  const { isReplica = true, mostMs = 10_000, ...options } = more;
  const made = replicatedDatabase(litefs.database, litefs.url);
  const replicated = { ...made, isReplica, mostMs, requirePrimary: () => undefined };
  return examine({ path, config: config(), configFault: null, isFixing: false, replicated, ...roomyDisk, ...options });
}
const copiesLeft = () => readdirSync(path).filter((name) => name.startsWith('.detached'));

test('everything is examined, from one copy, and the mount stays as it was', async () => {
  const before = readdirSync(litefs.mount).map((name) => [name, statSync(join(litefs.mount, name)).mtimeMs]);
  const [exported, frames] = [litefs.exported(), statSync(`${litefs.database}-wal`).size];
  const { isSound, findings, tickets, files, areasChecked } = await look();
  expect(findings).toEqual([]);
  expect({ isSound, tickets, files }).toEqual({ isSound: true, tickets: 200, files: 1 });
  expect(areasChecked).toHaveLength(new Set(areasChecked).size);
  expect(areasChecked).toContain('attachments');
  expect(litefs.exported() - exported).toBe(1);
  expect(readdirSync(litefs.mount).map((name) => [name, statSync(join(litefs.mount, name)).mtimeMs])).toEqual(before);
  expect(statSync(`${litefs.database}-wal`).size).toBe(frames);
  expect(copiesLeft()).toEqual([]);
});

test('damage in what LiteFS has is found', async () => {
  litefs.onExport = (bytes) => {
    const at = Buffer.from(bytes).indexOf('noor@demo-shop.example');
    bytes.fill(0xff, at - 200, at + 200);
    return new Response(bytes);
  };
  const { findings, isSound } = await look();
  expect(isSound).toBe(false);
  expect(findings.map(({ code }) => code)).toContain('database_damaged');
  expect(copiesLeft()).toEqual([]);
});

describe('without a copy, the database is not checked, and the reason is true', () => {
  const stalled = (): Response => new Response(new ReadableStream({ pull: () => new Promise(() => undefined) }));
  const answer = (how: FakeLiteFS['onExport']) => {
    litefs.onExport = how;
  };
  const cut = (bytes: Pages): Response => new Response(bytes.subarray(0, 40_960));
  const cases: [string, () => unknown, { free?: number; mostMs?: number }, RegExp][] = [
    ['no mount', () => rmSync(join(litefs.mount, '.lag')), {}, /^LiteFS is not mounted for .* on this machine\.$/],
    ['a fault in the middle, as text', () => answer(cut), {}, /^LiteFS did not send all of it\.$/],
    ['a refusal', () => answer(() => new Response(null, { status: 500 })), {}, /status 500/],
    ['no room', () => null, { free: 1000 }, /^A copy of it needs \d+ MiB in .*, and 1 MiB are free\.$/],
    [
      'a replica that would wait too long',
      () => answer(stalled),
      { mostMs: 1500 },
      /^Copying it took longer than 2 seconds, and nothing is replicated meanwhile\. Run this on the primary\.$/,
    ],
  ];
  test.each(cases)('%s', async (_what, breaks, more, reason) => {
    breaks();
    const { findings, isSound, areasChecked } = await look(more);
    litefs.setLag(5);
    const found = findings.find(({ code }) => code === 'database_not_copied');
    expect(found?.examples[0]).toMatch(reason);
    expect(isSound).toBe(false);
    expect(areasChecked).not.toContain('database');
    expect(copiesLeft()).toEqual([]);
  });

  test('LiteFS does not answer', async () => {
    const replicated = {
      ...replicatedDatabase(litefs.database, 'http://127.0.0.1:1'),
      isReplica: true,
      mostMs: 10_000,
      requirePrimary: () => undefined,
    };
    const { findings } = await look({ replicated });
    expect(findings.map(({ code, examples }) => [code, ...examples])).toEqual([
      ['database_not_copied', 'LiteFS does not answer at http://127.0.0.1:1.'],
    ]);
  });
});

describe('files without a bucket', () => {
  test('one that is not here can be on another machine, which is a notice', async () => {
    const ulid = await attach('elsewhere');
    rmSync(fileOf(ulid));
    const { findings, isSound } = await look();
    expect(findings.map(({ code, examples }) => [code, ...examples])).toEqual([['file_elsewhere', ulid]]);
    expect(isSound).toBe(true);
    data.desk.store.writing.client.prepare('DELETE FROM attachments WHERE ulid = ?').run(ulid);
  });

  test('one that was removed meanwhile is looked up in a second copy, and not reported', async () => {
    const ulid = await attach('removed');
    const exported = litefs.exported();
    litefs.onExport = (bytes) => {
      litefs.onExport = (later) => new Response(later);
      rmSync(fileOf(ulid));
      data.desk.store.writing.client.prepare('DELETE FROM attachments WHERE ulid = ?').run(ulid);
      litefs.setPosition(2);
      return new Response(bytes);
    };
    const { findings } = await look();
    expect(findings).toEqual([]);
    expect(litefs.exported() - exported).toBe(2);
    expect(existsSync(fileOf(ulid))).toBe(false);
  });
});

test('a copy that a killed command left is removed by the next', async () => {
  const ended = startProgram(['true']);
  await ended.ended;
  writeFileSync(join(path, `.detached-${ended.pid}.db`), 'x');
  await look();
  expect(copiesLeft()).toEqual([]);
});
