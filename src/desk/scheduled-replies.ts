// Replies with a time: stored apart from messages, sent by the scanner, withdrawn until then (docs/spec/console.md#scheduled-replies).

import { toWire } from '../base/clock.ts';
import { newUlid } from '../base/ids.ts';
import { fromStoredActor, toStoredActor } from '../domain/actor.ts';
import { conflict, notFound } from '../domain/errors.ts';
import { sendLimits } from '../domain/limits.ts';
import type { TicketStatus } from '../domain/ticket.ts';
import { isUlid } from '../domain/ulid.ts';
import { agentsSeeingSite } from '../store/agents.ts';
import type { Tx } from '../store/database.ts';
import { hasMuchToIndex } from '../store/documents.ts';
import {
  attachmentsOfScheduledReply,
  attachmentsOfTicket,
  messageByUlid,
  updateAttachment,
} from '../store/messages.ts';
import {
  countScheduledReplies,
  deleteScheduledReply,
  insertScheduledReply,
  type ScheduledReply,
  scheduledRepliesOfTicket,
  scheduledReplyByUlid,
  ticketsToSendOn,
} from '../store/scheduled-replies.ts';
import { siteById } from '../store/sites.ts';
import { type Ticket, ticketById, updateTicket } from '../store/tickets.ts';
import { forgetFaults } from '../store/tickets-set-aside.ts';
import { authorise, findTicket } from './access.ts';
import type { Context } from './context.ts';
import { record } from './record.ts';
import { type AgentWords, type Said, sayAsAgent } from './sent-replies.ts';

export interface Scheduled {
  ticket: Ticket;
  reply: ScheduledReply;
}

export function scheduleReply(
  tx: Tx,
  ctx: Context,
  ticket: Ticket,
  { attachments, mentions, isInternal: _, ...words }: AgentWords,
  status: TicketStatus | null,
  sendAt: number,
): Scheduled {
  if (countScheduledReplies(tx, ticket.id) >= sendLimits.onTicket)
    throw conflict(`A ticket can have at most ${sendLimits.onTicket} scheduled replies.`, 'too_many_scheduled');
  const reply = insertScheduledReply(tx, {
    ...words,
    ulid: newUlid(ctx.now),
    ticketId: ticket.id,
    mentions: [...mentions],
    status,
    actor: toStoredActor(ctx.actor),
    sendAt,
    createdAt: ctx.now,
  });
  for (const { id } of attachments) updateAttachment(tx, id, { scheduledReplyId: reply.id });
  return { ticket: noteChange(tx, ctx, ticket, 'ticket.reply_scheduled', reply), reply };
}

export function withdrawReply(tx: Tx, ctx: Context, name: string | number, ulid: string) {
  authorise(ctx, 'write');
  const ticket = findTicket(tx, ctx, name);
  const reply = isUlid(ulid) ? scheduledReplyByUlid(tx, ulid.toUpperCase()) : undefined;
  if (reply?.ticketId !== ticket.id) {
    const message = isUlid(ulid) ? messageByUlid(tx, ulid.toUpperCase()) : undefined;
    if (message?.ticketId !== ticket.id) throw notFound('message');
    throw conflict('This message is already sent.', 'already_sent');
  }
  const attachments = attachmentsOfTicket(tx, ticket.id);
  deleteScheduledReply(tx, reply.id);
  return { ticket: noteChange(tx, ctx, ticket, 'ticket.reply_withdrawn', reply), reply, attachments };
}

/** Customers see neither: the ticket gets a new version, but counts as unchanged. */
function noteChange(
  tx: Tx,
  ctx: Context,
  ticket: Ticket,
  kind: 'ticket.reply_scheduled' | 'ticket.reply_withdrawn',
  { ulid, sendAt, agentName }: ScheduledReply,
): Ticket {
  const changed = updateTicket(tx, ticket, {});
  record(tx, ctx, {
    kind,
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: { ticket_ulid: ticket.ulid, message_ulid: ulid, send_at: toWire(sendAt), agent_name: agentName },
  });
  return changed;
}

// A step must not hold up other writes: a reply takes about a millisecond.
const ticketsOfStep = 8;
const repliesOfStep = 8;

export function dueToSend(tx: Tx, ctx: Context): number[] {
  return ticketsToSendOn(tx, ctx.now, ticketsOfStep);
}

export function sendDue(tx: Tx, ctx: Context): { done: Said[]; hasMore: boolean } {
  const ids = dueToSend(tx, ctx);
  const done: Said[] = [];
  for (const id of ids) {
    done.push(...sendDueOf(tx, ctx, id));
    if (hasMuchToIndex(tx)) return { done, hasMore: true };
  }
  return { done, hasMore: ids.length === ticketsOfStep };
}

/** In the transaction that removes it from those that wait, so that it is sent once. */
export function sendDueOf(tx: Tx, ctx: Context, ticketId: number): Said[] {
  const all = scheduledRepliesOfTicket(tx, ticketId).filter(({ sendAt }) => sendAt <= ctx.now);
  const due = all.slice(0, repliesOfStep);
  const said = due.flatMap((reply) => {
    const ticket = ticketById(tx, ticketId);
    const site = ticket && siteById(tx, ticket.siteId);
    if (!site) return [];
    const attachments = attachmentsOfScheduledReply(tx, reply.id);
    deleteScheduledReply(tx, reply.id);
    const { ulid, agentId, agentName, body, bodyFormat, html } = reply;
    const known = new Set(agentsSeeingSite(tx, site.id).map(({ id }) => id));
    const words = { ulid, agentId, agentName, body, bodyFormat, html, isInternal: false, attachments };
    const mentions = reply.mentions.filter((id) => known.has(id));
    const speaking = { ...ctx, actor: fromStoredActor(reply.actor) };
    return sayAsAgent(tx, speaking, site, ticket, { ...words, mentions }, { to: reply.status, isOptional: true });
  });
  forgetFaults(tx, 'scheduled replies', [ticketId]);
  return said;
}
