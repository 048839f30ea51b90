// How long a commit waits for more steps: for clients that were just answered, and longer where commits are slow.

import { describe, expect, test } from 'bun:test';
import { monotonicMs } from '../../src/base/clock.ts';
import { createGathering } from '../../src/store/gathering.ts';

/** How long a commit waits while no further step arrives. */
function waited(commits: readonly [steps: number, ms: number][], queued: number): number {
  const gathering = createGathering();
  for (const [steps, ms] of commits) gathering.noteCommit(steps, ms);
  const from = monotonicMs();
  while (gathering.isWorthWaiting(queued) && monotonicMs() - from < 1000);
  return monotonicMs() - from;
}

describe('a commit', () => {
  test('waits a moment for as many steps as the last one had', () => {
    expect(waited([[20, 1]], 5)).toBeGreaterThanOrEqual(1.4);
    expect(waited([[20, 60]], 5)).toBeGreaterThanOrEqual(9.9);
  });

  test('does not wait when all have come, or when the last one had few', () => {
    expect(createGathering().isWorthWaiting(1)).toBe(false);
    for (const [steps, queued] of [
      [20, 20],
      [20, 21],
      [3, 1],
    ] as const) {
      const gathering = createGathering();
      gathering.noteCommit(steps, 60);
      expect(gathering.isWorthWaiting(queued)).toBe(false);
    }
  });

  test('where it is slow, waits for clients that took turns with the outbox', () => {
    const taken = (ms: number) => {
      const gathering = createGathering();
      gathering.noteCommit(32, ms);
      gathering.noteCommit(8, ms);
      return gathering.isWorthWaiting(10);
    };
    expect(taken(60)).toBe(true);
    expect(taken(1)).toBe(false);
  });
});
