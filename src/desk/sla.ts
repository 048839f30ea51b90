// The scan, the ledger, and recomputing open tickets after a site's policy was changed.

import { workingTimeBetween } from '../domain/calendar.ts';
import { notFound } from '../domain/errors.ts';
import * as sla from '../domain/sla.ts';
import type { Tx } from '../store/database.ts';
import { type Site, siteById } from '../store/sites.ts';
import { intervalsOfTicket, sitesThatClose, ticketsDue, ticketsResolvedBefore, unclosedTickets } from '../store/sla.ts';
import { type Ticket, ticketById, updateTicket } from '../store/tickets.ts';
import { authorise, findSite, findTicket } from './access.ts';
import { clockColumns, policyOf, tell, termsOf } from './clocks.ts';
import { type Context, record } from './record.ts';
import { changeStatus } from './tickets.ts';

export interface DueSignal extends sla.SlaSignal {
  ticket: Ticket;
}

// A step must not hold up others: this many tickets take a few milliseconds.
export const scanStepSize = 100;

/** What of a page of due tickets would be signalled now, and how their clocks stand then. */
function due(tx: Tx, ctx: Context, limit: number): { ticket: Ticket; step: sla.SlaStep }[] {
  const sites = new Map<number, Site | undefined>();
  return ticketsDue(tx, ctx.now, limit).flatMap((id) => {
    const ticket = ticketById(tx, id);
    if (!ticket) return [];
    if (!sites.has(ticket.siteId)) sites.set(ticket.siteId, siteById(tx, ticket.siteId));
    const site = sites.get(ticket.siteId);
    return site ? [{ ticket, step: sla.scan(termsOf(policyOf(tx, site, ticket)), ticket, ctx.now) }] : [];
  });
}

/**
 * One step of the scan: at most `scanStepSize` tickets whose next moment has come are warned or breached, each once, in
 * the writing transaction, so that two scanners never signal the same thing (semantics.md, SLA).
 * @returns what was signalled, and whether there may be more
 */
export function scanStep(tx: Tx, ctx: Context): { signals: DueSignal[]; hasMore: boolean } {
  const found = due(tx, ctx, scanStepSize);
  const signals: DueSignal[] = [];
  for (const { ticket, step } of found) {
    updateTicket(tx, ticket, clockColumns(step.state));
    tell(tx, ctx, ticket, step.signals);
    signals.push(...step.signals.map((signal) => ({ ...signal, ticket })));
  }
  return { signals, hasMore: found.length === scanStepSize };
}

/** What a scan at this instant would signal, without doing it: `sla scan --dry-run`. */
export function previewScan(tx: Tx, ctx: Context): DueSignal[] {
  return due(tx, ctx, 1_000_000).flatMap(({ ticket, step }) => step.signals.map((signal) => ({ ...signal, ticket })));
}

const dayMs = 24 * 60 * 60 * 1000;

/** Closes tickets that have been resolved for the site's `auto_close_days`; at most `limit` of each site. */
export function closeResolved(tx: Tx, ctx: Context, limit: number): number {
  let closed = 0;
  for (const { id, days } of sitesThatClose(tx)) {
    const site = siteById(tx, id);
    if (!site) continue;
    for (const ticketId of ticketsResolvedBefore(tx, id, ctx.now - days * dayMs, limit)) {
      const ticket = ticketById(tx, ticketId);
      if (!ticket) continue;
      changeStatus(tx, ctx, site, ticket, 'closed');
      closed += 1;
    }
  }
  return closed;
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

export const recomputeStepSize = 200;

/**
 * Puts a page of a site's tickets that are not closed under its present policy and priorities' targets.
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
  const ids = unclosedTickets(tx, site.id, afterId, recomputeStepSize);
  const moved: Moved[] = [];
  for (const id of ids) {
    const ticket = ticketById(tx, id);
    if (!ticket) continue;
    const next = sla.retarget(
      terms,
      ticket,
      { firstResponseMinutes: ticket.firstResponseTargetMinutes, resolutionMinutes: ticket.resolutionTargetMinutes },
      pausedUnder(tx, terms, ticket),
    );
    const before = { firstResponseDueAt: ticket.firstResponseDueAt, resolutionDueAt: ticket.resolutionDueAt };
    const after = { firstResponseDueAt: next.firstResponseDueAt, resolutionDueAt: next.resolutionDueAt };
    const isMoved =
      before.firstResponseDueAt !== after.firstResponseDueAt || before.resolutionDueAt !== after.resolutionDueAt;
    if (isMoved) moved.push({ ticket, before, after });
    if (isDryRun) continue;
    updateTicket(tx, ticket, { ...clockColumns(next), slaPolicyId: site.slaPolicyId });
    if (isMoved) {
      record(tx, ctx, {
        kind: 'ticket.updated',
        siteId: site.id,
        ticketId: ticket.id,
        data: {
          ticket_ulid: ticket.ulid,
          changes: {
            first_response_due_at: { from: wire(before.firstResponseDueAt), to: wire(after.firstResponseDueAt) },
            resolution_due_at: { from: wire(before.resolutionDueAt), to: wire(after.resolutionDueAt) },
          },
        },
      });
    }
  }
  return { moved, lastId: ids.length === recomputeStepSize ? (ids.at(-1) ?? null) : null };
}

const wire = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** The ended pauses of a ticket as working time of another policy. */
function pausedUnder(tx: Tx, { calendar }: sla.SlaTerms, ticket: Ticket) {
  let firstResponsePausedMs = 0;
  let resolutionPausedMs = 0;
  for (const { startedAt, endedAt } of intervalsOfTicket(tx, ticket.id)) {
    if (endedAt === null) continue;
    resolutionPausedMs += workingTimeBetween(calendar, startedAt, endedAt);
    const until =
      ticket.firstResponseAt === null ? endedAt : Math.min(endedAt, Math.max(startedAt, ticket.firstResponseAt));
    firstResponsePausedMs += workingTimeBetween(calendar, startedAt, until);
  }
  return { firstResponsePausedMs, resolutionPausedMs };
}
