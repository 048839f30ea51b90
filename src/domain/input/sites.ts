// Input of the verbs on sites and their catalogue, in the wire's names.

import * as z from 'zod';
import { maxAddressLength } from '../mail/address.ts';
import { listedSender } from '../mail/listed-senders.ts';
import { locales } from '../people/preferences.ts';
import { mostListedSenders } from '../sites/limits.ts';
import { longestSignature } from '../sites/signature.ts';
import { agentMailModes, attachmentScanModes, customerLinkModes, firstSteps, portalModes } from '../sites/site.ts';
import { customFieldTypes } from '../tickets/custom-field.ts';
import { mostFileMegabytes } from '../tickets/files.ts';
import { ticketStatuses } from '../tickets/ticket.ts';
import { brandInput } from './brand.ts';
import { color, email, line, loosely, optionalLine, optionalParagraph, resourceId, slug } from './fields.ts';

const interval = z.tuple([z.string().max(5), z.string().max(5)]).meta({ examples: [['09:00', '17:00']] });
const day = z.array(interval).max(24).optional();

export const weeklyHours = z
  .object({ mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day })
  .meta({ id: 'WeeklyHours', description: 'Working time by weekday, as times from and to.' });

/** Checks shapes only: `validatePolicy` checks time zones, intervals, dates and that some working time is left. */
export const slaPolicyInput = z.object({
  business_hours: z
    .object({
      timezone: z
        .string()
        .min(1)
        .max(64)
        .meta({ examples: ['Europe/Amsterdam'] }),
      weekly: weeklyHours,
    })
    .nullable()
    .optional(),
  holidays: z
    .array(z.string().max(10))
    .max(1000)
    .optional()
    .meta({ examples: [['2026-12-25']] }),
  holiday_names: z
    .record(z.string().max(10), optionalLine(100))
    .refine((names) => Object.keys(names).length <= 1000, { error: 'must have at most 1000 names.' })
    .optional()
    .meta({
      description: 'What holidays are called. A name whose date is no holiday is left out.',
      examples: [{ '2026-12-25': 'Christmas Day' }],
    }),
  pause_while_pending: z.boolean().optional(),
  warn_at_percent: z.number().optional().meta({ type: 'integer', minimum: 1, maximum: 99 }),
});

const signature = optionalParagraph(longestSignature).meta({
  description:
    "Under the replies of agents, in Markdown; can name {{site.name}}, {{agent.name}}, {{ticket.reference}} and {{agent.signature}}. null: the agent's own.",
  examples: ['{{agent.signature}}\n{{site.name}}'],
});

export const signatureInput = z.object({
  signature: signature.nullable().optional(),
  for_new_ticket: z
    .boolean()
    .optional()
    .meta({ description: 'As under the mail that opens a ticket, which has no reference yet.', examples: [false] }),
});
export type SignatureInput = z.output<typeof signatureInput>;
/** A leading dot is dropped. */
const fileTypes = z
  .array(
    z
      .string()
      .toLowerCase()
      .regex(/^\.?[a-z0-9][a-z0-9_+-]{0,19}$/, { error: 'must be the end of file names, such as heic.' })
      .transform((type) => type.replace('.', ''))
      .meta({ type: 'string' }),
  )
  .max(200)
  .transform((types) => [...new Set(types)])
  .meta({ type: 'array', maxItems: 200 });
const fileMegabytes = z.int().min(1).max(mostFileMegabytes);

const spamScore = z.number().min(0).max(1000).nullable();

const listedSenders = z
  .array(
    z
      .string()
      .max(4 * maxAddressLength)
      .transform((text, check) => {
        const entry = listedSender(text);
        if (entry !== null) return entry;
        check.addIssue({ code: 'custom', message: 'must be an address, or a domain such as example.org.' });
        return z.NEVER;
      })
      .meta({ type: 'string', examples: ['mia@example.org', '@example.org'] }),
  )
  .max(mostListedSenders)
  .transform((entries) => [...new Set(entries)])
  .meta({ description: 'Addresses, or domains with all below them.', examples: [[]] });

export const settingsInput = z.object({
  auto_close_days: z.int().min(1).max(3650).nullable().optional(),
  status_after_agent_reply: z.enum(ticketStatuses).nullable().optional(),
  acknowledge: z.boolean().optional(),
  notify_resolved: z.boolean().optional(),
  ask_satisfaction: z.boolean().optional(),
  mail_from_name: optionalLine(255).nullable().optional(),
  mail_from_address: email().nullable().optional(),
  ses_topic_arns: z
    .array(
      z
        .string()
        .regex(/^arn:aws[\w-]*:sns:[\w-]+:\d{12}:[\w.-]{1,256}$/, { error: 'must be the ARN of an SNS topic.' }),
    )
    .max(20)
    .optional(),
  trusted_mail_servers: z
    .array(
      z
        .string()
        .toLowerCase()
        .regex(/^[\w.-]{1,253}$/, { error: 'must be the name a mail server uses in Authentication-Results.' }),
    )
    .max(20)
    .optional(),
  blocked_senders: listedSenders.optional(),
  allowed_senders: listedSenders.optional(),
  spam_hold_score: spamScore.optional(),
  spam_mark_score: spamScore.optional(),
  trusted_arc_sealers: z
    .array(
      z
        .string()
        .toLowerCase()
        .regex(/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/, { error: 'must be a domain, such as lists.example.org.' })
        .max(253),
    )
    .max(20)
    .optional(),
  signature: signature.nullable().optional(),
  attachment_types: fileTypes.optional(),
  refused_attachment_types: fileTypes.nullable().optional(),
  attachment_max_mb: fileMegabytes.optional(),
  mail_attachment_max_mb: fileMegabytes.optional(),
  attachments_total_mb: z.int().min(1).max(100_000_000).nullable().optional(),
  attachment_scan: z.enum(attachmentScanModes).optional(),
  portal: z.enum(portalModes).optional(),
  customer_links: z.enum(customerLinkModes).optional(),
  agent_mail: z.enum(agentMailModes).optional(),
  brand: brandInput.optional(),
  skipped_steps: z.array(z.enum(firstSteps)).max(firstSteps.length).optional(),
  locale: z.enum(locales).nullable().optional(),
});

/** One of blanks counts as not set. */
const description = optionalParagraph(2000)
  .transform((text) => (text.trim() === '' ? '' : text))
  .meta({ type: 'string', maxLength: 2000 });

export const siteInput = z.object({
  name: line(255).meta({ examples: ['Web shop'] }),
  slug: slug().nullish(),
  description: description.nullish(),
  sla_policy: slaPolicyInput.nullish(),
  settings: settingsInput.nullish(),
});
export type SiteInput = z.output<typeof siteInput>;

const descriptionChange = description
  .nullable()
  .transform((text) => text ?? '')
  .meta({ type: ['string', 'null'], maxLength: 2000 });

export const siteChangeInput = z.object({
  name: line(255)
    .meta({ examples: ['Web shop'] })
    .optional(),
  slug: slug().optional(),
  description: descriptionChange.optional(),
  default_priority_id: resourceId().optional(),
  sla_policy: slaPolicyInput.optional(),
  settings: settingsInput.optional(),
});
export type SiteChangeInput = z.output<typeof siteChangeInput>;

export const rotateInput = z.object({
  grace_minutes: z
    .int()
    .min(0)
    .max(7 * 24 * 60)
    .nullish()
    .meta({ description: 'How long the old value stays valid next to the new one.', examples: [60] }),
});

const order = z.int().min(0).max(1_000_000);

const shared = { color: color(), sort_order: order, is_active: z.boolean() };

const category = {
  name: line(255).meta({ examples: ['Billing'] }),
  slug: slug().meta({ examples: ['billing'] }),
  ...shared,
};
export const categoryInput = z.object({
  ...loosely(category),
  name: category.name,
  description: description.nullish(),
});
export const categoryChangeInput = z.object({ ...category, description: descriptionChange }).partial();
export type CategoryInput = z.output<typeof categoryInput>;
export type CategoryChangeInput = z.output<typeof categoryChangeInput>;

// Ten years of minutes: more than any target, and small enough for every calendar.
const mostMinutes = 5_256_000;
const targetMinutes = z.int().min(1).max(mostMinutes).nullable();
const targetHours = z
  .number()
  .max(mostMinutes / 60)
  .refine((hours) => hours >= 1 / 60, { error: 'must be at least one minute, which is 0.02.' })
  .meta({ minimum: 1 / 60 })
  .nullable()
  .meta({ description: 'The same as resolution_minutes, in hours. Without effect beside it.' });

const priority = {
  name: line(255).meta({ examples: ['Critical'] }),
  slug: slug().meta({ examples: ['critical'] }),
  ...shared,
  level: z.int().min(0).max(1000),
  is_default: z.boolean(),
};
const targets = { first_response_minutes: targetMinutes, resolution_minutes: targetMinutes, sla_hours: targetHours };
export const priorityInput = z.object({
  ...loosely(priority),
  name: priority.name,
  ...z.object(targets).partial().shape,
});
/** Of what is left out, the site's own counts. */
export const slaPreviewInput = z.object({
  opened_at: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, { error: 'must be like 2026-11-20T16:40.' })
    .meta({ description: "In the policy's time zone; UTC without working hours.", examples: ['2026-11-20T16:40'] }),
  priority_id: resourceId().optional(),
  sla_policy: slaPolicyInput.optional(),
  first_response_minutes: targetMinutes.optional(),
  resolution_minutes: targetMinutes.optional(),
});
export type SlaPreviewInput = z.output<typeof slaPreviewInput>;

export const priorityChangeInput = z.object({ ...priority, ...targets }).partial();
export type PriorityInput = z.output<typeof priorityInput>;
export type PriorityChangeInput = z.output<typeof priorityChangeInput>;

const options = z
  .array(line(255))
  .max(200)
  .refine((list) => new Set(list).size === list.length, { error: 'must not repeat an option.' });

const customField = {
  label: line(255).meta({ examples: ['Order number'] }),
  options: options.meta({ examples: [[]] }),
  is_required: z.boolean(),
  is_author_visible: z.boolean(),
  sort_order: order,
  is_active: z.boolean(),
};
export const customFieldInput = z.object({
  key: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,63}$/, {
      error: 'must start with a letter and have at most 64 lower-case letters, digits and underscores.',
    })
    .refine((key) => !['constructor', 'prototype'].includes(key), { error: 'is a reserved name.' })
    .meta({ examples: ['order_number'] }),
  type: z.enum(customFieldTypes).meta({ examples: ['text'] }),
  ...loosely(customField),
  label: customField.label,
  description: description.nullish(),
});
export const customFieldChangeInput = z.object({ ...customField, description: descriptionChange }).partial();
export type CustomFieldInput = z.output<typeof customFieldInput>;
export type CustomFieldChangeInput = z.output<typeof customFieldChangeInput>;

const orderedIds = z.array(resourceId()).min(1).max(2000);
export const orderInput = z.object({
  ids: orderedIds,
  from: orderedIds.optional().describe('The order that the new one was made from. 412 if it is no longer that.'),
});
export type OrderInput = z.output<typeof orderInput>;
