// What works without being asked: begun where this machine may write, ended where it may not any more, one change after the other.

import { errorFields, type Log } from '../base/log.ts';

export interface Running {
  wake(): void;
  stop(): Promise<void>;
}

interface Background {
  /** Begins or ends, as the role now says. */
  follow(): Promise<void>;
  wake(): void;
  /** Ends for good. */
  stop(): Promise<void>;
}

interface BackgroundOptions {
  /** Whether this machine may write. */
  mayRun: () => boolean;
  /** Begins everything, or rejects with nothing begun. */
  start: () => Promise<Running>;
  /** What is made good once after each start; that it fails ends nothing. */
  onStarted?: () => Promise<void>;
  log: Log;
  /** How soon a start that failed is tried again. */
  retryMs?: number;
}

export function createBackground({ mayRun, start, onStarted, log, retryMs = 2_000 }: BackgroundOptions): Background {
  let running: Running | null = null;
  let isStopped = false;
  let turning: Promise<void> = Promise.resolve();
  let retry: ReturnType<typeof setTimeout> | null = null;

  async function turn(): Promise<void> {
    const shouldRun = !isStopped && mayRun();
    if (shouldRun && running === null) {
      running = await start();
      await onStarted?.();
    } else if (!shouldRun && running !== null) {
      const ending = running;
      running = null;
      await ending.stop();
    }
  }

  function follow(): Promise<void> {
    const turned = turning.then(turn);
    turning = turned.catch((error) => {
      log.error(errorFields(error), 'the background work did not follow the role of this machine');
      if (isStopped || retry !== null) return;
      retry = setTimeout(() => {
        retry = null;
        void follow().catch(() => undefined);
      }, retryMs);
    });
    return turned;
  }

  return {
    follow,
    wake: () => running?.wake(),
    async stop() {
      isStopped = true;
      if (retry !== null) clearTimeout(retry);
      await follow();
    },
  };
}
