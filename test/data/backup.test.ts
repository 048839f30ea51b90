// Backup and restore: there and back, beside writes, and with everything that can go wrong
// (docs/spec/behaviour.md#data-directory).

import { describe, expect, test } from 'bun:test';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import { openDatabase } from '#platform/sqlite.ts';
import { migrations } from '../../migrations/index.ts';
import { newUlid } from '../../src/base/ids.ts';
import { createBackup } from '../../src/data/backup.ts';
import { openDataDirectory } from '../../src/data/directory.ts';
import { finishRestore } from '../../src/data/finish-restore.ts';
import { lastBackup, lastRestoreTest } from '../../src/data/last-backup.ts';
import { restore } from '../../src/data/restore.ts';
import { takeSnapshot } from '../../src/data/snapshots.ts';
import { testRestore } from '../../src/data/test-restore.ts';
import type { Restored } from '../../src/data/unpack.ts';
import { eraseAuthor } from '../../src/desk/customers/authors.ts';
import { erasures } from '../../src/desk/customers/erasure.ts';
import { receiveMail } from '../../src/desk/mail/filing.ts';
import { removeSite } from '../../src/desk/sites/removal.ts';
import { query } from '../../src/engine/database.ts';
import { updateInboundMail } from '../../src/store/mail/inbound.ts';
import { siteById } from '../../src/store/sites/sites.ts';
import { insertAttachment } from '../../src/store/tickets/messages.ts';
import { ticketById } from '../../src/store/tickets/tickets.ts';
import { temporaryFolder } from '../support/folders.ts';
import { runProgram, startScript } from '../support/programs.ts';
import { type BusyDesk, busyDesk, configFor, subjectsIn } from './copying.ts';

const newestSchema = migrations.at(-1)?.version ?? 0;
const settings = { isForced: false, hasKey: false, newestSchema };

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function attach(desk: BusyDesk, text: string): Promise<string> {
  const staged = await desk.data.blobs.stage(bytesOf(text), 1_000_000);
  const ulid = newUlid(1);
  await staged.keep(ulid);
  await desk.data.desk.write((tx) => {
    const ticket = ticketById(tx, 1);
    if (ticket === undefined) throw new Error('there is no ticket');
    insertAttachment(tx, {
      ulid,
      siteId: ticket.siteId,
      ticketId: 1,
      messageId: null,
      filename: 'log.txt',
      contentType: 'text/plain',
      size: staged.size,
      sha256: staged.sha256,
      isAgent: false,
      isInternal: false,
      createdAt: 1,
    });
    return null;
  });
  return ulid;
}

/** Every row of every table, without the tables of full-text search. */
async function everything(path: string): Promise<Record<string, unknown[]>> {
  const data = openDataDirectory(configFor(path));
  const rows = data.desk.read((tx) => {
    const names = query<{ name: string }>(
      tx,
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%search%' ORDER BY name",
    ).all();
    return Object.fromEntries(names.map(({ name }) => [name, query<unknown>(tx, `SELECT * FROM "${name}"`).all()]));
  });
  await data.close();
  return rows as Record<string, unknown[]>;
}

async function filled(): Promise<{ path: string; file: string }> {
  const path = join(temporaryFolder(), 'data');
  const desk = await busyDesk(path);
  for (let at = 0; at < 30; at += 1) await desk.open(`number ${at}`);
  const file = await attach(desk, 'the log of that day');
  await attach(desk, '');
  writeFileSync(join(path, 'mail', '20261121-one.eml'), 'Subject: one\r\n\r\nHello');
  await desk.data.close();
  return { path, file };
}

/** @returns where the request is stored */
async function receiveOne(path: string, raw: string): Promise<string> {
  const data = openDataDirectory(configFor(path));
  const staged = await data.mailBlobs.stage(bytesOf(raw), 1000);
  const ulid = newUlid(3);
  await staged.keep(ulid);
  await data.desk.write((tx) => {
    const site = siteById(tx, 1);
    if (!site) throw new Error('no site');
    const ctx = data.desk.context({ kind: 'command_line' }, 'test');
    return receiveMail(tx, ctx, site, { ...staged, ulid, provider: 'raw', headers: {} });
  });
  await data.close();
  return `mail/inbound/${ulid.slice(-2)}/${ulid}`;
}

async function backUp(path: string, destination: string) {
  const data = openDataDirectory(configFor(path));
  const made = await createBackup(data, destination).finally(() => data.close());
  return made;
}

async function refusal(act: Promise<unknown>): Promise<string> {
  return act.then(
    () => 'it went through',
    (error) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error)),
  );
}

for (const name of ['backup', 'backup.tar.zst']) {
  describe(`a backup as ${name}`, () => {
    test('brings everything back', async () => {
      const { path, file } = await filled();
      const destination = join(temporaryFolder(), name);
      const made = await backUp(path, destination);
      expect(made.description.rows).toMatchObject({ tickets: 30, attachments: 2 });
      expect(made.description.unsound).toEqual([]);
      expect(lastBackup(path)).toMatchObject({ path: destination, bytes: made.description.bytes });
      const target = join(temporaryFolder(), 'data');
      const done = await restore(target, destination, settings);
      expect(done).toMatchObject({ kind: 'backup', replaced: null });
      expect(await everything(target)).toEqual(await everything(path));
      expect(readFileSync(join(target, 'attachments', file.slice(-2), file), 'utf8')).toBe('the log of that day');
      expect(readFileSync(join(target, 'mail', '20261121-one.eml'), 'utf8')).toContain('Hello');
      expect(readFileSync(join(target, 'secret.key'))).toEqual(readFileSync(join(path, 'secret.key')));
      expect(readdirSync(join(destination, '..'))).toEqual([name]);
    });

    test('of a desk that writes meanwhile is one moment of it, with all that was answered before', async () => {
      const path = join(temporaryFolder(), 'data');
      const desk = await busyDesk(path);
      await desk.open('first');
      const stop = desk.run(4);
      for (let round = 0; round < 3; round += 1) {
        const before = [...desk.answered];
        const destination = join(temporaryFolder(), name);
        await createBackup(desk.data, destination);
        const target = join(temporaryFolder(), 'data');
        await restore(target, destination, settings);
        const restored = openDataDirectory(configFor(target));
        const subjects = subjectsIn(restored);
        await restored.close();
        expect(before.filter((subject) => !subjects.has(subject))).toEqual([]);
      }
      await stop();
      await desk.data.close();
    }, 30_000);

    test('is refused wherever it was cut or changed, and nothing is left behind', async () => {
      const { path } = await filled();
      const whole = join(temporaryFolder(), name);
      await backUp(path, whole);
      const isTar = name.endsWith('.zst');
      const files = isTar ? [''] : ['helpdesk.db', 'secret.key', 'SHA256SUMS', 'backup.json'];
      for (const inner of files) {
        const { size } = statSync(join(whole, inner));
        const places = [0.01, 0.2, 0.5, 0.8, 0.99].map((share) => Math.floor(size * share));
        for (const harm of ['cut', 'flip'] as const) {
          for (const at of places) {
            const hurt = join(temporaryFolder(), name);
            cpSync(whole, hurt, { recursive: true });
            const victim = join(hurt, inner);
            if (harm === 'cut') truncateSync(victim, at);
            else {
              const bytes = readFileSync(victim);
              bytes[at] = (bytes[at] ?? 0) ^ 0x10;
              writeFileSync(victim, bytes);
            }
            const target = join(temporaryFolder(), 'data');
            const outcome = await refusal(restore(target, hurt, settings));
            // Some bits of a compressed stream mean nothing: then the bytes that come out must be right.
            if (isTar && harm === 'flip' && outcome === 'it went through') {
              expect(await everything(target)).toEqual(await everything(path));
              continue;
            }
            expect(`${inner} ${harm} ${at}: ${outcome}`).toContain('BackupError');
            expect(readdirSync(target)).toEqual([]);
          }
        }
      }
    }, 60_000);
  });
}

describe('a backup', () => {
  test('names what its desk lacks, and saves the rest', async () => {
    const { path, file } = await filled();
    const folder = join(path, 'attachments', file.slice(-2));
    writeFileSync(join(folder, file), 'the log of that daz');
    const other = readdirSync(join(path, 'attachments'), { recursive: true, encoding: 'utf8' }).find(
      (name) => name.length > 20 && !name.endsWith(file),
    );
    rmSync(join(path, 'attachments', other ?? ''));
    const mail = await receiveOne(path, 'From: a@example.org');
    writeFileSync(join(path, mail), 'From: e@example.org');
    const made = await backUp(path, join(temporaryFolder(), 'backup'));
    expect(made.description.unsound.toSorted()).toEqual(
      [
        `attachments/${other} is missing`,
        `attachments/${file.slice(-2)}/${file} has changed since it was stored`,
        `${mail} has changed since it was stored`,
      ].toSorted(),
    );
  });

  test('goes to no place where it would be lost, mixed up or misunderstood', async () => {
    const { path } = await filled();
    const data = openDataDirectory(configFor(path));
    const place = temporaryFolder();
    mkdirSync(join(place, 'full'));
    writeFileSync(join(place, 'full', 'x'), 'x');
    writeFileSync(join(place, 'there.tar.zst'), 'x');
    for (const [destination, words] of [
      [join(path, 'backups', 'mine'), 'is inside the data directory'],
      [path, 'is inside the data directory'],
      [join(place, 'full'), 'already exists'],
      [join(place, 'there.tar.zst'), 'already exists'],
      [join(place, 'no', 'such', 'folder'), 'does not exist. Create it first'],
      [join(place, 'backup.zip'), 'ends in .tar.zst'],
    ] as const)
      expect(await refusal(createBackup(data, destination))).toContain(words);
    await data.close();
    expect(readFileSync(join(place, 'there.tar.zst'), 'utf8')).toBe('x');
  });

  test('of a damaged desk is refused, and none of it left', async () => {
    const { path } = await filled();
    const data = openDataDirectory(configFor(path));
    const place = temporaryFolder();
    const read = data.mailBlobs.size;
    data.blobs.read = () => {
      throw Object.assign(new Error('input/output error'), { code: 'EIO' });
    };
    expect(await refusal(createBackup(data, join(place, 'backup')))).toContain('is on a failing disk');
    expect(await refusal(createBackup(data, join(place, 'backup.tar.zst')))).toContain('is on a failing disk');
    expect(readdirSync(place)).toEqual([]);
    data.mailBlobs.size = read;
    await data.close();
  });
});

test('a backup names the file of the desk that cannot be read, and not its own disk', async () => {
  const { path, file } = await filled();
  const data = openDataDirectory(configFor(path));
  const failing = () =>
    new ReadableStream<Uint8Array>({
      pull: (stream) => stream.error(Object.assign(new Error('i/o error'), { code: 'EIO' })),
    });
  const place = temporaryFolder();
  const words = await refusal(
    createBackup({ ...data, blobs: { ...data.blobs, read: failing } }, join(place, 'backup')),
  );
  await data.close();
  expect(words).toBe(
    `BackupError: ${join(path, 'attachments', file.slice(-2), file)} is on a failing disk; the unfinished backup was removed.`,
  );
  expect(readdirSync(place)).toEqual([]);
});

describe('a test of a restore', () => {
  test('notes what it proved and leaves nothing, and refuses a backup that is hurt or has another key', async () => {
    const { path } = await filled();
    const whole = join(temporaryFolder(), 'backup.tar.zst');
    const { description } = await backUp(path, whole);
    const config = configFor(path);
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('helpdesk-restore-test-'));
    const tested = await testRestore(config, whole, newestSchema);
    expect(tested.description.created_at).toBe(description.created_at);
    const noted = lastRestoreTest(path);
    expect(noted).toMatchObject({
      path: whole,
      created_at: Date.parse(description.created_at),
      tickets: description.rows.tickets,
    });
    truncateSync(whole, Math.floor(statSync(whole).size / 2));
    expect(await refusal(testRestore(config, whole, newestSchema))).toContain('is damaged');
    const folder = join(temporaryFolder(), 'backup');
    await backUp(path, folder);
    const other = { ...config, HELPDESK_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') };
    expect(await refusal(testRestore(other, folder, newestSchema))).toContain('is not the key of this desk');
    expect(await refusal(testRestore(config, path, newestSchema))).toContain('is not a backup');
    expect(lastRestoreTest(path)).toEqual(noted);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('helpdesk-restore-test-'))).toEqual(before);
  });
});

describe('a restore', () => {
  test('into a directory with something in it wants --force, and then keeps what was there', async () => {
    const { path } = await filled();
    const destination = join(temporaryFolder(), 'backup.tar.zst');
    await backUp(path, destination);
    const later = await busyDesk(path);
    await later.open('after the backup');
    await takeSnapshot(later.data.desk.store, join(path, 'backups'), 5);
    await later.data.close();
    expect(await refusal(restore(path, destination, settings))).toContain('use --force');
    const done = await restore(path, destination, { ...settings, isForced: true });
    const data = openDataDirectory(configFor(path));
    expect(subjectsIn(data).has('after the backup')).toBe(false);
    await data.close();
    const kept = openDataDirectory(configFor(done.replaced ?? ''));
    expect(subjectsIn(kept).has('after the backup')).toBe(true);
    await kept.close();
    expect(data.recovered).toBeNull();
  });

  test('refuses a pipe, which it would wait for, and a database of another program', async () => {
    const folder = temporaryFolder();
    const [pipe, other, target] = ['pipe', 'other.db', 'target'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await runProgram('mkfifo', pipe);
    expect(await refusal(restore(target, pipe, settings))).toContain('neither a file nor a directory');
    expect(existsSync(target)).toBe(false);
    const database = openDatabase(other, 'create');
    database.run('CREATE TABLE notes (text TEXT)');
    database.close();
    expect(await refusal(restore(target, other, settings))).toContain('does not belong to a helpdesk');
  });

  test('refuses a desk that runs', async () => {
    const { path } = await filled();
    const destination = join(temporaryFolder(), 'backup');
    await backUp(path, destination);
    const child = startScript(
      `const { openDataDirectory } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/data/directory.ts'))});
         const { configFor } = await import(${JSON.stringify(join(import.meta.dirname, 'copying.ts'))});
         globalThis.kept = openDataDirectory(configFor(${JSON.stringify(path)}));
         console.log('open');
         setTimeout(() => process.exit(), 20_000);`,
    );
    await child.begun;
    expect(await refusal(restore(path, destination, { ...settings, isForced: true }))).toContain('stop it first');
    child.kill('SIGKILL');
    await child.ended;
    expect(await restore(path, destination, { ...settings, isForced: true })).toMatchObject({ kind: 'backup' });
  });

  test('takes a data directory that was copied while its desk ran, and a snapshot alone', async () => {
    const path = join(temporaryFolder(), 'data');
    const desk = await busyDesk(path);
    await desk.open('one');
    const snapshot = await takeSnapshot(desk.data.desk.store, join(path, 'backups'), 1);
    await desk.open('two');
    const copy = join(temporaryFolder(), 'copy');
    await runProgram('cp', '-r', path, copy);
    await desk.data.close();
    const subjects = async (target: string) => {
      const data = openDataDirectory(configFor(target));
      const found = [...subjectsIn(data)].sort();
      await data.close();
      return found;
    };
    const first = join(temporaryFolder(), 'data');
    const done: Restored = await restore(first, copy, settings);
    expect(done).toMatchObject({
      kind: 'data directory',
      recovered: expect.stringMatching(new RegExp(`was rebuilt .*the copied files are in ${copy}\\.`)),
    });
    expect(await subjects(first)).toEqual(['one', 'two']);
    expect(await restore(path, snapshot.path, { ...settings, isForced: true })).toMatchObject({ kind: 'database' });
    expect(await subjects(path)).toEqual(['one']);
  });

  test('refuses what is no backup, and what a newer helpdesk made', async () => {
    const { path } = await filled();
    const place = temporaryFolder();
    writeFileSync(join(place, 'text'), 'hello');
    writeFileSync(join(place, 'x.tar.zst'), zstdCompressSync(Buffer.from('hello')));
    mkdirSync(join(place, 'empty'));
    const target = join(temporaryFolder(), 'data');
    for (const name of ['text', 'x.tar.zst', 'empty', 'nothing'])
      expect(await refusal(restore(target, join(place, name), settings))).toContain('BackupError');
    const destination = join(place, 'backup');
    await backUp(path, destination);
    expect(await refusal(restore(target, destination, { ...settings, newestSchema: 1 }))).toContain('newer helpdesk');
    const json = JSON.parse(readFileSync(join(destination, 'backup.json'), 'utf8'));
    writeFileSync(join(destination, 'backup.json'), JSON.stringify({ ...json, format: 2 }));
    expect(await refusal(restore(target, destination, settings))).toContain('newer helpdesk');
    writeFileSync(join(destination, 'backup.json'), JSON.stringify(json));
    mkdirSync(join(destination, 'attachments', 'XX'), { recursive: true });
    writeFileSync(join(destination, 'attachments', 'XX', 'stranger'), '');
    expect(await refusal(restore(target, destination, settings))).toContain('is not part of a backup');
    rmSync(join(destination, 'secret.key'));
    expect(readdirSync(target)).toEqual([]);
  });

  test('that is cut short anywhere in its last part is completed by the next opening', async () => {
    const { path } = await filled();
    const destination = join(temporaryFolder(), 'backup');
    await backUp(path, destination);
    const expected = await everything(path);
    // The staging area after some of the parts have been moved.
    for (let moved = 0; moved <= 4; moved += 1) {
      const target = join(temporaryFolder(), 'data');
      const old = await busyDesk(target);
      await old.open('old');
      await old.data.close();
      const fresh = join(target, '.restoring', 'new');
      cpSync(destination, fresh, { recursive: true });
      for (const name of ['backup.json', 'SHA256SUMS']) rmSync(join(fresh, name));
      writeFileSync(join(target, '.restoring', 'ready'), 'replaced-x\n');
      const kept = join(target, 'backups', 'replaced-x');
      mkdirSync(kept, { recursive: true });
      const order = ['attachments', 'mail', 'secret.key', 'helpdesk.db'];
      for (const name of ['wal']) if (moved > 0) cpSync(join(target, name), join(kept, name), { recursive: true });
      if (moved > 0) for (const name of ['wal']) rmSync(join(target, name), { recursive: true });
      for (const name of order.slice(0, moved)) {
        cpSync(join(target, name), join(kept, name), { recursive: true });
        rmSync(join(target, name), { recursive: true });
        cpSync(join(fresh, name), join(target, name), { recursive: true });
        rmSync(join(fresh, name), { recursive: true });
      }
      expect(await everything(target)).toEqual(expected);
      expect(existsSync(join(target, '.restoring'))).toBe(false);
      expect(existsSync(join(kept, 'helpdesk.db'))).toBe(true);
    }
    // One that was not ready is removed.
    mkdirSync(join(path, '.restoring', 'new'), { recursive: true });
    writeFileSync(join(path, '.restoring', 'new', 'helpdesk.db'), 'half');
    expect(finishRestore(path, 1)).toBeNull();
    expect(await everything(path)).toEqual(expected);
  });
});

test('an erasure notes itself alone, after a fault too, and what an earlier process missed is noted by the next', async () => {
  const path = join(temporaryFolder(), 'data');
  const desk = await busyDesk(path);
  const faults: unknown[] = [];
  desk.data.onFault = (error) => void faults.push(error);
  await desk.open('one');
  const emails = ['a@example.org', 'b@example.org', 'c@example.org', 'd@example.org'];
  await desk.data.desk.write((tx) => {
    for (const email of emails.slice(1))
      query(tx, 'INSERT INTO authors (site_id, email, is_verified, created_at) VALUES (1, ?, 0, 1)').run(email);
    return null;
  });
  const tombstones = join(path, 'erasures.jsonl');
  const noted = () =>
    readFileSync(tombstones, 'utf8')
      .split('\n')
      .filter((text) => text !== '')
      .map((text) => (JSON.parse(text) as { author_id: number }).author_id);
  const erase = (at: number, data = desk.data) =>
    data.desk.write(
      (tx) =>
        eraseAuthor(tx, data.desk.context({ kind: 'command_line' }, 'test'), {
          site_id: 1,
          email: emails[at],
        }).ticketsScrubbed,
    );
  await erase(0);
  await desk.data.removeErased();
  // As if an earlier process had stopped before it could note the first.
  writeFileSync(tombstones, '');
  await erase(1);
  expect(noted()).toEqual([2]);
  rmSync(tombstones);
  mkdirSync(tombstones);
  await erase(2);
  expect(faults.length).toBe(1);
  rmSync(tombstones, { recursive: true });
  writeFileSync(tombstones, '');
  await erase(3);
  expect(noted()).toEqual([3, 4]);
  await desk.data.close();
  const next = openDataDirectory(configFor(path));
  await next.removeErased();
  expect(noted().toSorted()).toEqual([1, 2, 3, 4]);
  await next.close();
});

test('who was erased stays erased when an older backup comes back, and who came back since stays', async () => {
  const path = join(temporaryFolder(), 'data');
  const desk = await busyDesk(path);
  await desk.open('one');
  const before = join(temporaryFolder(), 'before');
  await createBackup(desk.data, before);
  const ctx = () => desk.data.desk.context({ kind: 'command_line' }, 'test');
  await desk.data.desk.write((tx) => eraseAuthor(tx, ctx(), { site_id: 1, email: 'a@example.org' }));
  expect(readFileSync(join(path, 'erasures.jsonl'), 'utf8')).not.toContain('example.org');
  await sleep(5);
  await desk.open('two');
  const after = join(temporaryFolder(), 'after');
  await createBackup(desk.data, after);
  await desk.data.close();
  const emails = async (target: string) => {
    const data = openDataDirectory(configFor(target));
    await data.erasedAgain;
    const found = data.desk.read((tx) =>
      query<{ email: string }>(tx, 'SELECT email FROM authors ORDER BY id')
        .all()
        .map(({ email }) => email),
    );
    await data.close();
    return found;
  };
  await restore(path, before, { ...settings, isForced: true });
  expect(await emails(path)).toEqual(['anonymised+1@anonymised.invalid']);
  const elsewhere = join(temporaryFolder(), 'data');
  await restore(elsewhere, after, settings);
  expect(await emails(elsewhere)).toEqual(['anonymised+1@anonymised.invalid', 'a@example.org']);
});

test('a tombstone of before the origin of its site was kept still counts, also after a crash', async () => {
  const path = join(temporaryFolder(), 'data');
  const desk = await busyDesk(path);
  await desk.open('one');
  const before = join(temporaryFolder(), 'before');
  await createBackup(desk.data, before);
  const email = desk.data.desk.seal.fingerprint('erased-email/1', 'a@example.org');
  await desk.data.close();
  const line = { site_id: 1, author_id: 1, external_id: null, email, at: '2999-01-01T00:00:00.000Z' };
  writeFileSync(join(path, 'erasures.jsonl'), `${JSON.stringify(line)}\n`);
  await restore(path, before, { ...settings, isForced: true });
  const crashed = openDataDirectory(configFor(path));
  crashed.desk.writer.guard(() => {
    throw new Error('the machine stopped');
  });
  await expect(crashed.erasedAgain).rejects.toThrow('the machine stopped');
  crashed.desk.store.close();
  const data = openDataDirectory(configFor(path));
  expect(await data.erasedAgain).toBe(1);
  await data.close();
  const again = openDataDirectory(configFor(path));
  expect(await again.erasedAgain).toBe(0);
  await again.close();
});

test('the stored mail of an erased person leaves the disk; who was erased is known when their site is gone', async () => {
  const path = join(temporaryFolder(), 'data');
  const { data, open } = await busyDesk(path);
  const { desk } = data;
  await open('one');
  const ctx = () => desk.context({ kind: 'command_line' }, 'test');
  const staged = await data.mailBlobs.stage(bytesOf('From: a@example.org'), 1000);
  const ulid = newUlid(1);
  await staged.keep(ulid);
  await desk.write((tx) => {
    const site = siteById(tx, 1);
    if (!site) throw new Error('no site');
    const id = receiveMail(tx, ctx(), site, { ...staged, ulid, provider: 'raw', headers: {} });
    updateInboundMail(tx, id, { sender: 'a@example.org', status: 'done', outcome: 'held' });
    return null;
  });
  const kept = await data.mailBlobs.stage(bytesOf('From: b@example.org'), 1000);
  const other = newUlid(2);
  await kept.keep(other);
  await desk.write((tx) => {
    const site = siteById(tx, 1);
    if (!site) throw new Error('no site');
    receiveMail(tx, ctx(), site, { ...kept, ulid: other, provider: 'raw', headers: {} });
    return null;
  });
  // A step that fails erases nothing.
  const failing = desk.write((tx) => {
    eraseAuthor(tx, ctx(), { site_id: 1, email: 'a@example.org' });
    throw new Error('after all not');
  });
  await expect(failing).rejects.toThrow('after all not');
  await desk.write(() => null);
  await sleep(20);
  expect(await data.mailBlobs.size(ulid)).toBe(staged.size);
  await desk.write((tx) => eraseAuthor(tx, ctx(), { site_id: 1, email: 'a@example.org' }).ticketsScrubbed);
  while ((await data.mailBlobs.size(ulid)) !== null) await sleep(10);
  expect(await data.mailBlobs.size(other)).toBe(kept.size);
  const origin = desk.read((tx) => siteById(tx, 1)?.originUlid ?? null);
  await desk.write((tx) => {
    removeSite(tx, ctx(), '1', siteById(tx, 1)?.slug ?? null, null);
    return null;
  });
  expect(desk.read((tx) => erasures(tx))).toEqual([]);
  expect(data.erasures()).toMatchObject([{ siteId: 1, originUlid: origin, authorId: 1 }]);
  await data.close();
});
