// Spreads out bursts: returns how long each event of a key has to wait.

import type { Instant } from '../base/clock.ts';

// Bounds the memory that untrusted senders can take.
const maxKeys = 50_000;

export interface Pace {
  /** Takes the next place of this key; answers how many milliseconds it is away. */
  takeTurn(key: string, now: Instant): number;
}

/** @param perMinute as many may come at once; 0 lets everybody through */
export function createPace(perMinute: number): Pace {
  const gapMs = perMinute === 0 ? 0 : 60_000 / perMinute;
  // When each would be done, if all that it sent so far had come one gap after the other.
  const doneAt = new Map<string, number>();

  function forget(now: Instant): void {
    for (const [key, at] of doneAt) if (at <= now) doneAt.delete(key);
    for (const [key] of doneAt) {
      if (doneAt.size < maxKeys) return;
      doneAt.delete(key);
    }
  }

  return {
    takeTurn(key, now) {
      if (perMinute === 0) return 0;
      if (doneAt.size >= maxKeys) forget(now);
      const at = Math.max(now, doneAt.get(key) ?? now) + gapMs;
      doneAt.set(key, at);
      return Math.max(0, Math.ceil(at - now - perMinute * gapMs));
    },
  };
}
