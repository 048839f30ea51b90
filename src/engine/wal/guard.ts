// A read transaction that keeps SQLite from copying the whole log, after which it would restart the log in place.

import { holdNow, letGo, type Opened } from '../handles.ts';

export interface LogGuard {
  /** SQLite copies no frames after these into the file. Null if it has not begun. */
  frames(): number | null;
  /** Only while the file lacks frames: a reader that begins when the file has the whole log holds nothing of it. */
  move(): void;
  close(): void;
}

/** @param framesNow the committed frames in the log */
export function createLogGuard(open: () => Opened, framesNow: () => number): LogGuard {
  let holding: Opened | null = null;
  let spare: Opened | null = null;
  let held: number | null = null;

  return {
    frames: () => held,
    move() {
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
      // Too many if another process has just committed; then it moves later than it could.
      held = framesNow();
    },
    close() {
      for (const handle of [holding, spare]) if (handle !== null) letGo(handle);
      holding = null;
      spare = null;
      held = null;
    },
  };
}
