// The work that is running now, which a stop waits for.

import { errorFields, type Log } from '../../base/log.ts';
import { DeskError } from '../../domain/errors.ts';

const isUnavailable = (error: unknown): error is DeskError =>
  error instanceof DeskError && error.code === 'unavailable';

export function createRunningWork(log: Log) {
  const running = new Set<Promise<void>>();
  return {
    count: () => running.size,
    any: () => Promise.race(running),
    track(work: Promise<void>): Promise<void> {
      const tracked = work
        .catch((error) => {
          // Such as after another machine became the primary: its dispatcher goes on.
          if (isUnavailable(error)) log.warn({ reason: error.message }, 'the outbox cannot be read or written now');
          else log.error(errorFields(error), 'the outbox could not be read or written');
        })
        .finally(() => running.delete(tracked));
      running.add(tracked);
      return tracked;
    },
    /** Stops waiting after `limitMs`: what a server has not answered by then is claimed again at the next start. */
    async drain(limitMs: number): Promise<void> {
      const limit = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        log.warn({ inFlight: running.size }, 'stopped before all deliveries were answered');
        limit.resolve();
      }, limitMs);
      await Promise.race([Promise.allSettled([...running]), limit.promise]);
      clearTimeout(timer);
    },
  };
}
