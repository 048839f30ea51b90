// Lets a few in at once and a few more wait; whoever comes beyond that, or waits too long, is told to come again.

import { DeskError } from '../domain/errors.ts';

interface Gate {
  /** Runs `act` when there is room; throws `unavailable` where there is none in time. */
  through<T>(act: () => Promise<T>): Promise<T>;
}

interface GateOptions {
  atOnce: number;
  mostWaiting: number;
  patienceMs: number;
  /** What whoever is turned away is told. */
  sentence: string;
}

export function createGate({ atOnce, mostWaiting, patienceMs, sentence }: GateOptions): Gate {
  let inside = 0;
  const waiting = new Set<() => void>();
  const full = () => new DeskError('unavailable', sentence, { reason: 'busy', retryAfterSeconds: 5 });

  function room(): Promise<void> {
    if (inside < atOnce) {
      inside += 1;
      return Promise.resolve();
    }
    if (waiting.size >= mostWaiting) return Promise.reject(full());
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(enter);
        reject(full());
      }, patienceMs);
      waiting.add(enter);
    });
  }

  function leave(): void {
    const [next] = waiting;
    if (next === undefined) {
      inside -= 1;
      return;
    }
    // The place goes over to whoever has waited longest.
    waiting.delete(next);
    next();
  }

  return {
    async through(act) {
      await room();
      try {
        return await act();
      } finally {
        leave();
      }
    },
  };
}
