// The shared index (`-shm`) of a database on LiteFS, which cuts it under open handles when its machine changes its role.

import { readFileSync, realpathSync, statSync } from 'node:fs';
import { collectGarbage } from '#platform/runtime.ts';

export interface SharedIndex {
  /** Whether the handles must be opened again before anything is written. Certain only under the write lock, which LiteFS takes for the cut. */
  isCut(): boolean;
  /** After every commit: the index may have grown. False when the mount is gone, which SQLite does not notice at a commit. */
  noteSize(): boolean;
  distrust(): void;
  noteClosed(): void;
}

// SQLite's WAL-index format: the first block holds the first 4062 frames. LiteFS never cuts it to less.
const blockBytes = 32_768;

/** A process that has mapped a second block dies (SIGBUS) if it writes there after the cut. SQLite unmaps it with its last handle. */
export function createSharedIndex(path: string): SharedIndex {
  let file: string | null = null;
  let mapped = 0;

  function size(): number | null {
    try {
      file ??= `${realpathSync(path)}-shm`;
      return statSync(file).size;
    } catch {
      return null;
    }
  }

  return {
    isCut: () => mapped > blockBytes && (size() ?? 0) < mapped,
    noteSize() {
      const now = size();
      mapped = Math.max(mapped, now ?? Number.POSITIVE_INFINITY);
      return now !== null;
    },
    distrust() {
      mapped = Number.POSITIVE_INFINITY;
    },
    noteClosed() {
      mapped = 0;
      // A statement that is unused but not collected yet also keeps the file mapped.
      if (file !== null && isMapped(file)) collectGarbage();
    },
  };
}

function isMapped(file: string): boolean {
  try {
    return readFileSync('/proc/self/maps', 'utf8').includes(file);
  } catch {
    // LiteFS exists only for Linux; elsewhere only tests come here.
    return false;
  }
}
