// Explains errors of the file system, and recognises a full disk, which not every such error names.

import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';

// SQLite needs this much beside a database for its index of the log, and says "disk I/O error" without it.
const fullBytes = 1024 * 1024;

export function freeBytesOf(path: string): number {
  let there = path;
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  const { bavail, bsize } = statfsSync(there);
  return bavail * bsize;
}

/** The share of the disk that is in use, from 0 to 1, as `df` counts it. */
export function usedShareOf(path: string): number {
  const { blocks, bfree, bavail } = statfsSync(path);
  const used = blocks - bfree;
  return used === 0 ? 0 : used / (used + bavail);
}

export const fillingShares = { filling: 0.9, nearlyFull: 0.95 } as const;

const noRoom = 'has no room left';
const faults: Record<string, string> = {
  ENOSPC: noRoom,
  EDQUOT: noRoom,
  SQLITE_FULL: noRoom,
  EROFS: 'is on a read-only disk',
  EACCES: 'cannot be written by this user',
  EPERM: 'cannot be written by this user',
  EIO: 'is on a failing disk',
};

/** The end of a sentence that begins with the path; null if the error is not about a disk. */
export function diskFault(error: unknown, path: string, free = () => freeBytesOf(path)): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = faults[code];
  if (known !== undefined) return known;
  if (!/^SQLITE_(IOERR|CANTOPEN)/.test(code)) return null;
  if (free() < fullBytes) return noRoom;
  return code.startsWith('SQLITE_IOERR') ? faults.EIO! : null;
}

export function isForWantOfRoom(error: unknown, path: string, free = () => freeBytesOf(path)): boolean {
  return diskFault(error, path, free) === noRoom;
}
