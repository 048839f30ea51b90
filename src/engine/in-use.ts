// Finds out whether another process has a database open.

import { readFileSync, statSync } from 'node:fs';

/** Takes some milliseconds. Always false on systems without /proc. */
export function isInUseElsewhere(database: string): boolean {
  let locks: string;
  try {
    locks = readFileSync('/proc/locks', 'utf8');
  } catch {
    return false;
  }
  const { ino } = statSync(database, { bigint: true });
  // The lock that SQLite holds for every open connection, on bytes beyond the end of the file.
  const held = new RegExp(` (\\d+) [0-9a-f]+:[0-9a-f]+:${ino} 107374182\\d `, 'g');
  return [...locks.matchAll(held)].some(([, pid]) => Number(pid) !== process.pid);
}
