// Finishes the work of verbs in small steps, so that other writes never wait long. Continues after a crash.

import { gently } from '../base/give-way.ts';
import { errorFields, type Log } from '../base/log.ts';
import type { Desk } from '../desk/desk.ts';
import { keepFacts } from '../desk/reports/keep-facts.ts';
import { mailDueReports } from '../desk/reports/mailed-reports.ts';
import { gatherSome, isGatheringLeft } from '../desk/rules/run-timed-rules.ts';
import type { Tx } from '../engine/database.ts';
import { detachSome, hasDetachments } from '../store/detachments.ts';
import { writeWaiting } from '../store/lists/documents.ts';
import { hasRebuilds, rebuildSome } from '../store/lists/search-rebuild.ts';
import { newestWaiting } from '../store/lists/search-waiting.ts';
import { catchUpSome, hasCatchUps, promoteSome } from '../store/outbox/requeue.ts';
import { factsDue } from '../store/reports/facts.ts';
import { forgetImportedRows, hasImportedRows } from '../store/transfer/imports.ts';

// The writer shares them out among transactions of a few milliseconds.
const factsAtOnce = 64;

async function finish(desk: Desk, isLeft: (tx: Tx) => boolean, step: (tx: Tx) => unknown): Promise<void> {
  while (desk.read(isLeft)) await gently(() => desk.write(step));
}

/** Clears references to removed categories, agents and channels. */
export const detachRest = (desk: Desk) => finish(desk, hasDetachments, detachSome);

/** Forgets what became of the rows of imports that are finished. */
export const forgetImports = (desk: Desk) => finish(desk, hasImportedRows, forgetImportedRows);

export const catchUpChannels = (desk: Desk) => finish(desk, hasCatchUps, catchUpSome);

/** Full-text documents of what has changed. */
export const writeDocuments = (desk: Desk) => finish(desk, (tx) => newestWaiting(tx) !== null, writeWaiting);

/** All full-text documents, after an upgrade that changed their form. */
export const rebuildDocuments = (desk: Desk) => finish(desk, hasRebuilds, rebuildSome);

/** Moments of older tickets, for timed rules that are new. */
export const gatherMoments = (desk: Desk) => finish(desk, isGatheringLeft, gatherSome);

/** Writes the facts of reports that were too many for the transaction that caused them. A failure is logged and tried again each time. */
export async function keepAllFacts(desk: Desk, log: Log): Promise<void> {
  for (let after = 0; ; ) {
    const ids = desk.read((tx) => factsDue(tx, after, factsAtOnce));
    const last = ids.at(-1);
    if (last === undefined) return;
    after = last;
    await gently(() =>
      Promise.all(
        ids.map((id) =>
          desk
            .write((tx) => keepFacts(tx, id))
            .catch((error) => log.error({ job: 'report facts', ticket: id, ...errorFields(error) }, 'ticket failed')),
        ),
      ),
    );
  }
}

export async function promoteWaiting(desk: Desk): Promise<void> {
  for (let afterId: number | null = 0; afterId !== null; ) {
    const after: number = afterId;
    afterId = await gently(() => desk.write((tx) => promoteSome(tx, after)));
  }
}

export async function mailAllReports(desk: Desk): Promise<void> {
  while (await desk.write((tx) => mailDueReports(tx, desk.context({ kind: 'desk' }, 'mailed-reports'))));
}
