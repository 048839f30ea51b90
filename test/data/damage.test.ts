// Damaged and missing bytes: a damaged or missing log, an empty or cut database, another key. No loss goes unreported.

import { beforeAll, describe, expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { openDatabase } from '#platform/sqlite.ts';
import { migrations } from '../../migrations/index.ts';
import { sha256Hex } from '../../src/base/crypto.ts';
import { settleDirectory } from '../../src/data/check-log.ts';
import { noteOrigin } from '../../src/data/copied-directory.ts';
import { openDataDirectory } from '../../src/data/directory.ts';
import { examine } from '../../src/data/doctor/examine.ts';
import { restore } from '../../src/data/restore.ts';
import { takeSnapshot } from '../../src/data/snapshots.ts';
import { checkDatabase, isInUse } from '../../src/engine/check-database.ts';
import { openForInspection, query } from '../../src/engine/database.ts';
import { readLastCommit, writeLastCommit } from '../../src/engine/wal/last-commit.ts';
import { neededLog } from '../../src/engine/wal/needed-log.ts';
import { scanLog } from '../../src/engine/wal/scan.ts';
import { flipByte, ownInode } from '../support/faults.ts';
import { temporaryFolder } from '../support/folders.ts';
import { roomyDisk } from '../support/roomy-disk.ts';
import { frameBytes, pageBytes } from '../support/store.ts';
import { busyDesk, configFor, subjectsIn } from './copying.ts';

const config = (path: string) => configFor(path, { HELPDESK_SYNCHRONOUS: 'FULL' });

/** A directory as a killed desk leaves it: a snapshot, and a log with later transactions. */
const killed = join(temporaryFolder(), 'killed');
const answered: string[] = [];
let lastCommit: ReturnType<typeof readLastCommit> = null;

beforeAll(async () => {
  const desk = await busyDesk(join(temporaryFolder(), 'data'));
  const { path } = desk.data;
  await desk.open('early');
  await takeSnapshot(desk.data.desk.store, join(path, 'backups'), 1);
  for (let at = 0; at < 40; at += 1) await desk.open(`late ${at}`);
  // As the files are while it runs.
  cpSync(path, killed, { recursive: true, preserveTimestamps: true });
  answered.push(...desk.answered);
  lastCommit = readLastCommit(join(path, 'helpdesk.db'));
  await desk.data.close();
});

/** The files of a directory, with a hash of each. */
const bytesIn = (path: string) =>
  Object.fromEntries(
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file, sha256Hex(readFileSync(file))]),
  );

/** The same directory for one test: one log with two names, and recognised as the original. */
function crashed(): string {
  const path = join(temporaryFolder(), 'data');
  cpSync(killed, path, { recursive: true, preserveTimestamps: true });
  rmSync(logOf(path));
  linkSync(segmentOf(path), logOf(path));
  noteOrigin(path);
  const mark = writeLastCommit(join(path, 'helpdesk.db'));
  mark.note(lastCommit!);
  mark.close(false);
  return path;
}

const logOf = (path: string) => join(path, 'helpdesk.db-wal');
const timesOf = (path: string) => segmentOf(path).replace(/[^.]+\.wal$/, 'times');
const segmentOf = (path: string) =>
  join(
    path,
    'wal',
    readdirSync(join(path, 'wal'))
      .filter((name) => name.endsWith('.wal'))
      .sort()
      .at(-1) ?? '',
  );

async function opened(path: string) {
  const data = openDataDirectory(config(path));
  const subjects = subjectsIn(data);
  await data.close();
  return { subjects, recovered: data.recovered };
}

async function findings(path: string): Promise<string[]> {
  const { findings: all } = await examine({
    path,
    config: config(path),
    configFault: null,
    isFixing: false,
    ...roomyDisk,
  });
  return all.map(({ code }) => code);
}

const placeOf = (frame: number, offset = 500) => 32 + (frame - 1) * frameBytes + offset;
const everything = () => new Set(answered);

describe('a flipped byte in the log', () => {
  test('a whole log is not called damaged', async () => {
    const path = crashed();
    expect(scanLog(logOf(path), true)?.damage).toBeNull();
    expect((await opened(path)).subjects).toEqual(everything());
  });

  for (const [where, offset] of [
    ['the page', 500],
    ['the page number', 3],
    ['the salt', 9],
    ['the checksum', 17],
  ] as const) {
    test(`that is the archived one too is refused, and changes nothing: in ${where}`, async () => {
      const path = crashed();
      const before = statSync(logOf(path)).size;
      flipByte(logOf(path), placeOf(20, offset));
      expect(() => openDataDirectory(config(path))).toThrow(
        /damaged at frame 20: \d+ committed transactions .*helpdesk restore/,
      );
      expect(statSync(logOf(path)).size).toBe(before);
      expect(await findings(path)).toContain('history_damaged');
      expect(statSync(logOf(path)).size).toBe(before);
    });
  }

  test('in the first bytes of the log is refused', () => {
    const path = crashed();
    flipByte(logOf(path), 18);
    expect(scanLog(logOf(path), false)).toMatchObject({ pageSize: pageBytes, damage: { frame: 0 } });
    expect(() => openDataDirectory(config(path))).toThrow('damaged at frame 0');
  });

  for (const size of [2048, 4096])
    test(`in the first bytes of a log with pages of ${size} bytes is found, and the size of its pages`, () => {
      const path = join(temporaryFolder(), 'helpdesk.db');
      const database = openDatabase(path, 'create');
      database.run(`PRAGMA page_size = ${size}`);
      database.run('PRAGMA journal_mode = WAL');
      for (const name of ['a', 'b', 'c']) database.run(`CREATE TABLE ${name} (x)`);
      const log = join(temporaryFolder(), 'log');
      copyFileSync(`${path}-wal`, log);
      database.close();
      expect(scanLog(log, false)).toMatchObject({ pageSize: size, commits: 3, damage: null });
      flipByte(log, 18);
      expect(scanLog(log, false)).toMatchObject({ pageSize: size, commits: 0, damage: { frame: 0 } });
    });

  test('is found in any frame but those of the last transaction', () => {
    const path = crashed();
    const { frames = 0, commits = 0 } = scanLog(logOf(path), false) ?? {};
    expect(commits).toBeGreaterThan(30);
    for (let frame = 1; frame < frames - 30; frame += 29) {
      flipByte(logOf(path), placeOf(frame));
      expect([frame, scanLog(logOf(path), false)?.damage?.frame]).toEqual([frame, frame]);
      flipByte(logOf(path), placeOf(frame));
    }
  });

  test('is repaired where the archived segment has the same bytes whole', async () => {
    const path = crashed();
    ownInode(logOf(path));
    flipByte(logOf(path), placeOf(20));
    expect(await findings(path)).toContain('log_apart');
    const { subjects, recovered } = await opened(path);
    expect(subjects).toEqual(everything());
    expect(recovered).toContain('restored from wal/');
  });

  test('in the archived segment alone does no harm', async () => {
    const path = crashed();
    ownInode(logOf(path));
    flipByte(segmentOf(path), placeOf(20));
    expect((await opened(path)).subjects).toEqual(everything());
  });

  test('a torn end is an end: a power cut during the last transaction loses that alone', async () => {
    const path = crashed();
    const { frames = 0 } = scanLog(logOf(path), false) ?? {};
    truncateSync(logOf(path), placeOf(frames, 100));
    rmSync(join(path, 'helpdesk.db-shm'), { force: true });
    // It had not been noted yet.
    rmSync(join(path, 'last-commit.txt'));
    const times = readFileSync(timesOf(path), 'utf8').split('\n');
    writeFileSync(timesOf(path), times.slice(0, -1).join('\n'));
    const { subjects } = await opened(path);
    expect([...everything()].filter((subject) => !subjects.has(subject))).toEqual([answered.at(-1) ?? '']);
  });

  for (const [what, harm] of [
    ['flipped', (path: string, frames: number) => flipByte(logOf(path), placeOf(frames))],
    ['cut off', (path: string, frames: number) => truncateSync(logOf(path), placeOf(frames, 100))],
  ] as const) {
    test(`in the last transaction is refused without the index too, because its time was recorded: ${what}`, async () => {
      const path = crashed();
      const { frames = 0 } = scanLog(logOf(path), false) ?? {};
      rmSync(join(path, 'helpdesk.db-shm'), { force: true });
      harm(path, frames);
      expect(() => openDataDirectory(config(path))).toThrow(/committed (?:frames|transactions) cannot be read/);
      expect(await findings(path)).toContain('history_damaged');
    });
  }
});

describe('a log that was removed', () => {
  test('is put back from the archive', async () => {
    const path = crashed();
    rmSync(logOf(path));
    const { subjects, recovered } = await opened(path);
    expect(subjects).toEqual(everything());
    expect(recovered).toContain('helpdesk.db-wal was missing');
  });

  test('after it had been taken in is not missed', async () => {
    const path = crashed();
    await opened(path);
    expect(settleDirectory(path, true, 1)).toBeNull();
    expect((await opened(path)).recovered).toBeNull();
  });

  test('is not laid over another database that was put there by hand', async () => {
    const path = crashed();
    const other = join(temporaryFolder(), 'helpdesk.db');
    copyFileSync(
      join(
        killed,
        'backups',
        readdirSync(join(killed, 'backups')).filter((name) => name.startsWith('snapshot-'))[0] ?? '',
      ),
      other,
    );
    renameSync(other, join(path, 'helpdesk.db'));
    for (let turn = 0; turn < 2; turn += 1) expect((await opened(path)).subjects).toEqual(new Set(['early']));
  });
});

describe('a log that was emptied', () => {
  const remove = (...paths: string[]) => {
    for (const path of paths) rmSync(path);
  };
  const losses: [string, (path: string) => void][] = [
    ['cut to nothing', (path) => truncateSync(logOf(path), 0)],
    ['cut to its header', (path) => truncateSync(logOf(path), 32)],
    [
      'removed with its segment',
      (path) => {
        rmSync(logOf(path));
        rmSync(segmentOf(path));
      },
    ],
    [
      'removed with all of wal/',
      (path) => {
        rmSync(logOf(path));
        rmSync(join(path, 'wal'), { recursive: true });
      },
    ],
  ];
  // Any one of the things that know of it is enough.
  const alone: [string, (path: string) => void][] = [
    ['the mark', (path) => remove(timesOf(path), `${join(path, 'helpdesk.db')}-shm`)],
    ['the index', (path) => remove(timesOf(path), join(path, 'last-commit.txt'))],
    ['the times', (path) => remove(join(path, 'last-commit.txt'), join(path, 'helpdesk.db-shm'))],
    ['the database', (path) => remove(timesOf(path), join(path, 'last-commit.txt'), join(path, 'helpdesk.db-shm'))],
  ];
  for (const [how, lose] of losses)
    for (const [witness, without] of alone) {
      // Without the segment, its times may belong to any other log.
      if (witness === 'the times' && how.startsWith('removed')) continue;
      test(`is refused with what helps, and doctor says it: ${how}, known from ${witness}`, async () => {
        const path = crashed();
        without(path);
        lose(path);
        expect(() => openDataDirectory(config(path))).toThrow(
          new RegExp(
            [
              how.startsWith('cut') ? 'helpdesk\\.db-wal is empty' : 'helpdesk\\.db-wal is missing',
              witness === 'the database' ? 'log 2, which helpdesk\\.db needs,' : 'its [\\d,]+ committed frames',
              // `wal_checkpoint(TRUNCATE)` leaves an empty log, too.
              how.startsWith('cut') || witness === 'the database'
                ? 'cannot be read.* without the log: helpdesk restore .*helpdesk\\.db --data'
                : 'cannot be read.*helpdesk restore',
            ].join('.*'),
          ),
        );
        expect(await findings(path)).toContain('history_damaged');
      });
    }

  test('after a clean stop is not missed, with wal/ or without it', async () => {
    for (const more of [() => undefined, (path: string) => rmSync(join(path, 'wal'), { recursive: true })]) {
      const path = crashed();
      await opened(path);
      more(path);
      writeFileSync(logOf(path), '');
      const { subjects, recovered } = await opened(path);
      expect([subjects, recovered]).toEqual([everything(), null]);
    }
  });

  test('by another program that had copied it into the database is not missed', async () => {
    const path = crashed();
    const other = openForInspection(join(path, 'helpdesk.db'));
    other.client.run('SELECT count(*) FROM tickets');
    other.close();
    expect(existsSync(logOf(path))).toBe(false);
    expect((await opened(path)).subjects).toEqual(everything());
  });

  test('is known from a copy of only the database, as long as its desk ran', async () => {
    const path = join(temporaryFolder(), 'copy');
    mkdirSync(path);
    for (const name of ['helpdesk.db', 'secret.key', 'last-commit.txt'])
      copyFileSync(join(killed, name), join(path, name));
    expect(() => openDataDirectory(config(path))).toThrow(/log 2, which helpdesk\.db needs.*--data \S+ --force/);
    await restore(path, join(path, 'helpdesk.db'), { isForced: true, hasKey: true, newestSchema: migrations.length });
    expect((await opened(path)).subjects).toEqual(new Set(['early']));
    // And not once it has stopped.
    const stopped = crashed();
    await opened(stopped);
    const whole = join(temporaryFolder(), 'whole');
    mkdirSync(whole);
    for (const name of ['helpdesk.db', 'secret.key']) copyFileSync(join(stopped, name), join(whole, name));
    expect((await opened(whole)).subjects).toEqual(everything());
  });

  test('is no loss between two logs, whatever ended the first one', async () => {
    const path = crashed();
    await opened(path);
    const data = openDataDirectory(config(path));
    await data.desk.write((tx) => {
      query(tx, 'UPDATE sites SET name = ?').run('Later');
      return null;
    });
    const file = join(path, 'helpdesk.db');
    expect(neededLog(file)).toBe(3);
    expect(data.desk.store.rotate()).toBe(true);
    expect(neededLog(file)).toBe(0);
    await takeSnapshot(data.desk.store, join(path, 'backups'), 2);
    await data.desk.write((tx) => {
      query(tx, 'UPDATE sites SET name = ?').run('Latest');
      return null;
    });
    expect(neededLog(file)).toBe(4);
    await data.close();
    expect(neededLog(file)).toBe(0);
    for (const name of readdirSync(join(path, 'backups')).filter((one) => one.startsWith('snapshot-')))
      expect(neededLog(join(path, 'backups', name))).toBe(0);
  });
});

describe('an older copy of the database in its place', () => {
  const olderIn = (path: string) => {
    const name = readdirSync(join(path, 'backups')).find((one) => one.startsWith('snapshot-')) ?? '';
    return join(path, 'backups', name);
  };

  test('is noticed after a clean stop, used unchanged, and erased people are erased again', async () => {
    const path = crashed();
    await opened(path);
    writeFileSync(join(path, 'erasures.jsonl'), '');
    // In place: the file keeps its identity.
    writeFileSync(join(path, 'helpdesk.db'), readFileSync(olderIn(path)));
    expect(await findings(path)).toContain('database_replaced');
    const data = openDataDirectory(config(path));
    const subjects = subjectsIn(data);
    await data.erasedAgain;
    await data.close();
    expect(subjects).toEqual(new Set(['early']));
    expect(data.recovered).toMatch(/not as this desk left it.*changes up to 20/);
    expect((await opened(path)).recovered).toBeNull();
  });

  test('is refused after a clean stop when its bytes were changed', async () => {
    const path = crashed();
    await opened(path);
    const file = join(path, 'helpdesk.db');
    const bytes = readFileSync(file);
    const page = bytes.indexOf('early');
    bytes.fill(0x55, page - (page % pageBytes), page - (page % pageBytes) + 4);
    writeFileSync(file, bytes);
    expect(() => openDataDirectory(config(path))).toThrow(/not as this desk left it, and is damaged: .*To restore/s);
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(await findings(path)).toContain('history_damaged');
  });

  /** As after kill -9 in the second log of a desk, all of which the first one continues. */
  async function inSecondLog(path: string): Promise<void> {
    await opened(path);
    const data = openDataDirectory(config(path));
    await data.desk.write((tx) => {
      query(tx, 'UPDATE sites SET name = ?').run('Later');
      return null;
    });
    const log = logOf(path);
    const kept = segmentOf(path);
    copyFileSync(log, `${log}.kept`);
    await data.close();
    renameSync(`${log}.kept`, log);
    rmSync(kept);
    linkSync(log, kept);
    rmSync(join(path, 'wal', 'last.txt'));
  }
  const settings = { isForced: true, hasKey: true, newestSchema: migrations.length };

  test('is not mixed with the log of a killed desk', async () => {
    const path = crashed();
    const older = readFileSync(olderIn(path));
    await inSecondLog(path);
    expect((await opened(path)).recovered).toBeNull();
    await inSecondLog(path);
    writeFileSync(join(path, 'helpdesk.db'), older);
    const refusal =
      /helpdesk\.db has other bytes in \d+ pages? than wal.*whole without its log.*restore \S+helpdesk\.db --data \S+ --force/;
    expect(() => openDataDirectory(config(path))).toThrow(refusal);
    // What a restore refuses leaves the directory as it is, and the next start is refused as the one before.
    const before = bytesIn(path);
    for (const wrong of [join(path, 'secret.key'), join(path, 'absent')])
      await expect(restore(path, wrong, settings)).rejects.toThrow(/is not a backup|does not exist/);
    expect(await findings(path)).toContain('history_damaged');
    expect(bytesIn(path)).toEqual(before);
    expect(() => openDataDirectory(config(path))).toThrow(refusal);
    // And the offer works: the older copy as it was, sound, without what the log had for another one.
    await restore(path, join(path, 'helpdesk.db'), settings);
    expect(checkDatabase(join(path, 'helpdesk.db'))).toBeNull();
    expect((await opened(path)).subjects.has('early')).toBe(true);
  });

  const harms: [string, (file: string) => void, RegExp][] = [
    [
      'flipped bytes',
      (file) => {
        for (let at = 1000; at < statSync(file).size; at += pageBytes) flipByte(file, at);
      },
      /has other bytes in [\d,]+ pages than wal.*its bytes were changed/,
    ],
    ['a cut end', (file) => truncateSync(file, 40 * pageBytes), /is cut off: it has only 40 of \d+ pages/],
  ];
  for (const [what, harm, reason] of harms)
    test(`is not what a refusal sees in ${what}, and nothing is offered that would not work`, async () => {
      const path = crashed();
      await inSecondLog(path);
      harm(join(path, 'helpdesk.db'));
      const before = bytesIn(path);
      expect(() => openDataDirectory(config(path))).toThrow(reason);
      expect(() => openDataDirectory(config(path))).not.toThrow(/restore \S+helpdesk\.db --data|another copy|older/);
      await expect(restore(path, join(path, 'helpdesk.db'), settings)).rejects.toThrow('Nothing was changed');
      expect(bytesIn(path)).toEqual(before);
    });
});

describe('what a refusal offers works', () => {
  const damages: [string, (path: string, frames: number) => void, number][] = [
    ['damage in the first transaction', (path) => flipByte(logOf(path), placeOf(1)), 0],
    ['damage in the middle', (path, frames) => flipByte(logOf(path), placeOf(frames >> 1)), 10],
    ['a damaged start of the log', (path) => flipByte(logOf(path), 18), 0],
    [
      'damage in the middle, without the times',
      (path, frames) => {
        rmSync(timesOf(path));
        flipByte(logOf(path), placeOf(frames >> 1));
      },
      0,
    ],
    ['a log cut in half', (path, frames) => truncateSync(logOf(path), placeOf(frames >> 1)), 10],
    ['an empty log', (path) => truncateSync(logOf(path), 0), 0],
    [
      'a damaged snapshot after the log began',
      (path, frames) => {
        const [sound = ''] = readdirSync(join(path, 'backups')).filter((name) => name.startsWith('snapshot-'));
        const later = sound.replace('1970', '1971').replace(/-\d+\.db$/, '-90.db');
        writeFileSync(join(path, 'backups', later), 'x'.repeat(50_000));
        flipByte(logOf(path), placeOf(frames >> 1));
      },
      10,
    ],
    ['a database that is gone, with sound logs', (path) => rmSync(join(path, 'helpdesk.db')), 41],
  ];
  const settings = { isForced: true, hasKey: true, newestSchema: migrations.length };

  function refusalOf(path: string): string {
    try {
      openDataDirectory(config(path));
    } catch (error) {
      return String(error);
    }
    return '';
  }

  for (const [what, harm, least] of damages)
    test(what, async () => {
      for (const isSnapshotOnly of [false, true]) {
        const path = crashed();
        harm(path, scanLog(logOf(path), false)?.frames ?? 0);
        const said = refusalOf(path);
        const at = /restore --at (\S+) --data/.exec(said)?.[1];
        const snapshot = /restore (\S+snapshot-\S+\.db) --data/.exec(said)?.[1] ?? '';
        expect([what, at !== undefined]).toEqual([what, least > 0]);
        if (at === undefined || isSnapshotOnly) await restore(path, snapshot, settings);
        else await restore(path, path, { ...settings, at: Date.parse(at) });
        const { subjects } = await opened(path);
        expect(subjects.has('early')).toBe(true);
        if (!isSnapshotOnly) expect(subjects.size).toBeGreaterThanOrEqual(Math.max(1, least));
      }
    });
});

test('after a clean stop a start does not read the log that has ended', async () => {
  const path = crashed();
  await openDataDirectory(config(path)).close();
  const segment = segmentOf(path);
  renameSync(segment, `${segment}.kept`);
  // Opening it would succeed; reading it would fail.
  mkdirSync(segment);
  expect(settleDirectory(path, true, 1)).toBeNull();
});

test('a log that a running desk removes while a command lists the logs is no fault', async () => {
  const path = crashed();
  rmSync(logOf(path));
  const segment = segmentOf(path);
  rmSync(segment);
  // Listed, and gone when it is read.
  symlinkSync(`${segment}.gone`, segment);
  const judge = () => settleDirectory(path, true, 1);
  expect(judge).toThrow('ENOENT');
  const open = `const Database = process.versions.bun ? require('bun:sqlite').Database : require('node:sqlite').DatabaseSync;
    const desk = new Database(${JSON.stringify(join(path, 'helpdesk.db'))});
    desk.prepare('SELECT count(*) FROM sqlite_master').get();
    console.log('open');
    setInterval(() => desk, 1000);`;
  const running = spawn(process.execPath, ['-e', open], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    await once(running.stdout, 'data');
    expect(judge()).toBeNull();
    expect(isInUse(join(path, 'helpdesk.db'))).toBe(true);
  } finally {
    running.kill();
    await once(running, 'exit');
  }
  expect(isInUse(join(path, 'helpdesk.db'))).toBe(false);
});

describe('a log that nothing beside it knows', () => {
  const witnesses = ['wal', 'last-commit.txt', 'helpdesk.db-shm'];
  const without = (path: string, names: readonly string[]) => {
    for (const name of names) rmSync(join(path, name), { recursive: true });
  };
  const cut = (path: string, share: number) =>
    truncateSync(logOf(path), Math.floor(statSync(logOf(path)).size * share));

  test.each([0.25, 0.5, 0.75, 0.99, 1])('is refused, whatever was left of it: %d', async (share) => {
    const path = crashed();
    cut(path, share);
    without(path, witnesses);
    const before = bytesIn(path);
    expect(() => openDataDirectory(config(path))).toThrow(
      /needs log 2, and wal\/ does not have it.*newest changes may be missing.*helpdesk restore \S+ --data/,
    );
    expect(await findings(path)).toContain('log_unproven');
    expect(bytesIn(path)).toEqual(before);
    const into = join(temporaryFolder(), 'read');
    const { recovered } = await restore(into, path, { isForced: false, hasKey: true, newestSchema: migrations.length });
    expect(recovered).toContain('the newest changes may be missing');
    const { subjects } = await opened(into);
    expect([...subjects].every((subject) => answered.includes(subject))).toBe(true);
    expect(subjects.has('early')).toBe(true);
    expect(subjects.size === answered.length).toBe(share === 1);
    expect((await opened(into)).recovered).toBeNull();
  });

  test.each(witnesses)('is known from only one of them: %s', async (witness) => {
    const others = witnesses.filter((name) => name !== witness);
    const whole = crashed();
    without(whole, others);
    expect((await opened(whole)).subjects).toEqual(everything());
    const path = crashed();
    cut(path, 0.5);
    without(path, others);
    expect(() => openDataDirectory(config(path))).toThrow(/committed frames cannot be read/);
    expect(await findings(path)).toContain('history_damaged');
  });

  test('is not passed over where it is in wal/ alone and wal/origin.txt is gone too', async () => {
    const path = crashed();
    rmSync(logOf(path));
    without(path, ['wal/origin.txt']);
    expect(() => openDataDirectory(config(path))).toThrow(/needs log 2, and without wal\/origin\.txt.*restore --at/);
    expect(await findings(path)).toContain('history_damaged');
  });

  test('is no fault after a power cut, which leaves its name in wal/ and perhaps no more', async () => {
    const path = crashed();
    without(path, ['last-commit.txt', 'helpdesk.db-shm', relative(path, timesOf(path))]);
    expect(await opened(path)).toEqual({ subjects: everything(), recovered: null });
  });
});

describe('a copy', () => {
  const copied = () => {
    const path = join(temporaryFolder(), 'copy');
    cpSync(killed, path, { recursive: true, preserveTimestamps: true });
    return path;
  };

  test('with a damaged log uses the other copy of it', async () => {
    const path = copied();
    flipByte(segmentOf(path), placeOf(20));
    const { subjects, recovered } = await opened(path);
    expect(recovered).toContain('This directory is a copy');
    expect(subjects).toEqual(everything());
  });

  test('without wal/ but with the log has all, as a start and as a restore', async () => {
    const path = copied();
    rmSync(join(path, 'wal'), { recursive: true });
    const into = join(temporaryFolder(), 'data');
    await restore(into, path, { isForced: false, hasKey: true, newestSchema: migrations.length });
    expect((await opened(into)).subjects).toEqual(everything());
    expect((await opened(path)).subjects).toEqual(everything());
  });

  test('without wal/ and without the log is refused, as a start and as a restore', async () => {
    const path = copied();
    rmSync(join(path, 'wal'), { recursive: true });
    for (const end of ['-wal', '-shm']) rmSync(join(path, `helpdesk.db${end}`));
    expect(() => openDataDirectory(config(path))).toThrow('log 2, which helpdesk.db needs, cannot be read');
    const into = join(temporaryFolder(), 'data');
    const settings = { isForced: false, hasKey: true, newestSchema: migrations.length };
    await expect(restore(into, path, settings)).rejects.toThrow('log 2, which helpdesk.db needs, cannot be read');
  });

  test('that lacks its last log says so', async () => {
    const path = copied();
    rmSync(segmentOf(path));
    rmSync(logOf(path));
    expect((await opened(path)).recovered).toMatch(/Missing: log 2, with what was written after \S+; helpdesk\.db/);
    const bare = copied();
    rmSync(segmentOf(bare));
    rmSync(logOf(bare));
    rmSync(join(bare, 'backups'), { recursive: true });
    expect(() => openDataDirectory(config(bare))).toThrow(
      /was copied without log 2, which it needs\. Nothing was changed/,
    );
  });

  test('with no whole log is refused', () => {
    const path = copied();
    flipByte(segmentOf(path), placeOf(20));
    flipByte(logOf(path), placeOf(20));
    expect(() => openDataDirectory(config(path))).toThrow(
      /damaged at frame 20.*Copy the directory again.*helpdesk restore/,
    );
  });
});

describe('a database that is gone', () => {
  const cases: [string, (file: string) => void, RegExp][] = [
    ['empty', (file) => truncateSync(file, 0), /helpdesk\.db is empty/],
    ['missing', (file) => rmSync(file), /helpdesk\.db is missing/],
    ['cut off', (file) => truncateSync(file, 8192), /helpdesk\.db is cut off/],
    ['cut off within its first page', (file) => truncateSync(file, 50), /helpdesk\.db is no longer a database/],
    ['overwritten', (file) => writeFileSync(file, 'x'.repeat(100_000)), /helpdesk\.db is no longer a database/],
  ];
  for (const [what, act, said] of cases) {
    test(`${what} is refused beside its history, with what to do; and that helps`, async () => {
      const path = crashed();
      await opened(path);
      act(join(path, 'helpdesk.db'));
      const before = readdirSync(join(path, 'backups')).sort();
      let sentence = '';
      try {
        openDataDirectory(config(path));
      } catch (error) {
        sentence = String(error);
      }
      expect(sentence).toMatch(said);
      const snapshot = /helpdesk restore (\S+snapshot-\S+\.db) --data/.exec(sentence)?.[1] ?? '';
      expect(statSync(snapshot).size).toBeGreaterThan(0);
      expect(readdirSync(join(path, 'backups')).sort()).toEqual(before);
    });
  }

  test('a damaged newest snapshot is passed over for the one before it', async () => {
    const path = crashed();
    await opened(path);
    const backups = join(path, 'backups');
    const sound = readdirSync(backups).filter((name) => name.startsWith('snapshot-'))[0] ?? '';
    const newest = sound.replace('1970', '1971');
    writeFileSync(join(backups, newest), 'x'.repeat(50_000));
    expect(await findings(path)).toContain('snapshot_damaged');
    truncateSync(join(path, 'helpdesk.db'), 0);
    expect(() => openDataDirectory(config(path))).toThrow(new RegExp(`${newest} is damaged too.*restore \\S+${sound}`));
  });

  test('beside key, attachments and mail is no new desk', async () => {
    const path = crashed();
    await opened(path);
    for (const name of readdirSync(path))
      if (!['secret.key', 'attachments', 'mail'].includes(name)) rmSync(join(path, name), { recursive: true });
    expect(() => openDataDirectory(config(path))).toThrow(/helpdesk\.db is missing, but there was a desk here/);
    expect(await findings(path)).toContain('database_missing');
    expect(readdirSync(path)).not.toContain('helpdesk.db');
  });

  test('of which only the key is left is no new desk', async () => {
    const path = join(temporaryFolder(), 'left');
    mkdirSync(path);
    copyFileSync(join(killed, 'secret.key'), join(path, 'secret.key'));
    for (const name of ['attachments', 'mail']) mkdirSync(join(path, name));
    expect(() => openDataDirectory(config(path))).toThrow(/secret\.key is still there.*set HELPDESK_SECRET_KEY/);
    expect(await findings(path)).toContain('database_missing');
    expect(readdirSync(path).sort()).toEqual(['attachments', 'mail', 'secret.key']);
  });

  test('of which only the log is left is no new desk', async () => {
    const path = join(temporaryFolder(), 'left');
    mkdirSync(path);
    copyFileSync(join(killed, 'helpdesk.db-wal'), join(path, 'helpdesk.db-wal'));
    expect(() => openDataDirectory(config(path))).toThrow(/helpdesk\.db-wal is still there/);
    expect(readdirSync(path)).toEqual(['helpdesk.db-wal']);
  });

  test('an empty file, which a first start leaves that was ended early, is the start of a new desk; beside more it is not', async () => {
    for (const hasKey of [false, true]) {
      const path = join(temporaryFolder(), 'new');
      mkdirSync(path);
      writeFileSync(join(path, 'helpdesk.db'), '');
      if (hasKey) copyFileSync(join(killed, 'secret.key'), join(path, 'secret.key'));
      expect((await opened(path)).subjects.size).toBe(0);
      for (const name of ['backups', 'wal', 'last-commit.txt'])
        rmSync(join(path, name), { recursive: true, force: true });
      truncateSync(join(path, 'helpdesk.db'), 0);
      expect(() => openDataDirectory(config(path))).toThrow('helpdesk.db is empty, but there was a desk here');
    }
  });

  test('a new desk, and one without history, begin as ever', async () => {
    const path = join(temporaryFolder(), 'new');
    mkdirSync(path);
    expect((await opened(path)).subjects.size).toBe(0);
  });
});

test('another key is noticed at the start', async () => {
  const path = crashed();
  await opened(path);
  writeFileSync(join(path, 'secret.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`);
  expect(() => openDataDirectory(config(path))).toThrow(/secret\.key is not the key of this desk/);
});
