// Recognises a copied data directory by the identity of its files, and completes it (docs/backups.md).

import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Instant, toWire } from '../base/clock.ts';
import { syncFolderNow } from '../base/sync-folder.ts';
import { checkDatabase } from '../engine/check-database.ts';
import { endHistory, listSegments } from '../engine/wal/archive.ts';
import { identityOf } from '../engine/wal/last-commit.ts';
import { neededLog, noteWhole } from '../engine/wal/needed-log.ts';
import { scanLog } from '../engine/wal/scan.ts';
import { readTimes } from '../engine/wal/times.ts';
import { syncFile } from './finish-restore.ts';
import { databaseName } from './layout.ts';
import { bringForward } from './moments.ts';
import { listSnapshots, type Snapshot } from './snapshots.ts';
import { offerOf, quoted } from './sound-snapshot.ts';

export class RecoveryError extends Error {
  override name = 'DataDirectoryError';
}

// Not a hidden file: `cp -r data/*` would leave it out, and the copy would not be recognised.
const originFile = (data: string) => join(data, 'wal', 'origin.txt');

/** Records the identity of the desk's database file, so that a copy of it can be recognised. */
export function noteOrigin(data: string): void {
  const path = originFile(data);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = identityOf(join(data, databaseName));
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o600 });
  const text = `${database} ${identityOf(path)}\n`;
  if (readFileSync(path, 'utf8') === text) return;
  writeFileSync(path, text);
  syncFile(path);
}

/** The identity of a data directory that a desk has opened: no copy has it. */
export const placeOf = (data: string): string => identityOf(originFile(data));

/** Null for one that none has opened. */
export const placeIn = (data: string): string | null => (existsSync(originFile(data)) ? placeOf(data) : null);

type Origin = 'same' | 'unknown' | 'database replaced' | 'directory copied';

export function originOf(data: string): Origin {
  const path = originFile(data);
  if (!existsSync(path) || !existsSync(join(data, databaseName))) return 'unknown';
  const [database, itself] = readFileSync(path, 'utf8').trim().split(' ');
  // A crash may have left it empty; the next start writes it again.
  if (database === undefined || itself === undefined) return 'unknown';
  if (database === identityOf(join(data, databaseName))) return 'same';
  return itself === identityOf(path) ? 'database replaced' : 'directory copied';
}

const sidecars = ['-wal', '-shm'];

function setAside(data: string, now: Instant): string {
  const folder = join(data, 'backups', `replaced-${toWire(now).replaceAll(/[-:.]/g, '')}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The log goes first: a database without its log is only old, but the log of another database destroys it.
  for (const end of [...sidecars.toReversed(), '']) {
    const from = join(data, `${databaseName}${end}`);
    if (existsSync(from)) renameSync(from, join(folder, `${databaseName}${end}`));
  }
  return folder;
}

/** A copy contains its last log twice, and perhaps only one of them is damaged. */
function useSounderLog(data: string, now: Instant): void {
  const segment = listSegments(join(data, 'wal')).at(-1);
  const log = join(data, `${databaseName}-wal`);
  if (segment === undefined || !existsSync(log)) return;
  const kept = scanLog(segment.path, false);
  const live = scanLog(log, false);
  if (!kept?.damage || live?.salts !== kept.salts || live.damage !== null || live.frames <= kept.frames) return;
  const aside = join(data, 'backups', `damaged-${toWire(now).replaceAll(/[-:.]/g, '')}.wal`);
  mkdirSync(dirname(aside), { recursive: true, mode: 0o700 });
  renameSync(segment.path, aside);
  copyFileSync(log, segment.path);
}

/** What the logs from this one on have, in a sentence. */
function leftOut(archive: string, from: number): string {
  const logs = listSegments(archive).filter(({ ordinal }) => ordinal >= from);
  const commits = logs
    .map(({ path }, index) => scanLog(path, index < logs.length - 1))
    .reduce((sum, log) => sum + (log?.commits ?? 0) + (log?.damage?.commitsAfter ?? 0), 0);
  const times = logs.flatMap(({ ordinal }) => readTimes(archive, ordinal)).map(({ at }) => at);
  const [first, last] = [times.at(0), times.at(-1)];
  const when = first === undefined || last === undefined ? '' : `, made from ${toWire(first)} to ${toWire(last)},`;
  const what = commits === 1 ? '1 transaction' : `${commits} transactions`;
  return `Left out: ${what}${when} in wal/ from log ${from} on. Copy the directory again to have them.`;
}

/** What a copy lacks whose last logs were not copied, in a sentence. @param needed the last log that the copied database needs */
function missingSince(archive: string, { position, takenAt }: Snapshot, needed: number): string[] {
  const last = Math.max(position.segment - 1, ...listSegments(archive).map(({ ordinal }) => ordinal));
  if (last >= needed) return [];
  const until = Math.max(takenAt, readTimes(archive, last).at(-1)?.at ?? 0);
  const logs = last + 1 === needed ? `log ${needed}` : `the logs ${last + 1} to ${needed}`;
  return [
    `Missing: ${logs}, with what was written after ${toWire(until)}; helpdesk.db needed that when it was copied. Copy the directory again to have it.`,
  ];
}

export function usedUnchanged(data: string): string {
  const archive = join(data, 'wal');
  const until = listSegments(archive)
    .flatMap(({ ordinal }) => readTimes(archive, ordinal))
    .at(-1);
  return [
    'It is used unchanged.',
    ...(until === undefined ? [] : [`What was there before had changes up to ${toWire(until.at)}.`]),
  ].join(' ');
}

function hasLog(data: string): boolean {
  const log = join(data, `${databaseName}-wal`);
  return existsSync(log) && (scanLog(log, false)?.commits ?? 0) > 0;
}

/**
 * Does nothing for a directory that is not a copy. Returns what it found and did in sentences, or null.
 * @param original where the copied files stay; null: they are set aside
 */
export function recoverCopy(data: string, now: Instant, original: string | null = null): string | null {
  const database = join(data, databaseName);
  const rebuilt = join(data, `.${databaseName}.rebuilt`);
  const origin = originOf(data);
  if (origin === 'unknown' || origin === 'same') {
    // A recovery was interrupted between setting aside and renaming.
    if (!existsSync(database) && existsSync(rebuilt)) renameSync(rebuilt, database);
    return null;
  }
  if (origin === 'database replaced') {
    // The log beside it belongs to the database that was there before.
    for (const end of sidecars) rmSync(`${database}${end}`, { force: true });
    endHistory(join(data, 'wal'));
    noteOrigin(data);
    return `${database} was replaced by hand. ${usedUnchanged(data)}`;
  }
  useSounderLog(data, now);
  const snapshots = listSnapshots(join(data, 'backups'));
  const needed = neededLog(database);
  const faults: string[] = [];
  for (const snapshot of snapshots.toReversed()) {
    rmSync(rebuilt, { force: true });
    copyFileSync(snapshot.path, rebuilt);
    const result = bringForward(rebuilt, join(data, 'wal'), snapshot.position);
    const fault = checkDatabase(rebuilt);
    if (fault !== null) {
      faults.push(`${snapshot.path}: ${fault}`);
      continue;
    }
    if (result.damage !== null) {
      rmSync(rebuilt, { force: true });
      throw new RecoveryError(
        [
          `This directory is a copy of a desk, and ${result.brokenAt}:`,
          `${Math.max(1, result.damage.commitsAfter)} committed transactions cannot be read. Nothing was changed.`,
          `Copy the directory again, or continue without them. ${offerOf(data)}`,
        ].join(' '),
      );
    }
    const missing = result.brokenAt === null ? missingSince(join(data, 'wal'), snapshot, needed) : [];
    const aside = setAside(data, now);
    renameSync(rebuilt, database);
    syncFolderNow(data);
    endHistory(join(data, 'wal'));
    noteOrigin(data);
    return [
      'This directory is a copy of a desk.',
      `Its database was rebuilt from the snapshot of ${toWire(snapshot.takenAt)} and ${result.commits} later transactions;`,
      `the copied files are in ${original ?? aside}.`,
      ...(result.brokenAt === null ? [] : [`Later changes are not in this copy: ${result.brokenAt}.`]),
      ...missing,
      ...(result.stoppedBefore === null ? [] : [leftOut(join(data, 'wal'), result.stoppedBefore)]),
    ].join(' ');
  }
  // Copied before the first snapshot, or without backups/ and wal/: only the file itself can be checked.
  const hadLog = hasLog(data);
  if (needed > 0 && !hadLog && listSegments(join(data, 'wal')).every(({ ordinal }) => ordinal < needed))
    throw new RecoveryError(
      [
        `${database} was copied without log ${needed}, which it needs. Nothing was changed.`,
        'Copy the whole directory again, with backups/ and wal/, or continue without what that log had:',
        `helpdesk restore ${quoted(database)} --data ${quoted(data)} --force.`,
      ].join(' '),
    );
  const fault = checkDatabase(database);
  if (fault === null) {
    if (hadLog) noteWhole(database);
    noteOrigin(data);
    return [
      'This directory is a copy of a desk and has no snapshot to check it against. Its database is sound and is used unchanged.',
      'If the desk ran while it was copied, the newest changes may be missing; copy it again once backups/ has a snapshot.',
    ].join(' ');
  }
  throw new RecoveryError(
    [
      `${database} was copied while its desk was writing, and is damaged: ${fault}.`,
      ...faults,
      'Copy the whole directory again, with backups/ and wal/, or use `helpdesk backup` and `helpdesk restore`.',
    ].join(' '),
  );
}
