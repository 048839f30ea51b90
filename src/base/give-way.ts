// Lets requests go before background work. What a step took, with its commit, says how busy the disk is: a clock alone does not.

import { monotonicMs } from './clock.ts';

/** A step that takes no longer is followed by the next one at once. */
const easyMs = 30;
const restShare = 3;
const longestRestMs = 1000;

export const restMs = (tookMs: number) => (tookMs <= easyMs ? 0 : Math.min(longestRestMs, restShare * tookMs));

/** Runs one step of background work, and rests after it as long as the disk needs. */
export async function gently<T>(step: () => Promise<T>, onTook: (ms: number) => void = () => undefined): Promise<T> {
  const startedAt = monotonicMs();
  const done = await step();
  const tookMs = monotonicMs() - startedAt;
  onTook(tookMs);
  const ms = restMs(tookMs);
  await new Promise<void>((resolve) => {
    if (ms === 0) setImmediate(resolve);
    else setTimeout(resolve, ms);
  });
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
