// Categories, priorities, custom fields and inbound rules on the wire.

import * as z from 'zod';
import { ruleMatches } from '../../../domain/rules/rule.ts';
import { customFieldTypes } from '../../../domain/tickets/custom-field.ts';
import type { RuleCounts } from '../../../store/rules/rule-counts.ts';
import type { Category, CustomFieldRow, InboundRule, Priority } from '../../../store/sites/catalogue.ts';
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

export function presentCategory(category: Category) {
  return {
    id: category.id,
    name: category.name,
    slug: category.slug,
    description: category.description || null,
    color: category.color,
    sort_order: category.sortOrder,
    is_active: category.isActive,
  };
}

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

export function presentPriority(priority: Priority, isDefault: boolean) {
  return {
    id: priority.id,
    name: priority.name,
    slug: priority.slug,
    color: priority.color,
    level: priority.level,
    sort_order: priority.sortOrder,
    is_default: isDefault,
    is_active: priority.isActive,
    first_response_minutes: priority.firstResponseMinutes,
    resolution_minutes: priority.resolutionMinutes,
    sla_hours: priority.resolutionMinutes === null ? null : inHours(priority.resolutionMinutes),
  };
}

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

export function presentCustomField(field: CustomFieldRow) {
  return {
    id: field.id,
    key: field.key,
    label: field.label,
    description: field.description || null,
    type: field.type,
    options: field.options,
    is_required: field.isRequired,
    is_author_visible: field.isAuthorVisible,
    sort_order: field.sortOrder,
    is_active: field.isActive,
  };
}

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

export function presentRule(rule: InboundRule, counts: RuleCounts) {
  return {
    id: rule.id,
    name: rule.name,
    position: rule.position,
    is_active: rule.isActive,
    match: rule.match,
    conditions: rule.conditions,
    actions: rule.actions,
    stop_processing: rule.stopProcessing,
    last_30_days: counts,
  };
}
