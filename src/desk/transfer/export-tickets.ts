// The rows of an export that carry tickets.

import { toWire } from '../../base/clock.ts';
import type { EventData, EventKind } from '../../domain/event.ts';
import type { RowOf } from '../../domain/input/transfer.ts';
import { notMailed } from '../../domain/tickets/participant.ts';
import { type References, rewriteActor, rewriteEventData } from '../../domain/transfer/transfer.ts';
import { isUlid } from '../../domain/ulid.ts';
import type { Tx } from '../../engine/database.ts';
import type { Event } from '../../store/events.ts';
import { followersOf } from '../../store/notifications/followers.ts';
import type { Delivery } from '../../store/outbox/outbox.ts';
import type { Mention } from '../../store/tickets/mentions.ts';
import type { Message } from '../../store/tickets/messages.ts';
import type { ParticipantRow } from '../../store/tickets/participants.ts';
import type { ScheduledReply } from '../../store/tickets/scheduled-replies.ts';
import { type SideConversation, sideMessagesOf } from '../../store/tickets/side-conversations.ts';
import type { Ticket } from '../../store/tickets/tickets.ts';
import { isUlidOfSite } from '../../store/transfer/imported-rows.ts';
import { filesOf } from '../tickets/side-conversations.ts';
import { lineNames } from './line-names.ts';

// Events of what can be removed.
const namesGone: readonly EventKind[] = [
  'ticket.note_added',
  'ticket.note_changed',
  'ticket.note_deleted',
  'ticket.attachment_added',
  'ticket.attachment_removed',
  'ticket.attachment_checked',
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

export function ticketRow(tx: Tx, ticket: Ticket, hasSecrets: boolean, known: References): RowOf<'ticket'> {
  const {
    siteId: _,
    priorityLevel: __,
    slaNextAt: ___,
    mergedIntoId: ____,
    splitFromId: _____,
    messageCount: ______,
    ...row
  } = ticket;
  return {
    type: 'ticket',
    ...lineNames(row),
    team_id: ticket.teamId === null ? null : known.number('team', ticket.teamId),
    sender_id: ticket.senderId === null ? null : known.number('sender', ticket.senderId),
    access_token_hash: hasSecrets ? ticket.accessTokenHash : null,
    followers: followersOf(tx, ticket.id)
      .filter(({ agentId }) => known.number('agent', agentId) !== null)
      .map(({ ticketId: _, ...follower }) => lineNames(follower)),
  };
}

export function participantRow(row: ParticipantRow, known: References): RowOf<'participant'> {
  return { type: 'participant', ...lineNames(row), added_by: rewriteActor(row.addedBy, known) };
}

export function sideConversationRow(tx: Tx, row: SideConversation, known: References): RowOf<'side_conversation'> {
  const { ulid: _, ...conversation } = row;
  const messages = sideMessagesOf(tx, row.id).map((message) => {
    const { id: __, ulid: ___, sideConversationId: ____, attachmentIds: _____, ...columns } = message;
    return { ...lineNames(columns), files: filesOf(tx, row, message).map((file) => file.ulid) };
  });
  const agent_id = row.agentId === null ? null : known.number('agent', row.agentId);
  return { type: 'side_conversation', ...lineNames(conversation), agent_id, messages };
}

export function scheduledReplyRow(reply: ScheduledReply, known: References): RowOf<'scheduled_reply'> {
  const mentions = reply.mentions.filter((id) => known.number('agent', id) !== null);
  const actor = rewriteActor(reply.actor, known);
  const sender = reply.senderId === null ? null : known.number('sender', reply.senderId);
  return {
    type: 'scheduled_reply',
    ...lineNames(reply),
    mentions,
    sender_id: sender,
    actor,
  } as RowOf<'scheduled_reply'>;
}

export function messageRow(message: Message, mentions: readonly Mention[], known: References): RowOf<'message'> {
  const isQueued = message.delivery?.status === 'queued';
  const delivery = isQueued
    ? { status: 'failed', at: message.delivery?.at ?? toWire(message.createdAt), error: notMailed.was_queued }
    : message.delivery;
  const recipients =
    message.recipients?.map((one) =>
      one.status === 'queued' ? { ...one, status: 'failed' as const, error: notMailed.was_queued } : one,
    ) ?? null;
  const mentioned = mentions.filter(({ messageId }) => messageId === message.id).map(({ agentId }) => agentId);
  // Links are a desk's own secrets: a message says nothing of the one that it came by. Received mail stays with its desk.
  const { linkId: _, isConfirmed: __, inboundId: ___, ...row } = message;
  const sender = row.senderId === null ? null : known.number('sender', row.senderId);
  const told = { delivery, recipients, sender_id: sender, mentions: mentioned };
  return { type: 'message', ...lineNames(row), ...told } as RowOf<'message'>;
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
    last_error: isQueued ? notMailed.was_queued : delivery.lastError,
    created_at: delivery.createdAt,
  };
}
