// Every recurring job and its schedule (croner, never two runs of one job at once).

import { Cron } from 'croner';
import { monotonicMs, settled } from '../base/clock.ts';
import { errorFields, type Log, silentLog } from '../base/log.ts';
import type { Context } from '../desk/context.ts';
import type { Desk } from '../desk/desk.ts';
import { heldMs } from '../desk/outbox/log.ts';
import {
  closeResolved,
  closeTickets,
  type DueSignal,
  dueNow,
  resolvedLongAgo,
  scanStep,
  scanTickets,
} from '../desk/sla.ts';
import { failsEveryTicket, setAside } from '../desk/tickets-set-aside.ts';
import { keptDays } from '../domain/inbound.ts';
import { dayMs } from '../domain/instant.ts';
import type { Blobs } from '../files/blobs.ts';
import { sweepAuditLog } from '../store/audit.ts';
import type { Tx } from '../store/database.ts';
import { forgetIdempotencyKeys } from '../store/events.ts';
import { forgetInboundMail, knownInboundMail } from '../store/inbound.ts';
import { knownAttachments } from '../store/messages.ts';
import { expireHeld, purgeDeliveries } from '../store/outbox.ts';
import { purgeSearchIndex, searchPurgesDue } from '../store/search-purge.ts';
import { copyLevels, hasLevelsToCopy } from '../store/tickets.ts';
import { type FaultyJob, forgetFaultsBefore } from '../store/tickets-set-aside.ts';
import type { Sync } from '../store/writer.ts';
import { promoteWaiting } from './small-steps.ts';

const keptMs = 30 * dayMs;
const closedAtATime = 16;
// So many rows take a few milliseconds.
const rowsOfStep = 500;
// Some tens of thousands of tickets.
const smallIndexBlocks = 2000;
// A ticket that no job has tried for a day is no longer due.
const staleFaultMs = dayMs;

interface Jobs {
  desk: Desk;
  blobs: Blobs;
  mailBlobs: Blobs;
  log: Log;
  flushUses: () => Promise<void>;
  recoverMail: () => Promise<number>;
  removeSites: () => Promise<void>;
  resumeRecomputes: () => Promise<number>;
  removeErased: () => Promise<void>;
  auditKeepMs: number;
  keepSnapshots: () => Promise<void>;
  /** Whether this machine can write now; if not, no job starts. */
  mayRun?: () => boolean;
  onScan?: (scanned: { durationMs: number; signalled: number }) => void;
}

export function startScheduler({
  desk,
  blobs,
  mailBlobs,
  log,
  flushUses,
  recoverMail,
  resumeRecomputes,
  removeSites,
  removeErased,
  auditKeepMs,
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
  /** Runs a step until it finds less than it could have done. */
  async function inSteps(step: (tx: Tx) => number): Promise<void> {
    while ((await desk.write(step)) >= rowsOfStep) await new Promise((resolve) => setImmediate(resolve));
  }
  const jobs = [
    job('last uses', '*/20 * * * * *', flushUses),
    job('sla scan', '0 * * * * *', async () => {
      const startedAt = monotonicMs();
      const signalled = await scan(desk, log);
      onScan?.({ durationMs: monotonicMs() - startedAt, signalled });
    }),
    job('auto-close', '30 * * * * *', () => closeAll(desk, log)),
    job('priority levels', '*/5 * * * * *', () => sortByLevels(desk)),
    job('idempotency keys', '17 * * * * *', () =>
      inSteps((tx) => forgetIdempotencyKeys(tx, settled(desk.now()), rowsOfStep)),
    ),
    job('outbox log', '23 * * * * *', () =>
      inSteps((tx) => {
        const { deliveries, tries } = purgeDeliveries(tx, settled(desk.now()) - keptMs, rowsOfStep);
        return Math.max(deliveries, tries);
      }),
    ),
    // Scans everything that disabled channels hold, so it runs only hourly.
    job('held deliveries', '37 7 * * * *', async () => {
      await inSteps((tx) => expireHeld(tx, settled(desk.now()) - heldMs, desk.now(), rowsOfStep));
    }),
    // No commit leaves any; older versions did.
    job('waiting deliveries', '41 37 * * * *', () => promoteWaiting(desk)),
    job('unfiled mail', '47 * * * * *', async () => {
      const recovered = await recoverMail();
      if (recovered > 0) log.info({ recovered }, 'filed delayed mail');
    }),
    job('inbound mail', '53 11 * * * *', async () => {
      const before = (days: number) => settled(desk.now()) - days * dayMs;
      for (let gone: string[] | null = null; gone === null || gone.length === rowsOfStep; ) {
        gone = await desk.write((tx) =>
          forgetInboundMail(tx, before(keptDays.other), before(keptDays.discarded), rowsOfStep),
        );
        for (const ulid of gone) await mailBlobs.remove(ulid);
      }
      if (desk.trouble() !== null) return;
      await mailBlobs.sweep(settled(desk.now()), (ulids) => desk.read((tx) => knownInboundMail(tx, ulids)));
    }),
    job('audit log', '29 13 * * * *', () => sweepAudit(desk, auditKeepMs)),
    job('removals', '*/2 * * * * *', removeSites),
    job('recomputations', '11 * * * * *', async () => {
      await resumeRecomputes();
    }),
    job('erased files', '27 * * * * *', removeErased),
    // Rewrites the whole index, so a large one waits until night.
    job('erased words', '35 * * * * *', () => purgeErasedWords(desk, smallIndexBlocks)),
    job('erased words, large', '43 41 3 * * *', () => purgeErasedWords(desk, Number.MAX_SAFE_INTEGER)),
    job('snapshots', '*/10 * * * * *', keepSnapshots),
    job('orphaned files', '41 23 * * * *', async () => {
      // After an uncertain write, a file without a row may still be needed.
      if (desk.trouble() !== null) return;
      const removed = await blobs.sweep(settled(desk.now()), (ulids) => desk.read((tx) => knownAttachments(tx, ulids)));
      if (removed > 0) log.info({ removed }, 'removed unused files');
    }),
  ];
  // Catches up at once with what became due while the desk was down.
  for (const name of ['sla scan', 'waiting deliveries']) void jobs.find((job) => job.name === name)?.trigger();
  return {
    stop() {
      for (const each of jobs) each.stop();
    },
  };
}

interface Recurring<T> {
  job: FaultyJob;
  /** A page of tickets in one step. */
  step: (tx: Tx, ctx: Context) => { done: T[]; hasMore: boolean };
  page: (tx: Tx, ctx: Context) => number[];
  single: (tx: Tx, ctx: Context, id: number) => T[];
}

interface Ran<T> {
  done: T[];
  /** Tickets that made the job fail and were set aside. */
  failed: { ticketId: number; error: unknown; isNew: boolean }[];
}

/**
 * Runs in steps, each its own transaction, until nothing is left. If a ticket makes a step fail, each ticket of that
 * page gets its own step, and the failing one is set aside.
 */
async function runThrough<T>(desk: Desk, recurring: Recurring<T>, contextOf: () => Context): Promise<Ran<T>> {
  const { job, step, page, single } = recurring;
  const ran: Ran<T> = { done: [], failed: [] };
  await desk.write((tx) => {
    forgetFaultsBefore(tx, job, desk.now() - staleFaultMs);
    return null;
  });
  for (;;) {
    let hasMore = true;
    try {
      const ctx = contextOf();
      const did = await desk.write((tx) => step(tx, ctx) as Sync<ReturnType<typeof step>>);
      ran.done.push(...did.done);
      hasMore = did.hasMore;
    } catch (error) {
      if (failsEveryTicket(error)) throw error;
      if (!(await oneByOne())) return ran;
    }
    if (!hasMore) return ran;
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Returns false if all of them had failed before, as in a scan of the future that finds them again. */
  async function oneByOne(): Promise<boolean> {
    const ctx = contextOf();
    const known = new Set(ran.failed.map(({ ticketId }) => ticketId));
    const ids = desk.read((tx) => page(tx, ctx)).filter((id) => !known.has(id));
    for (const ticketId of ids) {
      try {
        ran.done.push(...(await desk.write((tx) => single(tx, ctx, ticketId) as Sync<T[]>)));
      } catch (error) {
        if (failsEveryTicket(error)) throw error;
        const isNew = await desk.write((tx) => setAside(tx, desk.context({ kind: 'scan' }, job), job, ticketId, error));
        ran.failed.push({ ticketId, error, isNew });
      }
    }
    return ids.length > 0;
  }
}

export async function purgeErasedWords(desk: Desk, mostBlocks: number): Promise<void> {
  for (const name of desk.read((tx) => searchPurgesDue(tx, mostBlocks))) {
    while (await desk.write((tx) => purgeSearchIndex(tx, name))) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Removes the rows of the audit log that are older than they are kept. */
export async function sweepAudit(desk: Desk, keepMs: number): Promise<void> {
  const before = settled(desk.now()) - keepMs;
  while ((await desk.write((tx) => sweepAuditLog(tx, before, 1000))) > 0)
    await new Promise((resolve) => setImmediate(resolve));
}

export async function sortByLevels(desk: Desk): Promise<void> {
  while (desk.read((tx) => hasLevelsToCopy(tx))) {
    await desk.write((tx) => copyLevels(tx));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export function scanDue(
  desk: Desk,
  contextOf = () => desk.context({ kind: 'scan' }, 'sla-scan'),
): Promise<Ran<DueSignal>> {
  const recurring: Recurring<DueSignal> = {
    job: 'sla scan',
    step(tx, ctx) {
      const { signals, hasMore } = scanStep(tx, ctx);
      return { done: signals, hasMore };
    },
    page: dueNow,
    single: (tx, ctx, id) => scanTickets(tx, ctx, [id]),
  };
  return runThrough(desk, recurring, contextOf);
}

function logFailed({ failed }: Ran<unknown>, job: FaultyJob, log: Log): void {
  for (const { ticketId, error, isNew } of failed)
    if (isNew)
      log.error({ job, ticket: ticketId, ...errorFields(error) }, 'a job failed on a ticket and skips it for an hour');
}

export async function scan(desk: Desk, log: Log = silentLog): Promise<number> {
  const ran = await scanDue(desk);
  logFailed(ran, 'sla scan', log);
  return ran.done.length;
}

export async function closeAll(desk: Desk, log: Log = silentLog): Promise<void> {
  const recurring: Recurring<never> = {
    job: 'auto-close',
    step: (tx, ctx) => ({ done: [], hasMore: closeResolved(tx, ctx, closedAtATime) > 0 }),
    page: (tx, ctx) => resolvedLongAgo(tx, ctx, closedAtATime),
    single(tx, ctx, id) {
      closeTickets(tx, ctx, [id]);
      return [];
    },
  };
  const ran = await runThrough(desk, recurring, () => desk.context({ kind: 'scan' }, 'auto-close'));
  logFailed(ran, 'auto-close', log);
}
