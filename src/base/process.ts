// Names this process, so that another one can tell whether it is still running.

import { readFileSync } from 'node:fs';
import { constants, hostname, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ownCommand, scriptCommand } from '#platform/runtime.ts';

export const processStartedAt = Math.round(performance.timeOrigin);

export const machineName = hostname();

/** `host:pid:start time`, because process ids are reused. */
export const processName = `${machineName}:${process.pid}:${processStartedAt}`;

/** Whether that process is known to have ended; false for one on another machine. */
export function hasEnded(name: string): boolean {
  const [host, pid = ''] = name.split(':');
  if (name === processName || host !== machineName) return false;
  // In a container the next process has the same id.
  if (Number(pid) === process.pid) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** Calls `act` when this process ends by itself, also in the middle of its work. Returns what takes that back. */
export function whenEnding(act: () => void): () => void {
  process.once('exit', act);
  return () => void process.off('exit', act);
}

/** Whether the process runs from its sources and starts again when they change, as under `bun run dev`. */
export const isWatched = process.execArgv.includes('--watch');

const signalNumbers = { SIGHUP: 1 };

/** Whether this process was started to ignore a signal, as `nohup` does. Only Linux tells. */
export function isIgnored(signal: keyof typeof signalNumbers): boolean {
  let status: string;
  try {
    status = readFileSync('/proc/self/status', 'utf8');
  } catch {
    return false;
  }
  const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0';
  return ((BigInt(`0x${mask}`) >> BigInt(signalNumbers[signal] - 1)) & 1n) === 1n;
}

/** The command that starts this program again with a word that people do not type; from its sources, it starts `module`. */
export function commandOfSelf(word: string, module: URL): string[] {
  const own = ownCommand();
  return own === null ? [...scriptCommand(), fileURLToPath(module)] : [...own, word];
}

/** The command that starts this program again with other arguments. */
export function commandOfSelfWith(args: readonly string[]): string[] {
  const own = ownCommand();
  return own === null ? [...scriptCommand(), process.argv[1] ?? '', ...args] : [...own, ...args];
}

/** Processor time of this thread in milliseconds. Cheap: asks the system at most every half millisecond. */
export function processorClock(): () => number {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const start = used();
  let spent = 0;
  let askedAt = performance.now();
  return () => {
    const now = performance.now();
    if (now - askedAt >= 0.5) {
      askedAt = now;
      spent = used() - start;
    }
    return spent;
  };
}

/** Lowers the priority of a long command. Not for writers: the desk would wait for their write lock. */
export function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Without permission the command runs at normal priority.
  }
}
