// Jobs that go through tickets: SLA scans, automatic closing, the end of snoozes. A ticket that makes one fail is set aside.

import { errorFields, type Log, silentLog } from '../base/log.ts';
import type { Context } from '../desk/context.ts';
import type { Desk } from '../desk/desk.ts';
import {
  closeResolved,
  closeTickets,
  type DueSignal,
  dueNow,
  resolvedLongAgo,
  scanStep,
  scanTickets,
} from '../desk/sla/sla.ts';
import { dueToSend, sendDue, sendDueOf } from '../desk/tickets/scheduled-replies.ts';
import type { Said } from '../desk/tickets/sent-replies.ts';
import { snoozedUntilNow, wakeStep, wakeTickets } from '../desk/tickets/snooze.ts';
import { failsEveryTicket, setAside } from '../desk/tickets/ticket-faults.ts';
import { dayMs } from '../domain/instant.ts';
import type { Tx } from '../engine/database.ts';
import type { Sync } from '../engine/writer.ts';
import { type FaultyJob, forgetFaultsBefore } from '../store/tickets/ticket-faults.ts';

const closedAtATime = 16;

// A ticket that no job has tried for a day is no longer due.
const staleFaultMs = dayMs;

interface Recurring<T> {
  job: FaultyJob;
  step: (tx: Tx, ctx: Context) => { done: T[]; hasMore: boolean };
  page: (tx: Tx, ctx: Context) => number[];
  single: (tx: Tx, ctx: Context, id: number) => T[];
}

interface Ran<T> {
  done: T[];
  failed: { ticketId: number; error: unknown; isNew: boolean }[];
}

/** Each step is a transaction. If one fails, each of its tickets gets its own step, and a failing one is set aside. */
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

export async function sendScheduled(desk: Desk, log: Log = silentLog): Promise<void> {
  const contextOf = () => desk.context({ kind: 'scan' }, 'scheduled-replies');
  if (desk.read((tx) => dueToSend(tx, contextOf())).length === 0) return;
  const recurring: Recurring<Said> = {
    job: 'scheduled replies',
    step: sendDue,
    page: dueToSend,
    single: sendDueOf,
  };
  const ran = await runThrough(desk, recurring, contextOf);
  logFailed(ran, 'scheduled replies', log);
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

/** Writes nothing while no snooze is over. */
export async function wakeAll(desk: Desk, log: Log = silentLog): Promise<void> {
  const contextOf = () => desk.context({ kind: 'desk' }, 'snooze');
  if (desk.read((tx) => snoozedUntilNow(tx, contextOf())).length === 0) return;
  const recurring: Recurring<never> = {
    job: 'snooze',
    step: (tx, ctx) => ({ done: [], hasMore: wakeStep(tx, ctx).hasMore }),
    page: snoozedUntilNow,
    single(tx, ctx, id) {
      wakeTickets(tx, ctx, [id]);
      return [];
    },
  };
  logFailed(await runThrough(desk, recurring, contextOf), 'snooze', log);
}
