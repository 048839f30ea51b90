// SQLite, as Bun has it built in.

import { Database as BunDatabase, constants } from 'bun:sqlite';
import { type Database, type OpenMode, readOnlyAddress } from '../sqlite.ts';

export function openDatabase(path: string, mode: OpenMode): Database {
  const opened =
    mode === 'file only' || mode === 'read only'
      ? new BunDatabase(readOnlyAddress(path, mode), constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI)
      : new BunDatabase(path, { create: mode === 'create', readwrite: true, strict: true });
  return opened as unknown as Database;
}
