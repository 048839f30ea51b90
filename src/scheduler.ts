// Every recurring job and its schedule (croner, never two runs of one job at once).

import { Cron } from 'croner';
import { monotonicMs } from './base/clock.ts';
import { errorFields, type Log } from './base/log.ts';
import type { Desk } from './desk/desk.ts';
import { heldMs } from './desk/outbox.ts';
import { closeResolved, scanStep } from './desk/sla.ts';
import { keptDays } from './domain/inbound.ts';
import type { Blobs } from './files/blobs.ts';
import { forgetIdempotencyKeys } from './store/events.ts';
import { forgetInboundMail, knownInboundMail } from './store/inbound.ts';
import { knownAttachments } from './store/messages.ts';
import { expireHeld, purgeDeliveries } from './store/outbox.ts';

// How long deliveries and their tries are kept.
const keptMs = 30 * 24 * 60 * 60 * 1000;

export interface Jobs {
  desk: Desk;
  blobs: Blobs;
  mailBlobs: Blobs;
  log: Log;
  flushTokenUses: () => Promise<void>;
  /** Files what arrived and could not be filed so far. */
  recoverMail: () => Promise<number>;
  /** Takes a snapshot if one is due. */
  keepSnapshots: () => Promise<void>;
  /** Whether this machine may write now: no job begins where it may not. */
  mayRun?: () => boolean;
  /** Told of every scan of the clocks, for the desk's own counts. */
  onScan?: (scanned: { durationMs: number; signalled: number }) => void;
}

export function startScheduler({
  desk,
  blobs,
  mailBlobs,
  log,
  flushTokenUses,
  recoverMail,
  keepSnapshots,
  mayRun,
  onScan,
}: Jobs): {
  stop(): void;
} {
  const job = (name: string, schedule: string, run: () => Promise<void>) =>
    new Cron(
      schedule,
      {
        name,
        protect: true,
        unref: true,
        catch: (error) => log.error({ job: name, ...errorFields(error) }, 'job failed'),
      },
      async () => {
        if (mayRun?.() ?? true) await run();
      },
    );
  const jobs = [
    job('token uses', '*/20 * * * * *', flushTokenUses),
    job('sla scan', '0 * * * * *', async () => {
      const startedAt = monotonicMs();
      const signalled = await scan(desk);
      onScan?.({ durationMs: monotonicMs() - startedAt, signalled });
    }),
    job('auto-close', '30 * * * * *', () => closeAll(desk)),
    job('idempotency keys', '17 * * * * *', async () => {
      // A little at a time: each minute forgets as many as a busy desk writes in one.
      await desk.write((tx) => forgetIdempotencyKeys(tx, desk.now(), 5000));
    }),
    job('outbox log', '23 * * * * *', async () => {
      await desk.write((tx) => purgeDeliveries(tx, desk.now() - keptMs, 2000));
    }),
    // Looks at all that disabled channels hold, which nobody needs by the minute.
    job('held deliveries', '37 7 * * * *', async () => {
      while ((await desk.write((tx) => expireHeld(tx, desk.now() - heldMs, desk.now(), 1000))) > 0);
    }),
    job('unfiled mail', '47 * * * * *', async () => {
      const recovered = await recoverMail();
      if (recovered > 0) log.info({ recovered }, 'mail filed that had to wait');
    }),
    job('inbound mail', '53 11 * * * *', async () => {
      const before = (days: number) => desk.now() - days * 24 * 60 * 60 * 1000;
      const gone = await desk.write((tx) =>
        forgetInboundMail(tx, before(keptDays.other), before(keptDays.discarded), 1000),
      );
      for (const ulid of gone) await mailBlobs.remove(ulid);
      await mailBlobs.sweep(desk.now(), (ulids) => desk.read((tx) => knownInboundMail(tx, ulids)));
    }),
    job('snapshots', '*/10 * * * * *', keepSnapshots),
    job('orphaned files', '41 23 * * * *', async () => {
      const removed = await blobs.sweep(desk.now(), (ulids) => desk.read((tx) => knownAttachments(tx, ulids)));
      if (removed > 0) log.info({ removed }, 'orphaned files swept');
    }),
  ];
  // What fell due while the desk was down is caught up with now, not at the next full minute.
  void jobs.find(({ name }) => name === 'sla scan')?.trigger();
  return {
    stop() {
      for (const each of jobs) each.stop();
    },
  };
}

/** One scan: step by step, each its own transaction, until nothing is due any more. Answers how much it signalled. */
export async function scan(desk: Desk): Promise<number> {
  let signalled = 0;
  for (;;) {
    const ctx = desk.context({ kind: 'scan' }, 'sla-scan');
    const step = await desk.write((tx) => scanStep(tx, ctx));
    signalled += step.signals.length;
    if (!step.hasMore) return signalled;
    // Requests that have arrived meanwhile go first.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function closeAll(desk: Desk): Promise<void> {
  for (;;) {
    const ctx = desk.context({ kind: 'scan' }, 'auto-close');
    const closed = await desk.write((tx) => closeResolved(tx, ctx, 50));
    if (closed === 0) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
