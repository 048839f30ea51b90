// Records the results of attempts, several in one commit, until the database takes them.

import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../../base/clock.ts';
import { errorFields, type Log } from '../../base/log.ts';
import type { Context } from '../../desk/context.ts';
import type { Desk } from '../../desk/desk.ts';
import { type Attempted, recordAttempt } from '../../desk/outbox/attempts.ts';

// Each commit costs a disk sync and pages of the log, so the claims of a moment share one, with the results until then.
const claimsMs = 5;
// A crash in this time sends again what was sent.
const resultsMs = 50;
const retryMs = 1_000;

export interface Gathering {
  /** When to claim; results are recorded then too. */
  claims(): Promise<void>;
  /** When to record results: with the next claims, or soon. */
  results(): Promise<void>;
}

interface Moment {
  reached: Promise<void>;
  end(): void;
}

export function createGathering(): Gathering {
  let claims: Moment | null = null;
  let results: Moment | null = null;

  function moment(ms: number, atEnd: () => void): Moment {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(end, ms);
    function end() {
      clearTimeout(timer);
      atEnd();
      resolve();
    }
    return { reached: promise, end };
  }

  return {
    claims() {
      claims ??= moment(claimsMs, () => {
        claims = null;
        // First, so that what waits for one of these deliveries can be claimed.
        results?.end();
      });
      return claims.reached;
    },
    results() {
      results ??= moment(resultsMs, () => {
        results = null;
      });
      return results.reached;
    },
  };
}

interface RecorderOptions {
  desk: Desk;
  log: Log;
  context: () => Context;
  gathering: Gathering;
  stopping: AbortSignal;
}

/** An accepted mail whose result is lost is sent again when its claim expires: the recorder retries until then. */
export function createRecorder({ desk, log, context, gathering, stopping }: RecorderOptions) {
  return async (attempted: Attempted, claimMs: number): Promise<void> => {
    const giveUpAt = monotonicMs() + claimMs;
    for (;;) {
      await gathering.results();
      try {
        await desk.write((tx) => {
          recordAttempt(tx, context(), attempted);
          return null;
        }, true);
        return;
      } catch (error) {
        if (stopping.aborted || monotonicMs() > giveUpAt) throw error;
        log.error({ delivery: attempted.deliveryId, ...errorFields(error) }, 'a result could not be recorded yet');
        await sleep(retryMs, undefined, { signal: stopping }).catch(() => undefined);
      }
    }
  };
}
