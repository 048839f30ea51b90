// A data directory that was copied while its desk ran: noticed by the identity of its files, and made whole from the
// newest snapshot and the logs since (docs/backups.md).

import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Instant, toWire } from '../base/clock.ts';
import { syncFolderNow } from '../base/folder.ts';
import { checkDatabase } from '../store/check.ts';
import { replay } from '../store/wal/roll-forward.ts';
import { endHistory, listSegments } from '../store/wal/archive.ts';
import { scanLog } from '../store/wal/scan.ts';
import { syncFile } from './finish-restore.ts';
import { listSnapshots } from './snapshots.ts';
import { offerOf } from './sound-snapshot.ts';

/** A copy that cannot be made whole; the message says what to do. */
export class RecoveryError extends Error {
  override name = 'DataDirectoryError';
}

const identityOf = (path: string) => {
  const { ino, birthtimeNs } = statSync(path, { bigint: true });
  return `${ino}.${birthtimeNs}`;
};

// Not a hidden name: a copy by `cp -r data/*` leaves those out, and would not be known for one.
const originFile = (data: string) => join(data, 'wal', 'origin.txt');

/** Notes which file the desk's database is, so that a copy of it can be told from it. */
export function noteOrigin(data: string): void {
  const path = originFile(data);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = identityOf(join(data, 'helpdesk.db'));
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o600 });
  const text = `${database} ${identityOf(path)}\n`;
  if (readFileSync(path, 'utf8') === text) return;
  writeFileSync(path, text);
  syncFile(path);
}

type Origin = 'same' | 'unknown' | 'database replaced' | 'directory copied';

/** What became of the directory since `noteOrigin`. */
export function originOf(data: string): Origin {
  const path = originFile(data);
  if (!existsSync(path) || !existsSync(join(data, 'helpdesk.db'))) return 'unknown';
  const [database, itself] = readFileSync(path, 'utf8').trim().split(' ');
  // A crash may have left it empty; the next opening writes it anew.
  if (database === undefined || itself === undefined) return 'unknown';
  if (database === identityOf(join(data, 'helpdesk.db'))) return 'same';
  return itself === identityOf(path) ? 'database replaced' : 'directory copied';
}

const sidecars = ['-wal', '-shm'];

/** Puts what lay there out of the way, so that a recovery never destroys anything. */
function setAside(data: string, now: Instant): string {
  const folder = join(data, 'backups', `replaced-${toWire(now).replaceAll(/[-:.]/g, '')}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The log first: a database without it is old, a log over another database destroys it.
  for (const end of [...sidecars.toReversed(), '']) {
    const from = join(data, `helpdesk.db${end}`);
    if (existsSync(from)) renameSync(from, join(folder, `helpdesk.db${end}`));
  }
  return folder;
}

/** A copy has its last log twice, and what damaged the one need not have damaged the other. */
function useSounderLog(data: string, now: Instant): void {
  const segment = listSegments(join(data, 'wal')).at(-1);
  const log = join(data, 'helpdesk.db-wal');
  if (segment === undefined || !existsSync(log)) return;
  const kept = scanLog(segment.path, false);
  const live = scanLog(log, false);
  if (!kept?.damage || live?.salts !== kept.salts || live.damage !== null || live.frames <= kept.frames) return;
  const aside = join(data, 'backups', `damaged-${toWire(now).replaceAll(/[-:.]/g, '')}.wal`);
  mkdirSync(dirname(aside), { recursive: true, mode: 0o700 });
  renameSync(segment.path, aside);
  copyFileSync(log, segment.path);
}

/**
 * Makes a copied directory whole before its database is opened; does nothing with any other.
 * @returns what it found and did, in sentences for people; null when there was nothing to do
 */
export function recoverCopy(data: string, now: Instant): string | null {
  const database = join(data, 'helpdesk.db');
  const rebuilt = join(data, '.helpdesk.db.rebuilt');
  const origin = originOf(data);
  if (origin === 'unknown' || origin === 'same') {
    // A recovery that was cut short between setting aside and renaming.
    if (!existsSync(database) && existsSync(rebuilt)) renameSync(rebuilt, database);
    return null;
  }
  if (origin === 'database replaced') {
    // The log beside it belongs to the database that was there before.
    for (const end of sidecars) rmSync(`${database}${end}`, { force: true });
    endHistory(join(data, 'wal'));
    noteOrigin(data);
    return `${database} was replaced by hand; it is used as it is.`;
  }
  useSounderLog(data, now);
  const snapshots = listSnapshots(join(data, 'backups'));
  const faults: string[] = [];
  for (const snapshot of snapshots.toReversed()) {
    rmSync(rebuilt, { force: true });
    copyFileSync(snapshot.path, rebuilt);
    const file = openSync(rebuilt, 'r+');
    let result: ReturnType<typeof replay>;
    try {
      result = replay(file, join(data, 'wal'), snapshot.position);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
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
          `${Math.max(1, result.damage.commitsAfter)} transactions that had been committed cannot be read. Nothing was changed.`,
          `Copy the directory again, or go on without them. ${offerOf(data)}`,
        ].join(' '),
      );
    }
    const aside = setAside(data, now);
    renameSync(rebuilt, database);
    syncFolderNow(data);
    endHistory(join(data, 'wal'));
    noteOrigin(data);
    return [
      'This directory is a copy of a desk.',
      `Its database was made whole from the snapshot of ${toWire(snapshot.takenAt)} and ${result.commits} transactions since;`,
      `what had been copied lies in ${aside}.`,
      ...(result.brokenAt === null ? [] : [`What came after is not in this copy: ${result.brokenAt}.`]),
    ].join(' ');
  }
  // Copied before the first snapshot, or without backups/ and wal/: then only the file itself can be judged.
  const fault = checkDatabase(database);
  if (fault === null) {
    noteOrigin(data);
    return 'This directory is a copy of a desk without a snapshot to check it by; its database is sound and is used as it is.';
  }
  throw new RecoveryError(
    [
      `${database} was copied while its desk was writing, and is damaged: ${fault}.`,
      ...faults,
      'Copy the whole directory again, with backups/ and wal/, or use `helpdesk backup` and `helpdesk restore`.',
    ].join(' '),
  );
}
