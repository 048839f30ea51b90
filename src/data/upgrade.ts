// Upgrades the schema; if the check of the result fails, puts a copy back (docs/spec/behaviour.md#data-directory).

import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Migration } from '../../migrations/step.ts';
import { type Instant, toWire } from '../base/clock.ts';
import type { Seal } from '../base/crypto.ts';
import { diskFault, freeBytesOf } from '../base/disk.ts';
import { syncFolderNow } from '../base/sync-folder.ts';
import type { Store, Tx } from '../engine/database.ts';
import { appliedVersion, migrate, pendingMigrations } from '../engine/migrate.ts';
import { noteWhole } from '../engine/wal/needed-log.ts';
import { roomToOpen } from '../engine/wal/upkeep.ts';
import { brokenReferencesOf, damageOf } from '../store/integrity.ts';
import { rowsOfEachTable, tableNames } from '../store/row-figures.ts';
import { noteOrigin } from './copied-directory.ts';
import { syncFile } from './finish-restore.ts';

class UpgradeError extends Error {
  override name = 'DataDirectoryError';
}

const stampOf = (now: Instant) => toWire(now).replaceAll(/[-:.]/g, '');

function smokeFault(tx: Tx, before: Record<string, number>): string | null {
  for (const table of tableNames(tx)) {
    const [damage] = damageOf(tx, table);
    if (damage !== undefined) return damage;
    const [reference] = brokenReferencesOf(tx, table);
    if (reference !== undefined) return `a row refers to a missing one (${reference})`;
  }
  const after = rowsOfEachTable(tx);
  for (const table of ['sites', 'authors', 'tickets', 'messages', 'attachments', 'events']) {
    if (before[table] !== undefined && after[table] !== before[table])
      return `${table} had ${before[table]} rows and has ${after[table] ?? 'none'}`;
  }
  return null;
}

/**
 * @param canPutBack false on a replicating file system
 * @returns what was done, in a sentence, or null
 */
export function upgrade(
  store: Store,
  database: string,
  data: string,
  migrations: readonly Migration[],
  now: Instant,
  canPutBack: boolean,
  seal: Seal,
): string | null {
  const pending = pendingMigrations(store.writing, migrations);
  const from = appliedVersion(store.writing);
  if (pending.length === 0) return null;
  if (from === 0) {
    migrate(store.writing, migrations, now, store.archive, seal);
    return null;
  }
  const to = migrations.at(-1)?.version ?? from;
  requireRoom(database, data, from, to);
  if (store.archive !== null && !store.rotate()) {
    throw new UpgradeError(
      `The database must be upgraded from schema ${from} to ${to}, but another helpdesk has it open. Stop that one first.`,
    );
  }
  const copy = copyAside(store, join(data, 'backups'), `before-schema-${to}-${stampOf(now)}.db`);
  const before = rowsOfEachTable(store.writing);
  let fault: string | null;
  try {
    migrate(store.writing, migrations, now, store.archive, seal);
    fault = smokeFault(store.writing, before);
  } catch (error) {
    fault = error instanceof Error ? error.message : String(error);
  }
  if (fault === null)
    return `The database was upgraded from schema ${from} to ${to}. A copy from before is in ${copy}.`;
  if (!canPutBack) {
    throw new UpgradeError(
      `The upgrade from schema ${from} to ${to} failed: ${fault}. A copy of the database from before is in ${copy}. Put it back (docs/cluster.md) and start the previous version of helpdesk.`,
    );
  }
  store.close();
  putBack(database, data, copy, now);
  throw new UpgradeError(
    `The upgrade from schema ${from} to ${to} failed: ${fault}. The database is as it was before, and nothing was lost. Start the previous version of helpdesk again. The failed database is in ${failedFolder(data, now)}.`,
  );
}

const mebibytes = (bytes: number) => `${Math.ceil(bytes / 1024 ** 2)} MiB`;

/** An upgrade writes a copy of the database and new pages of its own; without room for both it would fail halfway. */
function requireRoom(database: string, data: string, from: number, to: number): void {
  const { size } = statSync(database);
  for (const [path, wanted] of [
    [data, size + roomToOpen],
    [dirname(database), roomToOpen],
  ] as const) {
    const free = freeBytesOf(path);
    if (free > wanted) continue;
    throw new UpgradeError(
      `The upgrade of the database from schema ${from} to ${to} needs ${mebibytes(wanted)} free on the disk of ${path}, which has ${mebibytes(free)}. Nothing was changed. Free some space and start again.`,
    );
  }
}

/** The name of the copy appears only when all of it is synced to disk. */
function copyAside(store: Store, folder: string, name: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const left of readdirSync(folder))
    if (left.startsWith('.before-schema-')) rmSync(join(folder, left), { force: true });
  const partial = join(folder, `.${name}.partial`);
  const copy = join(folder, name);
  try {
    store.copyInto(partial);
    noteWhole(partial);
    syncFile(partial);
    renameSync(partial, copy);
    syncFolderNow(folder);
    return copy;
  } catch (error) {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${partial}${end}`, { force: true });
    const fault = diskFault(error, folder);
    if (fault === null) throw error;
    throw new UpgradeError(
      `The database must be copied to ${folder} before an upgrade, but that folder ${fault}. Nothing was changed.`,
    );
  }
}

const failedFolder = (data: string, now: Instant) => join(data, 'backups', `failed-upgrade-${stampOf(now)}`);

/** Replaces the database with the copy; if this is interrupted, the next start finds one complete database. */
function putBack(database: string, data: string, copy: string, now: Instant): void {
  const rebuilt = join(data, '.helpdesk.db.rebuilt');
  rmSync(rebuilt, { force: true });
  copyFileSync(copy, rebuilt);
  syncFile(rebuilt);
  const failed = failedFolder(data, now);
  mkdirSync(failed, { recursive: true, mode: 0o700 });
  // The log of another database would destroy this one, so the log goes first.
  for (const end of ['-shm', '-wal', '']) {
    const path = `${database}${end}`;
    if (existsSync(path)) renameSync(path, join(failed, `helpdesk.db${end}`));
  }
  renameSync(rebuilt, database);
  syncFolderNow(data);
  noteOrigin(data);
}
