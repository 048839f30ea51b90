// The only reader of the clock. A moment is a number of milliseconds since 1970-01-01T00:00:00Z.

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
