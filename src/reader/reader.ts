// Runs jobs on strangers' bytes in processes of their own, each within a budget of processor time and memory.

import type { Log } from '../base/log.ts';
import { DeskError } from '../domain/errors.ts';
import type { Answered, Asked } from './child.ts';
import { encodeFrame, frameDecoder } from './frames.ts';
import { type Budget, type JobKind, type Jobs, leastWaitMs, waitingFactor } from './jobs.ts';
import { type ReaderChild, startReaderProcess } from './process.ts';
import { overBudgetWords } from './watchdog.ts';
import { type Answer, outcomeOf } from './work.ts';

/** The job took more than its budget, or its process broke down under it; the process was replaced. */
export class ReaderError extends Error {
  override name = 'ReaderError';
  readonly what: 'processor' | 'memory' | 'waiting' | 'crash';

  constructor(what: ReaderError['what'], message: string) {
    super(message);
    this.what = what;
  }
}

export interface Reader {
  /**
   * Rejects with the job's own DeskError, or with ReaderError.
   * @param isLarge of large jobs one runs at a time, so that memory is bounded
   */
  run<Kind extends JobKind>(kind: Kind, input: Jobs[Kind]['input'], how: RunOptions): Promise<Jobs[Kind]['output']>;
  /** The ids of the processes that run now. */
  processIds(): number[];
  /** Ends the processes; what waits or is under way is refused as unavailable. */
  stop(): Promise<void>;
}

interface RunOptions {
  budget: Budget;
  isLarge?: boolean;
}

interface ReaderOptions {
  log: Log;
  /** How many processes at most; they start with the first jobs. */
  most?: number;
  /** A process without work ends after this. */
  idleMs?: number;
}

interface Waiting {
  asked: Asked;
  isLarge: boolean;
  settle: (outcome: { answer: Answer } | { error: unknown }) => void;
}

interface Seat {
  child: ReaderChild;
  ended: Promise<void>;
  job: Waiting | null;
  idle: ReturnType<typeof setTimeout> | null;
  patience: ReturnType<typeof setTimeout> | null;
}

/** A process that has grown beyond this is ended after its job: it gives nothing back by itself. */
const grownBytes = 180 * 1024 * 1024;

const stopping = () => new DeskError('unavailable', 'The desk is stopping.', { retryAfterSeconds: 5 });

function sentenceOf(what: ReaderError['what']): string {
  if (what === 'memory') return 'Reading it took more memory than one message may.';
  return what === 'crash' ? 'The process that read it broke down.' : 'Reading it took more time than one message may.';
}

export function createReader({ log, most = 2, idleMs = 60_000 }: ReaderOptions): Reader {
  const seats = new Set<Seat>();
  const waiting: Waiting[] = [];
  let isStopped = false;

  function next(): Waiting | undefined {
    const hasLarge = [...seats].some(({ job }) => job?.isLarge);
    const at = waiting.findIndex(({ isLarge }) => !(isLarge && hasLarge));
    return at === -1 ? undefined : waiting.splice(at, 1)[0];
  }

  function pump(): void {
    for (;;) {
      const free = [...seats].find(({ job }) => job === null);
      if (free === undefined && seats.size >= most) return;
      const job = next();
      if (job === undefined) return;
      try {
        begin(free ?? takeSeat(), job);
      } catch (error) {
        job.settle({ error });
      }
    }
  }

  function begin(seat: Seat, job: Waiting): void {
    if (seat.idle) clearTimeout(seat.idle);
    seat.job = job;
    seat.patience = setTimeout(
      () => leave(seat, 'waiting'),
      Math.max(leastWaitMs, job.asked.budget.processorMs * waitingFactor),
    );
    seat.child.stdin.write(encodeFrame(job.asked));
  }

  function takeSeat(): Seat {
    const child = startReaderProcess();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const seat: Seat = { child, ended, job: null, idle: null, patience: null };
    seats.add(seat);
    let errors = '';
    const decode = frameDecoder((value) => answer(seat, value as Answered));
    child.stdout.on('data', (chunk: Buffer) => {
      try {
        decode(chunk);
      } catch {
        leave(seat, 'crash');
      }
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString('latin1')).slice(-1000);
    });
    // A process that has ended says so below.
    child.stdin.on('error', () => undefined);
    child.on('error', () => leave(seat, 'crash'));
    child.on('close', () => {
      resolve();
      if (errors.endsWith(overBudgetWords.processor)) leave(seat, 'processor');
      else leave(seat, errors.endsWith(overBudgetWords.memory) ? 'memory' : 'crash');
    });
    return seat;
  }

  function answer(seat: Seat, { answer, memoryBytes }: Answered): void {
    const { job } = seat;
    if (seat.patience) clearTimeout(seat.patience);
    seat.job = null;
    if (memoryBytes > grownBytes) release(seat);
    else seat.idle = setTimeout(() => release(seat), idleMs);
    job?.settle({ answer });
    pump();
  }

  /** Ends a process that has no job: its input ends, and it with it. */
  function release(seat: Seat): void {
    seats.delete(seat);
    if (seat.idle) clearTimeout(seat.idle);
    seat.child.stdin.end();
  }

  /** Ends a process whose job went wrong. */
  function leave(seat: Seat, what: ReaderError['what']): void {
    if (!seats.delete(seat)) return;
    const { job } = seat;
    if (seat.idle) clearTimeout(seat.idle);
    if (seat.patience) clearTimeout(seat.patience);
    seat.child.kill('SIGKILL');
    if (job !== null) {
      log.warn({ job: job.asked.kind, what }, 'a reader process was ended');
      job.settle({ error: new ReaderError(what, sentenceOf(what)) });
    }
    pump();
  }

  return {
    run<Kind extends JobKind>(kind: Kind, input: Jobs[Kind]['input'], { budget, isLarge = false }: RunOptions) {
      if (isStopped) return Promise.reject(stopping());
      return new Promise<Jobs[Kind]['output']>((resolve, reject) => {
        const settle: Waiting['settle'] = (outcome) => {
          if ('error' in outcome) return reject(outcome.error);
          try {
            resolve(outcomeOf(outcome.answer));
          } catch (error) {
            reject(error);
          }
        };
        waiting.push({ asked: { kind, input, budget }, isLarge, settle });
        pump();
      });
    },
    processIds: () => [...seats].flatMap(({ child }) => child.pid ?? []),
    async stop() {
      isStopped = true;
      for (const job of waiting.splice(0)) job.settle({ error: stopping() });
      const all = [...seats];
      for (const seat of all) {
        seats.delete(seat);
        if (seat.idle) clearTimeout(seat.idle);
        if (seat.patience) clearTimeout(seat.patience);
        seat.child.kill('SIGKILL');
        seat.job?.settle({ error: stopping() });
      }
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}
