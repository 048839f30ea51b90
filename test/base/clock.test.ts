// Jumps of the wall clock: they are noticed, told apart from sleep, and delay expiry.

import { describe, expect, test } from 'bun:test';
import { doubtfulMs, noteJump, settled, watchClock } from '../../src/base/clock.ts';

const hour = 60 * 60 * 1000;
const start = Date.parse('2026-09-11T09:30:00Z');

/** A watch over clocks that the test moves. */
function watched() {
  const clocks = { wall: start, awake: 1000, sinceBoot: 900_000 };
  const ask = watchClock(() => ({ ...clocks }));
  return {
    ask,
    pass(ms: number) {
      for (const name of ['wall', 'awake', 'sinceBoot'] as const) clocks[name] += ms;
    },
    set(by: number) {
      clocks.wall += by;
    },
    sleep(ms: number) {
      clocks.wall += ms;
      clocks.sinceBoot += ms;
    },
  };
}

describe('a jump of the clock', () => {
  test('is none while time passes, however much of it between two looks', () => {
    const { ask, pass, set } = watched();
    for (const ms of [1000, 1000, 50 * hour, 3]) {
      pass(ms);
      expect(ask()).toBeNull();
    }
    for (const small of [900, -900, hour, -hour]) {
      set(small);
      expect(ask()).toBeNull();
    }
  });

  test.each([2 * hour, -2 * hour, 400 * 24 * hour, hour + 1, -hour - 1])('by %d ms is told once', (by) => {
    const { ask, pass, set } = watched();
    pass(5000);
    set(by);
    expect(ask()).toEqual({ before: start + 5000, after: start + 5000 + by, isSuspension: false });
    pass(1000);
    expect(ask()).toBeNull();
  });

  test('of a machine that slept is the harmless kind, and one that was set while it slept is not', () => {
    const { ask, sleep, set } = watched();
    sleep(8 * hour);
    expect(ask()).toEqual({ before: start, after: start + 8 * hour, isSuspension: true });
    sleep(8 * hour);
    set(-3 * hour);
    expect(ask()?.isSuspension).toBe(false);
  });
});

test('what expires waits for a day after the clock was set ahead, and not when it was put right, or slept', () => {
  const now = Date.now();
  const remainingMs = 60_000;
  const age = doubtfulMs - remainingMs;
  const begun = performance.now();
  const jump = (by: number, isSuspension = false) => noteJump({ before: 0, after: by, isSuspension }, age);
  jump(48 * hour, true);
  expect(settled(now, begun)).toBe(now);
  jump(48 * hour);
  expect(settled(now, begun)).toBe(now - 48 * hour);
  jump(-48 * hour);
  expect(settled(now, begun)).toBe(now);
  jump(-5 * hour);
  expect(settled(now, begun)).toBe(now);
  jump(9 * hour);
  expect(settled(now, begun)).toBe(now - 4 * hour);
  expect(settled(now, begun + remainingMs - 1)).toBe(now - 4 * hour);
  expect(settled(now, performance.now() + remainingMs)).toBe(now);
});
