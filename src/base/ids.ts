// Public identifiers: ULIDs that rise within a millisecond, so that their order is the order of creation.

import { randomBytes } from 'node:crypto';
import { decodeTime, monotonicFactory } from 'ulid';
import type { Instant } from './clock.ts';

// The library asks for one random number a character; a pool makes that one system call for hundreds.
const pool = Buffer.alloc(4096);
let used = pool.length;
function randomUnit(): number {
  if (used + 2 > pool.length) {
    randomBytes(pool.length).copy(pool);
    used = 0;
  }
  const value = pool.readUInt16LE(used);
  used += 2;
  return value / 65536;
}
const next = monotonicFactory(randomUnit);

export function newUlid(at: Instant): string {
  return next(at);
}

// Further ahead than any clock is wrong: what an import brought may hold anything.
const farthestMs = 100 * 365 * 24 * 60 * 60 * 1000;

/** Has those to come rise above one that was given before, when the clock may have been ahead. */
export function continueUlids(newest: string, now: Instant): void {
  const at = decodeTime(newest.toUpperCase());
  if (at >= now && at < now + farthestMs) next(at + 1);
}
