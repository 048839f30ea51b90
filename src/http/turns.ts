// Long reads in turns: each runs for a few milliseconds at a time, so that other requests get through.

import { monotonicMs } from '../base/clock.ts';
import type { Desk } from '../desk/desk.ts';
import { DeskError } from '../domain/errors.ts';
import type { Tx } from '../engine/database.ts';

/** Works for a few milliseconds; returns whether it is done. */
type Step = (tx: Tx) => boolean;

interface Turns {
  /** @param mostMs of its own work. @param inAllMs with the time in which others have their turns */
  run(step: Step, mostMs: number, inAllMs?: number): Promise<void>;
}

interface Job {
  step: Step;
  leftMs: number;
  until: number;
  resolve(): void;
  reject(error: unknown): void;
}

function tooSlow(): DeskError {
  return new DeskError(
    'unavailable',
    'This list takes too long. Narrow it by site, status or time, or sort it by created_at.',
    { reason: 'too_slow', retryAfterSeconds: 30 },
  );
}

export function stepFor(tx: Tx, step: Step, ms: number): boolean {
  const startedAt = monotonicMs();
  while (!step(tx)) if (monotonicMs() - startedAt >= ms) return false;
  return true;
}

export function createTurns(desk: Desk, { turnMs }: { turnMs: number } = { turnMs: 4 }): Turns {
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
        if (job.leftMs <= 0 || monotonicMs() >= job.until) job.reject(tooSlow());
        else jobs.push(job);
      }
    } catch (error) {
      job.reject(error);
    }
    schedule();
  }

  return {
    run: (step, mostMs, inAllMs = Number.POSITIVE_INFINITY) =>
      new Promise((resolve, reject) => {
        jobs.push({ step, leftMs: mostMs, until: monotonicMs() + inAllMs, resolve, reject });
        schedule();
      }),
  };
}

const ofDesk = new WeakMap<Desk, Turns>();

export function turnsOf(desk: Desk): Turns {
  const known = ofDesk.get(desk);
  if (known) return known;
  const made = createTurns(desk);
  ofDesk.set(desk, made);
  return made;
}
