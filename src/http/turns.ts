// Long reads in turns: each goes on for a few milliseconds between other requests, one after the other, up to a limit.

import { monotonicMs } from '../base/clock.ts';
import type { Desk } from '../desk/desk.ts';
import { DeskError } from '../domain/errors.ts';
import type { Tx } from '../store/database.ts';

/** Goes on for a few milliseconds; answers whether it is done. */
type Step = (tx: Tx) => boolean;

interface Turns {
  /** Goes on with a read in turns; rejects with `too_slow` once it has worked for `mostMs`. */
  run(step: Step, mostMs: number): Promise<void>;
}

interface TurnLimits {
  /** For so long everybody else waits in one turn. */
  turnMs: number;
}

interface Job {
  step: Step;
  leftMs: number;
  resolve(): void;
  reject(error: unknown): void;
}

function tooSlow(): DeskError {
  return new DeskError(
    'unavailable',
    'This list takes too long to put together. Narrow it by site, status or a stretch of time, or sort it by created_at.',
    { reason: 'too_slow', retryAfterSeconds: 30 },
  );
}

/** Runs steps for so long; answers whether the last was done. */
export function stepFor(tx: Tx, step: Step, ms: number): boolean {
  const startedAt = monotonicMs();
  while (!step(tx)) if (monotonicMs() - startedAt >= ms) return false;
  return true;
}

export function createTurns(desk: Desk, { turnMs }: TurnLimits = { turnMs: 4 }): Turns {
  const jobs: Job[] = [];
  let isScheduled = false;

  function schedule() {
    if (isScheduled || jobs.length === 0) return;
    isScheduled = true;
    setImmediate(turn);
  }

  function turn() {
    isScheduled = false;
    const job = jobs.shift();
    if (job === undefined) return;
    const startedAt = monotonicMs();
    try {
      if (desk.read((tx) => stepFor(tx, job.step, turnMs))) job.resolve();
      else {
        job.leftMs -= monotonicMs() - startedAt;
        if (job.leftMs <= 0) job.reject(tooSlow());
        else jobs.push(job);
      }
    } catch (error) {
      job.reject(error);
    }
    schedule();
  }

  return {
    run: (step, mostMs) =>
      new Promise((resolve, reject) => {
        jobs.push({ step, leftMs: mostMs, resolve, reject });
        schedule();
      }),
  };
}

const ofDesk = new WeakMap<Desk, Turns>();

/** The turns of a desk, the same for all who read long. */
export function turnsOf(desk: Desk): Turns {
  const known = ofDesk.get(desk);
  if (known) return known;
  const made = createTurns(desk);
  ofDesk.set(desk, made);
  return made;
}
