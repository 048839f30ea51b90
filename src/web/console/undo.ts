// What can be taken back: a note at the edge of the page for a while, and Ctrl or ⌘ Z for the newest, also later.

import { computed, signal } from '@preact/signals';

interface Undoable {
  id: number;
  text: string;
  undo: () => void | Promise<void>;
  isShown: boolean;
}

const shownMs = 10_000;
const mostKept = 50;
let count = 0;
let changing = 0;
/** The number of the change without an answer that someone asked to take back; 0 for none. */
let asked = 0;

/** The newest last. */
export const undoables = signal<readonly Undoable[]>([]);
export const offered = computed(() => undoables.value.filter(({ isShown }) => isShown));

/**
 * @param lastsMs for what can be taken back only for a time
 * @returns ends the offer
 */
export function offerUndo(text: string, undo: Undoable['undo'], lastsMs?: number): () => void {
  count += 1;
  const id = count;
  const made: Undoable = { id, text, undo, isShown: true };
  undoables.value = [...undoables.value, made].slice(-mostKept);
  const end = () => {
    undoables.value = undoables.peek().filter((one) => one.id !== id);
  };
  const hide = () => {
    undoables.value = undoables.peek().map((one) => (one.id === id ? { ...one, isShown: false } : one));
  };
  setTimeout(hide, shownMs);
  if (lastsMs !== undefined) setTimeout(end, lastsMs);
  return end;
}

/** Until its answer, a change is the newest thing, and what is asked for by key waits for it. */
export async function whileChanging<T>(change: Promise<T>): Promise<T> {
  changing += 1;
  try {
    return await change;
  } finally {
    changing -= 1;
    if (changing === 0) {
      if (asked > 0 && count >= asked) takeBack();
      asked = 0;
    }
  }
}

export const canTakeBack = () => changing + undoables.peek().length > 0;

/** Takes back one thing, the newest without a name. False if there is none. */
export function takeBack(id?: number): boolean {
  if (id === undefined && changing > 0) {
    asked = count + 1;
    return true;
  }
  const found = undoables.peek().findLast((one) => id === undefined || one.id === id);
  if (found === undefined) return false;
  undoables.value = undoables.peek().filter((one) => one.id !== found.id);
  void found.undo();
  return true;
}
