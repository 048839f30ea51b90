// Finishes the work of verbs in small steps, so that other writes never wait long. Continues after a crash.

import { gently } from '../base/give-way.ts';
import type { Desk } from '../desk/desk.ts';
import type { Tx } from '../store/database.ts';
import { detachSome, hasDetachments } from '../store/detachments.ts';
import { forgetImportedRows, hasImportedRows } from '../store/imports.ts';
import { catchUpSome, hasCatchUps, promoteSome } from '../store/requeue.ts';

async function finish(desk: Desk, isLeft: (tx: Tx) => boolean, step: (tx: Tx) => null): Promise<void> {
  while (desk.read(isLeft)) await gently(() => desk.write(step));
}

/** Clears references to removed categories, agents and channels. */
export const detachRest = (desk: Desk) => finish(desk, hasDetachments, detachSome);

/** Forgets what became of the rows of imports that are finished. */
export const forgetImports = (desk: Desk) => finish(desk, hasImportedRows, forgetImportedRows);

export const catchUpChannels = (desk: Desk) => finish(desk, hasCatchUps, catchUpSome);

export async function promoteWaiting(desk: Desk): Promise<void> {
  for (let afterId: number | null = 0; afterId !== null; ) {
    const after: number = afterId;
    afterId = await gently(() => desk.write((tx) => promoteSome(tx, after)));
  }
}
