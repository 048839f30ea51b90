// The two handles of a desk, one for writing and one for reading, which are closed and reopened when a log ends.

import { existsSync } from 'node:fs';
import { collectGarbage } from '#platform/runtime.ts';
import { monotonicMs } from '../base/clock.ts';
import type { Statement } from '../platform/sqlite.ts';
import { letGo, type Opened, open, openFileOnly, type Synchronous } from './handles.ts';
import { isInUseElsewhere } from './in-use.ts';
import type { SharedIndex } from './shared-index.ts';
import type { WalArchive } from './wal/archive.ts';

interface Handles {
  isOpen(): boolean;
  writing(): Opened;
  /** Reads only the database file while it cannot be reopened with its log. */
  reading(): Opened;
  dataVersion(): number;
  /** Closes both until their next use. Returns whether, as far as known, no other process has the database open. */
  rest(): boolean;
  /** Closes and reopens both. Returns what `rest` returns. */
  renew(): boolean;
  close(): void;
}

const reopenEveryMs = 1000;

/** @param beforeClose closes everything else that this process has open of the database */
export function openHandles(
  path: string,
  synchronous: Synchronous,
  archive: WalArchive | null,
  index: SharedIndex | null,
  beforeClose: () => void,
): Handles {
  const keeping = archive !== null ? 'archived' : index !== null ? 'replicated' : 'plain';
  let writing: Opened;
  let reading: Opened;
  let version: Statement<{ data_version: number }, []>;
  let reopenings = 0;
  let isOpen = false;
  // Used for reads while the database cannot be reopened.
  let fileOnly: Opened | null = null;
  let reopenAt = 0;

  function openBoth(): void {
    const first = open(path, synchronous, keeping);
    try {
      reading = open(path, synchronous, keeping);
      reading.client.run('PRAGMA query_only = ON');
      version = reading.client.prepare<{ data_version: number }, []>('PRAGMA data_version');
    } catch (error) {
      letGo(first);
      throw error;
    }
    writing = first;
    archive?.adopt();
    isOpen = true;
  }

  function closeBoth(): boolean {
    isOpen = false;
    beforeClose();
    letGo(reading);
    letGo(writing);
    index?.noteClosed();
    // A statement that is unused but not collected yet also holds the file open.
    if (archive !== null && existsSync(`${path}-wal`) && !isInUseElsewhere(path)) collectGarbage();
    return archive?.closed() ?? true;
  }

  function reopen(): void {
    openBoth();
    reopenings += 1;
    if (fileOnly !== null) letGo(fileOnly);
    fileOnly = null;
  }

  openBoth();
  return {
    isOpen: () => isOpen,
    writing() {
      if (!isOpen) reopen();
      return writing;
    },
    reading() {
      if (isOpen) return reading;
      const now = monotonicMs();
      if (fileOnly !== null && now < reopenAt) return fileOnly;
      reopenAt = now + reopenEveryMs;
      try {
        reopen();
      } catch (error) {
        if (fileOnly === null) throw error;
        return fileOnly;
      }
      return reading;
    },
    dataVersion: () => reopenings * 2 ** 32 + (isOpen ? (version.get()?.data_version ?? 0) : 0),
    rest: closeBoth,
    renew() {
      fileOnly = openFileOnly(path);
      const wasLast = closeBoth();
      try {
        reopen();
      } catch {
        // The disk has failed in between: reads use only the file, and the next caller tries again.
      }
      return wasLast;
    },
    close() {
      if (isOpen) closeBoth();
      if (fileOnly !== null) letGo(fileOnly);
    },
  };
}
