// Removing the rows and files of sites that are gone: step after step, between which others write, taken up again after a crash.

import { monotonicMs } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Desk } from '../desk/desk.ts';
import type { Blobs } from '../files/blobs.ts';
import { detachSome, hasDetachments } from '../store/detachments.ts';
import { type Removal, removals, removeSlice } from '../store/removals.ts';

export interface Removing {
  desk: Desk;
  blobs: Pick<Blobs, 'remove'>;
  mailBlobs: Pick<Blobs, 'remove'>;
  log: Log;
  /** Told after every step how much of a site is left. */
  onStep?: (removal: Removal) => void;
  /** Whether to end before all is done. */
  isStopping?: () => boolean;
}

// As many rows take a few milliseconds, and others write between two steps.
const rowsOfStep = 400;
const toldEveryMs = 10_000;

/** Lets go, a few rows at a time, of categories, agents and channels that are gone. */
export async function detachRest(desk: Desk): Promise<void> {
  while (desk.read((tx) => hasDetachments(tx))) {
    await desk.write((tx) => {
      detachSome(tx);
      return null;
    });
    // Requests that have arrived meanwhile go first.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Goes on until nothing of any removed site is left; answers how many sites. */
export async function removeRest({ desk, blobs, mailBlobs, log, onStep, isStopping }: Removing): Promise<number> {
  let done = 0;
  let toldAt = monotonicMs();
  for (;;) {
    const [next] = desk.read((tx) => removals(tx));
    if (next === undefined || isStopping?.()) return done;
    onStep?.(next);
    if (monotonicMs() - toldAt >= toldEveryMs) {
      toldAt = monotonicMs();
      log.info({ site: next.siteId, tickets: next.tickets, left: next.left }, 'removing a site');
    }
    const slice = await desk.write((tx) => {
      // Another process may have done the last of it meanwhile.
      const isLeft = removals(tx).some(({ siteId }) => siteId === next.siteId);
      return isLeft ? removeSlice(tx, next.siteId, rowsOfStep) : null;
    });
    if (slice === null) continue;
    // What a crash leaves here, the sweep finds.
    for (const ulid of slice.files) await blobs.remove(ulid);
    for (const ulid of slice.mails) await mailBlobs.remove(ulid);
    if (slice.isDone) {
      done += 1;
      log.info({ site: next.siteId, tickets: next.tickets }, 'a site was removed');
    }
    // Requests that have arrived meanwhile go first.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
