// Each line of an export as an import takes it: whoever wrote the file is a stranger.

import * as z from 'zod';
import { abilities, storedActorTypes } from '../actor.ts';
import { isAnonymisedEmail } from '../author.ts';
import { channelTypes, signingSecretPattern } from '../channel.ts';
import { cleanContext, type TicketContext } from '../context.ts';
import { customFieldTypes } from '../custom-field.ts';
import { deliveryStatuses } from '../delivery.ts';
import { eventKinds, mailKinds } from '../event.ts';
import { defaultHeaderPrefix } from '../header-prefix.ts';
import { inboundOutcomes, providerNames } from '../inbound.ts';
import type { RuleAction, RuleCondition } from '../rules/rule.ts';
import { validateRule } from '../rules/validation.ts';
import { slaIntervalKinds } from '../sla-ledger.ts';
import { ticketStatuses } from '../ticket.ts';
import { transferVersion } from '../transfer.ts';
import { ulidPattern } from '../ulid.ts';
import { channelInput, headerPrefix } from './channels.ts';
import { color, email, line, optionalLine, optionalParagraph, slug } from './fields.ts';
import { agentRoles } from './people.ts';
import { customFieldInput, priorityInput, settingsInput, slaPolicyInput } from './sites.ts';
import { tags } from './tickets.ts';

const id = z.int().positive();
const ulid = z.string().regex(ulidPattern, { error: 'must be a ulid.' });
// Up to the end of the year 9999.
const instant = z.int().min(0).max(253_402_300_799_999);
const count = z.int().min(0).max(1_000_000_000);
const flag = z.boolean();
const hash = z.string().regex(/^[\w-]{43}$/, { error: 'must be a hash.' });
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, { error: 'must be a SHA-256 in hexadecimal.' });
/** Kept as it is: whole code points, no longer than what the desk itself would keep. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.isWellFormed(), { error: 'has broken characters.' });
const maxDepth = 32;
const isTooDeep = (value: unknown, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth >= maxDepth || Object.values(value).some((inner) => isTooDeep(inner, depth + 1)));
const bounded = <Value>(schema: z.ZodType<Value>, maxCharacters: number) =>
  schema.refine((value) => !isTooDeep(value) && JSON.stringify(value).length <= maxCharacters, {
    error: 'is too long, or nested too deep.',
  });
const object = (maxCharacters: number) => bounded(z.record(z.string(), z.unknown()), maxCharacters);

const head = z.strictObject({
  type: z.literal('helpdesk-export'),
  version: z.int().min(1).max(transferVersion),
  export: ulid,
  exported_at: instant,
  helpdesk: text(32),
  has_secrets: flag,
});

const policy = slaPolicyInput.required().transform((value) => value as Required<typeof value>);

const site = z.strictObject({
  type: z.literal('site'),
  id,
  ulid,
  // Since version 2.
  origin_ulid: ulid.optional(),
  name: line(255),
  slug: slug(),
  description: optionalParagraph(2000),
  default_priority_id: id.nullable(),
  last_assigned_agent_id: id.nullable(),
  sla_policy: policy,
  sla_policy_id: id.nullable(),
  settings: settingsInput.required(),
  version: count,
  created_at: instant,
  updated_at: instant,
  secrets: z.strictObject({ token_hash: hash, inbound_secret: text(200) }).nullable(),
});

const category = z.strictObject({
  type: z.literal('category'),
  id,
  name: line(255),
  slug: slug(),
  description: optionalParagraph(2000),
  color: color(),
  sort_order: count,
  is_active: flag,
  version: count,
});

const target = priorityInput.shape.first_response_minutes.unwrap();
const priority = z.strictObject({
  type: z.literal('priority'),
  id,
  name: line(255),
  slug: slug(),
  color: color(),
  level: z.int().min(0).max(1_000_000),
  sort_order: count,
  is_active: flag,
  first_response_minutes: target,
  resolution_minutes: target,
  version: count,
});

const field = z.strictObject({
  type: z.literal('field'),
  id,
  key: customFieldInput.shape.key,
  label: line(255),
  description: optionalParagraph(2000),
  kind: z.enum(customFieldTypes),
  options: z.array(line(255)).max(200),
  is_required: flag,
  is_author_visible: flag,
  sort_order: count,
  is_active: flag,
  version: count,
});

const agent = z.strictObject({
  type: z.literal('agent'),
  id,
  email: email(),
  name: line(255),
  role: z.enum(agentRoles),
  is_active: flag,
  created_at: instant,
});

const slaPolicy = z.strictObject({ type: z.literal('sla_policy'), id, policy });

const channel = z.strictObject({
  type: z.literal('channel'),
  id,
  name: line(255),
  kind: z.enum(channelTypes),
  webhook_url: channelInput.shape.webhook_url.nullable(),
  signing_secret: z.string().regex(signingSecretPattern, { error: 'must be a signing secret.' }).nullable(),
  events: channelInput.shape.events,
  sort_order: count,
  is_active: flag,
  consecutive_failures: count,
  disabled_at: instant.nullable(),
  disabled_reason: text(2000).nullable(),
  last_delivery_at: instant.nullable(),
  last_success_at: instant.nullable(),
  // Since version 3.
  header_prefix: headerPrefix.default(defaultHeaderPrefix),
  version: count,
  created_at: instant,
});

const rule = z
  .strictObject({
    type: z.literal('rule'),
    id,
    name: line(255),
    position: count,
    is_active: flag,
    match: z.enum(['all', 'any']),
    conditions: z.array(z.unknown()).transform((list) => list as RuleCondition[]),
    actions: z.array(z.unknown()).transform((list) => list as RuleAction[]),
    stop_processing: flag,
    version: count,
    created_at: instant,
  })
  .check(({ value, issues }) => {
    for (const [path, messages] of Object.entries(validateRule(value)))
      for (const message of messages) issues.push({ code: 'custom', message, path: path.split('.'), input: value });
  });

const token = z.strictObject({
  type: z.literal('token'),
  id,
  name: line(255),
  token_hash: hash,
  abilities: z.array(z.enum(abilities)).min(1).max(3),
  expires_at: instant.nullable(),
  last_used_at: instant.nullable(),
  created_at: instant,
});

const author = z
  .strictObject({
    type: z.literal('author'),
    id,
    external_id: text(255).min(1).nullable(),
    // Earlier versions kept from mail what is no address any more: it comes as it was.
    email: text(320)
      .regex(/^[^\s@<>]+@[^\s@<>]+$/, { error: 'must be an e-mail address.' })
      .toLowerCase(),
    name: optionalLine(255).nullable(),
    is_verified: flag,
    anonymised_at: instant.nullable(),
    created_at: instant,
  })
  .refine((value) => isAnonymisedEmail(value.email) === (value.anonymised_at !== null), {
    error: 'is an address that only an erased author has.',
    path: ['email'],
  });

const context = z.unknown().transform((value, check): TicketContext | null => {
  if (value === null) return null;
  const { context: cleaned, errors } = cleanContext(value);
  for (const [path, messages] of Object.entries(errors))
    for (const message of messages) check.addIssue({ code: 'custom', message, path: path.split('.').slice(1) });
  return cleaned;
});

const ticket = z.strictObject({
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
  access_token_hash: hash.nullable(),
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
  last_customer_message_at: instant.nullable(),
  last_agent_message_at: instant.nullable(),
  version: count,
  created_at: instant,
  updated_at: instant,
});

const mailText = text(4_000_000);
const message = z.strictObject({
  type: z.literal('message'),
  id,
  ulid,
  ticket_id: id,
  author_id: id.nullable(),
  agent_id: id.nullable(),
  agent_name: text(1000).nullable(),
  author_name: text(1000).nullable(),
  body: mailText,
  body_format: z.literal('text'),
  is_internal: flag,
  is_automated: flag,
  is_agent: flag,
  source: z.string().regex(/^[a-z_]{1,32}$/),
  sender_verified: flag.nullable(),
  delivery: z
    .strictObject({ status: z.string().regex(/^[a-z_]{1,32}$/), at: text(40), error: text(10_000).nullable() })
    .nullable(),
  html: mailText.nullable(),
  whole_body: mailText.nullable(),
  created_at: instant,
});

/** A file name is judged where the bytes are: `files/sniff`. */
const attachment = z.strictObject({
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
});

const merge = z.strictObject({ type: z.literal('merge'), ticket_id: id, into_id: id });

const event = z.strictObject({
  type: z.literal('event'),
  seq: id,
  kind: z.enum(eventKinds),
  ticket_id: id.nullable(),
  actor: z.strictObject({
    type: z.enum(storedActorTypes),
    id: id.nullable(),
    name: text(1000).nullable(),
  }),
  data: bounded(
    z
      .object({ changes: z.record(z.string(), z.strictObject({ from: z.unknown(), to: z.unknown() })).optional() })
      .catchall(z.unknown()),
    4_000_000,
  ),
  created_at: instant,
});

const interval = z.strictObject({
  type: z.literal('interval'),
  id,
  ticket_id: id,
  kind: z.enum(slaIntervalKinds),
  started_at: instant,
  ended_at: instant.nullable(),
  started_by_seq: id.nullable(),
  ended_by_seq: id.nullable(),
});

const delivery = z.strictObject({
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

const mail = z.strictObject({
  type: z.literal('mail'),
  id,
  ulid,
  provider: z.enum(providerNames),
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
});

const suppression = z.strictObject({
  type: z.literal('suppression'),
  address: text(320).min(1),
  reason: text(10_000),
  created_at: instant,
});

/** Base64 of what one line carries of a file, at most. */
export const maxChunkBytes = 192 * 1024;
const file = z.strictObject({
  type: z.literal('file'),
  of: z.enum(['attachment', 'mail']),
  ulid,
  size: z.int().min(0).max(1_000_000_000),
  sha256,
  is_missing: flag,
});
const bytes = z.strictObject({
  type: z.literal('bytes'),
  data: z
    .string()
    .max((maxChunkBytes * 4) / 3 + 4)
    .regex(/^[A-Za-z0-9+/]*={0,2}$/, { error: 'must be base64.' }),
});
const fileEnd = z.strictObject({ type: z.literal('file_end') });

const end = z.strictObject({
  type: z.literal('end'),
  lines: z.int().min(0),
  counts: z.record(z.string(), z.int().min(0)),
  sha256,
});

const transferRow = z.discriminatedUnion('type', [
  site,
  category,
  priority,
  field,
  agent,
  slaPolicy,
  channel,
  rule,
  token,
  author,
  ticket,
  message,
  attachment,
  merge,
  event,
  interval,
  delivery,
  mail,
  suppression,
]);
export const transferLine = z.discriminatedUnion('type', [head, ...transferRow.options, file, bytes, fileEnd, end]);

export type TransferRow = z.output<typeof transferRow>;
export type TransferLine = z.output<typeof transferLine>;
export type RowOf<Type extends TransferLine['type']> = Extract<TransferLine, { type: Type }>;
