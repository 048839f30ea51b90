// Copies a kept log into the database file: parts of it on another thread, and the last few frames just before it ends.

import { accessSync, closeSync, constants, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { monotonicMs } from '../../base/clock.ts';
import { type Checkpoint, startCheckpoint } from '../../platform/bun/checkpoint-thread.ts';
import { autoCheckpointFrames, beginAtOnce, type Opened, type Synchronous, touch } from '../handles.ts';
import type { WalArchive } from './archive.ts';
import type { LogGuard } from './guard.ts';

export interface LogPace {
  /** When the file lacks this many frames of the log, the other thread copies them. */
  partFrames: number;
  /** The most frames to copy on the event loop when the log ends. */
  lastFrames: number;
  /** At this length the log ends and the database is reopened. After a crash the whole log is read. */
  longBytes: number;
  /** The delay before a retry if another process has the database open or the disk is full or fails. */
  againMs: number;
}

// 8 MB at a time: syncing more delays the commits of the desk.
export const usualPace: LogPace = { partFrames: 2000, lastFrames: 500, longBytes: 64 * 1000 * 1000, againMs: 5000 };

// More free space than reopening the database and copying its old log can need.
export const roomToOpen = 64 * 1024 * 1024;

interface LogUpkeep {
  /** Starts a copy if one is due, and throws the error of the last one. Returns whether the log should end now. */
  tend(mayEnd: boolean): boolean;
  /** Copies until no more than `lastFrames` are left, or other readers allow no more. */
  copyMost(): Promise<void>;
  ended(): Promise<void>;
  /** Blocks until no copy is running. Call it before the database is closed. */
  finish(): void;
  /** Not while another process reads an older state, and not if the database might not reopen, as on a full disk. */
  mayEnd(writing: Opened, reading: Opened): boolean;
}

function tryFile(path: string): void {
  const file = openSync(path, 'w', 0o600);
  try {
    writeSync(file, 'x');
    fsyncSync(file);
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}

// Under a load that writes faster than the thread copies, the log ends after this many copies all the same.
const mostCopies = 6;

/** @param again called when a log that should end has been copied further */
export function createLogUpkeep(
  path: string,
  synchronous: Synchronous,
  archive: WalArchive,
  guard: LogGuard,
  pace: LogPace,
  again: () => void,
): LogUpkeep {
  let running: { checkpoint: Checkpoint; ended: Promise<boolean> } | null = null;
  let fault: Error | null = null;
  let copyNotBefore = 0;
  let endNotBefore = 0;
  let copiesOfLongLog = 0;

  function moveGuard(frames: number): void {
    if (frames > (guard.frames() ?? 0)) guard.move(frames);
  }

  /** Resolves with whether the database is still open. */
  function copy(frames: number): Promise<boolean> {
    if (archive.unsupported === null) moveGuard(frames);
    const checkpoint = startCheckpoint(path, synchronous, synchronous === 'OFF' ? null : archive.databaseFile());
    const ended = checkpoint.ended.then((error) => {
      // After `finish` the database is closed.
      if (running?.checkpoint !== checkpoint) return false;
      running = null;
      fault = error;
      const isHindered = error !== null || (archive.index()?.backfilled ?? 0) < frames;
      if (isHindered) copyNotBefore = monotonicMs() + pace.againMs;
      return true;
    });
    running = { checkpoint, ended };
    return ended;
  }

  function copyLongLog(frames: number): void {
    copiesOfLongLog += 1;
    copy(frames)
      .then((isOpen) => {
        if (isOpen && monotonicMs() >= copyNotBefore) again();
      })
      .catch((error) => {
        fault = error;
      });
  }

  const lacking = () => {
    const index = archive.index();
    return { frames: index?.frames ?? 0, left: index === null ? 0 : index.frames - index.backfilled };
  };

  function throwFault(): void {
    const told = fault;
    fault = null;
    if (told !== null) throw told;
  }

  function finish(): void {
    running?.checkpoint.finish();
    running = null;
  }

  return {
    tend(mayEnd) {
      throwFault();
      if (running !== null) return false;
      const { frames, left } = lacking();
      const now = monotonicMs();
      if (archive.unsupported !== null) {
        if (left >= autoCheckpointFrames && now >= copyNotBefore) void copy(frames);
        return false;
      }
      if (guard.frames() === null) {
        if (frames > 0) guard.move(frames);
        return false;
      }
      const isLong = mayEnd && now >= endNotBefore && archive.logBytes() >= pace.longBytes;
      if (!isLong) {
        copiesOfLongLog = 0;
        if (left > pace.partFrames && now >= copyNotBefore) void copy(frames);
      } else if (left <= pace.lastFrames || copiesOfLongLog >= mostCopies || now < copyNotBefore) return true;
      else copyLongLog(frames);
      return false;
    },
    copyMost() {
      const more = (copies: number): Promise<void> => {
        const { frames, left } = lacking();
        if (copies === 0 || left <= pace.lastFrames || monotonicMs() < copyNotBefore) return Promise.resolve();
        return copy(frames).then((isOpen) => (isOpen ? more(copies - 1) : undefined));
      };
      if (archive.unsupported !== null || guard.frames() === null) return Promise.resolve();
      return running === null
        ? more(mostCopies)
        : running.ended.then((isOpen) => (isOpen ? more(mostCopies) : undefined));
    },
    ended: () => running?.ended.then(() => undefined) ?? Promise.resolve(),
    finish,
    mayEnd(writing, reading) {
      finish();
      endNotBefore = monotonicMs() + pace.againMs;
      copiesOfLongLog = 0;
      try {
        const { frames } = lacking();
        if (!mayReopen(path)) return false;
        if (frames === 0) return true;
        moveGuard(frames);
        return copyRest(archive, writing, reading, frames);
      } catch {
        return false;
      }
    },
  };
}

/** Whether the database could surely be opened again after it is closed. */
function mayReopen(path: string): boolean {
  const folder = dirname(path);
  accessSync(path, constants.R_OK | constants.W_OK);
  accessSync(folder, constants.W_OK | constants.X_OK);
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize <= roomToOpen) return false;
  tryFile(join(folder, '.try.partial'));
  return true;
}

/** Leaves a last, empty commit, so that SQLite cannot restart the log. False if it is read in an older state. */
function copyRest(archive: WalArchive, writing: Opened, reading: Opened, frames: number): boolean {
  beginAtOnce(writing.client, () => writing.client.run('BEGIN IMMEDIATE'));
  try {
    archive.enter();
    touch(writing);
    writing.client.run('COMMIT');
  } catch (error) {
    if (writing.client.inTransaction) writing.client.run('ROLLBACK');
    archive.cutTail();
    throw error;
  }
  const taken = reading.client
    .query<{ busy: number; checkpointed: number }, []>('PRAGMA wal_checkpoint(PASSIVE)')
    .get();
  return taken !== null && taken.busy === 0 && taken.checkpointed >= frames;
}
