// Room on the disks of the desk and of LiteFS, which ends itself when it cannot write.

import { freeBytesOf } from '../base/disk.ts';
import { DeskError } from '../domain/errors.ts';

export interface Room {
  /** Whether the disks take what arrives and, on the primary, what is written. */
  isEnough(): boolean;
  /** Whether they do for some time, so that this machine may be the primary. */
  isEnoughForPrimary(): boolean;
  /** Throws `unavailable`. */
  require(): void;
  stop(): void;
}

// One commit writes a few megabytes to SQLite's log and the same to LiteFS's files.
const leastBytes = 16 * 1024 * 1024;
export const primaryBytes = 64 * 1024 * 1024;
// Not at each write: what is true before a transaction must be true after it.
const lookEveryMs = 250;

/** @param paths on a mount of LiteFS, it answers what its own disk has */
export function createRoom(paths: readonly string[], freeBytes: (path: string) => number = freeBytesOf): Room {
  const look = () => Math.min(...paths.map(freeBytes));
  let left = look();
  const timer = setInterval(() => {
    try {
      left = look();
    } catch {
      // The mount has gone, which is noticed elsewhere.
    }
  }, lookEveryMs);
  timer.unref();
  const isEnough = () => left >= leastBytes;
  return {
    isEnough,
    isEnoughForPrimary: () => left >= primaryBytes,
    require() {
      if (isEnough()) return;
      throw new DeskError('unavailable', 'The disk of the primary is full; nothing was stored.', {
        reason: 'storage_unavailable',
        retryAfterSeconds: 5,
      });
    },
    stop: () => clearInterval(timer),
  };
}
