// Keeps a desk on LiteFS running: a process that starts the desk as its child, and starts it again when it dies.

import { type ChildProcess, spawn } from 'node:child_process';
import { monotonicMs } from '../base/clock.ts';
import { commandOfSelfWith } from '../base/process.ts';
import { type Mount, watchMount } from '../cluster/litefs.ts';

export const keptWord = 'kept-desk';

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const firstDelayMs = 250;
const longestDelayMs = 10_000;
const steadyMs = 60_000;
const orphanCheckMs = 100;

interface SupervisorOptions {
  /** A desk whose mount goes hangs in every read, or dies of it, so the supervisor looks and ends it. */
  mount: Pick<Mount, 'identity'>;
  start?: () => ChildProcess;
  say?: (sentence: string) => void;
  firstMs?: number;
}

/** Resolves with the exit code, whether the desk ended itself or was stopped. */
export async function keepRunning(options: SupervisorOptions): Promise<number> {
  const {
    mount,
    start = startAgain,
    say = (text) => process.stderr.write(`${text}\n`),
    firstMs = firstDelayMs,
  } = options;
  let child: ChildProcess | null = null;
  const told = Promise.withResolvers<void>();
  let isTold = false;
  const passOn = (signal: NodeJS.Signals) => {
    isTold = true;
    told.resolve();
    child?.kill(signal);
  };
  for (const signal of signals) process.on(signal, passOn);
  try {
    for (let delayMs = firstMs; ; delayMs = Math.min(delayMs * 2, longestDelayMs)) {
      const startedAt = monotonicMs();
      const desk = start();
      child = desk;
      let isMountLost = false;
      const endWatch = watchMount(mount, () => {
        isMountLost = true;
        desk.kill('SIGKILL');
      });
      const { code, signal } = await endOf(desk).finally(endWatch);
      child = null;
      if (isTold || code !== null) return code ?? 1;
      if (monotonicMs() - startedAt > steadyMs) delayMs = firstMs;
      const why = isMountLost ? 'lost its mount' : `was ended by ${signal}`;
      say(`The desk ${why}. It starts again in ${delayMs} ms.`);
      await Promise.race([told.promise, new Promise((resolve) => setTimeout(resolve, delayMs))]);
      if (isTold) return 0;
    }
  } finally {
    for (const signal of signals) process.off(signal, passOn);
  }
}

function startAgain(): ChildProcess {
  const [program = '', ...args] = commandOfSelfWith([keptWord, ...process.argv.slice(2)]);
  // In a session of its own, so that a terminal's signals reach it once, through the supervisor.
  return spawn(program, args, { stdio: 'inherit', detached: true });
}

function endOf(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

/** Ends this process when its supervisor is gone: no one would start it again, and the next one needs its port. */
export function endWithSupervisor(): void {
  const supervisor = process.ppid;
  setInterval(() => {
    if (process.ppid !== supervisor) process.exit(1);
  }, orphanCheckMs).unref();
}
