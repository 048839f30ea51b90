// The rows of an export that carry tickets.

import { toWire } from '../../base/clock.ts';
import type { EventData, EventKind } from '../../domain/event.ts';
import type { RowOf } from '../../domain/input/transfer.ts';
import { type References, rewriteActor, rewriteEventData } from '../../domain/transfer.ts';
import { isUlid } from '../../domain/ulid.ts';
import type { Tx } from '../../store/database.ts';
import type { Event } from '../../store/events.ts';
import { isUlidOfSite } from '../../store/imported-rows.ts';
import type { Mention } from '../../store/mentions.ts';
import type { Message } from '../../store/messages.ts';
import type { Delivery } from '../../store/outbox.ts';
import type { ScheduledReply } from '../../store/scheduled-replies.ts';
import type { Ticket } from '../../store/tickets.ts';
import { lineNames } from './line-names.ts';

const wasQueued = 'The mail was still queued when the site was exported.';

// Events of what can be removed.
const namesGone: readonly EventKind[] = [
  'ticket.note_added',
  'ticket.note_changed',
  'ticket.note_deleted',
  'ticket.attachment_added',
  'ticket.attachment_removed',
  'ticket.reply_scheduled',
  'ticket.reply_withdrawn',
];

export function eventRow(tx: Tx, event: Event, known: References): RowOf<'event'> {
  const { siteId, actor, data, ...row } = event;
  const told = namesGone.includes(row.kind) ? withoutGone(tx, siteId, data) : data;
  const rewritten = { actor: rewriteActor(actor, known), data: rewriteEventData(told, known) };
  return { type: 'event', ...lineNames(row), ...rewritten };
}

function withoutGone(tx: Tx, siteId: number, data: EventData): EventData {
  const isGone = (value: unknown) => typeof value === 'string' && isUlid(value) && !isUlidOfSite(tx, siteId, value);
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, isGone(value) ? null : value]));
}

export function ticketRow(ticket: Ticket, hasSecrets: boolean): RowOf<'ticket'> {
  const {
    siteId: _,
    priorityLevel: __,
    slaNextAt: ___,
    mergedIntoId: ____,
    splitFromId: _____,
    messageCount: ______,
    ...row
  } = ticket;
  return { type: 'ticket', ...lineNames(row), access_token_hash: hasSecrets ? ticket.accessTokenHash : null };
}

export function scheduledReplyRow(reply: ScheduledReply, known: References): RowOf<'scheduled_reply'> {
  const mentions = reply.mentions.filter((id) => known.number('agent', id) !== null);
  const actor = rewriteActor(reply.actor, known);
  return { type: 'scheduled_reply', ...lineNames(reply), mentions, actor } as RowOf<'scheduled_reply'>;
}

export function messageRow(message: Message, mentions: readonly Mention[]): RowOf<'message'> {
  const isQueued = message.delivery?.status === 'queued';
  const delivery = isQueued
    ? { status: 'failed', at: message.delivery?.at ?? toWire(message.createdAt), error: wasQueued }
    : message.delivery;
  const mentioned = mentions.filter(({ messageId }) => messageId === message.id).map(({ agentId }) => agentId);
  // Links are a desk's own secrets: a message says nothing of the one that it came by.
  const { linkId: _, isConfirmed: __, ...row } = message;
  return { type: 'message', ...lineNames(row), delivery, mentions: mentioned } as RowOf<'message'>;
}

// Replies are matched by the Message-IDs of sent mail.
export function deliveryRow(delivery: Delivery): RowOf<'delivery'> {
  const isQueued = delivery.status === 'queued';
  return {
    type: 'delivery',
    id: delivery.id,
    ulid: delivery.ulid,
    ticket_id: delivery.ticketId ?? 0,
    event_seq: delivery.eventSeq,
    event: delivery.event as RowOf<'delivery'>['event'],
    message_id: delivery.payload.message_id ?? null,
    recipient_name: delivery.payload.recipient_name ?? null,
    recipient: delivery.recipient ?? '',
    mail_message_id: delivery.mailMessageId ?? '',
    status: delivery.status === 'delivered' ? 'delivered' : 'failed',
    attempts: delivery.attempts,
    first_tried_at: delivery.firstTriedAt,
    finished_at: delivery.finishedAt ?? delivery.createdAt,
    last_error: isQueued ? wasQueued : delivery.lastError,
    created_at: delivery.createdAt,
  };
}
