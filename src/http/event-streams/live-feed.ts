// Wakes the requests and streams that wait for the next event.

import type { Desk } from '../../desk/desk.ts';

/** Wakes those who wait for a commit, of this process or of another one. */
export interface LiveFeed {
  /** Resolves at the next commit, or after `ms`, or when the signal says that nobody waits any more. */
  next(ms: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

// A commit by this process wakes at once; another process (the command line) is noticed by asking, while somebody waits.
const pollMs = 250;

export function createLiveFeed(desk: Desk): LiveFeed {
  const waiting = new Set<() => void>();
  let poll: ReturnType<typeof setInterval> | null = null;
  let generation = desk.generation();
  const wake = () => {
    for (const resume of [...waiting]) resume();
  };
  desk.writer.onCommit(wake);
  function hasMoved(): boolean {
    try {
      const now = desk.generation();
      const isNew = now !== generation;
      generation = now;
      return isNew;
    } catch {
      // Whoever waits reads, and is told what is the matter.
      return true;
    }
  }
  return {
    next(ms, signal) {
      return new Promise((resolve) => {
        const timer = setTimeout(resume, ms);
        function resume() {
          clearTimeout(timer);
          waiting.delete(resume);
          signal.removeEventListener('abort', resume);
          if (waiting.size === 0 && poll !== null) {
            clearInterval(poll);
            poll = null;
          }
          resolve();
        }
        waiting.add(resume);
        signal.addEventListener('abort', resume);
        // What was committed elsewhere after the asker's last look and before now has woken nobody.
        if (signal.aborted || hasMoved()) resume();
        else
          poll ??= setInterval(() => {
            if (hasMoved()) wake();
          }, pollMs);
      });
    },
    close: wake,
  };
}
