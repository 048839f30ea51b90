// The only reader of the clock. A moment is a number of milliseconds since 1970-01-01T00:00:00Z.

import { uptime } from 'node:os';

export type Instant = number;

export interface Clock {
  now(): Instant;
}

export const systemClock: Clock = { now: () => Date.now() };

/** The wall clock moved by a different amount than the time that passed. */
export interface ClockJump {
  before: Instant;
  after: Instant;
  isSuspension: boolean;
}

interface Readings {
  wall: Instant;
  awake: number;
  sinceBoot: number;
}

const readClocks = (): Readings => ({ wall: Date.now(), awake: performance.now(), sinceBoot: uptime() * 1000 });

const jumpMs = 60 * 60 * 1000;

/** The returned function reports jumps of more than an hour since its last call; call it often. */
export function watchClock(read: () => Readings = readClocks): () => ClockJump | null {
  let last = read();
  return () => {
    const now = read();
    const passed = now.awake - last.awake;
    const by = now.wall - last.wall - passed;
    const slept = now.sinceBoot - last.sinceBoot - passed;
    last = now;
    if (Math.abs(by) <= jumpMs) return null;
    return { before: Math.round(now.wall - by), after: now.wall, isSuspension: Math.abs(by - slept) <= jumpMs };
  };
}

// After a jump it is unknown for this long whether the clock was wrong before or is wrong now.
export const doubtfulMs = 24 * 60 * 60 * 1000;
const recentJumps: { by: number; until: number }[] = [];

/** Delays expiry for a day after a jump. @param ageMs how long ago the jump was */
export function noteJump({ before, after, isSuspension }: ClockJump, ageMs = 0): void {
  if (!isSuspension) recentJumps.push({ by: after - before, until: performance.now() + doubtfulMs - ageMs });
}

/**
 * Behind `now` by forward jumps of the last day: a clock that is wrong for a while must not expire things.
 * @param present of `monotonicMs`
 */
export function settled(now: Instant, present = performance.now()): Instant {
  if (recentJumps.length === 0) return now;
  const ahead = recentJumps.filter(({ until }) => until > present).reduce((sum, { by }) => sum + by, 0);
  return now - Math.max(0, ahead);
}

export function monotonicMs(): number {
  return performance.now();
}

/** Time until a moment of `monotonicMs`, at least 0, because the runtime warns of negative timers. */
export function untilMs(at: number): number {
  return Math.max(0, at - monotonicMs());
}

export function toWire(at: Instant): string;
export function toWire(at: Instant | null): string | null;
export function toWire(at: Instant | null): string | null {
  return at === null ? null : textOf(at);
}

const maxTexts = 4096;
const texts = new Map<Instant, string>();

function textOf(at: Instant): string {
  let text = texts.get(at);
  if (text === undefined) {
    text = new Date(at).toISOString();
    if (texts.size >= maxTexts) texts.clear();
    texts.set(at, text);
  }
  return text;
}
