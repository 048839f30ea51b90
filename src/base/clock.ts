// The only reader of the clock. A moment is a number of milliseconds since 1970-01-01T00:00:00Z.

import { uptime } from 'node:os';

/** A moment in epoch milliseconds. */
export type Instant = number;

export interface Clock {
  now(): Instant;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still until it is told to move: for tests and for `sla scan --at`. */
export function fixedClock(start: Instant): Clock & { set(at: Instant): void; advance(ms: number): void } {
  let at = start;
  return {
    now: () => at,
    set: (to) => {
      at = to;
    },
    advance: (ms) => {
      at += ms;
    },
  };
}

/** The wall clock went elsewhere than the time that passed. */
export interface ClockJump {
  /** What the clock would say had it not jumped. */
  before: Instant;
  after: Instant;
  /** The machine slept meanwhile, and the clock is right. */
  isSuspension: boolean;
}

interface Readings {
  wall: Instant;
  /** Counts while the machine is awake. */
  awake: number;
  /** Counts while it sleeps too. */
  sinceBoot: number;
}

const readClocks = (): Readings => ({ wall: Date.now(), awake: performance.now(), sinceBoot: uptime() * 1000 });

const jumpMs = 60 * 60 * 1000;

/** To be asked often: answers how the clock jumped since it was asked last, where that is more than an hour. */
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

// For so long nobody knows whether the clock was wrong before a jump, or is since.
export const doubtfulMs = 24 * 60 * 60 * 1000;
const recentJumps: { by: number; until: number }[] = [];

/** Has what expires wait for a day after the clock has jumped. @param ageMs how long ago that was */
export function noteJump({ before, after, isSuspension }: ClockJump, ageMs = 0): void {
  if (!isSuspension) recentJumps.push({ by: after - before, until: performance.now() + doubtfulMs - ageMs });
}

/**
 * The moment by which something may expire: behind `now` by what the clock has jumped ahead within a day. A clock that
 * is set wrong, and put right later, must not have the desk forget what is kept for hours.
 */
export function settled(now: Instant): Instant {
  if (recentJumps.length === 0) return now;
  const present = performance.now();
  const ahead = recentJumps.filter(({ until }) => until > present).reduce((sum, { by }) => sum + by, 0);
  return now - Math.max(0, ahead);
}

/** Milliseconds on a clock that never goes back, for measuring durations. */
export function monotonicMs(): number {
  return performance.now();
}

/** Milliseconds until a moment of `monotonicMs`; none when it has passed, since the runtime warns of a timer that is negative. */
export function untilMs(at: number): number {
  return Math.max(0, at - monotonicMs());
}

/** The wire's form of a moment, `2026-09-11T09:30:00.000Z` (docs/spec/api.md#conventions). */
export function toWire(at: Instant): string;
export function toWire(at: Instant | null): string | null;
export function toWire(at: Instant | null): string | null {
  return at === null ? null : textOf(at);
}

// A list shows the same few moments many times over.
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
