// One transaction for a batch of steps, each in a savepoint; says what is certain after a fault.

import type { Clock } from '../base/clock.ts';
import { isBusy, type Store, sqliteCode, type Tx } from './database.ts';
import { beginAtOnce } from './handles.ts';
import { asUnavailable, notStored, outcomeUnknown } from './refusals.ts';

export interface Job {
  step: (tx: Tx) => unknown;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
  outcome: { value: unknown } | { error: unknown } | undefined;
  /** It leaves nothing outside the database, so that it may run a second time if the first is undone. */
  mayRunAgain: boolean;
}

// What fails is still to be done, and who does it later says why.
const unheard = { resolve: () => undefined, reject: () => undefined, outcome: undefined, mayRunAgain: false };

interface Transactions {
  /** Commits the outcomes of the jobs. Returns the remaining jobs; null while another process writes. */
  run(batch: Job[]): Job[] | null;
  /** What the last commit took. */
  commitMs(): number;
  /** Rolls back and returns the error for the callers. Uses only the handle that failed. */
  end(error: unknown): unknown;
}

// A transaction ends after this time, which limits how long an answer waits. Where a commit itself takes longer, as on LiteFS, more steps share it.
const maxBatchMs = 8;
const slowestBatchMs = 24;

export type StoreToWrite = Pick<Store, 'writing' | 'archive' | 'cutTail'> &
  Partial<Pick<Store, 'sharedIndex' | 'rest' | 'endView'>>;

type Frame = ReturnType<typeof prepareFrame>;

function prepareFrame(tx: Tx) {
  const { client } = tx;
  return {
    tx,
    begin: client.prepare('BEGIN IMMEDIATE'),
    commit: client.prepare('COMMIT'),
    savepoint: client.prepare('SAVEPOINT step'),
    release: client.prepare('RELEASE step'),
    undo: client.prepare('ROLLBACK TO step'),
    changes: client.prepare<{ total: number }, []>('SELECT total_changes() AS total'),
  };
}

/** Steps that follow from those of a transaction, in it. */
export type Following = (tx: Tx) => readonly ((tx: Tx) => unknown)[];

export function createTransactions(
  store: StoreToWrite,
  clock: Clock,
  busyMs: number,
  following: Following,
  passedMs: () => number,
): Transactions {
  let frame: Frame | null = null;
  let isCommitting = false;
  let commitMs = 0;
  // A refused transaction may still be complete at the end of the log, and a crash would bring it back.
  let isTailInDoubt = false;
  /** Since when another process has been writing at each try. */
  let busySince: number | null = null;

  /** False while another process writes: waiting for it would block this process. */
  function begins({ tx, begin }: Frame): boolean {
    try {
      beginAtOnce(tx.client, () => begin.run());
      busySince = null;
      return true;
    } catch (error) {
      busySince ??= passedMs();
      if (isBusy(error) && passedMs() - busySince < busyMs) return false;
      busySince = null;
      throw error;
    }
  }

  function enter(): boolean {
    const tx = store.writing;
    if (frame?.tx !== tx) frame = prepareFrame(tx);
    return begins(frame);
  }

  function run(batch: Job[]): Job[] | null {
    const startedAt = passedMs();
    store.endView?.();
    settleTail();
    if (!enter()) return null;
    if (store.sharedIndex?.isCut()) {
      frame?.tx.client.run('ROLLBACK');
      store.rest?.();
      if (!enter()) return null;
    }
    if (frame === null) throw new Error('A transaction has begun without a handle.');
    enterArchive(store.archive);
    const longestMs = Math.min(slowestBatchMs, Math.max(maxBatchMs, commitMs));
    const changesBefore = frame.changes.get()?.total;
    const isLate = () => passedMs() - startedAt > longestMs;
    const [only] = batch;
    let done = 0;
    if (only !== undefined && batch.length === 1) {
      if (!runAlone(only, frame)) return [];
      done = 1;
    }
    for (const [at, job] of batch.entries()) {
      if (at < done) continue;
      if (done > 0 && isLate()) break;
      done += runTogether(batch.slice(at), frame, isLate) || runStep(job, frame);
    }
    // Steps that only looked succeed on a full disk too.
    if (frame.changes.get()?.total !== changesBefore) {
      for (const step of following(frame.tx)) runStep({ step, ...unheard }, frame);
      store.archive?.noteLog(frame.tx.client);
    }
    isCommitting = true;
    const commitAt = passedMs();
    frame.commit.run();
    commitMs = passedMs() - commitAt;
    isCommitting = false;
    store.archive?.noteCommit(clock.now());
    if (store.sharedIndex?.noteSize() === false) throw outcomeUnknown();
    return batch.splice(done);
  }

  /** Nothing is written after a transaction in doubt: it would be lost, or kept, together with that. */
  function settleTail(): boolean {
    if (!isTailInDoubt) return true;
    try {
      const isCut = store.cutTail();
      isTailInDoubt = false;
      return isCut;
    } catch {
      // The first callers have been refused with the reason; the next ones try again.
      throw notStored(false);
    }
  }

  function end(error: unknown): unknown {
    const wasCommitting = isCommitting;
    isCommitting = false;
    let refusal = asUnavailable(error);
    try {
      if (frame?.tx.client.inTransaction) frame.tx.client.run('ROLLBACK');
    } catch {
      // It ends with the broken handle.
    }
    if (wasCommitting) {
      isTailInDoubt = true;
      try {
        if (!settleTail() && mayHaveCommitted(error)) refusal = outcomeUnknown();
      } catch {
        if (mayHaveCommitted(error)) refusal = outcomeUnknown();
      }
    }
    return refusal;
  }

  return { run, end, commitMs: () => commitMs };
}

/** The archive must name the log before it is written to. */
function enterArchive(archive: Store['archive']): void {
  try {
    archive?.enter();
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code));
    throw notStored(isFull);
  }
}

/** The transaction is its savepoint. Returns whether it still stands. */
function runAlone(job: Job, { tx }: Frame): boolean {
  try {
    job.outcome = { value: job.step(tx) };
    return true;
  } catch (error) {
    requireTransaction(tx, error);
    tx.client.run('ROLLBACK');
    job.outcome = { error: asUnavailable(error) };
    return false;
  }
}

/**
 * Runs the next steps that may run again in one savepoint: with one for each, SQLite would copy the pages that they share for each.
 * Returns how many. If one fails, nothing is left of them, and each runs for itself.
 */
function runTogether(jobs: readonly Job[], frame: Frame, isLate: () => boolean): number {
  const end = jobs.findIndex(({ mayRunAgain }) => !mayRunAgain);
  const together = end === -1 ? jobs : jobs.slice(0, end);
  if (together.length < 2) return 0;
  let done = 0;
  frame.savepoint.run();
  try {
    for (const job of together) {
      if (done > 0 && isLate()) break;
      job.outcome = { value: job.step(frame.tx) };
      done += 1;
    }
    frame.release.run();
    return done;
  } catch (error) {
    undoStep(frame, error);
    for (const job of together) job.mayRunAgain = false;
    return 0;
  }
}

function runStep(job: Job, frame: Frame): 1 {
  frame.savepoint.run();
  try {
    job.outcome = { value: job.step(frame.tx) };
    frame.release.run();
  } catch (error) {
    undoStep(frame, error);
    job.outcome = { error: asUnavailable(error) };
  }
  return 1;
}

function undoStep({ tx, undo, release }: Frame, error: unknown): void {
  requireTransaction(tx, error);
  undo.run();
  release.run();
}

/** An error such as a full disk rolls back the whole transaction, not only this step. Where a trigger belongs to the statement, SQLite leaves it to us. */
function requireTransaction(tx: Tx, error: unknown): void {
  if (!tx.client.inTransaction || sqliteCode(error)?.startsWith('SQLITE_FULL')) throw error;
}

// Any other fault happens before the last frame of the transaction, which commits it, is complete in the log.
function mayHaveCommitted(error: unknown): boolean {
  return /^SQLITE_IOERR(?!_WRITE)/.test(sqliteCode(error) ?? '');
}
