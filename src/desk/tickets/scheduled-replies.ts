// Replies with a time, and notes that are held: stored apart from messages, sent by the scanner, withdrawn until then (docs/spec/console.md#scheduled-replies).

import { toWire } from '../../base/clock.ts';
import { newUlid } from '../../base/ids.ts';
import { fromStoredActor, toStoredActor } from '../../domain/actor.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import { sendLimits } from '../../domain/sites/limits.ts';
import type { Recipient } from '../../domain/tickets/participant.ts';
import type { TicketStatus } from '../../domain/tickets/ticket.ts';
import { isUlid } from '../../domain/ulid.ts';
import type { Tx } from '../../engine/database.ts';
import { agentsSeeingSite } from '../../store/people/agents.ts';
import { siteById } from '../../store/sites/sites.ts';
import {
  attachmentsOfScheduledReply,
  attachmentsOfTicket,
  messageByUlid,
  updateAttachment,
} from '../../store/tickets/messages.ts';
import { participantsOf } from '../../store/tickets/participants.ts';
import {
  countScheduledReplies,
  deleteScheduledReply,
  insertScheduledReply,
  type ScheduledReply,
  scheduledRepliesOfTicket,
  scheduledReplyByUlid,
  ticketsToSendOn,
} from '../../store/tickets/scheduled-replies.ts';
import { forgetFaults } from '../../store/tickets/ticket-faults.ts';
import { type Ticket, ticketById, updateTicket } from '../../store/tickets/tickets.ts';
import { authorise, findTicket, requireOwnNote } from '../access.ts';
import type { Context } from '../context.ts';
import { record } from '../record.ts';
import { type AgentWords, type Said, sayAsAgent } from './sent-replies.ts';

export interface Scheduled {
  ticket: Ticket;
  reply: ScheduledReply;
}

export function scheduleReply(
  tx: Tx,
  ctx: Context,
  ticket: Ticket,
  { attachments, mentions, ...words }: AgentWords,
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
  authorise(ctx, 'note');
  const ticket = findTicket(tx, ctx, name);
  const found = isUlid(ulid) ? scheduledReplyByUlid(tx, ulid.toUpperCase()) : undefined;
  const reply = found?.ticketId === ticket.id ? found : undefined;
  const sent = reply === undefined && isUlid(ulid) ? messageByUlid(tx, ulid.toUpperCase()) : undefined;
  const said = reply ?? (sent?.ticketId === ticket.id ? sent : undefined);
  if (said?.isInternal && ctx.actor.kind === 'agent') requireOwnNote(ctx, said);
  else authorise(ctx, 'write');
  if (said === undefined) throw notFound('message');
  if (reply === undefined) throw conflict('This message is already sent.', 'already_sent');
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
  { ulid, sendAt, agentName, isInternal }: ScheduledReply,
): Ticket {
  const changed = updateTicket(tx, ticket, {});
  record(tx, ctx, {
    kind,
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: {
      ticket_ulid: ticket.ulid,
      message_ulid: ulid,
      send_at: toWire(sendAt),
      agent_name: agentName,
      ...(isInternal ? { is_internal: true } : {}),
    },
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
  const done = ids.flatMap((id) => sendDueOf(tx, ctx, id));
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
    const { ulid, agentId, agentName, body, bodyFormat, html, senderId, isInternal } = reply;
    const known = new Set(agentsSeeingSite(tx, site.id).map(({ id }) => id));
    const recipients = reply.recipients && withoutRemoved(tx, reply, reply.recipients);
    const words = {
      ulid,
      agentId,
      agentName,
      body,
      bodyFormat,
      html,
      senderId,
      isInternal,
      attachments,
      recipients,
    };
    const mentions = reply.mentions.filter((id) => known.has(id));
    const speaking = { ...ctx, actor: fromStoredActor(reply.actor) };
    return sayAsAgent(tx, speaking, site, ticket, { ...words, mentions }, { to: reply.status, isOptional: true });
  });
  forgetFaults(tx, 'scheduled replies', [ticketId]);
  return said;
}

/** Those who were removed from the ticket since it was written. */
function withoutRemoved(
  tx: Tx,
  { ticketId, createdAt }: ScheduledReply,
  recipients: readonly Recipient[],
): Recipient[] {
  const gone = participantsOf(tx, ticketId).filter(({ removedAt }) => removedAt !== null && removedAt > createdAt);
  return recipients.filter(({ email }) => !gone.some(({ person }) => person.email === email));
}
