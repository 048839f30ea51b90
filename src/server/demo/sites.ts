// The sites of the demo data, with what each is set up with.

import type { Context } from '../../desk/context.ts';
import { categories } from '../../desk/sites/catalogue/categories.ts';
import { customFields } from '../../desk/sites/catalogue/custom-fields.ts';
import { createSite } from '../../desk/sites/sites.ts';
import type { Tx } from '../../engine/database.ts';
import { categoryRows, priorityRows } from '../../store/sites/catalogue.ts';
import type { Site } from '../../store/sites/sites.ts';
import type { SampleSite } from './sample.ts';

export interface AddedSite {
  about: SampleSite;
  site: Site;
  siteToken: string;
  categoryIds: ReadonlyMap<string, number>;
  priorityIds: readonly number[];
}

const colors = ['#3b82f6', '#f59e0b', '#10b981', '#a855f7'];
const week = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

export function addSite(tx: Tx, ctx: Context, about: SampleSite): AddedSite {
  const hours = about.hours.map(([from, to]) => [from, to]);
  const { site, siteToken } = createSite(tx, ctx, {
    name: about.name,
    slug: about.slug,
    description: about.description,
    settings: { portal: 'form_and_tickets', brand: { color: about.color } },
    sla_policy: {
      business_hours: {
        timezone: about.timeZone,
        weekly: Object.fromEntries(week.map((day) => [day, about.days.includes(day) ? hours : []])),
      },
    },
  });
  about.categories.forEach((name, index) => {
    categories.add(tx, ctx, site.slug, { name, color: colors[index] });
  });
  for (const { options, ...field } of about.fields)
    customFields.add(tx, ctx, site.slug, { ...field, options: options ?? [] });
  return {
    about,
    site,
    siteToken,
    categoryIds: new Map(categoryRows.list(tx, site.id).map(({ id, name }) => [name, id])),
    priorityIds: priorityRows.list(tx, site.id).map(({ id }) => id),
  };
}
