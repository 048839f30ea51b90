// The SLA scan, closing resolved tickets, and reading the SLA ledger.

import { notFound } from '../../domain/errors.ts';
import { dayMs } from '../../domain/instant.ts';
import { type SlaTerms, slaClocks } from '../../domain/sla/clock.ts';
import { type ClockLedger, explain } from '../../domain/sla/ledger.ts';
import * as sla from '../../domain/sla/sla.ts';
import type { Tx } from '../../engine/database.ts';
import { siteById } from '../../store/sites/sites.ts';
import { intervalsOfTicket, sitesThatClose, ticketsDue, ticketsResolvedBefore } from '../../store/sla/sla.ts';
import { forgetFaults } from '../../store/tickets/ticket-faults.ts';
import { type Ticket, ticketById, ticketsByIds, updateTicket } from '../../store/tickets/tickets.ts';
import { authorise, findTicket } from '../access.ts';
import type { Context } from '../context.ts';
import { changeStatus } from '../tickets/ticket-status.ts';
import { changedColumns, policyOf, tell, termsOf } from './clocks.ts';

export interface DueSignal extends sla.SlaSignal {
  ticket: Pick<Ticket, 'id' | 'ulid'>;
}

// A step must not hold up other writes: this many tickets take a few milliseconds.
const scanStepSize = 16;

function look(tx: Tx, ctx: Context, ids: readonly number[]): { ticket: Ticket; step: sla.SlaStep }[] {
  const known = new Map<string, SlaTerms | null>();
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

/** Tickets are read again in the writing transaction, so that two scanners never send the same signal (docs/spec/behaviour.md#sla). */
export function scanStep(tx: Tx, ctx: Context): { signals: DueSignal[]; hasMore: boolean } {
  const ids = dueNow(tx, ctx);
  return { signals: scanTickets(tx, ctx, ids), hasMore: ids.length === scanStepSize };
}

export function dueNow(tx: Tx, ctx: Context): number[] {
  return ticketsDue(tx, ctx.now, scanStepSize);
}

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

export function previewScan(tx: Tx, ctx: Context): { signals: DueSignal[]; failed: number[] } {
  const ids = ticketsDue(tx, ctx.now, 1_000_000);
  const failed: number[] = [];
  const signals: DueSignal[] = [];
  for (let at = 0; at < ids.length; at += 1000) {
    const page = ids.slice(at, at + 1000);
    try {
      signals.push(...look(tx, ctx, page).flatMap(signalsOf));
    } catch {
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

export function resolvedLongAgo(tx: Tx, ctx: Context, limit: number): number[] {
  const ids: number[] = [];
  for (const { id, days } of sitesThatClose(tx))
    ids.push(...ticketsResolvedBefore(tx, id, ctx.now - days * dayMs, ctx.now, limit - ids.length));
  return ids;
}

export function closeTickets(tx: Tx, ctx: Context, ids: readonly number[]): void {
  for (const id of ids) {
    const ticket = ticketById(tx, id);
    const site = ticket && siteById(tx, ticket.siteId);
    if (ticket?.status === 'resolved' && site) changeStatus(tx, ctx, site, ticket, 'closed');
  }
  forgetFaults(tx, 'auto-close', ids);
}

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
  clocks: ClockLedger[];
}

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
    clocks: slaClocks.map((clock) => explain(termsOf(policy), ticket, intervals, clock, ctx.now)),
  };
}
