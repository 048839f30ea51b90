// A deadline in words, as people say a span of time.

import { expect, test } from 'bun:test';
import { deadlineInWords, whenInWords } from '../../../src/domain/sla/deadline.ts';

test.each([
  [0, 'now'],
  [-0.5, 'now'],
  [1, 'in 1 minute'],
  [24, 'in 24 minutes'],
  [60, 'in 1 hour'],
  [-150, '2 hours and 30 minutes ago'],
  [-1441, '1 day ago'],
  [-2 * 1440 - 300, '2 days and 5 hours ago'],
  [-33_743, '23 days ago'],
])('%d minutes are %p', (minutes, words) => {
  expect(whenInWords(minutes)).toBe(words);
});

test('a sentence says what is or was due', () => {
  const dueAt = Date.UTC(2026, 8, 11, 9, 30);
  const say = (minutesRemaining: number) => deadlineInWords({ type: 'resolution', minutesRemaining, dueAt });
  expect([90, 0, -33_743].map(say)).toEqual([
    'The resolution is due in 1 hour and 30 minutes (2026-09-11 09:30 UTC).',
    'The resolution is due now (2026-09-11 09:30 UTC).',
    'The resolution was due 23 days ago (2026-09-11 09:30 UTC).',
  ]);
});
