// Deletes the rows and files of removed sites in small steps, and continues after a crash.

import { monotonicMs } from '../base/clock.ts';
import { createStepSize, gently } from '../base/give-way.ts';
import type { Log } from '../base/log.ts';
import type { Desk } from '../desk/desk.ts';
import type { Tx } from '../engine/database.ts';
import type { Blobs } from '../files/blobs.ts';
import { type Removal, removals, removeSlice } from '../store/sites/removals.ts';

export interface Removing {
  desk: Desk;
  blobs: Pick<Blobs, 'remove'>;
  mailBlobs: Pick<Blobs, 'remove'>;
  log: Log;
  onStep?: (removal: Removal) => void;
  isStopping?: () => boolean;
}

// This many rows take a few milliseconds, and far fewer do where each waits for the disk; other writes run between two steps.
const [mostRows, leastRows] = [400, 16];
const logEveryMs = 10_000;

/** Continues until nothing of any removed site is left. Returns the number of sites. */
export async function removeRest({ desk, blobs, mailBlobs, log, onStep, isStopping }: Removing): Promise<number> {
  let done = 0;
  let loggedAt = monotonicMs();
  const rows = createStepSize(mostRows, leastRows);
  for (;;) {
    const [next] = desk.read((tx) => removals(tx));
    if (next === undefined || isStopping?.()) return done;
    onStep?.(next);
    if (monotonicMs() - loggedAt >= logEveryMs) {
      loggedAt = monotonicMs();
      log.info({ site: next.siteId, tickets: next.tickets, left: next.left }, 'removing a site');
    }
    const remove = (tx: Tx) => {
      const isLeft = removals(tx).some(({ siteId }) => siteId === next.siteId);
      return isLeft ? removeSlice(tx, next.siteId, rows.now()) : null;
    };
    const slice = await gently(() => desk.write(remove), rows.took);
    if (slice === null) continue;
    // After a crash here, the sweep for orphaned files removes the rest.
    for (const ulid of slice.files) await blobs.remove(ulid);
    for (const ulid of slice.mails) await mailBlobs.remove(ulid);
    if (slice.isDone) {
      done += 1;
      log.info({ site: next.siteId, tickets: next.tickets }, 'removed a site');
    }
  }
}
