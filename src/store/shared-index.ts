// The shared index (`-shm`) of a database on LiteFS, which cuts it under open handles when its machine changes its role.

import { readFileSync, statSync } from 'node:fs';
import { collectGarbage } from '#platform/runtime.ts';

export interface SharedIndex {
  /** Whether the handles must be opened again before anything is written. Certain only under the write lock, which LiteFS takes for the cut. */
  isCut(): boolean;
  /** To be called after every commit: the index may have grown. */
  noteSize(): void;
  /** Has the handles opened again before the next write, because the role has changed. */
  distrust(): void;
  /** To be called when all handles are closed. */
  noteClosed(): void;
}

// SQLite's WAL-index format: the first block holds the first 4062 frames. LiteFS never cuts it to less.
const blockBytes = 32_768;

/**
 * A process that has mapped a second block dies (SIGBUS) if it writes there after LiteFS has cut the file to one block.
 * SQLite unmaps it when the last handle of the process is closed.
 */
export function createSharedIndex(path: string): SharedIndex {
  const file = `${path}-shm`;
  let mapped = 0;
  return {
    isCut: () => mapped > blockBytes && (sizeOf(file) ?? 0) < mapped,
    noteSize() {
      mapped = Math.max(mapped, sizeOf(file) ?? Number.POSITIVE_INFINITY);
    },
    distrust() {
      mapped = Number.POSITIVE_INFINITY;
    },
    noteClosed() {
      mapped = 0;
      // A statement that is unused but not collected yet also keeps the file mapped.
      if (isMapped(file)) collectGarbage();
    },
  };
}

/** Null when the mount is gone, which the next transaction finds out: this one is committed. */
function sizeOf(file: string): number | null {
  try {
    return statSync(file).size;
  } catch {
    return null;
  }
}

function isMapped(file: string): boolean {
  try {
    return readFileSync('/proc/self/maps', 'utf8').includes(file);
  } catch {
    // LiteFS exists only for Linux; elsewhere only tests come here.
    return false;
  }
}
