// Checks whether a database file is sound, on a handle of its own.

import { linkSync, mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { collectGarbage } from '#platform/runtime.ts';
import { openDatabase } from '#platform/sqlite.ts';
import { isForWantOfRoom } from '../base/disk.ts';
import type { Database } from '../platform/sqlite.ts';
import { openForInspection } from './database.ts';
import { isInUseElsewhere } from './in-use.ts';
import { isBusy } from './sqlite-errors.ts';

/** What is wrong with a database that no other process has open, or null: its pages, indexes and references. */
export function checkDatabase(path: string): string | null {
  let tx: ReturnType<typeof openForInspection> | null = null;
  try {
    tx = openForInspection(path);
    const { client } = tx;
    const rows = client.query<{ integrity_check: string }, []>('PRAGMA integrity_check(3)').all();
    const faults = rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
    if (faults.length > 0) return faults.join('; ');
    const broken = client.query<{ table: string }, []>('PRAGMA foreign_key_check').all();
    return broken.length === 0 ? null : `${broken.length} rows of ${broken[0]?.table} refer to rows that do not exist`;
  } catch (error) {
    // SQLite needs space beside the file even to read it, so a full disk says nothing about the database.
    if (isForWantOfRoom(error, path)) throw error;
    return error instanceof Error ? error.message : String(error);
  } finally {
    tx?.close();
  }
}

/** Beside the database while `isInUse` looks; a crash can leave it, and the next start removes it. */
export const lookName = '.users';

/**
 * Whether another process has the database open, as a desk does while it runs. Null where a file cannot have two names and the
 * system shows no lock: it might not show them all. Changes nothing: a process that opens a database
 * by its own name copies its log into it when it is the last to close it, also where the log belongs to another copy.
 */
export function isInUse(path: string): boolean | null {
  return underOtherName(path, (link) => {
    if (link === null) return isInUseElsewhere(path) || null;
    if (!isLockedByOthers(link)) return false;
    // A closed handle of this process might not be collected yet.
    collectGarbage();
    return isLockedByOthers(link);
  });
}

/** What is wrong with a database that no process has open, without its log; null if nothing is. Changes nothing. */
export function checkWithoutLog(path: string): string | null {
  return underOtherName(path, (link) =>
    link === null ? 'it cannot be read without its log here' : checkDatabase(link),
  );
}

/** The same file, and so the same locks, under a name that has no log. Null where a file cannot have two names. */
function underOtherName<T>(path: string, act: (link: string | null) => T): T {
  const place = join(dirname(path), lookName);
  const link = join(place, basename(path));
  try {
    return act(hasLinked(path, link) ? link : null);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function hasLinked(path: string, link: string): boolean {
  try {
    rmSync(dirname(link), { recursive: true, force: true });
    mkdirSync(dirname(link), { mode: 0o700 });
    linkSync(path, link);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

function isLockedByOthers(path: string): boolean {
  let client: Database | null = null;
  try {
    client = openDatabase(path, 'existing');
    client.run('PRAGMA locking_mode = EXCLUSIVE');
    client.run('SELECT 1 FROM sqlite_schema LIMIT 1');
    return false;
  } catch (error) {
    // What cannot be read as a database is not a desk's.
    return isBusy(error);
  } finally {
    client?.close();
  }
}
