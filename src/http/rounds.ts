// Requests that arrive together are not all served in one round of the event loop, so that whatever waits behind them is not held up.

import { monotonicMs } from '../base/clock.ts';

interface Rounds {
  /** Calls `work` in this round, or in a later one if this has taken long enough. */
  run<T>(work: () => T | Promise<T>): Promise<T>;
}

export function createRounds({ roundMs }: { roundMs: number } = { roundMs: 10 }, clock = monotonicMs): Rounds {
  const waiting: (() => void)[] = [];
  let startedAt: number | null = null;

  const hasTime = () => startedAt === null || clock() - startedAt < roundMs;

  function begin(): void {
    if (startedAt !== null) return;
    startedAt = clock();
    setImmediate(end);
  }

  function end(): void {
    startedAt = null;
    while (waiting.length > 0 && hasTime()) {
      begin();
      waiting.shift()?.();
    }
  }

  return {
    run<T>(work: () => T | Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        const start = () => {
          try {
            resolve(work());
          } catch (error) {
            reject(error);
          }
        };
        if (waiting.length > 0 || !hasTime()) waiting.push(start);
        else {
          begin();
          start();
        }
      });
    },
  };
}

/** Of this process: it has one event loop. */
export const rounds = createRounds();
