// The lines of an export that carry tickets: authors, messages, events and mail.

import * as z from 'zod';
import { storedActorTypes } from '../actor.ts';
import { isAnonymisedEmail } from '../customers/author.ts';
import { eventKinds, mailKinds } from '../event.ts';
import { heldReasons, inboundOrigins, inboundOutcomes } from '../mail/inbound.ts';
import { deliveryStatuses, messageDeliveryStatuses } from '../outbox/delivery.ts';
import { automationKinds } from '../rules/trigger.ts';
import { mostMentioned } from '../sites/limits.ts';
import { slaIntervalKinds } from '../sla/ledger.ts';
import { cleanContext, type TicketContext } from '../tickets/context.ts';
import { participantLimits, recipientFields } from '../tickets/participant.ts';
import { ratings } from '../tickets/satisfaction.ts';
import { sideLimits } from '../tickets/side-conversation.ts';
import { ticketStatuses, writtenFormats } from '../tickets/ticket.ts';
import { line, optionalLine } from './fields.ts';
import { formInput } from './portal.ts';
import { tags } from './tickets.ts';
import { bounded, count, flag, hash, id, instant, object, sha256, target, text, ulid } from './transfer-parts.ts';

export const author = z
  .strictObject({
    type: z.literal('author'),
    id,
    external_id: text(255).min(1).nullable(),
    email: text(320)
      .regex(/^[^\s@<>]+@[^\s@<>]+$/, { error: 'must be an e-mail address.' })
      .toLowerCase(),
    name: optionalLine(255).nullable(),
    is_verified: flag,
    anonymised_at: instant.nullable(),
    created_at: instant,
  })
  .refine((value) => isAnonymisedEmail(value.email) === (value.anonymised_at !== null), {
    error: 'must be an address of an erased author exactly when the author is erased.',
    path: ['email'],
  });

const context = z.unknown().transform((value, check): TicketContext | null => {
  if (value === null) return null;
  const { context: cleaned, errors } = cleanContext(value);
  for (const [path, messages] of Object.entries(errors))
    for (const message of messages) check.addIssue({ code: 'custom', message, path: path.split('.').slice(1) });
  return cleaned;
});

export const ticket = z.strictObject({
  type: z.literal('ticket'),
  id,
  ulid,
  author_id: id,
  subject: line(1000),
  status: z.enum(ticketStatuses),
  source: z.string().regex(/^[a-z_]{1,32}$/),
  is_test: flag,
  tags,
  custom_fields: bounded(
    z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()])),
    1_000_000,
  ),
  metadata: object(100_000),
  context,
  category_id: id.nullable(),
  priority_id: id,
  assignee_id: id.nullable(),
  team_id: id.nullable().default(null),
  access_token_hash: hash.nullable(),
  first_response_from: instant.nullable().default(null),
  first_response_target_minutes: target,
  resolution_target_minutes: target,
  first_response_due_at: instant.nullable(),
  first_response_at: instant.nullable(),
  first_response_warned_at: instant.nullable(),
  first_response_breached_at: instant.nullable(),
  resolution_due_at: instant.nullable(),
  resolved_at: instant.nullable(),
  resolution_warned_at: instant.nullable(),
  resolution_breached_at: instant.nullable(),
  sla_paused_at: instant.nullable(),
  first_response_paused_ms: z.int().min(0).max(253_402_300_799_999),
  resolution_paused_ms: z.int().min(0).max(253_402_300_799_999),
  sla_policy_id: id.nullable(),
  closed_at: instant.nullable(),
  snoozed_until: instant.nullable().default(null),
  is_spam: flag.default(false),
  sender_id: id.nullable().default(null),
  last_customer_message_at: instant.nullable(),
  last_agent_message_at: instant.nullable(),
  satisfaction: z.enum(ratings).nullable().default(null),
  satisfaction_comment: text(10_000).nullable().default(null),
  satisfaction_at: instant.nullable().default(null),
  version: count,
  created_at: instant,
  updated_at: instant,
  followers: z
    .array(z.strictObject({ agent_id: id, is_muted: flag, created_at: instant }))
    .max(10_000)
    .default([]),
});

const storedActor = z.strictObject({
  type: z.enum(storedActorTypes),
  rule_kind: z.enum(automationKinds).optional(),
  id: id.nullable(),
  name: text(1000).nullable(),
  by_mail: z.literal(true).optional(),
});

export const participant = z.strictObject({
  type: z.literal('participant'),
  id,
  ticket_id: id,
  author_id: id,
  added_by: storedActor,
  created_at: instant,
  removed_at: instant.nullable(),
});

const mostRecipients = participantLimits.ofReply + 1;
const recipient = z.strictObject({
  email: text(320),
  name: text(1000).nullable(),
  as: z.enum(recipientFields),
  isAuthor: z.literal(true).optional(),
});

const mailText = text(4_000_000);
export const message = z.strictObject({
  type: z.literal('message'),
  id,
  ulid,
  ticket_id: id,
  author_id: id.nullable(),
  agent_id: id.nullable(),
  agent_name: text(1000).nullable(),
  author_name: text(1000).nullable(),
  body: mailText,
  body_format: z.enum(writtenFormats),
  is_internal: flag,
  is_automated: flag,
  is_agent: flag,
  source: z.string().regex(/^[a-z_]{1,32}$/),
  sender_verified: flag.nullable(),
  delivery: z
    .strictObject({ status: z.enum(messageDeliveryStatuses), at: text(40), error: text(10_000).nullable() })
    .nullable(),
  html: mailText.nullable(),
  whole_body: mailText.nullable(),
  created_at: instant,
  edited_at: instant.nullable().default(null),
  sender_id: id.nullable().default(null),
  mentions: z.array(id).max(mostMentioned).default([]),
  recipients: z
    .array(recipient.extend({ status: z.enum(messageDeliveryStatuses), at: text(40), error: text(10_000).nullable() }))
    .max(mostRecipients)
    .nullable()
    .default(null),
});

const sidePerson = z.strictObject({ email: text(320), name: text(1000).nullable() });
/** With its messages: after the files that they name. */
export const sideConversation = z.strictObject({
  type: z.literal('side_conversation'),
  id,
  ticket_id: id,
  subject: text(1000),
  people: z.array(sidePerson).max(sideLimits.people),
  closed_at: instant.nullable(),
  created_at: instant,
  agent_id: id.nullable().default(null),
  messages: z
    .array(
      z.strictObject({
        agent_name: text(1000).nullable(),
        sender_email: text(320).nullable(),
        sender_name: text(1000).nullable(),
        sender_verified: flag.nullable(),
        body: text(40_000),
        quoted: text(400_000).nullable(),
        files: z.array(ulid).max(500),
        mail_message_id: text(1000).nullable(),
        created_at: instant,
      }),
    )
    .max(sideLimits.messages),
});

export const scheduledReply = z.strictObject({
  type: z.literal('scheduled_reply'),
  id,
  ulid,
  ticket_id: id,
  agent_id: id.nullable(),
  agent_name: text(1000),
  body: mailText,
  body_format: z.enum(writtenFormats),
  html: mailText.nullable(),
  mentions: z.array(id).max(mostMentioned),
  status: z.enum(ticketStatuses).nullable(),
  sender_id: id.nullable().default(null),
  actor: storedActor,
  send_at: instant,
  created_at: instant,
  recipients: z.array(recipient).max(mostRecipients).nullable().default(null),
  is_internal: flag.default(false),
});

export const attachment = z.strictObject({
  type: z.literal('attachment'),
  id,
  ulid,
  ticket_id: id,
  message_id: id.nullable(),
  filename: text(255).min(1),
  content_type: text(100),
  size: z.int().min(0).max(1_000_000_000),
  sha256,
  is_agent: flag,
  is_internal: flag,
  created_at: instant,
  agent_id: id.nullable().default(null),
  scheduled_reply_id: id.nullable().default(null),
});

export const merge = z.strictObject({ type: z.literal('merge'), ticket_id: id, into_id: id });

export const split = z.strictObject({ type: z.literal('split'), ticket_id: id, from_id: id });

export const event = z.strictObject({
  type: z.literal('event'),
  seq: id,
  kind: z.enum(eventKinds),
  ticket_id: id.nullable(),
  actor: storedActor,
  data: bounded(
    z
      .object({ changes: z.record(z.string(), z.strictObject({ from: z.unknown(), to: z.unknown() })).optional() })
      .catchall(z.unknown()),
    4_000_000,
  ),
  created_at: instant,
});

export const interval = z.strictObject({
  type: z.literal('interval'),
  id,
  ticket_id: id,
  kind: z.enum(slaIntervalKinds),
  started_at: instant,
  ended_at: instant.nullable(),
  started_by_seq: id.nullable(),
  ended_by_seq: id.nullable(),
});

export const delivery = z.strictObject({
  type: z.literal('delivery'),
  id,
  ulid,
  ticket_id: id,
  event_seq: id.nullable(),
  event: z.enum(mailKinds),
  message_id: id.nullable(),
  recipient_name: text(1000).nullable(),
  recipient: text(320),
  mail_message_id: text(1000),
  status: z.enum(deliveryStatuses).exclude(['queued']),
  attempts: count,
  first_tried_at: instant.nullable(),
  finished_at: instant,
  last_error: text(10_000).nullable(),
  created_at: instant,
});

export const mail = z.strictObject({
  type: z.literal('mail'),
  id,
  ulid,
  provider: z.enum(inboundOrigins),
  headers: bounded(z.record(z.string(), z.string()), 1_000_000),
  size: z.int().min(0).max(1_000_000_000),
  outcome: z.enum(inboundOutcomes),
  reason: text(10_000).nullable(),
  sender: text(1000).nullable(),
  recipient: text(1000).nullable(),
  subject: text(1000).nullable(),
  mail_message_id: text(2000).nullable(),
  content_hash: text(200).nullable(),
  ticket_id: id.nullable(),
  is_reopening: flag,
  matched_rules: z.array(z.strictObject({ id, name: text(1000) })).max(1000),
  trace: bounded(z.array(z.unknown()), 8_000_000),
  forwarded_to: z.array(text(320)).max(1000),
  attempts: count,
  received_at: instant,
  processed_at: instant.nullable(),
  erased_at: instant.nullable().default(null),
  form: formInput.nullable().default(null),
  held_for: z.enum(heldReasons).nullable().default(null),
});

export const suppression = z.strictObject({
  type: z.literal('suppression'),
  address: text(320).min(1),
  reason: text(10_000),
  created_at: instant,
});
