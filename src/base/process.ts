// Which process this is, so that another one can tell whether it still lives.

import { readFileSync } from 'node:fs';
import { constants, hostname, setPriority } from 'node:os';

/** When this process began, in epoch milliseconds. */
export const processStartedAt = Math.round(performance.timeOrigin);

/** `host:pid:when it began`, in milliseconds: a process id alone comes again. */
export const processName = `${hostname()}:${process.pid}:${processStartedAt}`;

/** Whether a process of that name is known to have ended; of one on another machine nothing is known. */
export function hasEnded(name: string): boolean {
  const [host, pid = ''] = name.split(':');
  if (name === processName || host !== hostname()) return false;
  // In a container the next process has the same id as the one before it.
  if (Number(pid) === process.pid) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

const signalNumbers = { SIGHUP: 1 };

/** Whether whoever started this process had it ignore a signal, as `nohup` does. Only Linux tells. */
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

/**
 * Processor time of this thread since the clock was made, in milliseconds. Time in which the machine ran others does not
 * count. Asking is cheap: the system is asked when at least half a millisecond has passed on any clock.
 */
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

/**
 * Leaves the processor to the desk beside which a long command runs. Not for who writes: the desk would wait for the
 * write lock of a process that gets no time.
 */
export function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Where that may not be changed, the command works as before.
  }
}
