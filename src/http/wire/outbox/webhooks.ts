// The requests that a custom channel gets, for the OpenAPI document (docs/webhooks.md).

import * as z from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import type { WebhookEvent } from '../../../domain/event.ts';
import { mailboxAlarms } from '../../../domain/mail/mailbox-alarms.ts';
import { defaultHeaderPrefix, headerNames } from '../../../domain/outbox/header-prefix.ts';
import { slaClocks } from '../../../domain/sla/clock.ts';
import { ratings } from '../../../domain/tickets/satisfaction.ts';
import { ticketStatuses } from '../../../domain/tickets/ticket.ts';
import { id, named, time, ulid } from '../shapes.ts';

const siteOfEvent = { site_id: id(), site_slug: z.string() };
const people = named('WebhookPeople', z.array(z.object({ email: z.string(), name: z.string().nullable() })));
const ofTicket = {
  ticket_ulid: ulid(),
  ticket_id: id(),
  ...siteOfEvent,
  status: z.enum(ticketStatuses),
  participants: people,
};

const ofNoTicket = {
  ...siteOfEvent,
  ticket_ulid: z.null(),
  ticket_id: z.null(),
  status: z.null(),
  participants: z.null(),
};

const ofMessage = {
  message_ulid: ulid(),
  is_admin_reply: z.boolean().meta({ description: 'Whether an agent wrote it.' }),
  agent_name: z.string().nullable(),
  author_name: z.string().nullable().meta({
    description: "The customer's name, else their address; for an agent's reply, of the ticket's author.",
  }),
  author_external_id: z.string().nullable(),
};

const ofClock = {
  sla_type: z.enum(slaClocks),
  minutes_remaining: z.int().meta({ description: 'Negative once the deadline has passed.' }),
  due_at: time(),
};

function payload<Metadata extends z.ZodRawShape>(name: string, event: string, metadata: Metadata) {
  return named(
    `${name}Webhook`,
    z.object({
      id: ulid().meta({ description: 'The same for every attempt.' }),
      event: z.literal(event),
      title: z.string(),
      body: z.string(),
      url: z.string().meta({ description: 'The ticket in the console.' }),
      color: z.string().meta({ examples: ['#2563eb'] }),
      metadata: z.object(metadata),
      timestamp: time(),
    }),
  );
}

const events: Record<WebhookEvent | 'channel.test', { name: string; summary: string; metadata: z.ZodRawShape }> = {
  'ticket.created': {
    name: 'TicketCreated',
    summary: 'A ticket was opened',
    metadata: {
      ...{ ...ofTicket, ...ofMessage },
      message_ulid: ulid().nullable().meta({ description: 'null: it begins with a note, and body is empty.' }),
    },
  },
  'ticket.replied': {
    name: 'TicketReplied',
    summary: 'A customer or an agent replied; notes are never sent',
    metadata: { ...ofTicket, ...ofMessage },
  },
  'ticket.status_changed': {
    name: 'TicketStatusChanged',
    summary: 'A ticket became open, pending, resolved or closed',
    metadata: { ...ofTicket, old_status: z.enum(ticketStatuses), new_status: z.enum(ticketStatuses) },
  },
  'ticket.assigned': {
    name: 'TicketAssigned',
    summary: 'A ticket was given to an agent or a team, or taken from them',
    metadata: {
      ...ofTicket,
      assignee: z.string().nullable(),
      assignee_id: id().nullable(),
      team: z.string().nullable(),
      team_id: id().nullable(),
    },
  },
  'ticket.participants_changed': {
    name: 'TicketParticipantsChanged',
    summary: 'Someone was added to a ticket, removed or brought back, or is paused because mail to them came back',
    metadata: {
      ...ofTicket,
      added: people,
      back: people,
      removed: people,
      paused: people,
      left_out: z.int().meta({ description: 'How many a mail named beyond those that a ticket can have.' }),
    },
  },
  'ticket.sla_warning': {
    name: 'TicketSlaWarning',
    summary: 'A deadline is near, once for each clock',
    metadata: { ...ofTicket, ...ofClock },
  },
  'ticket.sla_breached': {
    name: 'TicketSlaBreached',
    summary: 'A deadline has passed, once for each clock',
    metadata: { ...ofTicket, ...ofClock },
  },
  'ticket.rated': {
    name: 'TicketRated',
    summary: 'A customer said how the help was, or changed it',
    metadata: { ...ofTicket, rating: z.enum(ratings), comment: z.string().nullable() },
  },
  'mailbox.alarm': {
    name: 'MailboxAlarm',
    summary: 'Something is wrong with a mailbox, or what it needs ends soon',
    metadata: {
      ...ofNoTicket,
      mailbox_id: id(),
      address: z.string(),
      alarm: z.enum(mailboxAlarms),
      reason: z.string(),
    },
  },
  'inbound.held': {
    name: 'InboundHeld',
    summary: 'Mail is held until someone decides; at most once an hour',
    metadata: ofNoTicket,
  },
  'channel.disabled': {
    name: 'ChannelDisabled',
    summary: 'Another channel of the site was disabled',
    metadata: { ...ofNoTicket, channel_id: id(), channel_name: z.string(), reason: z.string() },
  },
  'backup.failed': {
    name: 'BackupFailed',
    summary: 'A backup of the desk failed; at most once an hour',
    metadata: ofNoTicket,
  },
  'disk.low': {
    name: 'DiskLow',
    summary: 'The disk of the desk is nearly full; at most once an hour',
    metadata: ofNoTicket,
  },
  'channel.test': {
    name: 'ChannelTest',
    summary: 'Someone asked for a test of the channel',
    metadata: ofNoTicket,
  },
};

const names = headerNames(defaultHeaderPrefix);

const headers = z.object({
  [names.event]: z.string().meta({
    description: "The event. The names of this header and the next two begin with the channel's header_prefix.",
    param: { id: 'WebhookEvent' },
  }),
  [names.delivery]: z.string().meta({ description: 'The same for every attempt.', param: { id: 'WebhookDelivery' } }),
  [names.signature]: z.string().meta({
    description: 'sha256= and the HMAC-SHA256 of the raw body as hex, with the signing secret as the key.',
    param: { id: 'WebhookSignature' },
  }),
  'webhook-id': z.string().meta({ description: 'The same for every attempt.', param: { id: 'StandardId' } }),
  'webhook-timestamp': z.string().meta({ description: 'Seconds since 1970.', param: { id: 'StandardTimestamp' } }),
  'webhook-signature': z
    .string()
    .meta({ description: 'As in the Standard Webhooks specification.', param: { id: 'StandardSignature' } }),
});

function request(
  { name, summary, metadata }: (typeof events)['channel.test'],
  event: string,
): ZodOpenApiOperationObject {
  return {
    operationId: `on${name}`,
    tags: ['Webhook channels'],
    summary,
    description: 'Sent to channels of the type custom that subscribed to it, with retries. Answer within ten seconds.',
    security: [],
    requestParams: { header: headers },
    requestBody: { required: true, content: { 'application/json': { schema: payload(name, event, metadata) } } },
    responses: {
      '2XX': { description: 'Received' },
      '410': { description: 'The receiver is gone: the channel is disabled' },
      '429': { description: 'Later: Retry-After is followed, by an hour at most' },
    },
  };
}

export const webhooks: ZodOpenApiPathsObject = Object.fromEntries(
  Object.entries(events).map(([event, about]) => [event, { post: request(about, event) }]),
);
