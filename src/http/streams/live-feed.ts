// Wakes the requests and streams that wait for the next event.

import type { Desk } from '../../desk/desk.ts';

export interface LiveFeed {
  /** Resolves at the next commit, after `ms`, or when the signal aborts. */
  next(ms: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

// Commits of this process wake at once; those of another process, such as a command, are noticed by asking.
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
        // A commit elsewhere since the caller's last look has woken no one. It is seen once, so all hear of it.
        if (signal.aborted) resume();
        else if (hasMoved()) wake();
        else
          poll ??= setInterval(() => {
            if (hasMoved()) wake();
          }, pollMs);
      });
    },
    close: wake,
  };
}
