// The lines of an export that set up a site: settings, catalogue, agents and tokens.

import * as z from 'zod';
import { agentRoles, tokenAbilities } from '../actor.ts';
import { templateErrors, templateNames } from '../mail/template.ts';
import { channelTypes, signingSecretPattern } from '../outbox/channel.ts';
import { defaultHeaderPrefix } from '../outbox/header-prefix.ts';
import { locales } from '../people/preferences.ts';
import { readTrigger } from '../rules/read-trigger.ts';
import { type RuleAction, type RuleCondition, ruleMatches } from '../rules/rule.ts';
import { mostTimedMinutes, timedSinces, timedTimes } from '../rules/timed-rule.ts';
import { type TriggerAction, type TriggerPart, triggerEvents } from '../rules/trigger.ts';
import { validateRule } from '../rules/validation.ts';
import { mostInTeam } from '../sites/limits.ts';
import { customFieldTypes } from '../tickets/custom-field.ts';
import { macroFormats } from '../tickets/macro.ts';
import { recurringTicketInput } from './automation.ts';
import { channelInput, headerPrefix } from './channels.ts';
import { color, email, line, optionalParagraph, slug } from './fields.ts';
import { macroInput } from './macros.ts';
import { mailTemplateInput } from './mail-templates.ts';
import { senderChangeInput, senderInput } from './senders.ts';
import { customFieldInput, settingsInput, slaPolicyInput } from './sites.ts';
import { teamInput } from './teams.ts';
import { count, flag, hash, id, instant, target, text, ulid } from './transfer-parts.ts';

const { holiday_names } = slaPolicyInput.shape;
// Exports of before holidays had names do not have them.
const policy = slaPolicyInput.required().extend({ holiday_names });

// Exports of before the customers' pages, answers by mail and settings of files, do not have their settings.
const settings = settingsInput.required().extend(
  settingsInput.pick({
    signature: true,
    ask_satisfaction: true,
    portal: true,
    customer_links: true,
    brand: true,
    locale: true,
    agent_mail: true,
    trusted_arc_sealers: true,
    blocked_senders: true,
    allowed_senders: true,
    spam_hold_score: true,
    spam_mark_score: true,
    attachment_types: true,
    refused_attachment_types: true,
    attachment_max_mb: true,
    mail_attachment_max_mb: true,
    attachments_total_mb: true,
    attachment_scan: true,
    skipped_steps: true,
  }).shape,
);

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

export const sender = z.strictObject({
  type: z.literal('sender'),
  id,
  name: senderInput.shape.name.unwrap(),
  address: senderInput.shape.address.nullable(),
  dkim_selectors: senderChangeInput.shape.dkim_selectors.unwrap(),
  is_default: flag,
  sort_order: count,
  version: count,
});

export const mailTemplate = z
  .strictObject({
    type: z.literal('mail_template'),
    id,
    name: z.enum(templateNames),
    locale: z.enum(locales),
    subject: mailTemplateInput.shape.subject.unwrap(),
    body: mailTemplateInput.shape.body,
    updated_at: instant,
  })
  .check(({ value, issues }) => {
    for (const [field, messages] of Object.entries(templateErrors(value.name, value)))
      for (const message of messages) issues.push({ code: 'custom', message, path: [field], input: value });
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

export const team = z.strictObject({
  type: z.literal('team'),
  id,
  name: teamInput.shape.name,
  max_open_per_agent: teamInput.shape.max_open_per_agent.unwrap().unwrap().nullable(),
  wait_minutes: teamInput.shape.wait_minutes.unwrap().unwrap().nullable().default(null),
  returns_when_away: flag.default(false),
  members: z.array(id).max(mostInTeam),
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

const parts = {
  match: z.enum(ruleMatches),
  conditions: z.array(z.unknown()).transform((list) => list as TriggerPart[]),
  actions: z.array(z.unknown()).transform((list) => list as TriggerAction[]),
};
type Parts = { conditions: TriggerPart[]; actions: TriggerAction[] };

function checkParts({ value, issues }: { value: Parts; issues: z.core.$ZodRawIssue[] }): void {
  for (const [path, messages] of Object.entries(readTrigger(value).errors ?? {}))
    for (const message of messages) issues.push({ code: 'custom', message, path: path.split('.'), input: value });
}

export const trigger = z
  .strictObject({
    type: z.literal('trigger'),
    id,
    name: line(255),
    position: count,
    is_active: flag,
    events: z.array(z.enum(triggerEvents)).min(1).max(triggerEvents.length),
    ...parts,
    stop_processing: flag,
    version: count,
    created_at: instant,
  })
  .check(checkParts);

export const timedRule = z
  .strictObject({
    type: z.literal('timed_rule'),
    id,
    name: line(255),
    position: count,
    is_active: flag,
    since: z.enum(timedSinces),
    minutes: z.int().min(1).max(mostTimedMinutes),
    time: z.enum(timedTimes),
    ...parts,
    version: count,
    created_at: instant,
  })
  .check(checkParts);

export const recurringTicket = z.strictObject({
  type: z.literal('recurring_ticket'),
  id,
  name: line(255),
  position: count,
  is_active: flag,
  schedule: recurringTicketInput.shape.schedule,
  ticket: recurringTicketInput.shape.ticket,
  next_at: instant.nullable(),
  version: count,
  created_at: instant,
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
