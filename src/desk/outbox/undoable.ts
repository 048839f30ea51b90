// Mails about what can be taken back: they say what is still so when they leave, and tickets that someone gets together come in one.

import { toStoredActor } from '../../domain/actor.ts';
import { normaliseEmail } from '../../domain/address.ts';
import { undoableMails, undoMs } from '../../domain/event.ts';
import { minuteMs } from '../../domain/instant.ts';
import { type Agent, agentById } from '../../store/agents.ts';
import type { Tx } from '../../store/database.ts';
import { assigneeBefore, eventBySeq } from '../../store/events.ts';
import { type Delivery, deleteDelivery, deliveryById, updateDelivery, waitingMail } from '../../store/outbox.ts';
import { promoteNext } from '../../store/outbox-lanes.ts';
import { type Ticket, ticketById } from '../../store/tickets.ts';
import type { Context } from '../context.ts';

const longestGatherMs = minuteMs;
const mostTogether = 500;

/** Who gets a ticket back within the time for Undo has not lost it. */
export function isGivenBack(tx: Tx, ctx: Context, ticket: Ticket, agent: Agent): boolean {
  return assigneeBefore(tx, ticket.id, ctx.now - undoMs) === agent.id;
}

/** Adds the ticket to the mail that waits for the same person from the same one. False if there is none. */
export function joinAssigned(tx: Tx, ctx: Context, ticket: Ticket, agent: Agent): boolean {
  const createdAfter = ctx.now + undoMs - longestGatherMs;
  const wanted = { event: 'mail.assigned', siteId: ticket.siteId, recipient: normaliseEmail(agent.email) } as const;
  const waiting = waitingMail(tx, { ...wanted, createdAfter }, ctx.now);
  const by = waiting?.eventSeq == null ? undefined : eventBySeq(tx, waiting.eventSeq)?.actor;
  const own = toStoredActor(ctx.actor);
  if (waiting === undefined || by?.type !== own.type || by.id !== own.id) return false;
  const tickets = [...new Set([...(waiting.payload.tickets ?? []), ticket.id])].filter((id) => id !== waiting.ticketId);
  if (tickets.length > mostTogether) return false;
  updateDelivery(tx, waiting.id, { payload: { ...waiting.payload, tickets }, nextAt: ctx.now + undoMs });
  return true;
}

export function stillAssigned(tx: Tx, { ticketId, payload, recipient }: Delivery): Ticket[] {
  return [ticketId, ...(payload.tickets ?? [])].flatMap((id) => {
    const ticket = id === null ? undefined : ticketById(tx, id);
    const agent = ticket?.assigneeId == null ? undefined : agentById(tx, ticket.assigneeId);
    return ticket && agent?.isActive && normaliseEmail(agent.email) === recipient ? [ticket] : [];
  });
}

function isStillSo(tx: Tx, delivery: Delivery): boolean {
  if (delivery.event === 'mail.assigned') return stillAssigned(tx, delivery).length > 0;
  const status = delivery.ticketId === null ? undefined : ticketById(tx, delivery.ticketId)?.status;
  return status === 'resolved' || status === 'closed';
}

export function withdrawUntrue(tx: Tx, id: number): boolean {
  const delivery = deliveryById(tx, id);
  if (delivery === undefined || !undoableMails.some((kind) => kind === delivery.event)) return false;
  if (delivery.attempts > 0 || isStillSo(tx, delivery)) return false;
  deleteDelivery(tx, id);
  promoteNext(tx, delivery);
  return true;
}
