// The SLA clocks of a ticket as columns, pauses and events.

import { type Instant, toWire } from '../../base/clock.ts';
import type { SiteSlaPolicy } from '../../domain/sites/site.ts';
import { compileCalendar, workingTimeBetween } from '../../domain/sla/calendar.ts';
import { clockOf, notBegun, type SlaState, type SlaTerms } from '../../domain/sla/clock.ts';
import * as sla from '../../domain/sla/sla.ts';
import type { Transition } from '../../domain/tickets/ticket.ts';
import type { Tx } from '../../engine/database.ts';
import type { Priority } from '../../store/sites/catalogue.ts';
import type { Site } from '../../store/sites/sites.ts';
import { beginInterval, endInterval, intervalsOfTicket, slaPolicyById } from '../../store/sla/sla.ts';
import { type Ticket, updateTicket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { record } from '../record.ts';

export function termsOf(policy: SiteSlaPolicy): SlaTerms {
  return { calendar: compileCalendar(policy.business_hours, policy.holidays), warnAtPercent: policy.warn_at_percent };
}

export function policyOf(tx: Tx, site: Site, ticket: Ticket): SiteSlaPolicy {
  return (ticket.slaPolicyId === null ? undefined : slaPolicyById(tx, ticket.slaPolicyId)) ?? site.slaPolicy;
}

type SlaColumns = Omit<SlaState, 'createdAt'>;

/** Only the clocks' columns: a `SlaState` may be a whole ticket, read earlier. */
export function clockColumns(state: SlaState): SlaColumns {
  return {
    firstResponseFrom: state.firstResponseFrom,
    firstResponseTargetMinutes: state.firstResponseTargetMinutes,
    resolutionTargetMinutes: state.resolutionTargetMinutes,
    firstResponseDueAt: state.firstResponseDueAt,
    firstResponseAt: state.firstResponseAt,
    firstResponseWarnedAt: state.firstResponseWarnedAt,
    firstResponseBreachedAt: state.firstResponseBreachedAt,
    resolutionDueAt: state.resolutionDueAt,
    resolvedAt: state.resolvedAt,
    resolutionWarnedAt: state.resolutionWarnedAt,
    resolutionBreachedAt: state.resolutionBreachedAt,
    slaPausedAt: state.slaPausedAt,
    firstResponsePausedMs: state.firstResponsePausedMs,
    resolutionPausedMs: state.resolutionPausedMs,
    slaNextAt: state.slaNextAt,
  };
}

// Writing an unchanged column still updates its indexes.
export function changedColumns(ticket: Ticket, state: SlaState): Partial<SlaColumns> {
  const columns = Object.entries(clockColumns(state)) as [keyof SlaColumns, number | null][];
  return Object.fromEntries(columns.filter(([name, value]) => ticket[name] !== value));
}

// A test ticket notifies no one, so nothing is ever due.
function kept(ticket: { isTest: boolean }, state: SlaState): SlaColumns {
  return ticket.isTest ? { ...clockColumns(state), slaNextAt: null } : clockColumns(state);
}

export function startClocks(
  site: Site,
  priority: Priority,
  at: number,
  { isTest, awaitsAuthor = false }: { isTest: boolean; awaitsAuthor?: boolean },
): SlaColumns & { slaPolicyId: number | null } {
  const from = awaitsAuthor ? notBegun : null;
  return { ...kept({ isTest }, sla.start(termsOf(site.slaPolicy), at, priority, from)), slaPolicyId: site.slaPolicyId };
}

export function tell(tx: Tx, ctx: Context, ticket: Ticket, signals: readonly sla.SlaSignal[]): void {
  for (const { clock, kind, dueAt, minutesRemaining } of signals) {
    record(tx, ctx, {
      kind: kind === 'warning' ? 'ticket.sla_warning' : 'ticket.sla_breached',
      siteId: ticket.siteId,
      ticketId: ticket.id,
      actor: { kind: 'scan' },
      data: { ticket_ulid: ticket.ulid, sla_type: clock, minutes_remaining: minutesRemaining, due_at: toWire(dueAt) },
    });
  }
}

/** Records breaches before this step that no scan has seen. */
export function catchUpClocks(tx: Tx, ctx: Context, site: Site, ticket: Ticket): Ticket {
  if (ticket.isTest) return ticket;
  const { state, signals } = sla.catchUp(termsOf(policyOf(tx, site, ticket)), ticket, ctx.now);
  if (signals.length === 0) return ticket;
  tell(tx, ctx, ticket, signals);
  return { ...ticket, ...clockColumns(state) };
}

export function moveClocks(
  tx: Tx,
  ctx: Context,
  site: Site,
  ticket: Ticket,
  step: Transition,
  seq: number,
): Partial<Ticket> {
  const policy = policyOf(tx, site, ticket);
  const terms = termsOf(policy);
  const at = ctx.now;
  switch (step) {
    case 'pause':
      if (!policy.pause_while_pending || ticket.isSpam) return {};
      beginInterval(tx, ticket.id, 'paused', at, seq);
      return kept(ticket, sla.pause(terms, ticket, at));
    case 'resume':
      if (ticket.isSpam) return {};
      endInterval(tx, ticket.id, at, seq);
      return kept(ticket, sla.resume(terms, ticket, at));
    case 'resolve':
    case 'close':
      if (ticket.resolvedAt !== null) return {};
      endInterval(tx, ticket.id, at, seq);
      beginInterval(tx, ticket.id, 'resolved', at, seq);
      return kept(ticket, sla.resolve(terms, ticket, at));
    case 'reopen':
      endInterval(tx, ticket.id, at, seq);
      if (!ticket.isSpam) return kept(ticket, sla.reopen(terms, ticket, at));
      beginInterval(tx, ticket.id, 'spam', at, seq);
      return kept(ticket, sla.pause(terms, sla.reopen(terms, ticket, at), at));
  }
}

/** Spam stops both clocks, whatever the policy says. A ticket that was taken for spam goes on with the time it had left. */
export function markClocks(
  tx: Tx,
  ctx: Context,
  site: Site,
  ticket: Ticket,
  isSpam: boolean,
  seq: number,
): Partial<Ticket> {
  if (ticket.resolvedAt !== null) return {};
  const policy = policyOf(tx, site, ticket);
  const isPending = ticket.status === 'pending' && policy.pause_while_pending;
  endInterval(tx, ticket.id, ctx.now, seq);
  if (isSpam || isPending) beginInterval(tx, ticket.id, isSpam ? 'spam' : 'paused', ctx.now, seq);
  if (!isSpam && isPending) return {};
  return kept(ticket, (isSpam ? sla.pause : sla.resume)(termsOf(policy), ticket, ctx.now));
}

export function retarget(tx: Tx, site: Site, ticket: Ticket, priority: Priority): Partial<Ticket> {
  return kept(ticket, sla.retarget(termsOf(policyOf(tx, site, ticket)), ticket, priority));
}

/** What a customer's message changes: it starts a clock that waited for it. */
export function hearAuthor(tx: Tx, ctx: Context, site: Site, ticket: Ticket): Ticket {
  if (ticket.firstResponseFrom !== notBegun) return ticket;
  return updateTicket(tx, ticket, kept(ticket, sla.begin(termsOf(policyOf(tx, site, ticket)), ticket, ctx.now)));
}

export function respond(tx: Tx, ctx: Context, site: Site, ticket: Ticket): Partial<Ticket> {
  return kept(ticket, sla.respond(termsOf(policyOf(tx, site, ticket)), ticket, ctx.now));
}

/** What the author said first is not on the ticket any more: the clock starts with what is, or waits again. */
export function hearAuthorAgain(tx: Tx, site: Site, ticket: Ticket, heardAt: Instant | null): Partial<Ticket> {
  const terms = termsOf(policyOf(tx, site, ticket));
  const begun = {
    ...ticket,
    firstResponseFrom: heardAt ?? notBegun,
    firstResponseDueAt: null,
    firstResponseWarnedAt: null,
    firstResponseBreachedAt: null,
  };
  const targets = {
    firstResponseMinutes: ticket.firstResponseTargetMinutes,
    resolutionMinutes: ticket.resolutionTargetMinutes,
  };
  return kept(ticket, sla.retarget(terms, begun, targets, pausedUnder(tx, terms, begun)));
}

/** Ended pauses measured by a policy. A pause in progress counts when it ends, with all its intervals: a pending ticket can become spam. */
export function pausedUnder(tx: Tx, terms: SlaTerms, ticket: Ticket) {
  const { startedAt: begunAt } = clockOf(ticket, 'first_response');
  let firstResponsePausedMs = 0;
  let resolutionPausedMs = 0;
  for (const { startedAt, endedAt } of intervalsOfTicket(tx, ticket.id)) {
    const isInProgress = ticket.slaPausedAt !== null && startedAt >= ticket.slaPausedAt;
    if (isInProgress && ticket.firstResponseAt === null) continue;
    if (endedAt !== null && !isInProgress) resolutionPausedMs += workingTimeBetween(terms.calendar, startedAt, endedAt);
    const heldUntil = Math.min(endedAt ?? Number.POSITIVE_INFINITY, ticket.firstResponseAt ?? Number.POSITIVE_INFINITY);
    if (heldUntil > startedAt && heldUntil < Number.POSITIVE_INFINITY)
      firstResponsePausedMs += sla.heldBetween(terms, begunAt, startedAt, heldUntil);
  }
  return { firstResponsePausedMs, resolutionPausedMs };
}
