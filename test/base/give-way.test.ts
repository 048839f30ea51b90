// Background work goes by what the disk does: longer rests and smaller steps while a step takes long.

import { expect, test } from 'bun:test';
import { createStepSize, gently, restMs } from '../../src/base/give-way.ts';

test('a rest grows with what the step took, and has an end', () => {
  expect([1, 30, 31, 100, 250, 5000].map(restMs)).toEqual([0, 0, 93, 300, 750, 1000]);
});

test('a slow step is followed by a rest, and a quick one by the next turn of the event loop', async () => {
  let now = 0;
  const taken: number[] = [];
  const rests: number[] = [];
  const watch = { nowMs: () => now, rest: async (ms: number) => void rests.push(ms) };
  for (const ms of [60, 10])
    await gently(
      async () => {
        now += ms;
      },
      (took) => taken.push(took),
      watch,
    );
  expect([taken, rests]).toEqual([
    [60, 10],
    [180, 0],
  ]);
  expect(await gently(async () => 'done')).toBe('done');
});

test('a step does less while steps take long, and more again', () => {
  const size = createStepSize(400, 16);
  const sizes = [50, 300, 300, 300, 300, 300, 20, 5, 5].map((ms) => {
    size.took(ms);
    return size.now();
  });
  expect(sizes).toEqual([200, 100, 50, 25, 16, 16, 16, 32, 64]);
});
