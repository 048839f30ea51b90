// SQLite, as Bun has it built in.

import { Database as BunDatabase, constants } from 'bun:sqlite';
import { type Database, fileAddress, type OpenMode } from '../sqlite.ts';

export function openDatabase(path: string, mode: OpenMode): Database {
  const opened =
    mode === 'file only'
      ? new BunDatabase(fileAddress(path, 'immutable=1'), constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI)
      : new BunDatabase(
          path,
          mode === 'read only'
            ? { readonly: true, strict: true }
            : { create: mode === 'create', readwrite: true, strict: true },
        );
  return opened as unknown as Database;
}
