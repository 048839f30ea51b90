// A read transaction that keeps SQLite from copying the whole log, after which it would restart the log in place.

import { holdNow, letGo, type Opened } from '../handles.ts';

export interface LogGuard {
  /** The committed frames when it began: SQLite copies no later ones into the file. Null if it has not begun. */
  frames(): number | null;
  /** Only with more frames than before: a reader that begins when the file has the whole log holds nothing of it. */
  move(frames: number): void;
  close(): void;
}

export function createLogGuard(open: () => Opened): LogGuard {
  let holding: Opened | null = null;
  let spare: Opened | null = null;
  let held: number | null = null;

  return {
    frames: () => held,
    move(frames) {
      // The new transaction begins before the old one ends.
      const next = spare ?? open();
      spare = next;
      try {
        holdNow(next);
      } catch (error) {
        if (next.client.inTransaction) next.client.run('ROLLBACK');
        throw error;
      }
      holding?.client.run('ROLLBACK');
      [holding, spare] = [next, holding];
      held = frames;
    },
    close() {
      for (const handle of [holding, spare]) if (handle !== null) letGo(handle);
      holding = null;
      spare = null;
      held = null;
    },
  };
}
