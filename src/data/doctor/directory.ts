// Checks the data directory from the outside: permissions, owners, free space on the disk, and the newest backup.

import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Config } from '../../base/config.ts';
import { fillingShares } from '../../base/disk.ts';
import { dayMs } from '../../domain/instant.ts';
import type { Tx } from '../../engine/database.ts';
import { isInUseElsewhere } from '../../engine/in-use.ts';
import { listSegments } from '../../engine/wal/archive.ts';
import { scanLog } from '../../engine/wal/scan.ts';
import { scannerAt } from '../../files/clamav.ts';
import { spamFilterAt } from '../../net/rspamd.ts';
import { ownErasures } from '../database-erasures.ts';
import { lackedErasures, requireErasures } from '../erasures.ts';
import { DataDirectoryError } from '../errors.ts';
import { lastBackup } from '../last-backup.ts';
import { databaseName, keyName } from '../layout.ts';
import { replicatedSnapshots } from '../replicated-snapshots.ts';
import { listSnapshots } from '../snapshots.ts';
import { checkSnapshot } from '../sound-snapshot.ts';
import type { Findings } from './findings.ts';

const leastFreeBytes = 256 * 1024 * 1024;
const backupAgeMs = 7 * dayMs;
const statOf = (path: string) => {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
};

export function checkSettings({ note }: Findings, config: Config): void {
  if (!['FULL', 'EXTRA'].includes(config.HELPDESK_SYNCHRONOUS)) note('commits_not_synced', config.HELPDESK_SYNCHRONOUS);
}

export function checkBaseUrl({ note }: Findings, { HELPDESK_BASE_URL: baseUrl }: Config): void {
  if (baseUrl === null) note('base_url_unset', '');
  else if (baseUrl.startsWith('http://') && !/^(?:localhost|127\.|\[::1\])/.test(new URL(baseUrl).hostname))
    note('base_url_insecure', baseUrl);
}

export async function checkServices({ note }: Findings, config: Config): Promise<void> {
  const { HELPDESK_CLAMAV: scanner, HELPDESK_RSPAMD_URL: filter } = config;
  if ((await scannerAt(scanner)?.isUp()) === false) note('scanner_down', scanner ?? '');
  if ((await spamFilterAt(filter)?.isUp()) === false) note('spam_filter_down', filter ?? '');
}

export function checkPermissions({ note, fixes }: Findings, path: string, uid: number | null): void {
  if (uid === null) return;
  const close = (file: string, code: 'directory_open' | 'key_open' | 'file_open', mode: number) => {
    const found = statOf(file);
    if (found === null || (found.mode & 0o077) === 0) return;
    const isFixed = fixes(code) && found.uid === uid;
    if (isFixed) chmodSync(file, mode);
    note(code, `${file} (${(found.mode & 0o777).toString(8)})`, { isFixed });
  };
  close(path, 'directory_open', 0o700);
  close(join(path, keyName), 'key_open', 0o600);
  for (const name of [databaseName, `${databaseName}-wal`, `${databaseName}-shm`])
    close(join(path, name), 'file_open', 0o600);
  const entriesOf = (folder: string) => {
    try {
      return readdirSync(folder, { withFileTypes: true });
    } catch {
      // Staging folders come and go; any other folder that cannot be listed is a finding.
      if (statOf(folder) !== null) note('foreign_owner', `${folder} cannot be read`);
      return [];
    }
  };
  const visit = (folder: string) => {
    for (const entry of entriesOf(folder)) {
      const inner = join(folder, entry.name);
      const found = statOf(inner);
      if (found !== null && found.uid !== uid) note('foreign_owner', inner);
      if (entry.isDirectory() && entry.name !== 'lost+found') visit(inner);
    }
  };
  if (statSync(path).uid !== uid) note('foreign_owner', path);
  visit(path);
}

export function checkDisk({ note }: Findings, free: number, usedShare: number): void {
  if (free < leastFreeBytes) note('disk_low', `${Math.floor(free / 1024 / 1024)} MiB are free`);
  else if (usedShare >= fillingShares.filling) note('disk_filling', `${Math.floor(usedShare * 100)} % are used`);
}

function backupTime(path: string): number | null {
  return lastBackup(path)?.at ?? null;
}

export function checkBackups({ note }: Findings, path: string, now: number): void {
  const at = backupTime(path);
  if (at === null) note('backup_missing', '');
  else if (at < now - backupAgeMs) note('backup_old', new Date(at).toISOString());
}

// A recovery takes the newest sound one; if two are damaged, the disk is probably failing.
const snapshotsChecked = 2;

export function checkSnapshots({ note }: Findings, path: string, isReplicated: boolean): void {
  const folder = join(path, 'backups');
  const taken = isReplicated ? replicatedSnapshots(folder) : listSnapshots(folder).map((one) => one.path);
  for (const snapshot of taken.slice(-snapshotsChecked)) {
    const fault = checkSnapshot(snapshot);
    if (fault !== null) note('snapshot_damaged', `${snapshot}: ${fault}`);
  }
}

/** What a plain copy and `restore --at` need beside the snapshots. */
export function checkLogs({ note }: Findings, path: string): void {
  const snapshots = listSnapshots(join(path, 'backups')).slice(-snapshotsChecked);
  const [first, newest] = [snapshots.at(0), snapshots.at(-1)];
  if (first === undefined || newest === undefined) return;
  const segments = listSegments(join(path, 'wal'));
  const last = segments.at(-1)?.ordinal ?? 0;
  const { segment: from, frames } = newest.position;
  for (let ordinal = from; ordinal <= Math.max(last, frames > 0 ? from : 0); ordinal += 1)
    if (!segments.some((one) => one.ordinal === ordinal)) note('log_missing', `log ${ordinal}`);
  for (const { ordinal, after, path: file } of segments) {
    if (ordinal < first.position.segment) continue;
    const before = segments.find((one) => one.ordinal === ordinal - 1);
    const damage = scanLog(file, ordinal < last)?.damage ?? null;
    if (damage !== null) note('log_damaged', `${basename(file)}, frame ${damage.frame}`);
    if (after !== null && before !== undefined && before.ordinal >= from && statSync(before.path).size !== after)
      note('log_damaged', `${basename(before.path)} has another length than it had`);
  }
}

// A running desk notes an erasure after its commit and before its answer.
const notedWithinMs = 60 * 1000;

/** @param tx the database of the desk, if it can be read and has a list of its own */
export function checkErasures({ note }: Findings, path: string, tx: Tx | null, now: number): void {
  try {
    requireErasures(path);
    const isRunning = tx !== null && isInUseElsewhere(join(path, databaseName));
    const until = isRunning ? now - notedWithinMs : Number.POSITIVE_INFINITY;
    const known = tx === null ? [] : ownErasures(tx).filter(({ at }) => at < until);
    const lacked = lackedErasures(path, known);
    if (lacked > 0) note('erasures_incomplete', '', { count: lacked });
  } catch (error) {
    if (!(error instanceof DataDirectoryError)) throw error;
    note('erasures_damaged', error.message);
  }
}
