// Spreads out bursts: returns how long each event of a key has to wait.

import type { Instant } from '../base/clock.ts';

// Limits the memory that untrusted senders can use.
const maxKeys = 50_000;

export interface Pace {
  /** Takes the next place of this key; returns how many milliseconds it has to wait. */
  takeTurn(key: string, now: Instant): number;
}

/** @param perMinute also the size of a burst; 0 for no limit */
export function createPace(perMinute: number): Pace {
  const gapMs = perMinute === 0 ? 0 : 60_000 / perMinute;
  // The time when each key's events would be done if they had come evenly.
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
