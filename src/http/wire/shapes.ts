// The shapes of answers, for the OpenAPI document (docs/spec/api.md#conventions).

import * as z from 'zod';
import { abilities, storedActorTypes } from '../../domain/actor.ts';
import { channelTypes } from '../../domain/channel.ts';
import { customFieldTypes } from '../../domain/custom-field.ts';
import { eventKinds, webhookEvents } from '../../domain/event.ts';
import { agentRoles } from '../../domain/input/people.ts';
import { ticketStatuses } from '../../domain/ticket.ts';

const time = () => z.iso.datetime().meta({ examples: ['2026-09-11T09:30:00.000Z'] });
const maybeTime = () => time().nullable();
const ulid = () =>
  z
    .string()
    .length(26)
    .meta({ examples: ['01K4VJ8Q4N7RM2ZC6B0T3XWYDE'] });
const id = () => z.int().positive();

function named<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  return schema.meta({ id: name });
}

export const errorShape = named(
  'Error',
  z.object({
    message: z.string(),
    code: z.string(),
    errors: z.record(z.string(), z.array(z.string())).optional(),
    request_id: z.string(),
  }),
);

export const author = named(
  'Author',
  z.object({
    id: id(),
    external_id: z.string().nullable(),
    name: z.string().nullable(),
    email: z.string(),
    is_verified: z.boolean(),
    anonymised_at: maybeTime(),
  }),
);

export const agent = named(
  'Agent',
  z.object({ id: id(), name: z.string(), email: z.string(), role: z.enum(agentRoles), is_active: z.boolean() }),
);

export const attachment = named(
  'Attachment',
  z.object({
    id: id(),
    ulid: ulid(),
    filename: z.string(),
    content_type: z.string(),
    size: z.int(),
    sha256: z.string(),
    message_id: id().nullable(),
    url: z.string(),
    url_expires_at: time(),
    created_at: time(),
  }),
);

export const message = named(
  'Message',
  z.object({
    id: id(),
    ulid: ulid(),
    body: z.string(),
    body_format: z.enum(['text', 'html']),
    is_internal: z.boolean(),
    is_automated: z.boolean(),
    is_agent: z.boolean(),
    agent_name: z.string().nullable(),
    author_name: z.string().nullable(),
    author: author.nullable(),
    source: z.string(),
    sender_verified: z.boolean().nullable(),
    delivery: z
      .object({ status: z.enum(['queued', 'sent', 'failed', 'bounced']), at: time(), error: z.string().nullable() })
      .nullable(),
    html: z.string().nullable(),
    whole_body: z.string().nullable(),
    created_at: time(),
    attachments: z.array(attachment),
  }),
);

export const customerMessage = named(
  'CustomerMessage',
  z.object({
    id: id(),
    ulid: ulid(),
    body: z.string(),
    body_format: z.enum(['text', 'html']),
    is_automated: z.boolean(),
    is_agent: z.boolean(),
    agent_name: z.string().nullable(),
    author_name: z.string().nullable(),
    created_at: time(),
    attachments: z.array(attachment),
  }),
);

const slaTimes = {
  first_response_due_at: maybeTime(),
  first_response_warned_at: maybeTime(),
  first_response_breached_at: maybeTime(),
  resolution_due_at: maybeTime(),
  resolution_warned_at: maybeTime(),
  resolution_breached_at: maybeTime(),
};

export const category = named(
  'Category',
  z.object({
    id: id(),
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    color: z.string(),
    sort_order: z.int(),
    is_active: z.boolean(),
  }),
);

export const priority = named(
  'Priority',
  z.object({
    id: id(),
    name: z.string(),
    slug: z.string(),
    color: z.string(),
    level: z.int(),
    sort_order: z.int(),
    is_default: z.boolean(),
    is_active: z.boolean(),
    first_response_minutes: z.int().nullable(),
    resolution_minutes: z.int().nullable(),
    sla_hours: z.number().nullable().meta({ description: 'resolution_minutes in hours; can be a fraction.' }),
  }),
);

const ticketShape = {
  id: id(),
  ulid: ulid(),
  reference: z.string().meta({ examples: ['#41'] }),
  site_id: id(),
  subject: z.string(),
  status: z.enum(ticketStatuses),
  source: z.string(),
  is_test: z.boolean(),
  tags: z.array(z.string()),
  custom_fields: z.record(z.string(), z.unknown()),
  metadata: z
    .record(z.string(), z.unknown())
    .meta({ description: 'Values that inbound rules set, and context.extra under the key extra.' }),
  category: category.nullable(),
  priority: priority.nullable(),
  author: author.nullable(),
  assignee: z.object({ id: id(), name: z.string(), email: z.string() }).nullable(),
  ...slaTimes,
  first_response_at: maybeTime(),
  resolved_at: maybeTime(),
  sla_paused_at: maybeTime(),
  sla_paused_minutes: z.number(),
  sla: z.object({ ...slaTimes, paused_at: maybeTime(), paused_minutes: z.number() }),
  closed_at: maybeTime(),
  merged_into: ulid().nullable(),
  message_count: z.int(),
  last_customer_message_at: maybeTime(),
  last_agent_message_at: maybeTime(),
  created_at: time(),
  updated_at: time(),
};
export const ticket = named('Ticket', z.object(ticketShape));

export const event = named(
  'Event',
  z.object({
    seq: z.int(),
    event: z.enum(eventKinds),
    site_id: z.int(),
    ticket_id: z.int().nullable(),
    actor: z.object({ type: z.enum(storedActorTypes), id: z.int().nullable(), name: z.string().nullable() }),
    data: z.record(z.string(), z.unknown()),
    created_at: time(),
  }),
);

export const ticketDetail = named(
  'TicketDetail',
  z.object({
    ...ticketShape,
    messages: z.array(message),
    attachments: z.array(attachment),
    context: z.record(z.string(), z.unknown()).nullable(),
    events: z.array(event),
  }),
);

const customerTicketShape = {
  id: id(),
  ulid: ulid(),
  reference: z.string(),
  subject: z.string(),
  status: z.enum(ticketStatuses),
  category: z.string().nullable(),
  priority: z.string().nullable(),
  custom_fields: z.record(z.string(), z.unknown()),
  created_at: time(),
  updated_at: time(),
  resolved_at: maybeTime(),
  closed_at: maybeTime(),
};
export const customerTicket = named('CustomerTicket', z.object(customerTicketShape));
export const customerThread = named(
  'CustomerThread',
  z.object({
    ...customerTicketShape,
    merged_into: ulid().optional(),
    messages: z.array(customerMessage),
    attachments: z.array(attachment),
  }),
);

export const customField = named(
  'CustomField',
  z.object({
    id: id(),
    key: z.string(),
    label: z.string(),
    description: z.string(),
    type: z.enum(customFieldTypes),
    options: z.array(z.string()),
    is_required: z.boolean(),
    is_author_visible: z.boolean(),
    sort_order: z.int(),
    is_active: z.boolean(),
  }),
);

export const channel = named(
  'WebhookChannel',
  z.object({
    id: id(),
    name: z.string(),
    type: z.enum(channelTypes),
    webhook_url: z.string(),
    events: z.array(z.enum(webhookEvents)),
    header_prefix: z
      .string()
      .nullable()
      .meta({ description: 'Only for custom channels; otherwise null.', examples: ['X-Helpdesk'] }),
    is_active: z.boolean(),
    consecutive_failures: z.int(),
    disabled_at: maybeTime(),
    disabled_reason: z.string().nullable(),
    last_delivery_at: maybeTime(),
    created_at: time(),
    signing_secret: z.string().optional(),
  }),
);

export const rule = named(
  'InboundRule',
  z.object({
    id: id(),
    name: z.string(),
    position: z.int(),
    is_active: z.boolean(),
    match: z.enum(['all', 'any']),
    conditions: z.array(z.object({ field: z.string(), operator: z.string(), value: z.unknown(), negate: z.boolean() })),
    actions: z.array(z.object({ type: z.string(), value: z.unknown().optional() })),
    stop_processing: z.boolean(),
  }),
);

const slaPolicy = z.object({
  business_hours: z
    .object({ timezone: z.string(), weekly: z.record(z.string(), z.array(z.array(z.string()))) })
    .nullable(),
  holidays: z.array(z.string()),
  pause_while_pending: z.boolean(),
  warn_at_percent: z.number(),
});

export const site = named(
  'Site',
  z.object({
    id: id(),
    ulid: ulid(),
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    default_priority_id: id().nullable(),
    inbound_address: z.string(),
    inbound_webhook_url: z.string().optional(),
    sla_policy: slaPolicy,
    settings: z.object({
      auto_close_days: z.int().nullable(),
      status_after_agent_reply: z.enum(ticketStatuses).nullable(),
      acknowledge: z.boolean(),
      notify_resolved: z.boolean(),
      mail_from_name: z.string().nullable(),
      mail_from_address: z.string().nullable(),
      ses_topic_arns: z.array(z.string()),
      trusted_mail_servers: z.array(z.string()),
    }),
    created_at: time(),
    updated_at: time(),
  }),
);

export const token = named(
  'TeamToken',
  z.object({
    id: id(),
    name: z.string(),
    abilities: z.array(z.enum(abilities)),
    site: id().nullable(),
    expires_at: maybeTime(),
    last_used_at: maybeTime(),
    created_at: time(),
  }),
);

export function one<Schema extends z.ZodType>(schema: Schema) {
  return z.object({ data: schema });
}

export function page<Schema extends z.ZodType>(schema: Schema, hasCursor = false) {
  const meta = { current_page: z.int(), last_page: z.int(), per_page: z.int(), total: z.int() };
  return z.object({
    data: z.array(schema),
    links: z.object({
      first: z.string().nullable(),
      last: z.string().nullable(),
      prev: z.string().nullable(),
      next: z.string().nullable(),
    }),
    meta: z.object(hasCursor ? { ...meta, next_cursor: z.string().nullable(), is_capped: z.boolean() } : meta),
  });
}
