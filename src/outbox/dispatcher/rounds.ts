// When the dispatcher reads the outbox: one round at a time, soon after a commit, and when the next delivery is due.

import { monotonicMs, untilMs } from '../../base/clock.ts';

// Under load, the commits of a moment share one round.
const quietMs = 3;
const spacingMs = 15;

export function createRounds(round: () => Promise<void>, stopping: AbortSignal) {
  let running: Promise<void> | null = null;
  let startedAt = Number.NEGATIVE_INFINITY;
  let timer: { at: number; id: ReturnType<typeof setTimeout> } | null = null;

  function run(): Promise<void> {
    if (running === null) {
      startedAt = monotonicMs();
      running = round().finally(() => {
        running = null;
      });
    }
    return running;
  }

  function runIn(ms: number): void {
    const at = monotonicMs() + Math.max(quietMs, ms);
    if (stopping.aborted || (timer !== null && timer.at <= at)) return;
    if (timer !== null) clearTimeout(timer.id);
    const start = () => {
      timer = null;
      if (running) void running.then(wake);
      else void run();
    };
    timer = { at, id: setTimeout(start, untilMs(at)) };
  }

  function wake(): void {
    runIn(startedAt + spacingMs - monotonicMs());
  }

  return {
    run,
    runIn,
    wake,
    settled: async () => {
      await running;
    },
    cancel() {
      if (timer !== null) clearTimeout(timer.id);
    },
  };
}
