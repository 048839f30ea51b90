// Retries an external service that is down, with growing pauses, and logs the outage once.

import type { Log } from '../base/log.ts';
import { minuteMs } from '../domain/instant.ts';

const shortestPauseMs = 1000;
const longestPauseMs = minuteMs;

interface Outage {
  isResting(): boolean;
  /** False if it was resting already. */
  failed(reason: string): boolean;
  answered(): void;
}

export function createOutage(now: () => number, log: Log, says: { down: string; up: string }): Outage {
  let isUp = true;
  let downUntil = 0;
  let pauseMs = shortestPauseMs;
  return {
    isResting: () => now() < downUntil,
    failed(reason) {
      if (now() < downUntil) return false;
      if (isUp) log.error({ reason }, says.down);
      isUp = false;
      downUntil = now() + pauseMs;
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      return true;
    },
    answered() {
      if (!isUp) log.info({}, says.up);
      isUp = true;
      pauseMs = shortestPauseMs;
    },
  };
}
