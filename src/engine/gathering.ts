// How long a commit waits for more steps: clients that were just answered often ask again at once.

import { monotonicMs } from '../base/clock.ts';

interface Gathering {
  noteStep(): void;
  noteCommit(steps: number, commitMs: number): void;
  isWorthWaiting(queued: number): boolean;
}

// How long no new step may arrive before a batch starts, and the limit for that wait.
const quietMs = 1.5;
const longestMs = 5;
// Where a commit takes longer, such as on LiteFS, waiting for more steps pays: this share of it, up to these limits.
const share = 0.5;
const slowQuietMs = 10;
const slowLongestMs = 40;
const fewSteps = 3;

export function createGathering(clock = monotonicMs): Gathering {
  let last = 0;
  let before = 0;
  let commitMs = 0;
  let committedAt = 0;
  let queuedAt = 0;

  return {
    noteStep() {
      queuedAt = clock();
    },
    noteCommit(steps, tookMs) {
      before = last;
      last = steps;
      commitMs = tookMs;
      committedAt = clock();
    },
    isWorthWaiting(queued) {
      const worthMs = commitMs * share;
      // Clients and the outbox take turns. Where commits are slow, they share one.
      const expected = worthMs > longestMs ? Math.max(last, before) : last;
      if (expected <= fewSteps || queued >= expected) return false;
      const now = clock();
      const quiet = Math.min(slowQuietMs, Math.max(quietMs, worthMs));
      const longest = Math.min(slowLongestMs, Math.max(longestMs, worthMs));
      return now - Math.max(committedAt, queuedAt) < quiet && now - committedAt < longest;
    },
  };
}
