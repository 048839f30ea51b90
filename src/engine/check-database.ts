// Checks whether a database file is sound, on a handle of its own.

import { existsSync } from 'node:fs';
import { collectGarbage } from '#platform/runtime.ts';
import { isForWantOfRoom } from '../base/disk.ts';
import { openForInspection } from './database.ts';

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

/** The last process to close a database removes its log. */
export function hasOtherUsers(path: string): boolean {
  try {
    const tx = openForInspection(path);
    try {
      tx.client.run('SELECT 1 FROM sqlite_schema LIMIT 1');
    } finally {
      tx.close();
    }
  } catch {
    return false;
  }
  // A closed handle of this process might not be collected yet.
  if (existsSync(`${path}-wal`)) collectGarbage();
  return existsSync(`${path}-wal`);
}
