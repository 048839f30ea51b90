// Categories, priorities, custom fields and inbound rules on the wire.

import * as z from 'zod';
import { ruleMatches } from '../../../domain/rules/rule.ts';
import { customFieldTypes } from '../../../domain/tickets/custom-field.ts';
import type { RuleCounts } from '../../../store/rules/rule-counts.ts';
import type { Category, CustomFieldRow, InboundRule, Priority } from '../../../store/sites/catalogue.ts';
import { presenter } from '../presenter.ts';
import { description, id, named } from '../shapes.ts';

export const categoryShape = named(
  'Category',
  z.object({
    id: id(),
    name: z.string(),
    slug: z.string(),
    description: description(),
    color: z.string(),
    sort_order: z.int(),
    is_active: z.boolean(),
  }),
);

export const presentCategory = presenter(categoryShape, ({ description }: Category) => ({
  description: description || null,
}));

export const priorityShape = named(
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
    sla_hours: z.number().nullable().meta({ description: 'resolution_minutes in hours, with at most two decimals.' }),
  }),
);

const inHours = (minutes: number) => Math.round((minutes / 60) * 100) / 100;

export const presentPriority = presenter(priorityShape, ({ resolutionMinutes }: Priority, isDefault: boolean) => ({
  is_default: isDefault,
  sla_hours: resolutionMinutes === null ? null : inHours(resolutionMinutes),
}));

export const customFieldShape = named(
  'CustomField',
  z.object({
    id: id(),
    key: z.string(),
    label: z.string(),
    description: description(),
    type: z.enum(customFieldTypes),
    options: z.array(z.string()),
    is_required: z.boolean(),
    is_author_visible: z.boolean(),
    sort_order: z.int(),
    is_active: z.boolean(),
  }),
);

export const presentCustomField = presenter(customFieldShape, ({ description }: CustomFieldRow) => ({
  description: description || null,
}));

export const ruleShape = named(
  'InboundRule',
  z.object({
    id: id(),
    name: z.string(),
    position: z.int(),
    is_active: z.boolean(),
    match: z.enum(ruleMatches),
    conditions: z.array(z.object({ field: z.string(), operator: z.string(), value: z.unknown(), negate: z.boolean() })),
    actions: z.array(z.object({ type: z.string(), value: z.unknown().optional() })),
    stop_processing: z.boolean(),
    last_30_days: z
      .object({ runs: z.int(), matches: z.int() })
      .meta({ description: 'How much mail the rule was asked about, and how much of it matched.' }),
  }),
);

export const presentRule = presenter(ruleShape, (_rule: InboundRule, counts: RuleCounts) => ({ last_30_days: counts }));
