// The number of the log without which the database file is not whole, kept in its header (docs/backups.md).

import { readSync, writeSync } from 'node:fs';
import { openFile } from '../../base/open-file.ts';

// SQLite's user_version, which it leaves to the program: a word of the first page, big-endian.
export const neededLogPlace = 60;
export const neededLogBytes = 4;

/** 0 if the file has everything, or is not a database. */
export function neededLog(database: string): number {
  const start = Buffer.alloc(100);
  using file = openFile(database, 'r');
  if (readSync(file.fd, start, 0, start.length, 0) < start.length) return 0;
  return start.toString('latin1', 0, 16) === 'SQLite format 3\0' ? start.readUInt32BE(neededLogPlace) : 0;
}

/** @param ordinal 0: the file is whole */
export function noteNeededLog(file: number, ordinal: number): void {
  const bytes = Buffer.alloc(neededLogBytes);
  bytes.writeUInt32BE(ordinal);
  writeSync(file, bytes, 0, neededLogBytes, neededLogPlace);
}

/** For a file that no process has open. */
export function noteWhole(database: string): void {
  if (neededLog(database) === 0) return;
  using file = openFile(database, 'r+');
  noteNeededLog(file.fd, 0);
}
