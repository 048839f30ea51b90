// Checks that no commit is missing before SQLite opens a database: it treats a damaged log as one that ends there.

import { existsSync, linkSync, mkdirSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Instant, toWire } from '../base/clock.ts';
import { openFile } from '../base/open-file.ts';
import { syncFolderNow } from '../base/sync-folder.ts';
import { checkWithoutLog } from '../engine/check-database.ts';
import { isInUseElsewhere } from '../engine/in-use.ts';
import { endedSegment, endHistory, hasChangedSince, listSegments, type Segment } from '../engine/wal/archive.ts';
import { readLeftIndex, type WalIndex, walIndexBytes } from '../engine/wal/format.ts';
import { lastCommitName, readLastCommit } from '../engine/wal/last-commit.ts';
import { neededLog } from '../engine/wal/needed-log.ts';
import { differsFrom, pagesUnlike } from '../engine/wal/roll-forward.ts';
import { scanLog } from '../engine/wal/scan.ts';
import { readTimes } from '../engine/wal/times.ts';
import { originOf, RecoveryError, usedUnchanged } from './copied-directory.ts';
import { expectErasures } from './erasures.ts';
import { databaseName, erasuresName, keyName } from './layout.ts';
import { hasHistory, offerOf, quoted } from './sound-snapshot.ts';

interface Found {
  fault: string | null;
  /** `unproven`: nothing says how long the log was. */
  kind: 'missing' | 'unreadable' | 'incomplete' | 'unproven';
  repair: { kind: 'log_apart' | 'database_replaced'; what: string; act: (now: Instant) => void } | null;
}

const nothing: Found = { fault: null, kind: 'incomplete', repair: null };
const number = (value: number) => value.toLocaleString('en');

function sizeOf(database: string): { pages: number; filePages: number } | null {
  const start = Buffer.alloc(100);
  using file = openFile(database, 'r');
  if (readSync(file.fd, start, 0, 100, 0) < 100) return null;
  if (start.toString('latin1', 0, 16) !== 'SQLite format 3\0') return null;
  const pageSize = start.readUInt16BE(16) === 1 ? 65536 : start.readUInt16BE(16);
  return { pages: start.readUInt32BE(28), filePages: Math.floor(statSync(database).size / pageSize) };
}

function leftIndex(database: string): WalIndex | null {
  const path = `${database}-shm`;
  if (!existsSync(path)) return null;
  const bytes = new Uint8Array(walIndexBytes);
  using file = openFile(path, 'r');
  readSync(file.fd, bytes, 0, walIndexBytes, 0);
  return readLeftIndex(bytes);
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

interface Known {
  frames: number;
  salts: string | null;
}

/** What must be in a log of which nothing can be read. Empty if all of it is in the database. */
function knownOfLog(data: string, segment: Segment | undefined, hasEnded: boolean): Known[] {
  const database = join(data, databaseName);
  const known: Known[] = [];
  const noted = readLastCommit(database);
  const isLater = (ordinal: number) =>
    segment !== undefined && (segment.ordinal > ordinal || (hasEnded && segment.ordinal === ordinal));
  if (noted !== null && noted.frames > 0 && !isLater(noted.ordinal)) known.push(noted);
  const index = leftIndex(database);
  if (index !== null && index.frames > index.backfilled) known.push(index);
  // The time of a commit is recorded after its sync.
  const timed = segment === undefined || hasEnded ? undefined : readTimes(join(data, 'wal'), segment.ordinal).at(-1);
  if (timed !== undefined) known.push({ frames: timed.frames, salts: null });
  return known;
}

/** How many pages of the database are not as the log before its last one left them: with its last log they would destroy it. */
function pagesUnlikeLog(data: string): { log: string; pages: number } | null {
  const [before, segment] = listSegments(join(data, 'wal')).slice(-2);
  if (before === undefined || segment?.ordinal !== before.ordinal + 1 || segment.after !== statSync(before.path).size)
    return null;
  const inLog = new Set<number>();
  const log = scanLog(segment.path, false, (page) => inLog.add(page));
  const last = log === null || log.commits === 0 ? Number.MAX_SAFE_INTEGER : log.databasePages;
  if (scanLog(before.path, true)?.damage !== null) return null;
  const pages = pagesUnlike(join(data, databaseName), before.path, (page) => inLog.has(page) || page > last);
  return pages === 0 ? null : { log: basename(before.path), pages };
}

/** Empty if that would not work: a database that is in use has pages in its log that it cannot do without. */
function withoutLog(data: string): string[] {
  const database = join(data, databaseName);
  if (checkWithoutLog(database) !== null) return [];
  const where = quoted(data);
  return [`To use helpdesk.db without the log: helpdesk restore ${join(where, databaseName)} --data ${where} --force.`];
}

function judgeOlder(data: string): Found {
  const found = pagesUnlikeLog(data);
  if (found === null) return nothing;
  const cut = cutShort(join(data, databaseName));
  if (cut !== null) return { ...nothing, fault: cut };
  const offer = withoutLog(data);
  const pages = found.pages === 1 ? '1 page' : `${number(found.pages)} pages`;
  const why =
    offer.length > 0
      ? 'It is whole without its log, as an older copy is that was put in its place.'
      : 'It is no whole database without its log either, so its bytes were changed.';
  return {
    ...nothing,
    fault: [`helpdesk.db has other bytes in ${pages} than wal/${found.log} put there.`, why, ...offer].join(' '),
  };
}

function judgeEnded(data: string, segment: Segment): Found {
  const [database, archive] = [join(data, databaseName), join(data, 'wal')];
  if (!hasChangedSince(archive, database)) return nothing;
  if (scanLog(segment.path, true)?.damage !== null || !differsFrom(database, segment.path)) return nothing;
  const cut = cutShort(database);
  if (cut !== null) return { ...nothing, fault: cut };
  const damage = checkWithoutLog(database);
  if (damage !== null)
    return { ...nothing, fault: `helpdesk.db is not as this desk left it, and is damaged: ${damage}.` };
  return {
    ...nothing,
    repair: {
      kind: 'database_replaced',
      what: `helpdesk.db is not as this desk left it: a copy was put in its place, or another program changed it. ${usedUnchanged(data)}`,
      act() {
        expectErasures(data);
        endHistory(archive);
      },
    },
  };
}

const repairBy = (what: string, data: string, segment: Segment): Found => ({
  ...nothing,
  repair: { kind: 'log_apart', what, act: (now) => putBack(data, segment, now) },
});

/** Whether nothing is left of the log that the database file needs. */
function hasLostNeeded(data: string, segment: Segment | undefined, isKept: boolean, hasEnded: boolean): boolean {
  const database = join(data, databaseName);
  const needed = neededLog(database);
  if (needed === 0) return false;
  if (segment !== undefined && (segment.ordinal > needed || (segment.ordinal === needed && (isKept || hasEnded))))
    return false;
  const noted = readLastCommit(database);
  return noted === null || noted.ordinal < needed || (noted.ordinal === needed && noted.frames > 0);
}

function judgeLostLog(data: string, isSynced: boolean, segment: Segment | undefined): Found {
  const [database, log] = [join(data, databaseName), join(data, `${databaseName}-wal`)];
  const isThere = existsSync(log);
  const isOwn = segment !== undefined && isThere && isSameFile(log, segment.path);
  const hasEnded = segment !== undefined && !isOwn && endedSegment(join(data, 'wal')) === segment.ordinal;
  const kept = segment === undefined || isOwn || hasEnded ? null : scanLog(segment.path, false);
  const lost = knownOfLog(data, segment, hasEnded)
    .filter(({ frames, salts }) => kept === null || kept.frames < frames || (salts !== null && salts !== kept.salts))
    .reduce((most, { frames }) => Math.max(most, frames), 0);
  const isNeeded = hasLostNeeded(data, segment, kept !== null, hasEnded);
  if ((lost > 0 || isNeeded) && isSynced) {
    // `wal_checkpoint(TRUNCATE)` leaves the same files as a loss does, and so does a copy that another program made whole.
    const offer = isThere || lost === 0 ? withoutLog(data) : [];
    const what =
      lost > 0
        ? `its ${number(lost)} committed frames`
        : `log ${number(neededLog(database))}, which helpdesk.db needs,`;
    return {
      ...nothing,
      fault: [
        `helpdesk.db-wal is ${isThere ? 'empty' : 'missing'}, and ${what} cannot be read in wal/ either.`,
        ...(offer.length > 0 ? ['If another program copied it into helpdesk.db, nothing is lost.', ...offer] : []),
      ].join(' '),
    };
  }
  if (segment === undefined) return nothing;
  // After a clean stop nothing needs to be read: a log may have many megabytes.
  if (hasEnded) return judgeEnded(data, segment);
  if (isOwn) return isSynced ? judgeOlder(data) : nothing;
  if (kept === null || !differsFrom(database, segment.path)) return nothing;
  const name = basename(segment.path);
  if (kept.damage !== null) return { ...nothing, fault: `helpdesk.db-wal is missing, and wal/${name} is damaged.` };
  if (statSync(database).mtimeMs > statSync(segment.path).mtimeMs)
    return {
      ...nothing,
      fault: `helpdesk.db-wal is missing, wal/${name} has transactions that are not in helpdesk.db, and helpdesk.db was written after them.`,
    };
  const older = judgeOlder(data);
  if (older.fault !== null) return older;
  return repairBy(`helpdesk.db-wal was missing; it was restored from wal/${name}.`, data, segment);
}

/** A log that was cut between two transactions looks like one that a crash ended. */
function unproven(data: string, needed: number): string {
  return [
    `helpdesk.db needs log ${number(needed)}, and wal/ does not have it. So nothing says whether helpdesk.db-wal is whole: the newest changes may be missing.`,
    ...(originOf(data) === 'unknown'
      ? [`To use what can be read of it: helpdesk restore ${quoted(data)} --data ${quoted(`${data}-read`)}.`]
      : []),
  ].join(' ');
}

/** @param isSynced whether each commit was on disk before the next began, so that only the last can be torn */
function judgeLog(data: string, isSynced: boolean): Found {
  const database = join(data, databaseName);
  const log = `${database}-wal`;
  // First: a desk that begins a log names it in wal/ before the database needs it.
  const needed = neededLog(database);
  const segment = listSegments(join(data, 'wal')).at(-1);
  const live = existsSync(log) ? scanLog(log, false) : null;
  if (live === null) return judgeLostLog(data, isSynced, segment);
  const isOwn = segment !== undefined && isSameFile(log, segment.path);
  const kept = segment === undefined || isOwn ? null : scanLog(segment.path, false);
  const known = [
    readLastCommit(database),
    leftIndex(database),
    isOwn ? { salts: live.salts, frames: readTimes(join(data, 'wal'), segment.ordinal).at(-1)?.frames ?? 0 } : null,
  ].flatMap((one) => (one?.salts === live.salts ? one.frames : []));
  const missing = isSynced ? Math.max(0, ...known) - live.frames : 0;
  const isDamaged = isSynced && (live.damage !== null || missing > 0);
  if (kept !== null && kept.salts === live.salts && kept.damage === null && kept.frames >= live.frames)
    return repairBy(
      isDamaged || kept.frames > live.frames
        ? `helpdesk.db-wal was damaged; it was restored from wal/${basename(segment!.path)}.`
        : `helpdesk.db-wal was no longer the same file as wal/${basename(segment!.path)}; they were linked again.`,
      data,
      segment!,
    );
  if (!isDamaged && known.length === 0 && (segment?.ordinal ?? 0) < needed)
    return { ...nothing, kind: 'unproven', fault: unproven(data, needed) };
  if (!isDamaged) return isOwn && isSynced ? judgeOlder(data) : nothing;
  const from = live.damage?.frame ?? live.frames + 1;
  return {
    ...nothing,
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

function cutShort(database: string): string | null {
  const size = sizeOf(database);
  return size && cutOff(database, size, true);
}

// All of them are made after the file of the database.
const leftByDesks = [
  ...[erasuresName, lastCommitName, 'attachments/staging', 'mail/inbound/staging'],
  ...[`${databaseName}-wal`, keyName],
];

function traceOf(data: string): string | null {
  if (hasHistory(data)) return 'its history in backups/ or wal/';
  return leftByDesks.find((name) => existsSync(join(data, name))) ?? null;
}

/** Changes nothing. @param isSynced whether the desk runs with synchronous FULL */
export function judgeDirectory(data: string, isSynced: boolean): Found {
  const database = join(data, databaseName);
  const at = (fault: string | null): Found => ({ ...nothing, fault });
  if (!existsSync(database)) {
    const trace = traceOf(data);
    if (trace === null) return nothing;
    const fault = [
      `helpdesk.db is missing, but there was a desk here: ${trace} is still there.`,
      ...(trace === keyName
        ? ['To begin a new desk with this key, set HELPDESK_SECRET_KEY and name an empty directory.']
        : []),
    ].join(' ');
    return { ...at(fault), kind: 'missing' };
  }
  // Opening the database will report what is not a file.
  if (!statSync(database).isFile()) return nothing;
  // A first start that was ended early leaves an empty file, and perhaps the key.
  const isEmptied = statSync(database).size === 0 && ![null, keyName].includes(traceOf(data));
  if (!isEmptied && !hasHistory(data) && readLastCommit(database) === null && neededLog(database) === 0) return nothing;
  // If another process has the database open, it is in order. Without /proc, the check can only find fewer commits.
  const hasLog = (statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (hasLog && isInUseElsewhere(database)) return nothing;
  try {
    const found = judgeFiles(data, database, isSynced);
    const isSound = found.fault === null && found.repair === null;
    return isSound || hasLog || !isInUseElsewhere(database) ? found : nothing;
  } catch (error) {
    // A desk that started meanwhile removes old logs while this process lists them.
    if (isInUseElsewhere(database)) return nothing;
    throw error;
  }
}

/** Of a database that was put there by hand: what it needs is elsewhere. */
function copiedInUse(data: string): string | null {
  const needed = neededLog(join(data, databaseName));
  if (needed === 0) return null;
  return [
    `helpdesk.db was put there, and was copied without log ${number(needed)}, which it needs.`,
    'If another program made it a whole copy, nothing is lost.',
    ...withoutLog(data),
  ].join(' ');
}

function judgeFiles(data: string, database: string, isSynced: boolean): Found {
  const at = (fault: string | null): Found => ({ ...nothing, fault });
  if (statSync(database).size === 0)
    return { ...at('helpdesk.db is empty, but there was a desk here.'), kind: 'unreadable' };
  const size = sizeOf(database);
  if (size === null) return { ...at('helpdesk.db is no longer a database.'), kind: 'unreadable' };
  const origin = originOf(data);
  // The log beside it belongs to the database that was there before.
  if (origin === 'database replaced') return at(cutOff(database, size, false) ?? copiedInUse(data));
  const judged = judgeLog(data, isSynced);
  if (judged.fault !== null) return judged;
  // The log of another database would destroy it.
  if (judged.repair !== null && origin === 'same') return judged;
  if (judged.repair?.kind === 'log_apart' && origin === 'unknown' && !existsSync(`${database}-wal`)) {
    const needed = neededLog(database);
    if (needed > 0)
      return at(
        `helpdesk.db-wal is missing, helpdesk.db needs log ${number(needed)}, and without wal/origin.txt nothing says that the logs in wal/ are its own.`,
      );
  }
  return at(cutOff(database, size, true));
}

/** Repairs what it can from the kept logs, and refuses the rest. Returns what was done in a sentence, or null. */
export function settleDirectory(data: string, isSynced: boolean, now: Instant): string | null {
  const { fault, repair } = judgeDirectory(data, isSynced);
  if (fault !== null) throw new RecoveryError(`${data}: ${fault} Nothing was changed. ${offerOf(data)}`);
  if (repair === null) return null;
  repair.act(now);
  const still = judgeDirectory(data, isSynced);
  if (still.fault !== null) throw new RecoveryError(`${data}: ${still.fault} ${offerOf(data)}`);
  return repair.what;
}
