// Before a database is opened: whether all that had been committed is still there, in its file and its write-ahead log.
// SQLite itself takes a damaged log for one that ends there, and a missing one for an empty one.

import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { type Instant, toWire } from '../base/clock.ts';
import { syncFolderNow } from '../base/folder.ts';
import { differsFrom } from '../store/wal/roll-forward.ts';
import { readLeftIndex, walIndexBytes } from '../store/wal/format.ts';
import { endedSegment, listSegments, type Segment } from '../store/wal/archive.ts';
import { scanLog } from '../store/wal/scan.ts';
import { readTimes } from '../store/wal/times.ts';
import { originOf, RecoveryError } from './copied-directory.ts';
import { hasHistory, offerOf } from './sound-snapshot.ts';

interface Found {
  /** What is wrong and cannot be put right from what lies here; null when nothing is. */
  fault: string | null;
  /** What the fault is about: the whole file, or some of what it should have. */
  kind: 'missing' | 'unreadable' | 'incomplete';
  /** When the last commit was that can be read; null when that is not known, or all can be. */
  readableUntil: Instant | null;
  /** What has to be done before the database is opened, and what to say of it. */
  repair: { what: string; act: (now: Instant) => void } | null;
}

const nothing: Found = { fault: null, kind: 'incomplete', readableUntil: null, repair: null };
const number = (value: number) => value.toLocaleString('en');

/** Whether another process works with the database: then it is in order, and its log is being written. */
function isInUse(database: string): boolean {
  let locks: string;
  try {
    locks = readFileSync('/proc/locks', 'utf8');
  } catch {
    // Another system: it is looked at while others write, which finds no more than what they have committed.
    return false;
  }
  const { ino } = statSync(database, { bigint: true });
  // SQLite's lock of everybody who has a database open, on bytes that no file has.
  const held = new RegExp(` (\\d+) [0-9a-f]+:[0-9a-f]+:${ino} 107374182\\d `, 'g');
  return [...locks.matchAll(held)].some(([, pid]) => Number(pid) !== process.pid);
}

/** The pages that the file should have and has not; null when it is no database. */
function sizeOf(database: string): { pages: number; filePages: number } | null {
  const start = Buffer.alloc(100);
  const file = openSync(database, 'r');
  try {
    if (readSync(file, start, 0, 100, 0) < 100) return null;
  } finally {
    closeSync(file);
  }
  if (start.toString('latin1', 0, 16) !== 'SQLite format 3\0') return null;
  const pageSize = start.readUInt16BE(16) === 1 ? 65536 : start.readUInt16BE(16);
  return { pages: start.readUInt32BE(28), filePages: Math.floor(statSync(database).size / pageSize) };
}

/** How many committed frames the index that was left beside the log knows of; 0 when it is of another log. */
function framesInIndex(database: string, salts: string): number {
  const path = `${database}-shm`;
  if (!existsSync(path)) return 0;
  const bytes = new Uint8Array(walIndexBytes);
  const file = openSync(path, 'r');
  try {
    readSync(file, bytes, 0, walIndexBytes, 0);
  } finally {
    closeSync(file);
  }
  const index = readLeftIndex(bytes);
  return index?.salts === salts ? index.frames : 0;
}

const isSameFile = (one: string, other: string) => {
  const [a, b] = [statSync(one, { bigint: true }), statSync(other, { bigint: true })];
  return a.ino === b.ino && a.dev === b.dev;
};

/** Puts the archived segment in the place of the log; what was there is kept. */
function putBack(data: string, segment: Segment, now: Instant): void {
  const log = join(data, 'helpdesk.db-wal');
  if (existsSync(log)) {
    const aside = join(data, 'backups', `replaced-${toWire(now).replaceAll(/[-:.]/g, '')}`);
    mkdirSync(aside, { recursive: true, mode: 0o700 });
    renameSync(log, join(aside, 'helpdesk.db-wal'));
  }
  // It tells of another log.
  rmSync(`${join(data, 'helpdesk.db')}-shm`, { force: true });
  linkSync(segment.path, log);
  syncFolderNow(data);
}

/** A time by which the commits up to a frame had happened, and no later one. */
function timeOf(archive: string, ordinal: number, frames: number): Instant | null {
  const times = readTimes(archive, ordinal);
  const last = times.findLast((time) => time.frames <= frames);
  const next = times.find((time) => time.frames > frames);
  if (last === undefined) return null;
  return next === undefined || next.at > last.at ? last.at : last.at - 1;
}

/** @param isSynced whether each commit was on the disk before the next began, so that only the last may be torn */
function judgeLog(data: string, isSynced: boolean): Found {
  const database = join(data, 'helpdesk.db');
  const log = `${database}-wal`;
  const segment = listSegments(join(data, 'wal')).at(-1);
  const live = existsSync(log) && statSync(log).size > 0 ? scanLog(log, false) : null;
  const isOwn = segment !== undefined && existsSync(log) && isSameFile(log, segment.path);
  const kept = segment === undefined || isOwn ? null : scanLog(segment.path, false);
  const hasEnded = endedSegment(join(data, 'wal')) === segment?.ordinal;
  const repair = (what: string) => ({
    ...nothing,
    repair: { what, act: (now: Instant) => putBack(data, segment!, now) },
  });
  if (live === null) {
    if (segment === undefined || kept === null || isOwn || hasEnded) return nothing;
    if (!differsFrom(database, segment.path)) return nothing;
    const name = basename(segment.path);
    if (kept.damage !== null) return { ...nothing, fault: `helpdesk.db-wal is not there, and wal/${name} is damaged.` };
    if (statSync(database).mtimeMs > statSync(segment.path).mtimeMs)
      return {
        ...nothing,
        fault: `helpdesk.db-wal is not there, wal/${name} has transactions that are not in helpdesk.db, and helpdesk.db was written after them.`,
      };
    return repair(`helpdesk.db-wal was not there; it was put back from wal/${name}.`);
  }
  const missing = isSynced ? framesInIndex(database, live.salts) - live.frames : 0;
  const isDamaged = isSynced && (live.damage !== null || missing > 0);
  if (kept !== null && kept.salts === live.salts && kept.damage === null && kept.frames >= live.frames)
    return repair(
      isDamaged || kept.frames > live.frames
        ? `helpdesk.db-wal was damaged; it was put back from wal/${basename(segment!.path)}.`
        : `helpdesk.db-wal had become a file apart from wal/${basename(segment!.path)}; the two were made one again.`,
    );
  if (!isDamaged) return nothing;
  const from = live.damage?.frame ?? live.frames + 1;
  return {
    ...nothing,
    readableUntil: segment === undefined ? null : timeOf(join(data, 'wal'), segment.ordinal, live.frames),
    fault: [
      `helpdesk.db-wal is damaged at its frame ${number(from)}:`,
      live.damage === null
        ? `${number(missing)} frames that had been committed cannot be read.`
        : `${number(Math.max(1, live.damage.commitsAfter))} transactions that had been committed cannot be read.`,
    ].join(' '),
  };
}

/** What is missing at the end of the file and not in the log either. */
function cutOff(database: string, size: { pages: number; filePages: number }): string | null {
  if (size.filePages >= size.pages) return null;
  const log = `${database}-wal`;
  const inLog = new Set<number>();
  const scanned = existsSync(log) ? scanLog(log, false, (page) => inLog.add(page)) : null;
  const pages = scanned !== null && scanned.commits > 0 ? scanned.databasePages : size.pages;
  for (let page = size.filePages + 1; page <= pages; page += 1)
    if (!inLog.has(page)) return `helpdesk.db is cut off: it has ${number(size.filePages)} of ${number(pages)} pages.`;
  return null;
}

/** Looks, and changes nothing. @param isSynced whether the desk runs with synchronous FULL */
export function judgeDirectory(data: string, isSynced: boolean): Found {
  const database = join(data, 'helpdesk.db');
  const at = (fault: string | null): Found => ({ ...nothing, fault });
  if (!hasHistory(data)) return nothing;
  if (!existsSync(database)) return { ...at('helpdesk.db is not there, but there was a desk here.'), kind: 'missing' };
  // What is no file is for whoever opens it to name.
  if (!statSync(database).isFile() || isInUse(database)) return nothing;
  if (statSync(database).size === 0)
    return { ...at('helpdesk.db is empty, but there was a desk here.'), kind: 'unreadable' };
  const size = sizeOf(database);
  if (size === null) return { ...at('helpdesk.db is no database any more.'), kind: 'unreadable' };
  const judged = judgeLog(data, isSynced);
  if (judged.fault !== null) return judged;
  // A log over another database would destroy it.
  if (judged.repair !== null && originOf(data) === 'same') return judged;
  return at(cutOff(database, size));
}

/**
 * Refuses a directory whose database has lost what it had, and puts right what can be put right from the kept logs.
 * @returns what was done, in a sentence; null when there was nothing to do
 */
export function settleDirectory(data: string, isSynced: boolean, now: Instant): string | null {
  const { fault, readableUntil, repair } = judgeDirectory(data, isSynced);
  if (fault !== null)
    throw new RecoveryError(`${data}: ${fault} Nothing was changed. ${offerOf(data, readableUntil ?? now)}`);
  if (repair === null) return null;
  repair.act(now);
  const still = judgeDirectory(data, isSynced);
  if (still.fault !== null) throw new RecoveryError(`${data}: ${still.fault} ${offerOf(data)}`);
  return repair.what;
}
