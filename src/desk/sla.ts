// The scan, the ledger, and recomputing open tickets after a site's policy was changed.

import { toWire } from '../base/clock.ts';
import { workingTimeBetween } from '../domain/calendar.ts';
import { notFound } from '../domain/errors.ts';
import * as sla from '../domain/sla.ts';
import type { Tx } from '../store/database.ts';
import { forgetFaults } from '../store/faults.ts';
import { priorityRows, siteById } from '../store/sites.ts';
import {
  beginInterval,
  endInterval,
  intervalsOfTicket,
  runningTickets,
  sitesThatClose,
  ticketsDue,
  ticketsResolvedBefore,
} from '../store/sla.ts';
import { type Ticket, ticketById, ticketsByIds, updateTicket } from '../store/tickets.ts';
import { authorise, findSite, findTicket } from './access.ts';
import { catchUpClocks, changedColumns, policyOf, tell, termsOf } from './clocks.ts';
import { type Context, record } from './record.ts';
import { changeStatus } from './tickets.ts';

export interface DueSignal extends sla.SlaSignal {
  ticket: Pick<Ticket, 'id' | 'ulid'>;
}

// A step must not hold up others: this many tickets take a few milliseconds.
export const scanStepSize = 50;

/** What of these tickets would be signalled now, and how their clocks stand then. */
function look(tx: Tx, ctx: Context, ids: readonly number[]): { ticket: Ticket; step: sla.SlaStep }[] {
  const known = new Map<string, sla.SlaTerms | null>();
  return ticketsByIds(tx, ids).flatMap((ticket) => {
    const key = `${ticket.siteId} ${ticket.slaPolicyId}`;
    let terms = known.get(key);
    if (terms === undefined) {
      const site = siteById(tx, ticket.siteId);
      terms = site ? termsOf(policyOf(tx, site, ticket)) : null;
      known.set(key, terms);
    }
    return terms ? [{ ticket, step: sla.scan(terms, ticket, ctx.now) }] : [];
  });
}

const signalsOf = ({ ticket: { id, ulid }, step }: { ticket: Ticket; step: sla.SlaStep }): DueSignal[] =>
  step.signals.map((signal) => ({ ...signal, ticket: { id, ulid } }));

/**
 * One step of the scan: at most `scanStepSize` tickets whose next moment has come are warned or breached, each once, in
 * the writing transaction, so that two scanners never signal the same thing (semantics.md, SLA).
 * @returns what was signalled, and whether there may be more
 */
export function scanStep(tx: Tx, ctx: Context): { signals: DueSignal[]; hasMore: boolean } {
  const ids = dueNow(tx, ctx);
  return { signals: scanTickets(tx, ctx, ids), hasMore: ids.length === scanStepSize };
}

/** The tickets of the next step of the scan. */
export function dueNow(tx: Tx, ctx: Context): number[] {
  return ticketsDue(tx, ctx.now, scanStepSize);
}

/** Warns or breaches what of these tickets is due; one that was looked after meanwhile has nothing due. */
export function scanTickets(tx: Tx, ctx: Context, ids: readonly number[]): DueSignal[] {
  const signals: DueSignal[] = [];
  for (const { ticket, step } of look(tx, ctx, ids)) {
    if (ticket.slaNextAt === null || ticket.slaNextAt > ctx.now) continue;
    updateTicket(tx, ticket, changedColumns(ticket, step.state));
    tell(tx, ctx, ticket, step.signals);
    signals.push(...signalsOf({ ticket, step }));
  }
  forgetFaults(tx, 'sla scan', ids);
  return signals;
}

/** What a scan at this instant would signal, without doing it, and which tickets would make it fail: `sla scan --dry-run`. */
export function previewScan(tx: Tx, ctx: Context): { signals: DueSignal[]; failed: number[] } {
  const ids = ticketsDue(tx, ctx.now, 1_000_000);
  const failed: number[] = [];
  const signals: DueSignal[] = [];
  for (let at = 0; at < ids.length; at += 1000) {
    const page = ids.slice(at, at + 1000);
    try {
      signals.push(...look(tx, ctx, page).flatMap(signalsOf));
    } catch {
      // Which of them it is: asked one by one.
      for (const id of page) {
        try {
          signals.push(...look(tx, ctx, [id]).flatMap(signalsOf));
        } catch {
          failed.push(id);
        }
      }
    }
  }
  return { signals, failed };
}

const dayMs = 24 * 60 * 60 * 1000;

/** Tickets that have been resolved for the site's `auto_close_days`; at most `limit` in all. */
export function resolvedLongAgo(tx: Tx, ctx: Context, limit: number): number[] {
  const ids: number[] = [];
  for (const { id, days } of sitesThatClose(tx))
    ids.push(...ticketsResolvedBefore(tx, id, ctx.now - days * dayMs, ctx.now, limit - ids.length));
  return ids;
}

/** Closes those of these tickets that are still resolved. */
export function closeTickets(tx: Tx, ctx: Context, ids: readonly number[]): void {
  for (const id of ids) {
    const ticket = ticketById(tx, id);
    const site = ticket && siteById(tx, ticket.siteId);
    if (ticket?.status === 'resolved' && site) changeStatus(tx, ctx, site, ticket, 'closed');
  }
  forgetFaults(tx, 'auto-close', ids);
}

/** One step of closing; answers how many. */
export function closeResolved(tx: Tx, ctx: Context, limit: number): number {
  const ids = resolvedLongAgo(tx, ctx, limit);
  closeTickets(tx, ctx, ids);
  return ids.length;
}

export interface TicketLedger {
  ticket: Ticket;
  isPaused: boolean;
  timezone: string | null;
  warnAtPercent: number;
  clocks: sla.ClockLedger[];
}

/** How both deadlines came about (api.md, GET /tickets/{ticket}/sla). */
export function explainSla(tx: Tx, ctx: Context, name: string | number): TicketLedger {
  authorise(ctx, 'read');
  const ticket = findTicket(tx, ctx, name);
  const site = siteById(tx, ticket.siteId);
  if (!site) throw notFound('ticket');
  const policy = policyOf(tx, site, ticket);
  const intervals = intervalsOfTicket(tx, ticket.id);
  return {
    ticket,
    isPaused: ticket.slaPausedAt !== null,
    timezone: policy.business_hours?.timezone ?? null,
    warnAtPercent: policy.warn_at_percent,
    clocks: sla.slaClocks.map((clock) => sla.explain(termsOf(policy), ticket, intervals, clock, ctx.now)),
  };
}

export interface Moved {
  ticket: Ticket;
  before: { firstResponseDueAt: number | null; resolutionDueAt: number | null };
  after: { firstResponseDueAt: number | null; resolutionDueAt: number | null };
}

export const recomputeStepSize = 100;

/**
 * Puts a page of a site's open and pending tickets under its present policy and priorities' targets. A resolved one keeps
 * the deadlines that it was resolved by.
 * @param afterId the last id of the page before, 0 to begin
 * @returns which deadlines move, and the last id looked at, null when there are no more
 */
export function recomputeStep(
  tx: Tx,
  ctx: Context,
  name: string,
  afterId: number,
  isDryRun: boolean,
): { moved: Moved[]; lastId: number | null } {
  authorise(ctx, 'manage');
  const site = findSite(tx, ctx, name);
  const terms = termsOf(site.slaPolicy);
  const targets = new Map(priorityRows.list(tx, site.id).map((priority) => [priority.id, priority]));
  const { ids, lastId } = runningTickets(tx, site.id, afterId, recomputeStepSize);
  const moved: Moved[] = [];
  for (const found of ticketsByIds(tx, ids)) {
    // A deadline that has passed unseen is recorded before the change that would hide it.
    const ticket = isDryRun ? found : catchUpClocks(tx, ctx, site, found);
    const own = {
      firstResponseMinutes: ticket.firstResponseTargetMinutes,
      resolutionMinutes: ticket.resolutionTargetMinutes,
    };
    const running = sla.retarget(terms, ticket, targets.get(ticket.priorityId) ?? own, pausedUnder(tx, terms, ticket));
    const isPausing = ticket.status === 'pending' && site.slaPolicy.pause_while_pending;
    const next = isPausing ? sla.pause(terms, running, ctx.now) : sla.resume(terms, running, ctx.now);
    const before = { firstResponseDueAt: ticket.firstResponseDueAt, resolutionDueAt: ticket.resolutionDueAt };
    const after = { firstResponseDueAt: next.firstResponseDueAt, resolutionDueAt: next.resolutionDueAt };
    const changes = {
      ...changed('first_response_due_at', before.firstResponseDueAt, after.firstResponseDueAt),
      ...changed('resolution_due_at', before.resolutionDueAt, after.resolutionDueAt),
    };
    if (Object.keys(changes).length > 0) moved.push({ ticket, before, after });
    Object.assign(changes, changed('sla_paused_at', ticket.slaPausedAt, next.slaPausedAt));
    if (isDryRun) continue;
    const columns = changedColumns(found, next);
    if (Object.keys(columns).length === 0 && found.slaPolicyId === site.slaPolicyId) continue;
    updateTicket(tx, found, { ...columns, slaPolicyId: site.slaPolicyId });
    if (Object.keys(changes).length === 0) continue;
    const seq = record(tx, ctx, {
      kind: 'ticket.updated',
      siteId: site.id,
      ticketId: ticket.id,
      data: { ticket_ulid: ticket.ulid, changes },
    });
    if (next.slaPausedAt === null && ticket.slaPausedAt !== null) endInterval(tx, ticket.id, ctx.now, seq);
    if (next.slaPausedAt !== null && ticket.slaPausedAt === null) beginInterval(tx, ticket.id, 'paused', ctx.now, seq);
  }
  return { moved, lastId };
}

function changed(
  field: string,
  from: number | null,
  to: number | null,
): Record<string, { from: unknown; to: unknown }> {
  return from === to ? {} : { [field]: { from: toWire(from), to: toWire(to) } };
}

/** The pauses of a ticket so far as working time of another policy; one that goes on counts when it ends. */
function pausedUnder(tx: Tx, { calendar }: sla.SlaTerms, ticket: Ticket) {
  let firstResponsePausedMs = 0;
  let resolutionPausedMs = 0;
  for (const { startedAt, endedAt } of intervalsOfTicket(tx, ticket.id)) {
    if (endedAt !== null) resolutionPausedMs += workingTimeBetween(calendar, startedAt, endedAt);
    const heldUntil = Math.min(endedAt ?? Number.POSITIVE_INFINITY, ticket.firstResponseAt ?? Number.POSITIVE_INFINITY);
    if (heldUntil > startedAt && heldUntil < Number.POSITIVE_INFINITY)
      firstResponsePausedMs += workingTimeBetween(calendar, startedAt, heldUntil);
  }
  return { firstResponsePausedMs, resolutionPausedMs };
}
