// The group-commit writer: every write of this process goes through here, with one transaction for all that wait.

import { type Clock, monotonicMs, systemClock } from '../base/clock.ts';
import { DeskError } from '../domain/errors.ts';
import type { Tx } from './database.ts';
import { createGathering } from './gathering.ts';
import { touch } from './handles.ts';
import { isStorageRefusal, outcomeUnknown } from './refusals.ts';
import { createTransactions, type Following, type Job, type StoreToWrite } from './transactions.ts';

/** A step must not be asynchronous: it would be committed before it had run. */
export type Sync<T> = T extends PromiseLike<unknown> ? never : T;

export interface Writer {
  /**
   * Settles after the commit of the next transaction. A step that throws undoes only itself.
   * @param mayRunAgain it leaves nothing outside the database, and may run a second time if the first is undone
   */
  write<T>(step: (tx: Tx) => Sync<T>, mayRunAgain?: boolean): Promise<T>;
  onCommit(listener: () => void): void;
  /** Called before and after every transaction. If it throws before, the waiting steps are refused; after, their outcome is unknown. */
  guard(check: () => void): void;
  /** Throws as a write would now: for an answer to a write that was stored earlier. */
  requireWritable(): void;
  close(): Promise<void>;
  /** Called when a transaction ends: how many steps shared it, how long it took, whether it was committed. */
  onBatch(listener: (batch: Batch) => void): void;
  /** Why the storage refused the last transaction; null once another is committed. */
  refusal(): DeskError | null;
  /** Tries a small write if the last one was refused, so that `refusal` ends without a request. */
  probe(): Promise<null>;
  readonly batches: { commits: number; steps: number };
}

export interface Batch {
  steps: number;
  durationMs: number;
  isCommitted: boolean;
}

// The limit of steps in a transaction, so that no answer waits long.
const maxSteps = 128;
// How long another process can write before waiting steps are refused, and how soon the writer tries again.
const longestBusyMs = 10_000;
const busyAgainMs = 3;

interface WriterOptions {
  clock?: Clock;
  busyMs?: number;
  following?: Following;
  /** By which a batch is split and the patience with another process ends. */
  passedMs?: () => number;
}

export function createWriter(store: StoreToWrite, options: WriterOptions = {}): Writer {
  const { clock = systemClock, busyMs = longestBusyMs, following = () => [], passedMs = monotonicMs } = options;
  let queue: Job[] = [];
  let isScheduled = false;
  let isClosed = false;
  const idle: (() => void)[] = [];
  const listeners: (() => void)[] = [];
  const batches = { commits: 0, steps: 0 };
  let watch: (batch: Batch) => void = () => undefined;
  let mayWrite: () => void = () => undefined;
  let refused: DeskError | null = null;
  const transactions = createTransactions(store, clock, busyMs, following, passedMs);
  const gathering = createGathering();

  function flush() {
    isScheduled = false;
    const batch = queue.splice(0, maxSteps);
    const startedAt = monotonicMs();
    let left: Job[] = [];
    try {
      const taken = batch.slice();
      mayWrite();
      const rest = transactions.run(taken);
      if (rest === null) {
        queue = batch.concat(queue);
        isScheduled = true;
        setTimeout(flush, busyAgainMs);
        return;
      }
      left = rest;
      const settled = batch.slice(0, batch.length - left.length);
      requireStillWritable();
      batches.commits += 1;
      batches.steps += settled.length;
      watch({ steps: settled.length, durationMs: monotonicMs() - startedAt, isCommitted: true });
      gathering.noteCommit(settled.length + left.length + queue.length, transactions.commitMs());
      for (const job of settled) {
        const { outcome } = job;
        if (outcome !== undefined && 'value' in outcome) job.resolve(outcome.value as never);
        else job.reject(outcome?.error);
      }
      refused = null;
    } catch (error) {
      const refusal = transactions.end(error);
      refused = isStorageRefusal(refusal) ? refusal : null;
      for (const job of batch) job.reject(refusal);
      left = [];
      watch({ steps: batch.length, durationMs: monotonicMs() - startedAt, isCommitted: false });
    }
    queue = left.concat(queue);
    if (queue.length > 0) schedule();
    for (const listener of listeners) {
      try {
        listener();
      } catch {
        // The next minute's check makes up for a missed call; a failing listener must not hold up waiting writes.
      }
    }
    if (!isScheduled) for (const settle of idle.splice(0)) settle();
  }

  /** A machine that lost its lease during the commit must not confirm it: the next primary can be without it. */
  function requireStillWritable() {
    try {
      mayWrite();
    } catch {
      throw outcomeUnknown('This machine stopped being the primary during this write');
    }
  }

  function schedule() {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(gather);
  }

  function gather() {
    if (gathering.isWorthWaiting(queue.length)) setImmediate(gather);
    else flush();
  }

  return {
    batches,
    refusal: () => refused,
    probe() {
      if (refused === null || isClosed) return Promise.resolve(null);
      return this.write((tx) => {
        touch(tx);
        return null;
      });
    },
    write<T>(step: (tx: Tx) => Sync<T>, mayRunAgain = false): Promise<T> {
      if (isClosed) {
        return Promise.reject(new DeskError('unavailable', 'The desk is stopping.', { retryAfterSeconds: 5 }));
      }
      return new Promise<T>((resolve, reject) => {
        queue.push({ step, resolve, reject, outcome: undefined, mayRunAgain });
        gathering.noteStep();
        schedule();
      });
    },
    guard: (check) => {
      mayWrite = check;
    },
    requireWritable: () => mayWrite(),
    onCommit: (listener) => {
      listeners.push(listener);
    },
    onBatch: (listener) => {
      watch = listener;
    },
    close() {
      isClosed = true;
      if (queue.length === 0 && !isScheduled) return Promise.resolve();
      return new Promise((resolve) => idle.push(resolve));
    },
  };
}
