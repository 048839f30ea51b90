// Moving a ticket from one state to another.

import { toWire } from '../../base/clock.ts';
import { conflict } from '../../domain/errors.ts';
import type { EventData } from '../../domain/event.ts';
import type { MailedRecipient } from '../../domain/tickets/participant.ts';
import { type TicketStatus, transitionBetween } from '../../domain/tickets/ticket.ts';
import type { Tx } from '../../engine/database.ts';
import type { Site } from '../../store/sites/sites.ts';
import { type Ticket, updateTicket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { howAsked } from '../customers/satisfaction.ts';
import { record } from '../record.ts';
import { catchUpClocks, clockColumns, moveClocks } from '../sla/clocks.ts';

/**
 * Does nothing if the ticket is in that state; 409 if there is no such transition.
 * @param replyTo who gets what an agent says in the same step
 */
export function changeStatus(
  tx: Tx,
  ctx: Context,
  site: Site,
  ticket: Ticket,
  to: TicketStatus,
  told: EventData = {},
  replyTo: readonly MailedRecipient[] | null = null,
): Ticket {
  const step = transitionBetween(ticket.status, to);
  if (step === 'none') return ticket;
  if (step === null) throw conflict(`A ${ticket.status} ticket cannot become ${to}.`, 'no_such_transition');
  const from = ticket.status;
  // Record a deadline that passed unnoticed before the change that would hide it.
  const late = catchUpClocks(tx, ctx, site, ticket);
  const isWoken = ticket.snoozedUntil !== null && to !== 'pending';
  const changes: NonNullable<EventData['changes']> = { status: { from, to } };
  if (isWoken) changes.snoozed_until = { from: toWire(ticket.snoozedUntil), to: null };
  const asked = to === 'resolved' ? howAsked(tx, ctx, site, ticket, told, replyTo) : null;
  const seq = record(tx, ctx, {
    kind: 'ticket.status_changed',
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: {
      ...{ ticket_ulid: ticket.ulid, old_status: from, new_status: to, changes },
      ...(asked === null ? {} : { satisfaction_asked: asked }),
      ...told,
    },
  });
  return updateTicket(tx, ticket, {
    ...breachColumns(late),
    ...moveClocks(tx, ctx, site, late, step, seq),
    ...statusColumns(ctx, ticket, to),
    ...(isWoken ? { snoozedUntil: null } : {}),
    updatedAt: ctx.now,
  });
}

/**
 * A ticket that a merge closed is what it was before. The time in between does not count, as for any that was closed.
 * A snooze that would be over has ended.
 */
export function openAgain(
  tx: Tx,
  ctx: Context,
  site: Site,
  ticket: Ticket,
  before: Pick<Ticket, 'status' | 'snoozedUntil'>,
): Ticket {
  const snoozedUntil = before.snoozedUntil !== null && before.snoozedUntil > ctx.now ? before.snoozedUntil : null;
  const isOver = before.snoozedUntil !== null && snoozedUntil === null && before.status === 'pending';
  const to = isOver ? 'open' : before.status;
  if (to === ticket.status) return ticket;
  const changes: NonNullable<EventData['changes']> = { status: { from: ticket.status, to } };
  if (snoozedUntil !== null) changes.snoozed_until = { from: null, to: toWire(snoozedUntil) };
  const seq = record(tx, ctx, {
    kind: 'ticket.status_changed',
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: { ticket_ulid: ticket.ulid, old_status: ticket.status, new_status: to, changes, notify_author: false },
  });
  if (to === 'resolved') return updateTicket(tx, ticket, { status: to, closedAt: null });
  const opened = {
    ...ticket,
    ...moveClocks(tx, ctx, site, ticket, 'reopen', seq),
    ...statusColumns(ctx, ticket, 'open'),
  };
  const paused = to === 'pending' ? moveClocks(tx, ctx, site, opened, 'pause', seq) : {};
  return updateTicket(tx, ticket, {
    ...clockColumns({ ...opened, ...paused }),
    closedAt: null,
    status: to,
    snoozedUntil,
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
