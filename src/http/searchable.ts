// Full-text documents are written about a second after the change; who searches waits for those before theirs.

import type { Desk } from '../desk/desk.ts';
import { DeskError } from '../domain/errors.ts';
import { writeWaiting } from '../store/lists/documents.ts';
import { isWaitingUpTo, newestWaiting } from '../store/lists/search-waiting.ts';

// On a replica the primary writes them, which takes a second.
const otherMachineMs = 1500;
const lookEveryMs = 50;

/** Resolves when everything committed before the call can be found, or this machine cannot write it and no other has in 1.5 s. */
export async function untilSearchable(desk: Desk): Promise<void> {
  const newest = desk.read(newestWaiting);
  if (newest === null) return;
  let leftMs = otherMachineMs;
  while (leftMs > 0 && desk.read((tx) => isWaitingUpTo(tx, newest))) {
    try {
      if (!(await desk.write(writeWaiting))) return;
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      leftMs -= lookEveryMs;
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
  }
}
