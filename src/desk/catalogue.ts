// A site's catalogue: categories, priorities and custom fields. Each has the same five verbs and an order.

import { conflict, invalid, notFound } from '../domain/errors.ts';
import type {
  CategoryChangeInput,
  CategoryInput,
  CustomFieldChangeInput,
  CustomFieldInput,
  PriorityChangeInput,
  PriorityInput,
} from '../domain/input/sites.ts';
import { mostOnSite } from '../domain/limits.ts';
import { slugify } from '../domain/text.ts';
import type { Tx } from '../store/database.ts';
import {
  type Category,
  type CustomFieldRow,
  categoryRows,
  customFieldRows,
  type Priority,
  priorityRows,
  type Site,
  updateSite,
} from '../store/sites.ts';
import { changePriorityLevel, countTicketsOfPriority } from '../store/tickets.ts';
import { authorise, findSite, requireVersion } from './access.ts';
import { audit, auditSite } from './audit.ts';
import type { Context } from './context.ts';
import { record } from './record.ts';

export interface Catalogue<Row, Input, Change> {
  readonly noun: string;
  list(tx: Tx, ctx: Context, site: string): { site: Site; rows: readonly Row[] };
  read(tx: Tx, ctx: Context, site: string, id: number): { site: Site; row: Row };
  add(tx: Tx, ctx: Context, site: string, input: Input): { site: Site; row: Row };
  change(
    tx: Tx,
    ctx: Context,
    site: string,
    id: number,
    input: Change,
    ifMatch: readonly string[] | null,
  ): { site: Site; row: Row };
  remove(tx: Tx, ctx: Context, site: string, id: number, ifMatch: readonly string[] | null): void;
  order(tx: Tx, ctx: Context, site: string, ids: readonly number[]): { site: Site; rows: readonly Row[] };
}

interface Kept {
  id: number;
  version: number;
}

export function rowEtag(noun: string, row: Kept): string {
  return `"${noun.replaceAll(' ', '-')}-${row.id}-${row.version}"`;
}

interface Rows<Row extends Kept> {
  get(tx: Tx, siteId: number, id: number): Row | undefined;
  list(tx: Tx, siteId: number): readonly Row[];
  insert(tx: Tx, row: never): number;
  update(tx: Tx, id: number, change: never): void;
  remove(tx: Tx, id: number): void;
  reorder(tx: Tx, ids: readonly number[]): void;
}

type CatalogueWord = 'category' | 'priority' | 'custom_field' | 'webhook_channel' | 'inbound_rule';
const pastTense = { added: 'created', changed: 'updated', removed: 'deleted' } as const;

interface Rules<Row extends Kept, Input, Change> {
  noun: keyof typeof mostOnSite;
  rows: Rows<Row>;
  compose(tx: Tx, ctx: Context, site: Site, input: Input): Omit<Row, 'id' | 'version' | 'siteId'>;
  revise(tx: Tx, ctx: Context, site: Site, row: Row, input: Change): Partial<Row>;
  settle?(tx: Tx, site: Site, row: Row, before: Row | null, input: Input | Change): void;
  release?(tx: Tx, site: Site, row: Row): void;
}

export function catalogue<Row extends Kept, Input, Change>(
  rules: Rules<Row, Input, Change>,
): Catalogue<Row, Input, Change> {
  const { noun, rows } = rules;
  const most = mostOnSite[noun];
  const find = (tx: Tx, site: Site, id: number): Row => {
    const row = rows.get(tx, site.id, id);
    if (!row) throw notFound(noun);
    return row;
  };
  const word = noun.replaceAll(' ', '_') as CatalogueWord;
  const note = (
    tx: Tx,
    ctx: Context,
    site: Site,
    change: keyof typeof pastTense,
    before: Row | null,
    after: Row | null,
  ) => {
    const { id, name, key } = (after ?? before) as Kept & { name?: string; key?: string };
    record(tx, ctx, {
      kind: 'site.updated',
      siteId: site.id,
      ticketId: null,
      data: { site_ulid: site.ulid, [word]: id, change },
    });
    const target = { type: word, id, name: name ?? key ?? null };
    audit(tx, ctx, { action: `${word}.${pastTense[change]}`, target, siteId: site.id, before, after });
    auditSite(tx, ctx, site, findSite(tx, ctx, site.id));
  };
  return {
    noun,
    list(tx, ctx, name) {
      authorise(ctx, 'read');
      const site = findSite(tx, ctx, name);
      return { site, rows: rows.list(tx, site.id) };
    },
    read(tx, ctx, name, id) {
      authorise(ctx, 'read');
      const site = findSite(tx, ctx, name);
      return { site, row: find(tx, site, id) };
    },
    add(tx, ctx, name, input) {
      authorise(ctx, 'manage');
      const site = findSite(tx, ctx, name);
      const total = rows.list(tx, site.id).length;
      if (total >= most) throw invalid('site', `has ${total} of these already, and ${most} is the limit.`);
      const id = rows.insert(tx, { ...rules.compose(tx, ctx, site, input), siteId: site.id, version: 1 } as never);
      const row = find(tx, site, id);
      rules.settle?.(tx, site, row, null, input);
      note(tx, ctx, site, 'added', null, row);
      return { site: findSite(tx, ctx, site.id), row };
    },
    change(tx, ctx, name, id, input, ifMatch) {
      authorise(ctx, 'manage');
      const site = findSite(tx, ctx, name);
      const row = find(tx, site, id);
      requireVersion(ifMatch, rowEtag(noun, row));
      const change = rules.revise(tx, ctx, site, row, input);
      if (Object.keys(change).length > 0) rows.update(tx, id, { ...change, version: row.version + 1 } as never);
      const changed = find(tx, site, id);
      rules.settle?.(tx, site, changed, row, input);
      note(tx, ctx, site, 'changed', row, changed);
      return { site: findSite(tx, ctx, site.id), row: changed };
    },
    remove(tx, ctx, name, id, ifMatch) {
      authorise(ctx, 'manage');
      const site = findSite(tx, ctx, name);
      const row = find(tx, site, id);
      requireVersion(ifMatch, rowEtag(noun, row));
      rules.release?.(tx, site, row);
      rows.remove(tx, id);
      note(tx, ctx, site, 'removed', row, null);
    },
    order(tx, ctx, name, ids) {
      authorise(ctx, 'manage');
      const site = findSite(tx, ctx, name);
      const known = rows.list(tx, site.id).map((row) => row.id);
      if (ids.length !== known.length || new Set(ids).size !== ids.length || !ids.every((id) => known.includes(id))) {
        throw invalid('ids', `must name each ${noun} of the site once.`);
      }
      rows.reorder(tx, ids);
      record(tx, ctx, {
        kind: 'site.updated',
        siteId: site.id,
        ticketId: null,
        data: { site_ulid: site.ulid, order: noun },
      });
      audit(tx, ctx, {
        action: `${word}.ordered`,
        target: { type: 'site', id: site.id, name: site.name },
        siteId: site.id,
        before: { ids: known },
        after: { ids },
      });
      return { site, rows: rows.list(tx, site.id) };
    },
  };
}

export function columnsOf<Column extends string>(
  input: object,
  names: Record<string, Column>,
): Partial<Record<Column, unknown>> {
  const columns: Partial<Record<Column, unknown>> = {};
  for (const [wire, column] of Object.entries(names)) {
    const value = (input as Record<string, unknown>)[wire];
    if (value !== undefined) columns[column] = value;
  }
  return columns;
}

function nextOrder(rows: readonly { sortOrder: number }[]): number {
  return rows.reduce((highest, { sortOrder }) => Math.max(highest, sortOrder), 0) + 1;
}

function freeSlug(
  rows: readonly { id: number; slug: string }[],
  wished: string | null | undefined,
  name: string,
  own: number | null,
): string {
  const taken = new Set(rows.filter(({ id }) => id !== own).map(({ slug }) => slug));
  if (wished != null) {
    if (taken.has(wished)) throw conflict(`The slug "${wished}" is taken.`, 'slug_taken');
    return wished;
  }
  const base = slugify(name) || 'unnamed';
  for (let attempt = 1; ; attempt += 1) {
    const slug = attempt === 1 ? base : `${base.slice(0, 58)}-${attempt}`;
    if (!taken.has(slug)) return slug;
  }
}

const commonColumns = { name: 'name', color: 'color', sort_order: 'sortOrder', is_active: 'isActive' } as const;
const defaultColor = '#64748b';

export const categories: Catalogue<Category, CategoryInput, CategoryChangeInput> = catalogue({
  noun: 'category',
  rows: categoryRows,
  compose(tx, _ctx, site, input) {
    const rows = categoryRows.list(tx, site.id);
    return {
      name: input.name,
      slug: freeSlug(rows, input.slug, input.name, null),
      description: input.description ?? '',
      color: input.color ?? defaultColor,
      sortOrder: input.sort_order ?? nextOrder(rows),
      isActive: input.is_active ?? true,
    };
  },
  revise(tx, _ctx, site, row, input) {
    const slug =
      input.slug === undefined ? {} : { slug: freeSlug(categoryRows.list(tx, site.id), input.slug, row.name, row.id) };
    return { ...columnsOf(input, { ...commonColumns, description: 'description' }), ...slug } as Partial<Category>;
  },
});

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
      resolutionMinutes: input.resolution_minutes ?? null,
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
    const columns = columnsOf(input, {
      ...commonColumns,
      level: 'level',
      first_response_minutes: 'firstResponseMinutes',
      resolution_minutes: 'resolutionMinutes',
    });
    return { ...columns, ...slug } as Partial<Priority>;
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

function checkOptions(type: string, options: readonly string[]): void {
  const takesOptions = type === 'select' || type === 'multiselect';
  if (takesOptions && options.length === 0) throw invalid('options', 'must have at least one option.');
  if (!takesOptions && options.length > 0)
    throw invalid('options', 'must be empty: only select and multiselect fields have options.');
}

export const customFields: Catalogue<CustomFieldRow, CustomFieldInput, CustomFieldChangeInput> = catalogue({
  noun: 'custom field',
  rows: customFieldRows,
  compose(tx, _ctx, site, input) {
    const rows = customFieldRows.list(tx, site.id);
    if (rows.some(({ key }) => key === input.key)) throw conflict(`The key "${input.key}" is taken.`, 'key_taken');
    checkOptions(input.type, input.options ?? []);
    return {
      key: input.key,
      label: input.label,
      description: input.description ?? '',
      type: input.type,
      options: input.options ?? [],
      isRequired: input.is_required ?? false,
      isAuthorVisible: input.is_author_visible ?? true,
      sortOrder: input.sort_order ?? nextOrder(rows),
      isActive: input.is_active ?? true,
    };
  },
  revise(_tx, _ctx, _site, row, input) {
    if (input.options !== undefined) checkOptions(row.type, input.options);
    return columnsOf(input, {
      label: 'label',
      description: 'description',
      options: 'options',
      is_required: 'isRequired',
      is_author_visible: 'isAuthorVisible',
      sort_order: 'sortOrder',
      is_active: 'isActive',
    }) as Partial<CustomFieldRow>;
  },
});
