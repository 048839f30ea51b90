// The database as it is now, in a file of one's own, made from the newest snapshot and the logs since: whoever reads that
// keeps no log from ending, however long it takes.

import { readdirSync, rmSync, statSync } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { join } from 'node:path';
import { freeBytesOf } from '../base/disk.ts';
import type { DataDirectory } from './directory.ts';
import { createDesk, type Desk } from '../desk/desk.ts';
import { monotonicMs } from '../base/clock.ts';
import { openStore, rotateBytes, type Store } from '../store/database.ts';
import { bringForward } from './moments.ts';
import { copyPinned, isAnchored, listSnapshots, patientPosition } from './snapshots.ts';

/**
 * Writes what the database has now to a file that is not there yet, and lets go of the database.
 * @returns whether that could be done; where not, nothing is left
 */
export async function copyFromHistory(data: DataDirectory, to: string): Promise<boolean> {
  const { store } = data.desk;
  const [folder, archive] = [join(data.path, 'backups'), join(data.path, 'wal')];
  if (store.archive === null || store.archive.unsupported !== null) return false;
  const position = await patientPosition(store);
  const newest = listSnapshots(folder).at(-1);
  if (newest === undefined || !isAnchored(folder, archive, position)) return false;
  store.rest();
  try {
    await copyFile(newest.path, to);
    if (bringForward(to, archive, newest.position, position).brokenAt === null) return true;
  } catch (error) {
    // A running desk has taken other snapshots meanwhile, and removed this one or its logs.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
      rmSync(to, { force: true });
      throw error;
    }
  }
  rmSync(to, { force: true });
  return false;
}

// What is read in a second or two holds nobody up.
const smallBytes = 256 * 1024 * 1024;
const copyName = /^\.detached-(\d+)\.db(?:-wal|-shm)?$/;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Removes the copies of this process, and of those that were killed before they could. */
function clearCopies(path: string): void {
  for (const name of readdirSync(path)) {
    const pid = Number(copyName.exec(name)?.[1] ?? Number.NaN);
    if (pid === process.pid || (!Number.isNaN(pid) && !isRunning(pid))) rmSync(join(path, name), { force: true });
  }
}

/** Whether a copy of the database pays, and has room in its directory. */
function isWorthCopying(path: string, leastBytes: number): boolean {
  const { size } = statSync(join(path, 'helpdesk.db'), { throwIfNoEntry: false }) ?? { size: 0 };
  return size >= leastBytes && freeBytesOf(path) >= 3 * size;
}

interface Copy {
  path: string;
  /** Removes it. */
  clear(): void;
}

function copyIn(path: string): Copy {
  const copy = { path: join(path, `.detached-${process.pid}.db`), clear: () => clearCopies(path) };
  copy.clear();
  return copy;
}

/** A desk for reading at length; the running one itself where that is quick, or where there is no room for a copy. */
export async function detach(data: DataDirectory, leastBytes = smallBytes): Promise<{ desk: Desk; close(): void }> {
  const itself = { desk: data.desk, close: () => undefined };
  if (!isWorthCopying(data.path, leastBytes)) return itself;
  const copy = copyIn(data.path);
  if (!(await copyFromHistory(data, copy.path))) return itself;
  const store = openStore(copy.path, 'OFF');
  return {
    desk: createDesk(store, data.desk.seal, data.desk.clock),
    close() {
      store.close();
      copy.clear();
    },
  };
}

/**
 * Every page of the database as it lies on the disk now, for examining at length: the log is held for the copying alone.
 * Null where nobody has a log there, the database is small, or it cannot be copied: then it is examined itself.
 */
export async function copyToExamine(path: string, leastBytes = smallBytes): Promise<Copy | null> {
  const log = statSync(join(path, 'helpdesk.db-wal'), { throwIfNoEntry: false });
  if ((log?.size ?? 0) === 0 || !isWorthCopying(path, leastBytes)) return null;
  const copy = copyIn(path);
  let store: Store | null = null;
  try {
    store = openStore(join(path, 'helpdesk.db'), 'FULL', join(path, 'wal'));
    const pinned = store.pin();
    try {
      // Without hard links the log has no name from which it could be read.
      if (store.archive?.unsupported !== null) return null;
      const file = await open(copy.path, 'wx', 0o600);
      try {
        await copyPinned(pinned, file, { isKept: false });
      } finally {
        await file.close();
      }
    } finally {
      pinned.release();
    }
    return copy;
  } catch {
    // A page that cannot be read, a writer that does not end: the examination itself meets it, and tells.
    copy.clear();
    return null;
  } finally {
    store?.close();
  }
}

// A running desk looks at its log at least this often, and ends it when nobody else has it open.
const longestWaitMs = 12_000;
const lookEveryMs = 20;

/**
 * For who writes at length beside a running desk, to be called between transactions: lets a log that has grown long end,
 * and waits for it for some seconds.
 */
export function createLogRelief(store: Store, longBytes = rotateBytes): () => Promise<void> {
  let relieveAt = longBytes;
  return async () => {
    const path = store.archive?.segmentPath() ?? null;
    if (path === null) return;
    const { size } = statSync(path);
    if (size < relieveAt) return;
    relieveAt = longBytes;
    if (store.rest()) return;
    // The log is one file with two names until it ends.
    for (const until = monotonicMs() + longestWaitMs; monotonicMs() < until; ) {
      if ((statSync(path, { throwIfNoEntry: false })?.nlink ?? 0) < 2) return;
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
    // Somebody else has the database open, and it goes on with the same log.
    relieveAt = size + longBytes;
  };
}
