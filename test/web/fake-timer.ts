// A clock for tests of browser code: time passes only when the test says so.

import type { Timer } from '../../src/web/shared/clock.ts';

interface FakeTimer extends Timer {
  /** Lets time pass, and what is due in it happens in order. */
  pass(ms: number): Promise<void>;
}

export function fakeTimer(): FakeTimer {
  let at = 0;
  let due: { at: number; act: () => void }[] = [];
  return {
    now: () => at,
    later(ms, act) {
      const one = { at: at + ms, act };
      due.push(one);
      return () => {
        due = due.filter((other) => other !== one);
      };
    },
    async pass(ms) {
      const end = at + ms;
      for (;;) {
        // What was promised comes before what is due next.
        await new Promise((resolve) => setImmediate(resolve));
        const next = due.filter((one) => one.at <= end).sort((one, other) => one.at - other.at)[0];
        if (next === undefined) break;
        due = due.filter((one) => one !== next);
        at = Math.max(at, next.at);
        next.act();
      }
      at = end;
    },
  };
}
