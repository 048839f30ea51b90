// How long a commit waits for more steps: for clients that were just answered, and longer where commits are slow.

import { describe, expect, test } from 'bun:test';
import { createGathering } from '../../src/engine/gathering.ts';

/** How long a commit waits while no further step arrives: in milliseconds of a clock that goes on by a tenth. */
function waited(commits: readonly [steps: number, ms: number][], queued: number): number {
  let now = 1000;
  const gathering = createGathering(() => now);
  for (const [steps, ms] of commits) gathering.noteCommit(steps, ms);
  const from = now;
  while (gathering.isWorthWaiting(queued)) now += 0.1;
  return now - from;
}

describe('a commit', () => {
  test('waits a moment for as many steps as the last one had', () => {
    expect(waited([[20, 1]], 5)).toBeCloseTo(1.5);
    expect(waited([[20, 60]], 5)).toBeCloseTo(10);
  });

  test('does not wait when all have come, or when the last one had few', () => {
    expect(waited([], 1)).toBe(0);
    for (const [steps, queued] of [
      [20, 20],
      [20, 21],
      [3, 1],
    ] as const)
      expect(waited([[steps, 60]], queued)).toBe(0);
  });

  test('where it is slow, waits for clients that took turns with the outbox', () => {
    const taken = (ms: number) =>
      waited(
        [
          [32, ms],
          [8, ms],
        ],
        10,
      );
    expect(taken(60)).toBeCloseTo(10);
    expect(taken(1)).toBe(0);
  });
});
