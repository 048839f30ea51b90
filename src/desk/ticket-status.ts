// Moving a ticket from one state to another.

import { toWire } from '../base/clock.ts';
import { conflict } from '../domain/errors.ts';
import type { EventData } from '../domain/event.ts';
import { type TicketStatus, transitionBetween } from '../domain/ticket.ts';
import type { Tx } from '../store/database.ts';
import type { Site } from '../store/sites.ts';
import { type Ticket, updateTicket } from '../store/tickets.ts';
import { catchUpClocks, moveClocks } from './clocks.ts';
import type { Context } from './context.ts';
import { record } from './record.ts';

/** Does nothing if the ticket is in that state; 409 if there is no such transition. */
export function changeStatus(tx: Tx, ctx: Context, site: Site, ticket: Ticket, to: TicketStatus): Ticket {
  const step = transitionBetween(ticket.status, to);
  if (step === 'none') return ticket;
  if (step === null) throw conflict(`A ${ticket.status} ticket cannot become ${to}.`, 'no_such_transition');
  const from = ticket.status;
  // Record a deadline that passed unnoticed before the change that would hide it.
  const late = catchUpClocks(tx, ctx, site, ticket);
  const isWoken = ticket.snoozedUntil !== null && to !== 'pending';
  const changes: NonNullable<EventData['changes']> = { status: { from, to } };
  if (isWoken) changes.snoozed_until = { from: toWire(ticket.snoozedUntil), to: null };
  const seq = record(tx, ctx, {
    kind: 'ticket.status_changed',
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: { ticket_ulid: ticket.ulid, old_status: from, new_status: to, changes },
  });
  return updateTicket(tx, ticket, {
    ...breachColumns(late),
    ...moveClocks(tx, ctx, site, late, step, seq),
    ...statusColumns(ctx, ticket, to),
    ...(isWoken ? { snoozedUntil: null } : {}),
    updatedAt: ctx.now,
  });
}

export function breachColumns(ticket: Ticket): Partial<Ticket> {
  const { firstResponseBreachedAt, resolutionBreachedAt, slaNextAt } = ticket;
  return { firstResponseBreachedAt, resolutionBreachedAt, slaNextAt };
}

function statusColumns(ctx: Context, ticket: Ticket, to: TicketStatus): Partial<Ticket> {
  switch (to) {
    case 'open':
      return { status: to, resolvedAt: null, closedAt: null };
    case 'pending':
      return { status: to };
    case 'resolved':
      return { status: to, resolvedAt: ctx.now };
    case 'closed':
      return { status: to, resolvedAt: ticket.resolvedAt ?? ctx.now, closedAt: ctx.now };
  }
}
