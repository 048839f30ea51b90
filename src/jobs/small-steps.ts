// Finishes the work of verbs in small steps, so that other writes never wait long. Continues after a crash.

import type { Desk } from '../desk/desk.ts';
import type { Tx } from '../store/database.ts';
import { detachSome, hasDetachments } from '../store/detachments.ts';
import { forgetImportedRows, hasImportedRows } from '../store/imports.ts';
import { catchUpSome, hasCatchUps, promoteSome } from '../store/requeue.ts';

// Lets waiting requests go first.
const letOthers = () => new Promise((resolve) => setImmediate(resolve));

async function finish(desk: Desk, isLeft: (tx: Tx) => boolean, step: (tx: Tx) => null): Promise<void> {
  while (desk.read(isLeft)) {
    await desk.write(step);
    await letOthers();
  }
}

/** Clears references to removed categories, agents and channels. */
export const detachRest = (desk: Desk) => finish(desk, hasDetachments, detachSome);

/** Forgets what became of the rows of imports that are finished. */
export const forgetImports = (desk: Desk) => finish(desk, hasImportedRows, forgetImportedRows);

export const catchUpChannels = (desk: Desk) => finish(desk, hasCatchUps, catchUpSome);

export async function promoteWaiting(desk: Desk): Promise<void> {
  for (let afterId: number | null = 0; afterId !== null; await letOthers()) {
    const after: number = afterId;
    afterId = await desk.write((tx) => promoteSome(tx, after));
  }
}
