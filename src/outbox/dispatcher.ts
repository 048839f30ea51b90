// The dispatcher: delivers what is due in the outbox, with limits, fairly between channels, in order within a ticket.

import { errorFields, type Log } from '../base/log.ts';
import { hasEnded } from '../base/process.ts';
import type { Desk } from '../desk/desk.ts';
import { takeOver } from '../desk/outbox/attempts.ts';
import { DeskError } from '../domain/errors.ts';
import type { Lane } from '../store/outbox/lane.ts';
import { type AttemptReport, createAttempts, type Tally } from './dispatcher/attempt.ts';
import { createClaims } from './dispatcher/claims.ts';
import { createDeliverDue } from './dispatcher/deliver-due.ts';
import { createLanes, type Place } from './dispatcher/lanes.ts';
import { createGathering, createRecorder } from './dispatcher/recorder.ts';
import { createRounds } from './dispatcher/rounds.ts';
import { createSenders, type SenderOptions } from './dispatcher/senders.ts';

export interface DispatcherOptions extends SenderOptions {
  log: Log;
  drainMs?: number;
  onAttempt?: (report: AttemptReport) => void;
}

export interface Dispatcher {
  wake(): void;
  runDue(): Promise<number>;
  readonly tally: Readonly<Tally>;
  stop(): Promise<void>;
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { desk, log, guard, transport, retryDelaysMs, drainMs = 30_000, onAttempt } = options;
  const stop = new AbortController();
  const stopping = stop.signal;
  const context = () => desk.context({ kind: 'desk' }, 'outbox');
  const tally: Tally = { delivered: 0, retry: 0, failed: 0 };
  const attempts = () => tally.delivered + tally.retry + tally.failed;
  let isRunningAll = false;

  const work = createRunningWork(log);
  const gathering = createGathering();
  const lanes = createLanes(transport.atOnce);
  const claims = createClaims({ desk, context, lanes, gathering, webhookClaimMs: guard.timeoutMs * 2 + 5_000 });
  const record = createRecorder({ desk, log, context, gathering, stopping });
  const send = createSenders(options);
  const attempt = createAttempts({ desk, log, context, lanes, claims, send, retryDelaysMs, tally, onAttempt });

  /** Keeps the place while the lane delivers and no other lane waits for it. */
  async function deliverInTurn(lane: Lane, first: number, place: Place): Promise<void> {
    for (let id: number | undefined = first; id !== undefined; ) {
      const done = await attempt(lane, id);
      const isDelivered = done?.result.outcome === 'delivered';
      const isKept = isDelivered && place !== 'firstOfFailing' && !lanes.isCrowded && !stopping.aborted;
      const recorded = done === null ? Promise.resolve() : work.track(record(done, claims.lifetimeMs(lane)));
      id = isKept ? claims.next(lane) : undefined;
      if (id !== undefined) continue;
      if (isKept) await claims.refill(lane);
      await recorded;
      if (isKept && !stopping.aborted) id = claims.next(lane);
    }
  }

  function start(lane: Lane, id: number, place: Place): void {
    lanes.enter(lane);
    const delivering = deliverInTurn(lane, id, place)
      .finally(() => {
        lanes.leave(lane);
        lanes.vacate([place]);
      })
      .then(() => (lanes.isBusy(lane) && !lanes.isFailing(lane) ? undefined : claims.releaseAhead(lane)))
      .finally(rounds.wake);
    void work.track(delivering);
  }

  const rounds = createRounds(() => deliverDue(), stopping);
  const deliverDue = createDeliverDue({
    desk,
    log,
    lanes,
    claims,
    start,
    runIn: rounds.runIn,
    ignoresRests: () => isRunningAll,
    stopping,
  });

  return {
    wake: rounds.wake,
    tally,
    async runDue() {
      const before = attempts();
      isRunningAll = true;
      for (;;) {
        // A round that is running may have read the outbox too early.
        await rounds.settled();
        await rounds.run();
        if (work.count() === 0) break;
        await work.any();
      }
      isRunningAll = false;
      return attempts() - before;
    },
    async stop() {
      stop.abort();
      rounds.cancel();
      transport.giveUp();
      await rounds.settled();
      await work.drain(drainMs);
      transport.close();
    },
  };
}

/** Releases the claims of processes that have ended. At a start, `isOver` also accepts this process's own name. */
export async function takeUp(desk: Desk, isOver: (name: string) => boolean = hasEnded): Promise<void> {
  await desk.write((tx) => takeOver(tx, isOver));
}

// The work that is running now, which a stop waits for.
const isUnavailable = (error: unknown): error is DeskError =>
  error instanceof DeskError && error.code === 'unavailable';

function createRunningWork(log: Log) {
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
