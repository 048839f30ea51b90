// A schema that is brought up to date: a copy first, then the migrations, then a look at the result; what does not pass is
// put back as it was (docs/spec/behaviour.md#data-directory).

import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Migration } from '../../migrations/index.ts';
import { type Instant, toWire } from '../base/clock.ts';
import { diskFault, freeBytesOf } from '../base/disk.ts';
import { syncFolderNow } from '../base/folder.ts';
import { roomToOpen, type Store, type Tx } from '../store/database.ts';
import { brokenReferencesOf, damageOf, rowsOfEachTable, tableNames } from '../store/integrity.ts';
import { appliedVersion, migrate, pendingMigrations } from '../store/migrate.ts';
import { syncFile } from './finish-restore.ts';
import { noteOrigin } from './copied-directory.ts';

/** An upgrade that failed and was undone; the message says what to do. */
class UpgradeError extends Error {
  override name = 'DataDirectoryError';
}

const stampOf = (now: Instant) => toWire(now).replaceAll(/[-:.]/g, '');

/** What is wrong with a migrated database, or null: its pages, its references, and rows that went missing. */
function smokeFault(tx: Tx, before: Record<string, number>): string | null {
  for (const table of tableNames(tx)) {
    const [damage] = damageOf(tx, table);
    if (damage !== undefined) return damage;
    const [reference] = brokenReferencesOf(tx, table);
    if (reference !== undefined) return `a row refers to one that is not there (${reference})`;
  }
  const after = rowsOfEachTable(tx);
  for (const table of ['sites', 'authors', 'tickets', 'messages', 'attachments', 'events']) {
    if (before[table] !== undefined && after[table] !== before[table])
      return `${table} had ${before[table]} rows and has ${after[table] ?? 'none'}`;
  }
  return null;
}

/**
 * Brings an open database to the newest schema. An empty one is simply made.
 * @param data the data directory, which the copy goes into
 * @param canPutBack whether the database file may be exchanged, which a replicating file system does not allow
 * @returns what was done, in a sentence; null when there was nothing to do
 * @throws UpgradeError with the store closed and the database as it was
 */
export function upgrade(
  store: Store,
  database: string,
  data: string,
  migrations: readonly Migration[],
  now: Instant,
  canPutBack: boolean,
): string | null {
  const pending = pendingMigrations(store.writing, migrations);
  const from = appliedVersion(store.writing);
  if (pending.length === 0) return null;
  if (from === 0) {
    migrate(store.writing, migrations, now, store.archive);
    return null;
  }
  const to = migrations.at(-1)?.version ?? from;
  requireRoom(database, data, from, to);
  if (store.archive !== null && !store.rotate()) {
    throw new UpgradeError(
      `The database has to be brought from schema ${from} to ${to}, and another helpdesk has it open; stop that one first.`,
    );
  }
  const copy = copyAside(store, join(data, 'backups'), `before-schema-${to}-${stampOf(now)}.db`);
  const before = rowsOfEachTable(store.writing);
  let fault: string | null;
  try {
    migrate(store.writing, migrations, now, store.archive);
    fault = smokeFault(store.writing, before);
  } catch (error) {
    fault = error instanceof Error ? error.message : String(error);
  }
  if (fault === null)
    return `The database was brought from schema ${from} to ${to}; as it was before, it lies in ${copy}.`;
  if (!canPutBack) {
    throw new UpgradeError(
      `The upgrade from schema ${from} to ${to} failed: ${fault}. The database as it was before lies in ${copy}; put it back (docs/cluster.md) and start the helpdesk that wrote it.`,
    );
  }
  store.close();
  putBack(database, data, copy, now);
  throw new UpgradeError(
    `The upgrade from schema ${from} to ${to} failed: ${fault}. The database is again as it was, and nothing was lost. Start the former helpdesk again; the failed one lies in ${failedFolder(data, now)}.`,
  );
}

const mebibytes = (bytes: number) => `${Math.ceil(bytes / 1024 ** 2)} MiB`;

/** An upgrade writes a copy of the database beside its own pages; what is begun without room for both would fail halfway. */
function requireRoom(database: string, data: string, from: number, to: number): void {
  const { size } = statSync(database);
  for (const [path, wanted] of [
    [data, size + roomToOpen],
    [dirname(database), roomToOpen],
  ] as const) {
    const free = freeBytesOf(path);
    if (free > wanted) continue;
    throw new UpgradeError(
      `The database has to be brought from schema ${from} to ${to}, which needs ${mebibytes(wanted)} free on the disk of ${path}, and ${mebibytes(free)} are. Nothing was changed; free some room and start again.`,
    );
  }
}

/** A copy of the database, whose name appears only when all of it is on the disk. */
function copyAside(store: Store, folder: string, name: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const left of readdirSync(folder))
    if (left.startsWith('.before-schema-')) rmSync(join(folder, left), { force: true });
  const partial = join(folder, `.${name}.partial`);
  const copy = join(folder, name);
  try {
    store.copyInto(partial);
    syncFile(partial);
    renameSync(partial, copy);
    syncFolderNow(folder);
    return copy;
  } catch (error) {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${partial}${end}`, { force: true });
    const fault = diskFault(error, folder);
    if (fault === null) throw error;
    throw new UpgradeError(
      `The database has to be copied to ${folder} before an upgrade, and that ${fault}. Nothing was changed.`,
    );
  }
}

const failedFolder = (data: string, now: Instant) => join(data, 'backups', `failed-upgrade-${stampOf(now)}`);

/** Exchanges the database for the copy; whenever this is cut short, the next opening finds one whole database. */
function putBack(database: string, data: string, copy: string, now: Instant): void {
  const rebuilt = join(data, '.helpdesk.db.rebuilt');
  rmSync(rebuilt, { force: true });
  copyFileSync(copy, rebuilt);
  syncFile(rebuilt);
  const failed = failedFolder(data, now);
  mkdirSync(failed, { recursive: true, mode: 0o700 });
  // A log over another database would destroy it, so the log goes first. With the one who closed last it is gone already.
  for (const end of ['-shm', '-wal', '']) {
    const path = `${database}${end}`;
    if (existsSync(path)) renameSync(path, join(failed, `helpdesk.db${end}`));
  }
  renameSync(rebuilt, database);
  syncFolderNow(data);
  noteOrigin(data);
}
