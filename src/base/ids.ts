// Public identifiers: ULIDs that increase within a millisecond, so that their order is the order of creation.

import { randomBytes } from 'node:crypto';
import { decodeTime, monotonicFactory } from 'ulid';
import type { Instant } from './clock.ts';

// The library asks for a random number per character; a pool turns hundreds of them into one system call.
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

// Further ahead than any wrong clock: an import may contain any ULID.
const farthestMs = 100 * 365 * 24 * 60 * 60 * 1000;

export function continueUlids(newest: string, now: Instant): void {
  const at = decodeTime(newest.toUpperCase());
  if (at >= now && at < now + farthestMs) next(at + 1);
}
