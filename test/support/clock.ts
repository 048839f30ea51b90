// A clock that stands still until a test moves it.

import type { Clock, Instant } from '../../src/base/clock.ts';

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
