// Input of the verbs on sites and their catalogue, in the wire's names.

import * as z from 'zod';
import { customFieldTypes } from '../custom-field.ts';
import { locales } from '../preferences.ts';
import { customerLinkModes, portalModes } from '../site.ts';
import { ticketStatuses } from '../ticket.ts';
import { brandInput } from './brand.ts';
import { color, email, line, optionalLine, optionalParagraph, resourceId, slug } from './fields.ts';

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
  pause_while_pending: z.boolean().optional(),
  warn_at_percent: z.number().optional().meta({ type: 'integer', minimum: 1, maximum: 99 }),
});

export const settingsInput = z.object({
  auto_close_days: z.int().min(1).max(3650).nullable().optional(),
  status_after_agent_reply: z.enum(ticketStatuses).nullable().optional(),
  acknowledge: z.boolean().optional(),
  notify_resolved: z.boolean().optional(),
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
  portal: z.enum(portalModes).optional(),
  customer_links: z.enum(customerLinkModes).optional(),
  brand: brandInput.optional(),
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

export const categoryInput = z.object({
  name: line(255).meta({ examples: ['Billing'] }),
  slug: slug()
    .meta({ examples: ['billing'] })
    .nullish(),
  description: description.nullish(),
  color: color().nullish(),
  sort_order: order.nullish(),
  is_active: z.boolean().nullish(),
});
export const categoryChangeInput = z.object({
  name: line(255)
    .meta({ examples: ['Billing'] })
    .optional(),
  slug: slug()
    .meta({ examples: ['billing'] })
    .optional(),
  description: descriptionChange.optional(),
  color: color().optional(),
  sort_order: order.optional(),
  is_active: z.boolean().optional(),
});
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

export const priorityInput = z.object({
  name: line(255).meta({ examples: ['Critical'] }),
  slug: slug()
    .meta({ examples: ['critical'] })
    .nullish(),
  color: color().nullish(),
  level: z.int().min(0).max(1000).nullish(),
  sort_order: order.nullish(),
  is_default: z.boolean().nullish(),
  is_active: z.boolean().nullish(),
  first_response_minutes: targetMinutes.optional(),
  resolution_minutes: targetMinutes.optional(),
  sla_hours: targetHours.optional(),
});
export const priorityChangeInput = z.object({
  name: line(255)
    .meta({ examples: ['Critical'] })
    .optional(),
  slug: slug()
    .meta({ examples: ['critical'] })
    .optional(),
  color: color().optional(),
  level: z.int().min(0).max(1000).optional(),
  sort_order: order.optional(),
  is_default: z.boolean().optional(),
  is_active: z.boolean().optional(),
  first_response_minutes: targetMinutes.optional(),
  resolution_minutes: targetMinutes.optional(),
  sla_hours: targetHours.optional(),
});
export type PriorityInput = z.output<typeof priorityInput>;
export type PriorityChangeInput = z.output<typeof priorityChangeInput>;

const options = z
  .array(line(255))
  .max(200)
  .refine((list) => new Set(list).size === list.length, { error: 'must not repeat an option.' });

export const customFieldInput = z.object({
  key: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,63}$/, {
      error: 'must start with a letter and have at most 64 lower-case letters, digits and underscores.',
    })
    .refine((key) => !['constructor', 'prototype'].includes(key), { error: 'is a reserved name.' })
    .meta({ examples: ['order_number'] }),
  label: line(255).meta({ examples: ['Order number'] }),
  description: description.nullish(),
  type: z.enum(customFieldTypes).meta({ examples: ['text'] }),
  options: options.nullish().meta({ examples: [[]] }),
  is_required: z.boolean().nullish(),
  is_author_visible: z.boolean().nullish(),
  sort_order: order.nullish(),
  is_active: z.boolean().nullish(),
});
export const customFieldChangeInput = z.object({
  label: line(255)
    .meta({ examples: ['Order number'] })
    .optional(),
  description: descriptionChange.optional(),
  options: options.optional(),
  is_required: z.boolean().optional(),
  is_author_visible: z.boolean().optional(),
  sort_order: order.optional(),
  is_active: z.boolean().optional(),
});
export type CustomFieldInput = z.output<typeof customFieldInput>;
export type CustomFieldChangeInput = z.output<typeof customFieldChangeInput>;

export const orderInput = z.object({ ids: z.array(resourceId()).min(1).max(2000) });
