// Copies a kept log into the database file: parts of it on another thread, and the last few frames just before it ends.

import { accessSync, closeSync, constants, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { monotonicMs } from '../../base/clock.ts';
import { type Checkpoint, startCheckpoint } from '../../platform/checkpoint-thread.ts';
import { autoCheckpointFrames, beginAtOnce, type Opened, type Synchronous, touch } from '../handles.ts';
import { isBusy } from '../sqlite-errors.ts';
import type { WalArchive } from './archive.ts';
import type { LogGuard } from './guard.ts';

export interface LogPace {
  /** When the file lacks this many frames of the log, the other thread copies them. */
  partFrames: number;
  /** The most frames to copy on the event loop when the log ends. */
  lastFrames: number;
  /** At this length the log ends and the database is reopened. A start after a crash reads the whole log, twice. */
  longBytes: number;
  /** The delay before a retry if another process has the database open or the disk is full or fails. */
  againMs: number;
}

// 4 to 8 MB at a time: syncing more delays the commits of the desk.
export const usualPace: LogPace = { partFrames: 2000, lastFrames: 500, longBytes: 40 * 1000 * 1000, againMs: 5000 };

// More free space than reopening the database and copying its old log can need.
export const roomToOpen = 64 * 1024 * 1024;

interface LogUpkeep {
  /** Starts a copy if one is due, and throws the error of the last one. Returns whether the log should end now. */
  tend(mayEnd: boolean, writing: () => Opened): boolean;
  /** Copies until no more than `lastFrames` are left, or other readers allow no more. */
  copyMost(writing: () => Opened): Promise<void>;
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

/** Copies what the guard allows on the other thread, one copy at a time. */
function createCopies(path: string, synchronous: Synchronous, archive: WalArchive, guard: LogGuard, pace: LogPace) {
  let running: { checkpoint: Checkpoint; ended: Promise<boolean> } | null = null;
  let fault: unknown = null;
  let notBefore = 0;
  /** The guarded frames of the last copy. */
  let copied = 0;

  const lacking = () => {
    const index = archive.index();
    return { frames: index?.frames ?? 0, left: index === null ? 0 : index.frames - index.backfilled };
  };

  const waitAfter = (error: unknown) => {
    fault = error;
    notBefore = monotonicMs() + pace.againMs;
  };

  /** Resolves with whether the database is still open. */
  function copy(): Promise<boolean> {
    const wanted = guard.frames() ?? 0;
    const checkpoint = startCheckpoint(path, synchronous, synchronous === 'OFF' ? null : archive.databaseFile());
    const ended = checkpoint.ended.then((error) => {
      // After `finish` the database is closed.
      if (running?.checkpoint !== checkpoint) return false;
      running = null;
      copied = wanted;
      if (error !== null || (archive.index()?.backfilled ?? 0) < wanted) waitAfter(error);
      return true;
    });
    running = { checkpoint, ended };
    return ended;
  }

  /** Guards all commits but a last, empty one, so that the file never has the whole log. False if another process writes. */
  function guardAll(writing: Opened): boolean {
    const { frames, left } = lacking();
    if (left > 0 && frames > (guard.frames() ?? 0)) guard.move();
    return commitNothing(archive, writing);
  }

  function copyAll(writing: Opened): Promise<boolean> {
    try {
      if (guardAll(writing)) return copy();
      waitAfter(null);
    } catch (error) {
      waitAfter(error);
    }
    return Promise.resolve(true);
  }

  return {
    lacking,
    guardAll,
    copy,
    copyAll,
    isRunning: () => running !== null,
    mayRun: () => monotonicMs() >= notBefore,
    /** Copies what is before the guard, which moves only after that and after another commit. */
    copyPart(writing: Opened) {
      const { frames, left } = lacking();
      const held = guard.frames() ?? 0;
      if (frames <= held) void copyAll(writing);
      else if (copied >= held || frames - left >= held) guard.move();
      else void copy();
    },
    ended: () => running?.ended ?? Promise.resolve(true),
    fail(error: unknown) {
      fault = error;
    },
    throwFault() {
      const told = fault;
      fault = null;
      if (told !== null) throw told;
    },
    finish() {
      running?.checkpoint.finish();
      running = null;
      copied = 0;
    },
  };
}

/** @param again called when a log that should end has been copied further */
export function createLogUpkeep(
  path: string,
  synchronous: Synchronous,
  archive: WalArchive,
  guard: LogGuard,
  pace: LogPace,
  again: () => void,
): LogUpkeep {
  const copies = createCopies(path, synchronous, archive, guard, pace);
  let endNotBefore = 0;
  let copiesOfLongLog = 0;

  function copyLongLog(writing: Opened): void {
    copiesOfLongLog += 1;
    copies
      .copyAll(writing)
      .then((isOpen) => {
        if (isOpen && copies.mayRun()) again();
      })
      .catch(copies.fail);
  }

  return {
    tend(mayEnd, writing) {
      copies.throwFault();
      if (copies.isRunning()) return false;
      const { left } = copies.lacking();
      if (archive.unsupported !== null) {
        if (left >= autoCheckpointFrames && copies.mayRun()) void copies.copy();
        return false;
      }
      if (guard.frames() === null) {
        if (left > 0) guard.move();
        return false;
      }
      const isLong = mayEnd && monotonicMs() >= endNotBefore && archive.logBytes() >= pace.longBytes;
      if (!isLong) {
        copiesOfLongLog = 0;
        if (left > pace.partFrames && copies.mayRun()) copies.copyPart(writing());
      } else if (left <= pace.lastFrames || copiesOfLongLog >= mostCopies || !copies.mayRun()) return true;
      else copyLongLog(writing());
      return false;
    },
    copyMost(writing) {
      const more = (most: number): Promise<void> => {
        if (most === 0 || copies.lacking().left <= pace.lastFrames || !copies.mayRun()) return Promise.resolve();
        return copies.copyAll(writing()).then((isOpen) => (isOpen ? more(most - 1) : undefined));
      };
      if (archive.unsupported !== null || guard.frames() === null) return Promise.resolve();
      return copies
        .ended()
        .then((isOpen) => (isOpen ? more(mostCopies) : undefined))
        .catch(copies.fail);
    },
    ended: () => copies.ended().then(() => undefined),
    finish: copies.finish,
    mayEnd(writing, reading) {
      copies.finish();
      endNotBefore = monotonicMs() + pace.againMs;
      copiesOfLongLog = 0;
      try {
        const { frames } = copies.lacking();
        if (!mayReopen(path)) return false;
        if (frames === 0) return true;
        return copies.guardAll(writing) && copyRest(reading, frames);
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

/** Returns false if another process writes just now. */
function commitNothing(archive: WalArchive, writing: Opened): boolean {
  try {
    beginAtOnce(writing.client, () => writing.client.run('BEGIN IMMEDIATE'));
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
  try {
    archive.enter();
    touch(writing);
    writing.client.run('COMMIT');
    return true;
  } catch (error) {
    if (writing.client.inTransaction) writing.client.run('ROLLBACK');
    archive.cutTail();
    throw error;
  }
}

/** False if another process reads an older state. */
function copyRest(reading: Opened, frames: number): boolean {
  const taken = reading.client
    .query<{ busy: number; checkpointed: number }, []>('PRAGMA wal_checkpoint(PASSIVE)')
    .get();
  return taken !== null && taken.busy === 0 && taken.checkpointed >= frames;
}
