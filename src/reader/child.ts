// The reader process: one job after the other from standard input, each answer to standard output, until the input ends.

import { constants, setPriority } from 'node:os';
import { encodeFrame, frameDecoder } from './frames.ts';
import type { Budget, JobKind } from './jobs.ts';
import { startWatchdog } from './watchdog.ts';
import { type Answer, doJob } from './work.ts';

export interface Asked {
  kind: JobKind;
  input: unknown;
  budget: Budget;
}

export interface Answered {
  answer: Answer;
  /** What the process takes after the job: one that has grown is replaced. */
  memoryBytes: number;
}

/** Works for the process that started it, and ends with it. */
export async function runReader(): Promise<void> {
  // Standard output belongs to the answers: no library may write a word between them.
  console.log = console.info = console.debug = () => undefined;
  // Whoever asks the desk for something goes before its mail.
  setPriority(process.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const watchdog = startWatchdog(process.ppid);
  let turn = Promise.resolve();
  const take = frameDecoder((value) => {
    const { kind, input, budget } = value as Asked;
    turn = turn.then(async () => {
      watchdog.begin(budget);
      const answer = await doJob(kind, input as never);
      const answered: Answered = { answer, memoryBytes: process.memoryUsage.rss() };
      process.stdout.write(encodeFrame(answered));
      watchdog.end();
    });
  });
  process.stdin.on('data', take);
  await new Promise((resolve) => process.stdin.once('close', resolve));
  process.exit(0);
}
