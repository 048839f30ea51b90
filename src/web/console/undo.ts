// What can be taken back: a note at the edge of the page for a while, and Ctrl or ⌘ Z for the newest.

import { signal } from '@preact/signals';
import { now } from '../shared/clock.ts';

interface Undoable {
  id: number;
  text: string;
  undo: () => void | Promise<void>;
  /** When it ends, in milliseconds since 1970. */
  until: number;
}

const shownMs = 10_000;
let count = 0;

/** The newest last. */
export const undoables = signal<readonly Undoable[]>([]);

/** @returns ends the offer, for what can no longer be taken back */
export function offerUndo(text: string, undo: Undoable['undo'], lastsMs: number = shownMs): () => void {
  count += 1;
  const id = count;
  undoables.value = [...undoables.value, { id, text, undo, until: now() + lastsMs }];
  const end = () => {
    undoables.value = undoables.peek().filter((one) => one.id !== id);
  };
  setTimeout(end, lastsMs);
  return end;
}

/** Takes back one thing, the newest without a name. False if there is none. */
export function takeBack(id?: number): boolean {
  const found = undoables.peek().findLast((one) => id === undefined || one.id === id);
  if (found === undefined) return false;
  undoables.value = undoables.peek().filter((one) => one !== found);
  void found.undo();
  return true;
}
