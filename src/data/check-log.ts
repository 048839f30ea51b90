// Checks that no commit is missing before SQLite opens a database: it treats a damaged log as one that ends there.

import { closeSync, existsSync, linkSync, mkdirSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Instant, toWire } from '../base/clock.ts';
import { syncFolderNow } from '../base/sync-folder.ts';
import { isInUseElsewhere } from '../store/in-use.ts';
import { endedSegment, listSegments, type Segment } from '../store/wal/archive.ts';
import { readLeftIndex, walIndexBytes } from '../store/wal/format.ts';
import { differsFrom } from '../store/wal/roll-forward.ts';
import { scanLog } from '../store/wal/scan.ts';
import { readTimes } from '../store/wal/times.ts';
import { originOf, RecoveryError } from './copied-directory.ts';
import { databaseName } from './layout.ts';
import { hasHistory, offerOf } from './sound-snapshot.ts';

interface Found {
  fault: string | null;
  kind: 'missing' | 'unreadable' | 'incomplete';
  readableUntil: Instant | null;
  repair: { what: string; act: (now: Instant) => void } | null;
}

const nothing: Found = { fault: null, kind: 'incomplete', readableUntil: null, repair: null };
const number = (value: number) => value.toLocaleString('en');

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

function putBack(data: string, segment: Segment, now: Instant): void {
  const log = join(data, `${databaseName}-wal`);
  if (existsSync(log)) {
    const aside = join(data, 'backups', `replaced-${toWire(now).replaceAll(/[-:.]/g, '')}`);
    mkdirSync(aside, { recursive: true, mode: 0o700 });
    renameSync(log, join(aside, `${databaseName}-wal`));
  }
  rmSync(`${join(data, databaseName)}-shm`, { force: true });
  linkSync(segment.path, log);
  syncFolderNow(data);
}

/** A time by which the commits up to a frame had happened, and no later commit. */
function timeOf(archive: string, ordinal: number, frames: number): Instant | null {
  const times = readTimes(archive, ordinal);
  const last = times.findLast((time) => time.frames <= frames);
  const next = times.find((time) => time.frames > frames);
  if (last === undefined) return null;
  return next === undefined || next.at > last.at ? last.at : last.at - 1;
}

/** @param isSynced whether each commit was on disk before the next began, so that only the last can be torn */
function judgeLog(data: string, isSynced: boolean): Found {
  const database = join(data, databaseName);
  const log = `${database}-wal`;
  const segment = listSegments(join(data, 'wal')).at(-1);
  const live = existsSync(log) && statSync(log).size > 0 ? scanLog(log, false) : null;
  const isOwn = segment !== undefined && existsSync(log) && isSameFile(log, segment.path);
  // After a clean stop nothing needs to be read: a log may have many megabytes.
  if (live === null && (segment === undefined || isOwn || endedSegment(join(data, 'wal')) === segment.ordinal))
    return nothing;
  const kept = segment === undefined || isOwn ? null : scanLog(segment.path, false);
  const repair = (what: string) => ({
    ...nothing,
    repair: { what, act: (now: Instant) => putBack(data, segment!, now) },
  });
  if (live === null) {
    if (segment === undefined || kept === null) return nothing;
    if (!differsFrom(database, segment.path)) return nothing;
    const name = basename(segment.path);
    if (kept.damage !== null) return { ...nothing, fault: `helpdesk.db-wal is missing, and wal/${name} is damaged.` };
    if (statSync(database).mtimeMs > statSync(segment.path).mtimeMs)
      return {
        ...nothing,
        fault: `helpdesk.db-wal is missing, wal/${name} has transactions that are not in helpdesk.db, and helpdesk.db was written after them.`,
      };
    return repair(`helpdesk.db-wal was missing; it was restored from wal/${name}.`);
  }
  // The time of a commit is recorded after its sync.
  const timed = isOwn ? (readTimes(join(data, 'wal'), segment.ordinal).at(-1)?.frames ?? 0) : 0;
  const missing = isSynced ? Math.max(framesInIndex(database, live.salts), timed) - live.frames : 0;
  const isDamaged = isSynced && (live.damage !== null || missing > 0);
  if (kept !== null && kept.salts === live.salts && kept.damage === null && kept.frames >= live.frames)
    return repair(
      isDamaged || kept.frames > live.frames
        ? `helpdesk.db-wal was damaged; it was restored from wal/${basename(segment!.path)}.`
        : `helpdesk.db-wal was no longer the same file as wal/${basename(segment!.path)}; they were linked again.`,
    );
  if (!isDamaged) return nothing;
  const from = live.damage?.frame ?? live.frames + 1;
  return {
    ...nothing,
    readableUntil: segment === undefined ? null : timeOf(join(data, 'wal'), segment.ordinal, live.frames),
    fault: [
      `helpdesk.db-wal is damaged at frame ${number(from)}:`,
      live.damage === null
        ? `${number(missing)} committed frames cannot be read.`
        : `${number(Math.max(1, live.damage.commitsAfter))} committed transactions cannot be read.`,
    ].join(' '),
  };
}

function cutOff(database: string, size: { pages: number; filePages: number }, hasOwnLog: boolean): string | null {
  if (size.filePages >= size.pages) return null;
  const log = `${database}-wal`;
  const inLog = new Set<number>();
  const scanned = hasOwnLog && existsSync(log) ? scanLog(log, false, (page) => inLog.add(page)) : null;
  const pages = scanned !== null && scanned.commits > 0 ? scanned.databasePages : size.pages;
  for (let page = size.filePages + 1; page <= pages; page += 1)
    if (!inLog.has(page))
      return `helpdesk.db is cut off: it has only ${number(size.filePages)} of ${number(pages)} pages.`;
  return null;
}

/** Changes nothing. @param isSynced whether the desk runs with synchronous FULL */
export function judgeDirectory(data: string, isSynced: boolean): Found {
  const database = join(data, databaseName);
  const at = (fault: string | null): Found => ({ ...nothing, fault });
  if (!hasHistory(data)) return nothing;
  if (!existsSync(database)) return { ...at('helpdesk.db is missing, but there was a desk here.'), kind: 'missing' };
  // Opening the database will report what is not a file.
  if (!statSync(database).isFile()) return nothing;
  // If another process has the database open, it is in order. Without /proc, the check can only find fewer commits.
  const hasLog = (statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (hasLog && isInUseElsewhere(database)) return nothing;
  const found = judgeFiles(data, database, isSynced);
  const isSound = found.fault === null && found.repair === null;
  return isSound || hasLog || !isInUseElsewhere(database) ? found : nothing;
}

function judgeFiles(data: string, database: string, isSynced: boolean): Found {
  const at = (fault: string | null): Found => ({ ...nothing, fault });
  if (statSync(database).size === 0)
    return { ...at('helpdesk.db is empty, but there was a desk here.'), kind: 'unreadable' };
  const size = sizeOf(database);
  if (size === null) return { ...at('helpdesk.db is no longer a database.'), kind: 'unreadable' };
  const origin = originOf(data);
  // The log beside it belongs to the database that was there before.
  if (origin === 'database replaced') return at(cutOff(database, size, false));
  const judged = judgeLog(data, isSynced);
  if (judged.fault !== null) return judged;
  // The log of another database would destroy it.
  if (judged.repair !== null && origin === 'same') return judged;
  return at(cutOff(database, size, true));
}

/** Repairs what it can from the kept logs, and refuses the rest. Returns what was done in a sentence, or null. */
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
