// Runs jobs on untrusted mail in separate processes, each with a budget of processor time and memory.

import type { Log } from '../base/log.ts';
import { DeskError } from '../domain/errors.ts';
import type { Answered, Asked } from './child.ts';
import { encodeFrame, frameDecoder } from './frames.ts';
import { type Budget, type JobKind, type Jobs, leastWaitMs, waitingFactor } from './jobs.ts';
import { type ReaderChild, startReaderProcess } from './process.ts';
import { type Answer, outcomeOf } from './run-job.ts';
import { overBudgetWords } from './watchdog.ts';

/** The job exceeded its budget or crashed its process, which was replaced. */
export class ReaderError extends Error {
  override name = 'ReaderError';
  readonly what: 'processor' | 'memory' | 'waiting' | 'crash';

  constructor(what: ReaderError['what'], message: string) {
    super(message);
    this.what = what;
  }
}

export interface Reader {
  /** Rejects with the job's own DeskError, or with ReaderError. Only one large job runs at a time. */
  run<Kind extends JobKind>(kind: Kind, input: Jobs[Kind]['input'], how: RunOptions): Promise<Jobs[Kind]['output']>;
  processIds(): number[];
  stop(): Promise<void>;
}

interface RunOptions {
  budget: Budget;
  isLarge?: boolean;
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

/** A process never gives memory back, so a larger one is replaced after its job. */
const grownBytes = 180 * 1024 * 1024;

const stopping = () => new DeskError('unavailable', 'The desk is stopping.', { retryAfterSeconds: 5 });

function sentenceOf(what: ReaderError['what']): string {
  if (what === 'memory') return 'The message needed more memory to read than one message is allowed.';
  return what === 'crash'
    ? 'The process that read the message crashed.'
    : 'The message took longer to read than one message is allowed.';
}

/** The watchdog names the limit as its last words on standard error. */
function causeOf(errors: string): ReaderError['what'] {
  if (errors.endsWith(overBudgetWords.processor)) return 'processor';
  return errors.endsWith(overBudgetWords.memory) ? 'memory' : 'crash';
}

function clearTimers({ idle, patience }: Seat): void {
  if (idle) clearTimeout(idle);
  if (patience) clearTimeout(patience);
}

export function createReader({ log, most = 2, idleMs = 60_000 }: { log: Log; most?: number; idleMs?: number }): Reader {
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
    child.stdin.on('error', () => undefined);
    child.on('error', () => leave(seat, 'crash'));
    child.on('close', () => {
      resolve();
      leave(seat, causeOf(errors));
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

  function release(seat: Seat): void {
    seats.delete(seat);
    if (seat.idle) clearTimeout(seat.idle);
    seat.child.stdin.end();
  }

  function leave(seat: Seat, what: ReaderError['what']): void {
    if (!seats.delete(seat)) return;
    const { job } = seat;
    clearTimers(seat);
    seat.child.kill('SIGKILL');
    if (job !== null) {
      log.warn({ job: job.asked.kind, what }, 'a reader process was killed');
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
        clearTimers(seat);
        seat.child.kill('SIGKILL');
        seat.job?.settle({ error: stopping() });
      }
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}
