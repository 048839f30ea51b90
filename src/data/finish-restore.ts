// The last part of a restore, also after a crash: moves the checked files into place.

import { existsSync, fsyncSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Instant, toWire } from '../base/clock.ts';
import { openFile } from '../base/open-file.ts';
import { hasEnded, processName } from '../base/process.ts';
import { syncFolderNow } from '../base/sync-folder.ts';
import { lookName } from '../engine/check-database.ts';
import { lastCommitName } from '../engine/wal/last-commit.ts';
import { BackupError } from './errors.ts';
import { databaseName, erasuresName, keyName } from './layout.ts';

export const stagingName = '.restoring';
// In the order in which they are moved: the database last, because it makes a directory a desk.
export const parts = ['attachments', 'mail', erasuresName, keyName, databaseName];
export const history = [`${databaseName}-wal`, `${databaseName}-shm`, 'wal', lastCommitName];

export function syncFile(path: string): void {
  using file = openFile(path, 'r+');
  fsyncSync(file.fd);
}

const readyIn = (data: string) => join(data, stagingName, 'ready');

/** Whether everything is checked and is being moved into place: for a moment there is no database. */
export const isRestoring = (data: string): boolean => existsSync(readyIn(data));

export function finishRestore(data: string, now: Instant): string | null {
  rmSync(join(data, lookName), { recursive: true, force: true });
  const staging = join(data, stagingName);
  if (!existsSync(staging)) return null;
  const owner = existsSync(join(staging, 'owner')) ? readFileSync(join(staging, 'owner'), 'utf8') : '';
  if (owner !== '' && owner !== processName && !hasEnded(owner))
    throw new BackupError(`A restore into ${data} is in progress (${owner}); wait until it has ended.`);
  const ready = readyIn(data);
  if (!existsSync(ready)) {
    rmSync(staging, { recursive: true, force: true });
    return null;
  }
  const aside = readFileSync(ready, 'utf8').trim() || `replaced-${toWire(now).replaceAll(/[-:.]/g, '')}`;
  const kept = join(data, 'backups', aside);
  const fresh = join(staging, 'new');
  mkdirSync(kept, { recursive: true, mode: 0o700 });
  const putAside = (name: string) => {
    if (existsSync(join(data, name)) && !existsSync(join(kept, name))) renameSync(join(data, name), join(kept, name));
    else rmSync(join(data, name), { recursive: true, force: true });
  };
  // The log of another database would destroy this one, so the logs go first.
  if (existsSync(join(fresh, databaseName))) {
    for (const name of history) putAside(name);
    for (const name of readdirSync(join(data, 'backups')))
      if (name.startsWith('snapshot-')) renameSync(join(data, 'backups', name), join(kept, name));
  }
  for (const name of parts) {
    if (!existsSync(join(fresh, name))) continue;
    if (existsSync(join(data, name))) putAside(name);
    renameSync(join(fresh, name), join(data, name));
  }
  syncFolderNow(data);
  rmSync(staging, { recursive: true, force: true });
  if (readdirSync(kept).length > 0) return kept;
  rmSync(kept, { recursive: true, force: true });
  return null;
}
