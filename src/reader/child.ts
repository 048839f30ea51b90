// The reader process: takes jobs from standard input and writes the answers to standard output.

import { constants, setPriority } from 'node:os';
import { encodeFrame, frameDecoder } from './frames.ts';
import type { Budget, JobKind } from './jobs.ts';
import { type Answer, doJob } from './run-job.ts';
import { startWatchdog } from './watchdog.ts';

export interface Asked {
  kind: JobKind;
  input: unknown;
  budget: Budget;
}

export interface Answered {
  answer: Answer;
  memoryBytes: number;
}

export async function runReader(): Promise<void> {
  // Standard output carries only answers, so no library can log there.
  console.log = console.info = console.debug = () => undefined;
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
