// Back to a moment: exactly what was answered before it, from a snapshot and the kept logs (docs/backups.md).

import { describe, expect, test } from 'bun:test';
import { createHash, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '#platform/sqlite.ts';
import { migrations } from '../../migrations/index.ts';
import { toWire } from '../../src/base/clock.ts';
import { newUlid } from '../../src/base/ids.ts';
import { createBackup } from '../../src/data/backup.ts';
import { type DataDirectory, openDataDirectory } from '../../src/data/directory.ts';
import { restore } from '../../src/data/restore.ts';
import { listSnapshots, pruneSnapshots, takeSnapshot } from '../../src/data/snapshots.ts';
import { eraseAuthor } from '../../src/desk/customers/authors.ts';
import { query } from '../../src/engine/database.ts';
import { listSegments } from '../../src/engine/wal/archive.ts';
import { readTimes } from '../../src/engine/wal/times.ts';
import { insertAttachment } from '../../src/store/tickets/messages.ts';
import { ticketById } from '../../src/store/tickets/tickets.ts';
import { temporaryFolder } from '../support/folders.ts';
import { frameBytes, pageBytes } from '../support/store.ts';
import { type BusyDesk, busyDesk, configFor, subjectsIn } from './copying.ts';

const newestSchema = migrations.at(-1)?.version ?? 0;
const settings = (at: number, isForced = false) => ({ isForced, hasKey: false, newestSchema, at });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Opened {
  subject: string;
  beganAt: number;
  answeredAt: number;
}

/** A desk on which several clients opened tickets while logs ended and snapshots were taken. */
async function history(rounds: number, size = pageBytes): Promise<{ desk: BusyDesk; path: string; opened: Opened[] }> {
  const path = join(temporaryFolder(), 'data');
  mkdirSync(path, { recursive: true });
  const begun = openDatabase(join(path, 'helpdesk.db'), 'create');
  begun.run(`PRAGMA page_size = ${size}`);
  begun.run('PRAGMA journal_mode = WAL');
  begun.close();
  writeFileSync(join(path, 'secret.key'), `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  const desk = await busyDesk(path);
  const { store } = desk.data.desk;
  const backups = join(path, 'backups');
  await takeSnapshot(store, backups, Date.now());
  const opened: Opened[] = [];
  let next = 0;
  const openSome = async () => {
    for (let count = 0; count < 6; count += 1) {
      const subject = `number ${next++}`;
      const beganAt = Date.now();
      await desk.open(subject);
      opened.push({ subject, beganAt, answeredAt: Date.now() });
      await pause(1);
    }
  };
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all([openSome(), openSome(), openSome()]);
    if (round % 2 === 0) expect(store.rotate()).toBe(true);
    if (round % 4 === 3) await takeSnapshot(store, backups, Date.now());
  }
  return { desk, path, opened };
}

const sizeOfPages = ({ desk }: DataDirectory) =>
  desk.read((tx) => query<{ page_size: number }>(tx, 'PRAGMA page_size').get()?.page_size);

async function subjectsOf(path: string): Promise<Set<string>> {
  const data = openDataDirectory(configFor(path));
  const subjects = subjectsIn(data);
  await data.close();
  return subjects;
}

async function refusal(act: Promise<unknown>): Promise<string> {
  return act.then(
    () => 'it went through',
    (error) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error)),
  );
}

describe('a restore to a moment', () => {
  for (const size of [pageBytes, 4096])
    test(`has exactly what was answered before it, for any moment, beside a running desk with pages of ${size} bytes`, async () => {
      const { desk, path, opened } = await history(8, size);
      expect(sizeOfPages(desk.data)).toBe(size);
      const first = opened[0]!.beganAt;
      const last = opened.at(-1)!.answeredAt;
      for (let round = 0; round < 25; round += 1) {
        const at = first + Math.floor(Math.random() * (last - first + 2));
        const target = join(temporaryFolder(), 'data');
        const { moment } = await restore(target, path, settings(at));
        const subjects = await subjectsOf(target);
        expect(moment?.at).toBeLessThanOrEqual(at);
        const context = `at ${at}`;
        expect([
          context,
          opened.filter(({ subject, answeredAt }) => answeredAt <= at && !subjects.has(subject)),
        ]).toEqual([context, []]);
        expect([context, opened.filter(({ subject, beganAt }) => beganAt > at && subjects.has(subject))]).toEqual([
          context,
          [],
        ]);
        expect(moment?.lost?.tickets).toBe(opened.length - subjects.size);
        expect(moment?.lost?.messages).toBe(opened.length - subjects.size);
        expect(moment?.missing).toEqual([]);
      }
      await desk.data.close();
    }, 60_000);

  test('goes back within the desk itself, keeps what was there, and can go to another moment from that', async () => {
    const { desk, path, opened } = await history(4);
    await desk.data.close();
    const middle = opened[30]!.answeredAt;
    expect(await refusal(restore(path, path, settings(middle)))).toContain('--force');
    const done = await restore(path, path, settings(middle, true));
    const kept = done.replaced!;
    expect(done.moment?.lost?.tickets).toBeGreaterThan(0);
    const back = await subjectsOf(path);
    expect(opened.filter(({ subject, answeredAt }) => answeredAt <= middle && !back.has(subject))).toEqual([]);
    expect(back.size).toBeLessThan(opened.length);
    expect((await subjectsOf(path)).size).toBe(back.size);

    // The desk continues from there, and what was moved out of the way still has every moment.
    const again = await busyDesk(path);
    await again.open('after');
    await again.data.close();
    const later = opened.at(-1)!.answeredAt;
    const undone = await restore(path, kept, settings(later, true));
    expect((await subjectsOf(path)).size).toBe(opened.length);
    expect(undone.moment?.lost).toMatchObject({ tickets: 0, messages: 0, events: 0 });
  }, 30_000);

  test('changes nothing in its source', async () => {
    const { desk, path, opened } = await history(3);
    await desk.data.close();
    const listing = () =>
      readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => [
          join(entry.parentPath, entry.name),
          createHash('sha256')
            .update(readFileSync(join(entry.parentPath, entry.name)))
            .digest('hex'),
        ])
        .sort();
    const before = listing();
    const target = join(temporaryFolder(), 'data');
    await restore(target, path, settings(opened[9]!.answeredAt));
    await restore(target, path, settings(opened[20]!.answeredAt, true));
    expect(listing()).toEqual(before);
    expect(readdirSync(target).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('refuses what is not kept, and says what is', async () => {
    const { desk, path, opened } = await history(8);
    await desk.data.close();
    const backups = join(path, 'backups');
    const target = join(temporaryFolder(), 'data');
    const future = Date.now() + 60_000;
    expect(await refusal(restore(target, path, settings(future)))).toMatch(
      new RegExp(`${toWire(future)} is in the future\\. You can go back to times from .* on\\.`),
    );
    expect(await refusal(restore(target, path, settings(1_700_000_000_000)))).toContain(
      '. You can go back to times from',
    );

    // A desk drops the logs before its second newest snapshot: of older times only the snapshots are left.
    const [oldest, ...others] = listSnapshots(backups);
    await pruneSnapshots(backups, join(path, 'wal'), 24);
    const between = opened.find(({ beganAt }) => beganAt > oldest!.takenAt)!.answeredAt;
    const words = await refusal(restore(target, path, settings(between)));
    expect(words).toContain('The desk no longer keeps its state at');
    expect(words).toContain(toWire(oldest!.takenAt).slice(0, 16));
    expect(existsSync(target)).toBe(false);
    expect(others.length).toBeGreaterThan(1);
    const last = opened.at(-1)!.answeredAt;
    await restore(target, path, settings(last));
    expect((await subjectsOf(target)).size).toBe(opened.length);
  }, 30_000);

  test('takes no snapshot for older than the last commit in it', async () => {
    const path = join(temporaryFolder(), 'data');
    const desk = await busyDesk(path);
    const { store } = desk.data.desk;
    await takeSnapshot(store, join(path, 'backups'), Date.now());
    await desk.open('one');
    await pause(3);
    const between = Date.now();
    await pause(3);
    await desk.open('two');
    await takeSnapshot(store, join(path, 'backups'), between);
    await desk.open('three');
    const target = join(temporaryFolder(), 'data');
    await restore(target, path, settings(between + 1));
    expect([...(await subjectsOf(target))]).toEqual(['one']);
    await desk.data.close();
  });

  test('wants logs: neither a backup nor a snapshot has more than one moment', async () => {
    const { desk, path, opened } = await history(1);
    const backup = join(temporaryFolder(), 'backup');
    await createBackup(desk.data, backup);
    await desk.data.close();
    const at = opened[3]!.answeredAt;
    const target = join(temporaryFolder(), 'data');
    for (const source of [backup, listSnapshots(join(path, 'backups'))[0]!.path])
      expect(await refusal(restore(target, source, settings(at)))).toContain('contains a single moment and no logs');
    expect(await refusal(restore(target, temporaryFolder(), settings(at)))).toContain('no snapshot');
    expect(existsSync(target)).toBe(false);
  });

  test('goes to an older snapshot where the newest is damaged, and refuses where the logs are', async () => {
    const { desk, path, opened } = await history(8);
    await desk.data.close();
    const at = opened.at(-1)!.answeredAt;
    const newest = listSnapshots(join(path, 'backups')).at(-1)!;
    const bytes = readFileSync(newest.path);
    writeFileSync(newest.path, bytes.fill(0xff, 8192, 40960));
    const target = join(temporaryFolder(), 'data');
    const { moment } = await restore(target, path, settings(at));
    expect(moment?.snapshot).not.toBe(newest.path);
    expect((await subjectsOf(target)).size).toBe(opened.length);

    const log = listSegments(join(path, 'wal')).findLast(
      ({ ordinal }) => readTimes(join(path, 'wal'), ordinal).length > 3,
    )!;
    truncateSync(log.path, 32 + 2 * frameBytes);
    const other = join(temporaryFolder(), 'data');
    const times = readTimes(join(path, 'wal'), log.ordinal);
    expect(await refusal(restore(other, path, settings(times[2]!.at)))).toMatch(
      /cannot be rebuilt as it was at .*damaged|does not continue/,
    );
    expect(readdirSync(other)).toEqual([]);
  });

  test('takes a commit whose time was lost with the next one, and reads over what a crash left of a line', async () => {
    const path = join(temporaryFolder(), 'data');
    const desk = await busyDesk(path);
    await takeSnapshot(desk.data.desk.store, join(path, 'backups'), Date.now());
    for (let count = 0; count < 12; count += 1) {
      await desk.open(`number ${count}`);
      await pause(2);
    }
    await desk.data.close();
    const copy = join(temporaryFolder(), 'copy');
    cpSync(path, copy, { recursive: true });
    const wal = join(copy, 'wal');
    const ordinal = listSegments(wal).at(-1)!.ordinal;
    const file = join(wal, `${String(ordinal).padStart(8, '0')}.times`);
    const times = readTimes(wal, ordinal);
    expect(times).toHaveLength(12);
    const lines = times.filter((_, index) => index !== 5).map(({ frames, at }) => `\n${frames} ${at}`);
    writeFileSync(file, lines.join(''));
    appendFileSync(file, '\n9999 17953\n\0\0\0\nx');
    expect(readTimes(wal, ordinal)).toHaveLength(times.length - 1);
    const target = join(temporaryFolder(), 'data');
    const { moment } = await restore(target, copy, settings(times[6]!.at - 1));
    expect(moment!.at).toBe(times[4]!.at);
    expect([...(await subjectsOf(target))].sort()).toEqual([
      'number 0',
      'number 1',
      'number 2',
      'number 3',
      'number 4',
    ]);
  });

  test('takes the end of a log for no earlier than its last noted commit, although files are dated by the last tick', async () => {
    const path = join(temporaryFolder(), 'data');
    const desk = await busyDesk(path);
    await takeSnapshot(desk.data.desk.store, join(path, 'backups'), Date.now());
    for (let count = 0; count < 6; count += 1) {
      await desk.open(`number ${count}`);
      await pause(2);
    }
    await desk.data.close();
    const copy = join(temporaryFolder(), 'copy');
    cpSync(path, copy, { recursive: true });
    const wal = join(copy, 'wal');
    const { ordinal, path: log } = listSegments(wal).at(-1)!;
    const times = readTimes(wal, ordinal);
    const lines = times.slice(0, -1).map(({ frames, at }) => `\n${frames} ${at}`);
    writeFileSync(join(wal, `${String(ordinal).padStart(8, '0')}.times`), lines.join(''));
    const dated = new Date(times[4]!.at - 5);
    utimesSync(log, dated, dated);
    const target = join(temporaryFolder(), 'data');
    await restore(target, copy, settings(times[4]!.at - 1));
    expect([...(await subjectsOf(target))].sort()).toEqual(['number 0', 'number 1', 'number 2', 'number 3']);
  });

  test('brings back what was deleted since, with its files, and no one who was erased since', async () => {
    const path = join(temporaryFolder(), 'data');
    const desk = await busyDesk(path);
    const { desk: within, blobs } = desk.data;
    await takeSnapshot(within.store, join(path, 'backups'), Date.now());
    for (const subject of ['one', 'two']) await desk.open(subject);
    const attach = async (ticketId: number, text: string) => {
      const staged = await blobs.stage(
        (async function* () {
          yield Buffer.from(text);
        })(),
        1000,
      );
      const ulid = newUlid(Date.now());
      await staged.keep(ulid);
      await within.write((tx) => {
        const { siteId } = ticketById(tx, ticketId)!;
        insertAttachment(tx, {
          ulid,
          siteId,
          ticketId,
          messageId: null,
          filename: 'a.txt',
          contentType: 'text/plain',
          size: staged.size,
          sha256: staged.sha256,
          isAgent: false,
          isInternal: false,
          createdAt: 1,
        });
        return null;
      });
      return `attachments/${ulid.slice(-2)}/${ulid}`;
    };
    const kept = await attach(1, 'kept');
    const gone = await attach(2, 'gone');
    await pause(3);
    const before = Date.now();
    await pause(3);
    const later = await attach(1, 'later');
    const commandLine = within.context({ kind: 'command_line' }, 'test');
    await within.write((tx) => {
      query(tx, 'DELETE FROM attachments WHERE ulid = ?').run(gone.slice(-26));
      return null;
    });
    rmSync(join(path, gone));
    await within.write((tx) => eraseAuthor(tx, commandLine, { site_id: 1, email: 'a@example.org' }).ticketsScrubbed);
    await desk.data.close();

    const { moment, replaced } = await restore(path, path, settings(before, true));
    expect(moment?.missing).toEqual([gone]);
    expect(readFileSync(join(path, kept), 'utf8')).toBe('kept');
    expect(existsSync(join(replaced!, later))).toBe(true);
    const data = openDataDirectory(configFor(path));
    expect(await data.erasedAgain).toBe(1);
    expect([...subjectsIn(data)]).toHaveLength(2);
    expect(data.desk.read((tx) => query<{ email: string }>(tx, 'SELECT email FROM authors').all())).toEqual([
      { email: 'anonymised+1@anonymised.invalid' },
    ]);
    await data.close();
  });
});
