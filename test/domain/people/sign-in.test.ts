// How long links and sessions live, and how long failed sign-ins delay the next one.

import { expect, test } from 'bun:test';
import { delayAfter, linkLifetimesMs, sessionEndsAt } from '../../../src/domain/people/sign-in.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

test('four failures cost nothing, the fifth a second, and each further one twice as much up to a minute', () => {
  expect([0, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1000, 1e9].map((failures) => delayAfter(failures) / 1000)).toEqual([
    0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60,
  ]);
});

test('a session ends 14 days after its last use and 90 days after it began', () => {
  expect(sessionEndsAt({ createdAt: 0, lastUsedAt: 5 })).toBe(14 * dayMs + 5);
  expect(sessionEndsAt({ createdAt: 0, lastUsedAt: 80 * dayMs })).toBe(90 * dayMs);
});

test('an invitation lives a week, a reset an hour, a one-time link a quarter of one, and a setup link until it is used', () => {
  const { setup, ...others } = linkLifetimesMs;
  expect(others).toEqual({ invitation: 7 * dayMs, reset: 60 * minuteMs, sign_in: 15 * minuteMs });
  expect(setup).toBeGreaterThan(365 * dayMs);
});
