// Damaged and missing bytes: a damaged or missing log, an empty or cut database, another key. No loss goes unreported.

import { beforeAll, describe, expect, test } from 'bun:test';
import {
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { settleDirectory } from '../../src/data/check-log.ts';
import { noteOrigin } from '../../src/data/copied-directory.ts';
import { openDataDirectory } from '../../src/data/directory.ts';
import { examine } from '../../src/data/doctor/examine.ts';
import { takeSnapshot } from '../../src/data/snapshots.ts';
import { scanLog } from '../../src/store/wal/scan.ts';
import { flipByte, ownInode } from '../support/faults.ts';
import { temporaryFolder } from '../support/folders.ts';
import { busyDesk, configFor, subjectsIn } from './copying.ts';

const config = (path: string) => configFor(path, { HELPDESK_SYNCHRONOUS: 'FULL' });

/** A directory as a killed desk leaves it: a snapshot, and a log with later transactions. */
const killed = join(temporaryFolder(), 'killed');
const answered: string[] = [];

beforeAll(async () => {
  const desk = await busyDesk(join(temporaryFolder(), 'data'));
  const { path } = desk.data;
  await desk.open('early');
  await takeSnapshot(desk.data.desk.store, join(path, 'backups'), 1);
  for (let at = 0; at < 40; at += 1) await desk.open(`late ${at}`);
  // As the files are while it runs.
  cpSync(path, killed, { recursive: true, preserveTimestamps: true });
  answered.push(...desk.answered);
  await desk.data.close();
});

/** The same directory for one test: one log with two names, and recognised as the original. */
function crashed(): string {
  const path = join(temporaryFolder(), 'data');
  cpSync(killed, path, { recursive: true, preserveTimestamps: true });
  rmSync(logOf(path));
  linkSync(segmentOf(path), logOf(path));
  noteOrigin(path);
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
  const { findings: all } = await examine({ path, config: config(path), configFault: null, isFixing: false });
  return all.map(({ code }) => code);
}

const frameBytes = 4096 + 24;
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
    expect(() => openDataDirectory(config(path))).toThrow('damaged at frame 0');
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
    // Its time had not been recorded yet.
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

test('after a clean stop a start does not read the log that has ended', async () => {
  const path = crashed();
  await openDataDirectory(config(path)).close();
  const segment = segmentOf(path);
  renameSync(segment, `${segment}.kept`);
  // Opening it would succeed; reading it would fail.
  mkdirSync(segment);
  expect(settleDirectory(path, true, 1)).toBeNull();
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

  test('a directory in its place is refused before anything beside it is changed', () => {
    const path = crashed();
    rmSync(join(path, 'helpdesk.db'));
    mkdirSync(join(path, 'helpdesk.db'));
    expect(() => openDataDirectory(config(path))).toThrow(
      `${join(path, 'helpdesk.db')} is a directory, not a database. Move it away and try again.`,
    );
    expect(statSync(logOf(path)).ino).toBe(statSync(segmentOf(path)).ino);
  });

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
