// The lines of an export that set up a site: settings, catalogue, agents and tokens.

import * as z from 'zod';
import { agentRoles, tokenAbilities } from '../actor.ts';
import { channelTypes, signingSecretPattern } from '../channel.ts';
import { customFieldTypes } from '../custom-field.ts';
import { defaultHeaderPrefix } from '../header-prefix.ts';
import { macroFormats } from '../macro.ts';
import { type RuleAction, type RuleCondition, ruleMatches } from '../rules/rule.ts';
import { validateRule } from '../rules/validation.ts';
import { channelInput, headerPrefix } from './channels.ts';
import { color, email, line, optionalParagraph, slug } from './fields.ts';
import { macroInput } from './macros.ts';
import { customFieldInput, settingsInput, slaPolicyInput } from './sites.ts';
import { count, flag, hash, id, instant, target, text, ulid } from './transfer-parts.ts';

const policy = slaPolicyInput.required().transform((value) => value as Required<typeof value>);

// Exports of before the customers' pages do not have their settings.
const settings = settingsInput
  .required()
  .extend(settingsInput.pick({ portal: true, customer_links: true, brand: true, locale: true }).shape);

export const site = z.strictObject({
  type: z.literal('site'),
  id,
  ulid,
  origin_ulid: ulid.optional(),
  name: line(255),
  slug: slug(),
  description: optionalParagraph(2000),
  default_priority_id: id.nullable(),
  last_assigned_agent_id: id.nullable(),
  sla_policy: policy,
  sla_policy_id: id.nullable(),
  settings,
  version: count,
  created_at: instant,
  updated_at: instant,
  secrets: z.strictObject({ token_hash: hash, inbound_secret: text(200) }).nullable(),
});

export const category = z.strictObject({
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

export const priority = z.strictObject({
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

export const field = z.strictObject({
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

export const agent = z.strictObject({
  type: z.literal('agent'),
  id,
  email: email(),
  name: line(255),
  role: z.enum(agentRoles),
  is_active: flag,
  created_at: instant,
});

export const slaPolicy = z.strictObject({ type: z.literal('sla_policy'), id, policy });

export const channel = z.strictObject({
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
  header_prefix: headerPrefix.default(defaultHeaderPrefix),
  include_test: flag.default(false),
  version: count,
  created_at: instant,
});

export const rule = z
  .strictObject({
    type: z.literal('rule'),
    id,
    name: line(255),
    position: count,
    is_active: flag,
    match: z.enum(ruleMatches),
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

export const token = z.strictObject({
  type: z.literal('token'),
  id,
  name: line(255),
  token_hash: hash,
  abilities: z.array(z.enum(tokenAbilities)).min(1).max(3),
  expires_at: instant.nullable(),
  last_used_at: instant.nullable(),
  created_at: instant,
});

export const macro = z.strictObject({
  type: z.literal('macro'),
  id,
  agent_id: id.nullable(),
  name: line(100),
  body: text(10_000),
  body_format: z.enum(macroFormats),
  changes: macroInput.shape.changes.unwrap().unwrap(),
  is_shared: flag,
  position: count,
  version: count,
  created_at: instant,
  updated_at: instant,
});
