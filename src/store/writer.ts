// The group-commit writer: every write of this process goes through here, one transaction for all that wait.

import { type Clock, monotonicMs, systemClock } from '../base/clock.ts';
import { DeskError } from '../domain/errors.ts';
import { beginAtOnce, isBusy, type Store, sqliteCode, type Tx, touch } from './database.ts';
import { collectDocuments, endDocuments, flushDocuments, markDocuments, returnDocuments } from './documents.ts';
import { asUnavailable, isStorageRefusal, notStored, outcomeUnknown } from './refusals.ts';

/** A step may not be asynchronous: it would be committed before it had run. */
export type Sync<T> = T extends PromiseLike<unknown> ? never : T;

export interface Writer {
  /** Runs `step` inside the next transaction; the promise settles after the commit. A step that throws undoes itself alone. */
  write<T>(step: (tx: Tx) => Sync<T>): Promise<T>;
  /** Called after every commit. */
  onCommit(listener: () => void): void;
  /** Asked before every transaction whether this machine may write; what it throws refuses all that wait. */
  guard(check: () => void): void;
  /** Waits until everything queued so far is settled, and refuses what comes later. */
  close(): Promise<void>;
  /** Called with every transaction that ended: how many steps shared it, how long it took, whether it was committed. */
  onBatch(listener: (batch: Batch) => void): void;
  /** With what the storage refused the last transaction; null since one was committed. */
  refusal(): DeskError | null;
  /** Tries a small write if the last one was refused, so that `refusal` ends without anybody's request. */
  probe(): Promise<null>;
  readonly batches: { commits: number; steps: number };
}

export interface Batch {
  steps: number;
  durationMs: number;
  isCommitted: boolean;
}

interface Job {
  step: (tx: Tx) => unknown;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
  outcome: { value: unknown } | { error: unknown } | undefined;
}

// A batch ends at either bound, so that nobody's answer waits for a crowd.
const maxSteps = 128;
const maxBatchMs = 8;
// As long as another process may write before whoever waits here is refused, and how soon it is tried again.
const longestBusyMs = 10_000;
const busyAgainMs = 3;
// How long nobody may have come before those who wait are served, and how long that may go on.
const quietMs = 1.5;
const longestGatherMs = 5;
const fewSteps = 3;

// Every other fault comes before the last frame of the transaction, which makes it one, is whole in the log.
function mayHaveCommitted(error: unknown): boolean {
  return /^SQLITE_IOERR(?!_WRITE)/.test(sqliteCode(error) ?? '');
}

function prepareFrame(tx: Tx) {
  const { client } = tx;
  return {
    tx,
    begin: client.prepare('BEGIN IMMEDIATE'),
    commit: client.prepare('COMMIT'),
    savepoint: client.prepare('SAVEPOINT step'),
    release: client.prepare('RELEASE step'),
    undo: client.prepare('ROLLBACK TO step'),
  };
}

/** @param store whose handle is asked for anew for each batch */
export function createWriter(
  store: Pick<Store, 'writing' | 'archive' | 'cutTail'>,
  clock: Clock = systemClock,
  busyMs = longestBusyMs,
): Writer {
  let queue: Job[] = [];
  let isScheduled = false;
  let isClosed = false;
  const idle: (() => void)[] = [];
  const listeners: (() => void)[] = [];
  const batches = { commits: 0, steps: 0 };
  let watch: (batch: Batch) => void = () => undefined;
  let mayWrite: () => void = () => undefined;
  // How many were under way when the last commit was answered, and when that was.
  let expected = 0;
  let committedAt = 0;
  let queuedAt = 0;
  let frame: ReturnType<typeof prepareFrame> | null = null;
  let isCommitting = false;
  // A transaction that was refused may still lie whole at the end of the log, where a crash would bring it back.
  let isTailInDoubt = false;
  /** Since when another process has been writing whenever this one wanted to. */
  let busySince: number | null = null;
  let refused: DeskError | null = null;

  /** The log gets its name in the archive before anything is written to it. */
  function enterArchive(): void {
    try {
      store.archive?.enter();
    } catch (error) {
      const isFull = error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code));
      throw notStored(isFull);
    }
  }

  /** Whether the transaction has begun; not while another process writes, for which nobody else here may be kept waiting. */
  function begins({ tx, begin }: ReturnType<typeof prepareFrame>): boolean {
    try {
      beginAtOnce(tx.client, () => begin.run());
      busySince = null;
      return true;
    } catch (error) {
      busySince ??= monotonicMs();
      if (isBusy(error) && monotonicMs() - busySince < busyMs) return false;
      busySince = null;
      throw error;
    }
  }

  /** The jobs that are left over; null where another process writes. */
  function run(batch: Job[]): Job[] | null {
    const startedAt = monotonicMs();
    mayWrite();
    settleTail();
    const tx = store.writing;
    if (frame?.tx !== tx) frame = prepareFrame(tx);
    if (!begins(frame)) return null;
    enterArchive();
    collectDocuments(tx);
    try {
      let done = 0;
      for (const job of batch) {
        if (done > 0 && monotonicMs() - startedAt > maxBatchMs) break;
        done += 1;
        runStep(job, frame);
      }
      flushDocuments(tx);
      isCommitting = true;
      frame.commit.run();
      isCommitting = false;
      store.archive?.noteCommit(clock.now());
      return batch.splice(done);
    } finally {
      endDocuments(tx);
    }
  }

  function runStep(job: Job, { tx, savepoint, release, undo }: ReturnType<typeof prepareFrame>): void {
    const mark = markDocuments(tx);
    savepoint.run();
    try {
      job.outcome = { value: job.step(tx) };
      release.run();
    } catch (error) {
      // A full disk and its kin roll the whole transaction back, not this step alone.
      if (!tx.client.inTransaction) throw error;
      undo.run();
      release.run();
      returnDocuments(tx, mark);
      job.outcome = { error: asUnavailable(error) };
    }
  }

  /** Nothing is written after a transaction in doubt: it would be lost, or kept, together with what follows. */
  function settleTail(): boolean {
    if (!isTailInDoubt) return true;
    try {
      const isCut = store.cutTail();
      isTailInDoubt = false;
      return isCut;
    } catch {
      // Whoever was refused at first has been told so; the next one tries again.
      throw notStored(false);
    }
  }

  /** Ends what was begun, and says what is certain about it. Touches no handle but the one that failed. */
  function refuse(error: unknown): unknown {
    const wasCommitting = isCommitting;
    isCommitting = false;
    let refusal = asUnavailable(error);
    try {
      if (frame?.tx.client.inTransaction) frame.tx.client.run('ROLLBACK');
    } catch {
      // It ends with the handle that cannot be used any more.
    }
    if (wasCommitting) {
      isTailInDoubt = true;
      try {
        if (!settleTail() && mayHaveCommitted(error)) refusal = outcomeUnknown();
      } catch {
        if (mayHaveCommitted(error)) refusal = outcomeUnknown();
      }
    }
    refused = isStorageRefusal(refusal) ? refusal : null;
    return refusal;
  }

  function flush() {
    isScheduled = false;
    const batch = queue.splice(0, maxSteps);
    const startedAt = monotonicMs();
    let left: Job[] = [];
    try {
      const taken = batch.slice();
      const rest = run(taken);
      if (rest === null) {
        queue = batch.concat(queue);
        isScheduled = true;
        setTimeout(flush, busyAgainMs);
        return;
      }
      left = rest;
      const settled = batch.slice(0, batch.length - left.length);
      batches.commits += 1;
      batches.steps += settled.length;
      watch({ steps: settled.length, durationMs: monotonicMs() - startedAt, isCommitted: true });
      expected = settled.length + left.length + queue.length;
      committedAt = monotonicMs();
      for (const job of settled) {
        const { outcome } = job;
        if (outcome !== undefined && 'value' in outcome) job.resolve(outcome.value as never);
        else job.reject(outcome?.error);
      }
      refused = null;
    } catch (error) {
      const refusal = refuse(error);
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
        // A wake is a hint that a minute makes good; whoever listens badly must not hold up the writes that wait.
      }
    }
    if (!isScheduled) for (const settle of idle.splice(0)) settle();
  }

  function schedule() {
    if (isScheduled) return;
    isScheduled = true;
    // After the requests that have arrived meanwhile were read, so that they share this commit.
    setImmediate(gather);
  }

  /** Those who were answered just now often ask again at once: waiting for them while they come halves the commits. */
  function gather() {
    if (expected > fewSteps && queue.length < expected && isComing()) setImmediate(gather);
    else flush();
  }

  function isComing(): boolean {
    const now = monotonicMs();
    return now - Math.max(committedAt, queuedAt) < quietMs && now - committedAt < longestGatherMs;
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
    write<T>(step: (tx: Tx) => Sync<T>): Promise<T> {
      if (isClosed) {
        return Promise.reject(new DeskError('unavailable', 'The desk is stopping.', { retryAfterSeconds: 5 }));
      }
      return new Promise<T>((resolve, reject) => {
        queue.push({ step, resolve, reject, outcome: undefined });
        queuedAt = monotonicMs();
        schedule();
      });
    },
    guard: (check) => {
      mayWrite = check;
    },
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
