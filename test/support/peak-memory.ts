// The peak memory of another process, as its system reports it.

import { readFileSync } from 'node:fs';

/**
 * Watches a child until it ends; returns bytes, or null if the system does not report them. The parent's memory does
 * not count.
 */
export async function peakMemoryOf(child: { pid: number; exited: Promise<number> }): Promise<number | null> {
  let peak: number | null = null;
  let isOver = false;
  void child.exited.then(() => {
    isOver = true;
  });
  while (!isOver) {
    try {
      // The peak since the program started, so that a check now and then is enough.
      const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
      if (found !== undefined) peak = Math.max(peak ?? 0, Number(found) * 1024);
    } catch {
      // It has just ended, or this system has no such file.
    }
    await Bun.sleep(10);
  }
  return peak;
}
