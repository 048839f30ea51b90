// A copy of the database made from the newest snapshot and the logs since: reading it keeps no log from ending.

import { readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { monotonicMs } from '../base/clock.ts';
import { freeBytesOf } from '../base/disk.ts';
import { copyInParts, removeInParts } from '../base/large-file.ts';
import { createDesk, type Desk } from '../desk/desk.ts';
import { openStore, type Store } from '../engine/database.ts';
import type { DataDirectory } from './directory.ts';
import { databaseName } from './layout.ts';
import { applyLogs } from './moments.ts';
import { copyPinned, isAnchored, listSnapshots, patientPosition } from './snapshots.ts';

/** Does not hold the database open. Returns whether that was possible; if not, no file is left. */
export async function copyFromHistory(data: DataDirectory, to: string): Promise<boolean> {
  const { store } = data.desk;
  const [folder, archive] = [join(data.path, 'backups'), join(data.path, 'wal')];
  if (store.archive === null || store.archive.unsupported !== null) return false;
  const position = await patientPosition(store);
  const newest = listSnapshots(folder).at(-1);
  if (newest === undefined || !isAnchored(folder, archive, position)) return false;
  store.rest();
  try {
    await copyInParts(newest.path, to);
    if (applyLogs(to, archive, newest.position, position).brokenAt === null) return true;
  } catch (error) {
    // A running desk has taken newer snapshots meanwhile, and removed this one or its logs.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
      await removeInParts(to);
      throw error;
    }
  }
  await removeInParts(to);
  return false;
}

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

/** Removes what commands left that did not end by themselves. */
export async function clearCopies(path: string): Promise<void> {
  for (const name of readdirSync(path)) {
    const pid = Number(copyName.exec(name)?.[1] ?? Number.NaN);
    if (pid === process.pid || (!Number.isNaN(pid) && !isRunning(pid))) await removeInParts(join(path, name));
  }
}

function isWorthCopying(path: string, leastBytes: number): boolean {
  const { size } = statSync(join(path, databaseName), { throwIfNoEntry: false }) ?? { size: 0 };
  return size >= leastBytes && freeBytesOf(path) >= 3 * size;
}

export interface Copy {
  path: string;
  clear(): Promise<void>;
}

export async function copyIn(path: string): Promise<Copy> {
  const copy = { path: join(path, `.detached-${process.pid}.db`), clear: () => clearCopies(path) };
  await copy.clear();
  return copy;
}

/** A desk for long reads; the running one itself if it is small or a copy would not fit. */
export async function detach(
  data: DataDirectory,
  leastBytes = smallBytes,
): Promise<{ desk: Desk; close(): Promise<void> }> {
  const itself = { desk: data.desk, close: () => Promise.resolve() };
  if (!isWorthCopying(data.path, leastBytes)) return itself;
  const copy = await copyIn(data.path);
  if (!(await copyFromHistory(data, copy.path))) return itself;
  const store = openStore(copy.path, 'OFF');
  return {
    desk: createDesk(store, data.desk.seal, data.desk.clock),
    close() {
      store.close();
      return copy.clear();
    },
  };
}

/** For a desk that runs. As the pages are on disk. Null if the database is small or cannot be copied: then examine the original. */
export async function copyToExamine(path: string, leastBytes = smallBytes): Promise<Copy | null> {
  if (!isWorthCopying(path, leastBytes)) return null;
  const copy = await copyIn(path);
  let store: Store | null = null;
  try {
    store = openStore(join(path, databaseName), 'FULL', join(path, 'wal'));
    const pinned = store.pin();
    try {
      // Without hard links the log has no name from which it could be read.
      if (store.archive?.unsupported !== null) return null;
      await using file = await open(copy.path, 'wx', 0o600);
      await copyPinned(pinned, file, { isKept: false });
    } finally {
      pinned.release();
    }
    return copy;
  } catch {
    await copy.clear();
    return null;
  } finally {
    store?.close();
  }
}

// A running desk checks its log at least this often, and ends it when no other process has it open.
const longestWaitMs = 12_000;
const lookEveryMs = 20;

// A running desk ends its own log sooner; closing the database that often would cost more than it gains.
const reliefBytes = 240 * 1000 * 1000;

/** Call it between the transactions of a long writer: lets a long log end, and waits some seconds for that. */
export function createLogRelief(store: Store, longBytes = reliefBytes): () => Promise<void> {
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
    // Another process has the database open and continues with the same log.
    relieveAt = size + longBytes;
  };
}
