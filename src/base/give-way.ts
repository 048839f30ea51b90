// Lets requests go before background work. The longer a step and its commit took, the busier is the disk, and the longer is the pause.

import { monotonicMs } from './clock.ts';

/** A step that takes no longer is followed by the next one at once. */
const easyMs = 30;
const restShare = 3;
const longestRestMs = 1000;

export const restMs = (tookMs: number) => (tookMs <= easyMs ? 0 : Math.min(longestRestMs, restShare * tookMs));

interface Watch {
  nowMs(): number;
  /** The next turn of the event loop for 0. */
  rest(ms: number): Promise<void>;
}

const ownWatch: Watch = {
  nowMs: monotonicMs,
  rest: (ms) =>
    new Promise((resolve) => {
      if (ms === 0) setImmediate(resolve);
      else setTimeout(resolve, ms);
    }),
};

/** Runs one step of background work, and rests after it as long as the disk needs. */
export async function gently<T>(
  step: () => Promise<T>,
  onTook: (ms: number) => void = () => undefined,
  watch = ownWatch,
): Promise<T> {
  const startedAt = watch.nowMs();
  const done = await step();
  const tookMs = watch.nowMs() - startedAt;
  onTook(tookMs);
  await watch.rest(restMs(tookMs));
  return done;
}

/** How much a step does: less while steps take long. */
export function createStepSize(most: number, least: number): { now(): number; took(ms: number): void } {
  let size = most;
  return {
    now: () => size,
    took(ms) {
      if (ms > easyMs) size = Math.max(least, Math.floor(size / 2));
      else if (ms < easyMs / 2) size = Math.min(most, size * 2);
    },
  };
}
