// Opens and upgrades the database of a data directory, or says what is wrong with it and what to do.

import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Migration } from '../../migrations/step.ts';
import { systemClock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import type { Seal } from '../base/crypto.ts';
import { isForWantOfRoom } from '../base/disk.ts';
import { openForInspection, openLeftAsIs, openStore, type Store } from '../engine/database.ts';
import { SchemaError, schemaState } from '../engine/migrate.ts';
import { usualPace } from '../engine/wal/upkeep.ts';
import { DataDirectoryError } from './errors.ts';
import type { OtherMachines } from './other-machines.ts';
import { hasHistory, offerOf } from './sound-snapshot.ts';
import { upgrade } from './upgrade.ts';

export const databaseFaults: Record<string, string> = {
  NOTADB: 'is not a database. Restore it from a backup, or name another directory with --data.',
  CORRUPT: 'is damaged. Restore it from a backup.',
  READONLY: 'cannot be written. Check the owner and mode of the file and its directory.',
  CANTOPEN: 'cannot be opened. Check the owner and mode of the file and its directory.',
  PERM: 'cannot be opened. Check the owner and mode of the file and its directory.',
  EROFS: 'is on a read-only disk. The desk must be able to write next to it.',
  BUSY: 'is locked by another program. Try again when it has ended.',
  FULL: 'is on a full disk. Free some space and try again.',
  IOERR: 'is on a failing disk. Check the system log.',
};

export function openDatabase(
  file: string,
  config: Config,
  data: string,
  membership: OtherMachines | null,
  known: readonly Migration[],
  seal: Seal,
): { store: Store; upgraded: string | null } {
  let store: Store | null = null;
  try {
    if (membership === null) {
      // SQLite creates its other files with the mode of the database.
      closeSync(openSync(file, 'a', 0o600));
      chmodSync(file, 0o600);
      if (existsSync(`${file}-wal`)) requireReadable(file, known);
    }
    const isReplica = membership !== null && !membership.isPrimary();
    if (isReplica) requireArrived(file, membership, known);
    // In a cluster LiteFS makes the copies, and its mount supports neither hard links nor other file names.
    const archive = membership === null ? join(data, 'wal') : null;
    store = openStore(file, config.HELPDESK_SYNCHRONOUS, archive, usualPace, membership !== null);
    endLook(file);
    if (isReplica) return { store, upgraded: null };
    return { store, upgraded: upgrade(store, file, data, known, systemClock.now(), membership === null, seal) };
  } catch (error) {
    store?.close();
    endLook(file);
    if (isForWantOfRoom(error, file)) throw new DataDirectoryError(`${file} ${databaseFaults.FULL}`);
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const fault = ['EACCES', 'EPERM'].includes(code) ? 'PERM' : (/^(?:SQLITE_([A-Z]+)|EROFS)/.exec(code)?.[1] ?? code);
    const sentence = databaseFaults[fault ?? ''];
    if (sentence === undefined) throw error;
    const offer = ['NOTADB', 'CORRUPT'].includes(fault ?? '') && hasHistory(data) ? ` ${offerOf(data)}` : '';
    throw new DataDirectoryError(`${file} ${sentence}${offer}`);
  }
}

/** The handles of the desk copy the log into the file when they close: after a refusal, the log could no longer be restored. */
function requireReadable(file: string, known: readonly Migration[]): void {
  const look = openLeftAsIs(file);
  try {
    schemaState(look, known);
  } finally {
    look.close();
  }
}

function requireArrived(file: string, membership: OtherMachines, known: readonly Migration[]): void {
  const state = arrivedDatabase(file, known);
  if (state !== 'current') throw new DataDirectoryError(membership.whyNoDatabase(state));
}

/**
 * Looks through one handle that stays open until the desk has its own: on LiteFS, the first handle to open and the last one to
 * close change files under it. A look without locks would leave pages in the kernel's cache that LiteFS is replacing.
 */
export function arrivedDatabase(file: string, known: readonly Migration[]): 'missing' | 'older' | 'current' {
  try {
    if (statSync(file).size === 0) return 'missing';
    const look = looks.get(file) ?? openForInspection(file);
    looks.set(file, look);
    return schemaState(look, known);
  } catch (error) {
    if (error instanceof SchemaError) throw error;
    // Not there yet, or only in part; the next check may find all of it.
    return 'missing';
  }
}

const looks = new Map<string, ReturnType<typeof openForInspection>>();

function endLook(file: string): void {
  looks.get(file)?.close();
  looks.delete(file);
}
