// The priorities of a site, one of which is the default.

import { conflict, invalid } from '../../../domain/errors.ts';
import type { PriorityChangeInput, PriorityInput } from '../../../domain/input/sites.ts';
import { type Priority, priorityRows } from '../../../store/sites/catalogue.ts';
import { updateSite } from '../../../store/sites/sites.ts';
import { changePriorityLevel, countTicketsOfPriority } from '../../../store/tickets/tickets.ts';
import { columnsOf, defaultColor, freeSlug, nextOrder } from './columns.ts';
import { type Catalogue, catalogue } from './verbs.ts';

const minutesPerHour = 60;

/** The target in minutes; null for none, undefined where the input says nothing. */
function resolutionOf({
  resolution_minutes,
  sla_hours,
}: Pick<PriorityChangeInput, 'resolution_minutes' | 'sla_hours'>): number | null | undefined {
  if (resolution_minutes !== undefined || sla_hours === undefined) return resolution_minutes;
  return sla_hours === null ? null : Math.round(sla_hours * minutesPerHour);
}

export const priorities: Catalogue<Priority, PriorityInput, PriorityChangeInput> = catalogue({
  noun: 'priority',
  rows: priorityRows,
  compose(tx, _ctx, site, input) {
    const rows = priorityRows.list(tx, site.id);
    if (input.is_default && input.is_active === false)
      throw invalid('is_default', 'must not be true for an inactive priority.');
    return {
      name: input.name,
      slug: freeSlug(rows, input.slug, input.name, null),
      color: input.color ?? defaultColor,
      level: input.level ?? rows.reduce((highest, { level }) => Math.max(highest, level), 0) + 1,
      sortOrder: input.sort_order ?? nextOrder(rows),
      isActive: input.is_active ?? true,
      firstResponseMinutes: input.first_response_minutes ?? null,
      resolutionMinutes: resolutionOf(input) ?? null,
    };
  },
  revise(tx, _ctx, site, row, input) {
    const isDefault = site.defaultPriorityId === row.id;
    if (isDefault && input.is_default === false)
      throw invalid('is_default', 'cannot be removed. Make another priority the default instead.');
    const isActive = input.is_active ?? row.isActive;
    if (!isActive && (isDefault || input.is_default))
      throw conflict('The default priority must be active.', 'default_priority');
    const slug =
      input.slug === undefined ? {} : { slug: freeSlug(priorityRows.list(tx, site.id), input.slug, row.name, row.id) };
    const resolutionMinutes = resolutionOf(input);
    const target = resolutionMinutes === undefined ? {} : { resolutionMinutes };
    return { ...columnsOf(input, row), ...target, ...slug };
  },
  settle(tx, site, row, before, input) {
    if (input.is_default) updateSite(tx, site.id, { defaultPriorityId: row.id, version: site.version + 1 });
    if (before && before.level !== row.level) changePriorityLevel(tx, row.id, row.level);
  },
  release(tx, site, row) {
    if (site.defaultPriorityId === row.id)
      throw conflict('The default priority cannot be removed. Make another one the default first.', 'default_priority');
    const total = countTicketsOfPriority(tx, row.id);
    if (total > 0)
      throw conflict(`${total} tickets have this priority; set is_active to false instead.`, 'priority_in_use');
  },
});
