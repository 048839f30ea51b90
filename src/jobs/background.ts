// Runs background work while this machine is the primary.

import { errorFields, type Log } from '../base/log.ts';

export interface Running {
  wake(): void;
  stop(): Promise<void>;
}

export interface Background {
  follow(): Promise<void>;
  wake(): void;
  stop(): Promise<void>;
}

interface BackgroundOptions {
  mayRun: () => boolean;
  /** Starts everything, or rejects and leaves nothing running. */
  start: () => Promise<Running>;
  onStarted?: () => Promise<void>;
  log: Log;
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
      log.error(errorFields(error), 'background work could not be started or stopped');
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
