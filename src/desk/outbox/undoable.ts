// Mails about what can be taken back: they say what is still so when they leave, and tickets that someone gets together come in one.

import { includesSite, scopeOfAgent, toStoredActor } from '../../domain/actor.ts';
import { undoableMails, undoMs } from '../../domain/event.ts';
import { minuteMs } from '../../domain/instant.ts';
import { normaliseEmail } from '../../domain/mail/address.ts';
import type { Tx } from '../../engine/database.ts';
import { assigneeBefore, eventBySeq } from '../../store/events.ts';
import { promoteNext } from '../../store/outbox/lanes.ts';
import { type Delivery, deleteDelivery, updateDelivery, waitingMail } from '../../store/outbox/outbox.ts';
import { type Agent, agentById, agentFacts } from '../../store/people/agents.ts';
import { siteById } from '../../store/sites/sites.ts';
import { type Ticket, ticketById } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { toldIn } from '../notifications/told.ts';

const longestGatherMs = minuteMs;
const mostTogether = 500;

/** Who gets a ticket back within the time for Undo has not lost it. */
export function isGivenBack(tx: Tx, ctx: Context, ticket: Ticket, agent: Pick<Agent, 'id'>): boolean {
  return assigneeBefore(tx, ticket.id, ctx.now - undoMs) === agent.id;
}

/**
 * Adds the ticket to the mail that waits for the same person from the same one, and returns its time; null if there is none.
 * With tickets of several sites it is a mail of the desk: it ends with none of them, and is in no ticket's thread.
 */
export function joinAssigned(
  tx: Tx,
  ctx: Context,
  ticket: Ticket,
  agent: Pick<Agent, 'email'>,
  holdMs: number,
): number | null {
  const createdAfter = ctx.now + undoMs - longestGatherMs;
  const wanted = { event: 'mail.assigned', recipient: normaliseEmail(agent.email), createdAfter } as const;
  const waiting = waitingMail(tx, wanted, ctx.now, ctx.now + holdMs);
  const by = waiting?.eventSeq == null ? undefined : eventBySeq(tx, waiting.eventSeq)?.actor;
  const own = toStoredActor(ctx.actor);
  const told = waiting?.payload.told;
  if (waiting === undefined || told === undefined || by?.type !== own.type || by.id !== own.id) return null;
  const ofOneSite = waiting.siteId === ticket.siteId;
  const { siteId, ticketId } = ofOneSite ? waiting : { siteId: null, ticketId: null };
  const together = [...new Set([...assignedIn(waiting), ticket.id])];
  if (together.length > mostTogether) return null;
  const tickets = together.filter((id) => id !== ticketId);
  updateDelivery(tx, waiting.id, {
    siteId,
    ticketId,
    payload: { ...waiting.payload, tickets },
    nextAt: ctx.now + holdMs,
  });
  if (ticketId === null) promoteNext(tx, waiting);
  return told.mail_at;
}

const assignedIn = ({ ticketId, payload }: Delivery) => [
  ...(ticketId === null ? [] : [ticketId]),
  ...(payload.tickets ?? []),
];

export type AssignedTicket = Ticket & { siteName: string };

/** Those of a site that has been removed, or that the agent no longer sees, are not among them. */
export function stillAssigned(tx: Tx, delivery: Delivery): AssignedTicket[] {
  return assignedIn(delivery).flatMap((id) => {
    const ticket = ticketById(tx, id);
    const agent = ticket?.assigneeId == null ? undefined : agentById(tx, ticket.assigneeId);
    if (!ticket || !agent?.isActive || normaliseEmail(agent.email) !== delivery.recipient) return [];
    const { siteIds } = agentFacts(tx, [agent.id]).get(agent.id) ?? { siteIds: [] };
    const isSeen = includesSite(scopeOfAgent({ role: agent.role, siteIds }), ticket.siteId);
    const site = isSeen ? siteById(tx, ticket.siteId) : undefined;
    return site ? [{ ...ticket, siteName: site.name }] : [];
  });
}

function isStillSo(tx: Tx, delivery: Delivery): boolean {
  const told = toldIn(tx, delivery);
  if (told !== null) return told.some(({ readAt }) => readAt === null);
  if (delivery.event === 'mail.assigned') return stillAssigned(tx, delivery).length > 0;
  const status = delivery.ticketId === null ? undefined : ticketById(tx, delivery.ticketId)?.status;
  return status === 'resolved' || status === 'closed';
}

export function withdrawUntrue(tx: Tx, delivery: Delivery): boolean {
  if (delivery.payload.told === undefined && !undoableMails.some((kind) => kind === delivery.event)) return false;
  if (delivery.attempts > 0 || isStillSo(tx, delivery)) return false;
  deleteDelivery(tx, delivery.id);
  promoteNext(tx, delivery);
  return true;
}
