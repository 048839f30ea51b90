// Records the results of attempts, several in one commit, until the database takes them.

import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../../base/clock.ts';
import { errorFields, type Log } from '../../base/log.ts';
import type { Context } from '../../desk/context.ts';
import type { Desk } from '../../desk/desk.ts';
import { type Attempted, recordAttempt } from '../../desk/outbox/attempts.ts';

// Each commit costs a disk sync and pages of the log, so the results of a moment share one.
const gatherMs = 5;
const retryMs = 1_000;

export function createGathering(): () => Promise<void> {
  let gathering: Promise<void> | null = null;
  return () => {
    gathering ??= sleep(gatherMs).then(() => {
      gathering = null;
    });
    return gathering;
  };
}

interface RecorderOptions {
  desk: Desk;
  log: Log;
  context: () => Context;
  gathered: () => Promise<void>;
  stopping: AbortSignal;
}

/** An accepted mail whose result is lost is sent again when its claim expires: the recorder retries until then. */
export function createRecorder({ desk, log, context, gathered, stopping }: RecorderOptions) {
  return async (attempted: Attempted, claimMs: number): Promise<void> => {
    const giveUpAt = monotonicMs() + claimMs;
    for (;;) {
      await gathered();
      try {
        await desk.write((tx) => {
          recordAttempt(tx, context(), attempted);
          return null;
        });
        return;
      } catch (error) {
        if (stopping.aborted || monotonicMs() > giveUpAt) throw error;
        log.error({ delivery: attempted.deliveryId, ...errorFields(error) }, 'a result could not be recorded yet');
        await sleep(retryMs, undefined, { signal: stopping }).catch(() => undefined);
      }
    }
  };
}
