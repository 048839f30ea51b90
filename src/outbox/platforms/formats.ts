// The request body for each type of channel (docs/spec/api.md#outgoing-webhooks).

import type { ChannelType } from '../../domain/outbox/channel.ts';
import type { Addressee } from '../../domain/tickets/participant.ts';
import type { Notification } from '../notification.ts';
import { summarise } from '../notification-words.ts';
import { discordMessage } from './discord.ts';
import { slackMessage } from './slack.ts';
import { teamsMessage } from './teams.ts';

export function formatNotification(type: ChannelType, notification: Notification): string {
  const payload = {
    slack: slackMessage,
    discord: discordMessage,
    teams: teamsMessage,
    custom: customPayload,
  }[type](notification);
  return JSON.stringify(payload);
}

interface CustomPayload {
  id: string;
  event: Notification['event'];
  title: string;
  body: string;
  url: string;
  color: string;
  metadata: Record<string, string | number | boolean | null | readonly Addressee[]>;
  timestamp: string;
}

/** Untrusted text is passed on as it is; the receiver escapes it for display. */
export function customPayload(notification: Notification): CustomPayload {
  const { label, subject, body, color } = summarise(notification);
  return {
    id: notification.deliveryId,
    event: notification.event,
    title: `${label} ${subject}`,
    body: body.toWellFormed(),
    url: notification.url,
    color,
    metadata: {
      ticket_ulid: notification.ticket?.ulid ?? null,
      ticket_id: notification.ticket?.id ?? null,
      site_id: notification.site.id,
      site_slug: notification.site.slug,
      status: notification.ticket?.status ?? null,
      participants: notification.ticket?.participants ?? null,
      ...metadataByEvent(notification),
    },
    timestamp: new Date(notification.at).toISOString(),
  };
}

function metadataByEvent(notification: Notification): CustomPayload['metadata'] {
  switch (notification.event) {
    case 'ticket.created':
    case 'ticket.replied':
      return {
        message_ulid: notification.message.ulid,
        is_admin_reply: notification.message.isAgent,
        agent_name: notification.message.agentName,
        author_name: notification.message.authorName,
        author_external_id: notification.message.authorExternalId,
      };
    case 'ticket.status_changed':
      return { old_status: notification.oldStatus, new_status: notification.newStatus };
    case 'ticket.assigned':
      return {
        assignee: notification.assignee?.name ?? null,
        assignee_id: notification.assignee?.id ?? null,
        team: notification.team?.name ?? null,
        team_id: notification.team?.id ?? null,
      };
    case 'ticket.participants_changed':
      return { ...notification.changes, left_out: notification.leftOut };
    case 'ticket.rated':
      return { rating: notification.rating, comment: notification.comment?.toWellFormed() ?? null };
    case 'ticket.sla_warning':
    case 'ticket.sla_breached':
      return {
        sla_type: notification.deadline.type,
        minutes_remaining: Math.trunc(notification.deadline.minutesRemaining),
        due_at: new Date(notification.deadline.dueAt).toISOString(),
      };
    case 'mailbox.alarm':
      return {
        mailbox_id: notification.mailboxId,
        address: notification.address,
        alarm: notification.alarm,
        reason: notification.reason.toWellFormed(),
      };
    case 'channel.disabled':
      return {
        channel_id: notification.channelId,
        channel_name: notification.channelName.toWellFormed(),
        reason: notification.reason.toWellFormed(),
      };
    case 'inbound.held':
    case 'backup.failed':
    case 'disk.low':
    case 'channel.test':
      return {};
  }
}
