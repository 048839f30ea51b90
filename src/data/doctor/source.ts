// Where the doctor reads the rows: in the database of the desk, in a copy of it, or, in a cluster, only in a copy.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../../migrations/index.ts';
import { isForWantOfRoom } from '../../base/disk.ts';
import { DeskError } from '../../domain/errors.ts';
import {
  openForInspection,
  openLeftAsIs,
  openStore,
  type Store,
  type Synchronous,
  sqliteCode,
  type Tx,
} from '../../engine/database.ts';
import { isInUseElsewhere } from '../../engine/in-use.ts';
import { pendingMigrations, SchemaError } from '../../engine/migrate.ts';
import { usualPace } from '../../engine/wal/upkeep.ts';
import { createWriter } from '../../engine/writer.ts';
import { databaseName } from '../layout.ts';
import type { ReplicatedDatabase } from '../other-machines.ts';
import { type Copy, copyToExamine, createLogRelief } from '../reading-copy.ts';
import { copyReplicated } from '../replicated-copy.ts';
import type { Fix } from './database.ts';
import type { Findings } from './findings.ts';
import type { Look } from './stored-files.ts';

type Inspected = Tx & { close(): void };

interface Fixing extends NonNullable<Fix> {
  close(): Promise<void>;
}

export interface Source {
  tx: Inspected;
  /** For the checks that take long: in a cluster, the rows are those of the copy. */
  look: Look;
  /** At the rows as they are now. Null if a second copy could not be made. Ends the use of `tx`. */
  lookAgain(): Promise<Look | null>;
  openToFix(): Fixing;
  clear(): Promise<void>;
}

/**
 * What only looks copies no log that a desk left into the file. Its handle would keep every other one of this process from writing,
 * so a repair has an ordinary one, and so has a look beside a desk, whose log stays anyway.
 */
function openToLook(file: string, logs: string | null): Inspected {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  return (log?.size ?? 0) > 0 ? openLeftAsIs(file) : openForInspection(file, logs);
}

type Open = (file: string, logs: string | null) => Inspected;

function openSound(findings: Findings, file: string, logs: string | null, free: number, open: Open): Inspected | null {
  if (!existsSync(file)) {
    findings.note('database_missing', file);
    return null;
  }
  let tx: Inspected | null = null;
  try {
    tx = open(file, logs);
    const pending = pendingMigrations(tx, migrations);
    if (pending.length === 0) return tx;
    findings.note('schema_behind', `${pending.length} migrations behind`);
  } catch (error) {
    if (error instanceof SchemaError) findings.note('schema_refused', error.message);
    else if (isForWantOfRoom(error, file, () => free)) findings.note('database_no_room', file);
    else findings.note('database_unreadable', `${file}: ${sqliteCode(error) ?? String(error)}`);
  }
  tx?.close();
  return null;
}

interface OwnOptions {
  path: string;
  free: number;
  leastBytesToCopy: number | undefined;
  isRunning: boolean | undefined;
  isFixing: boolean;
}

export async function openOwn(
  findings: Findings,
  { path, free, leastBytesToCopy, isFixing, isRunning = isInUseElsewhere(join(path, databaseName)) }: OwnOptions,
): Promise<Source | null> {
  const database = join(path, databaseName);
  const logs = join(path, 'wal');
  const open = isRunning || isFixing ? openForInspection : openToLook;
  const first = openSound(findings, database, logs, free, open);
  if (first === null) return null;
  first.close();
  const copy = isRunning ? await copyToExamine(path, leastBytesToCopy) : null;
  const look: Look = (act) => {
    const opened = open(database, logs);
    try {
      return act(opened);
    } finally {
      opened.close();
    }
  };
  const tx = copy === null ? open(database, logs) : openForInspection(copy.path);
  return {
    tx,
    look,
    lookAgain: () => Promise.resolve(look),
    openToFix: () => fixingOf(openStore(database, 'FULL', logs), look, { database }),
    async clear() {
      tx.close();
      await copy?.clear();
    },
  };
}

interface ReplicatedOptions {
  path: string;
  free: number;
  replicated: ReplicatedDatabase;
  synchronous: Synchronous;
  onCopied: () => void;
}

export async function openReplicated(findings: Findings, options: ReplicatedOptions): Promise<Source | null> {
  const { path, free, replicated, synchronous, onCopied } = options;
  let copy: Copy | null = null;
  let tx: Inspected | null = null;
  const before = replicated.state().position;

  async function clear(): Promise<void> {
    tx?.close();
    tx = null;
    await copy?.clear();
    copy = null;
  }

  async function copyAgain(): Promise<Inspected | null> {
    await clear();
    try {
      copy = await copyReplicated({ path, source: replicated, free });
      onCopied();
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      findings.note('database_not_copied', error.message);
      return null;
    }
    tx = openSound(findings, copy.path, null, free, openForInspection);
    if (tx === null) await clear();
    return tx;
  }

  const first = await copyAgain();
  if (first === null) return null;
  return {
    tx: first,
    look: (act) => act(first),
    async lookAgain() {
      if (before !== null && replicated.state().position === before) return (act) => act(first);
      const second = await copyAgain();
      return second && ((act) => act(second));
    },
    openToFix() {
      const store = openStore(replicated.path, synchronous, null, usualPace, true);
      return fixingOf(store, (act) => act(store.reading), { guard: replicated.requirePrimary });
    },
    clear,
  };
}

/** The database of the desk for writing; like a running desk, it has the log copied into the file. */
function fixingOf(store: Store, read: Look, how: { database: string } | { guard: () => void }): Fixing {
  const writer = createWriter(store);
  const letLogEnd = createLogRelief(store);
  let isOpen = true;
  writer.onCommit(() => setImmediate(() => isOpen && store.tend()));
  if ('guard' in how) writer.guard(how.guard);
  // Until something has to be written, the log can end.
  else store.rest();
  return {
    write: (step) => writer.write(step),
    read,
    async rest() {
      await letLogEnd();
      // Without a running desk this would end the log each time.
      if ('database' in how && isInUseElsewhere(how.database)) store.rest();
    },
    async close() {
      if (!isOpen) return;
      await writer.close();
      isOpen = false;
      await store.settled();
      store.close();
    },
  };
}
