// Sites and their catalogues: categories, priorities, custom fields, channels and inbound rules.

import {
  and,
  asc,
  count,
  eq,
  getTableColumns,
  getTableName,
  gt,
  type InferSelectModel,
  inArray,
  sql,
} from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Instant } from '../base/clock.ts';
import type { Scope } from '../domain/actor.ts';
import { remembered } from './catalogue-cache.ts';
import { query, statement, type Tx } from './database.ts';
import { detach, isAttached } from './detachments.ts';
import { categories, channels, customFields, inboundRules, priorities, sites } from './schema.ts';
import { insertInto, selectFrom, updateById } from './statements.ts';

export type Site = InferSelectModel<typeof sites>;
export type Category = InferSelectModel<typeof categories>;
export type Priority = InferSelectModel<typeof priorities>;
export type CustomFieldRow = InferSelectModel<typeof customFields>;
export type Channel = InferSelectModel<typeof channels>;
export type InboundRule = InferSelectModel<typeof inboundRules>;

export const insertSite = insertInto(sites);
export const updateSite = updateById(sites);

const isHere = sql`${sites.id} NOT IN (SELECT site_id FROM site_removals)`;

const byId = statement((db) =>
  db
    .select()
    .from(sites)
    .where(and(eq(sites.id, sql.placeholder('id')), isHere))
    .prepare(),
);
const byUlid = statement((db) =>
  db
    .select()
    .from(sites)
    .where(and(eq(sites.ulid, sql.placeholder('ulid')), isHere))
    .prepare(),
);
const bySlug = statement((db) =>
  db
    .select()
    .from(sites)
    .where(and(eq(sites.slug, sql.placeholder('slug')), isHere))
    .prepare(),
);
const byToken = statement((db) =>
  db
    .select()
    .from(sites)
    .where(and(eq(sites.tokenHash, sql.placeholder('hash')), isHere))
    .prepare(),
);
const byPreviousToken = statement((db) =>
  db
    .select()
    .from(sites)
    .where(
      and(
        eq(sites.previousTokenHash, sql.placeholder('hash')),
        isHere,
        gt(sites.previousTokenExpiresAt, sql.placeholder('now')),
      ),
    )
    .prepare(),
);
const byInboundSecret = statement((db) =>
  db
    .select()
    .from(sites)
    .where(and(eq(sites.inboundSecretHash, sql.placeholder('hash')), isHere))
    .prepare(),
);
const byPreviousInboundSecret = statement((db) =>
  db
    .select()
    .from(sites)
    .where(
      and(
        eq(sites.previousInboundSecretHash, sql.placeholder('hash')),
        isHere,
        gt(sites.previousInboundSecretExpiresAt, sql.placeholder('now')),
      ),
    )
    .prepare(),
);

export function siteById(tx: Tx, id: number): Site | undefined {
  return remembered(tx, `site ${id}`, () => byId(tx).get({ id }));
}

export function siteByUlid(tx: Tx, ulid: string): Site | undefined {
  return byUlid(tx).get({ ulid: ulid.toUpperCase() });
}

export function siteBySlug(tx: Tx, slug: string): Site | undefined {
  return bySlug(tx).get({ slug });
}

export function siteByTokenHash(tx: Tx, hash: string, now: Instant): Site | undefined {
  return (
    remembered(tx, `site of token ${hash}`, () => byToken(tx).get({ hash })) ?? byPreviousToken(tx).get({ hash, now })
  );
}

export function siteByInboundSecretHash(tx: Tx, hash: string, now: Instant): Site | undefined {
  return byInboundSecret(tx).get({ hash }) ?? byPreviousInboundSecret(tx).get({ hash, now });
}

export function listSites(tx: Tx, scope: Scope, limit: number, offset: number): { rows: Site[]; total: number } {
  if (scope.length === 0) return { rows: [], total: 0 };
  const where = scope === 'all' ? isHere : and(inArray(sites.id, [...scope]), isHere);
  return {
    rows: tx.db.select().from(sites).where(where).orderBy(asc(sites.id)).limit(limit).offset(offset).all(),
    total: tx.db.select({ total: count() }).from(sites).where(where).get()?.total ?? 0,
  };
}

type SiteTable = SQLiteTable & { id: SQLiteColumn; siteId: SQLiteColumn };

/** What the tables of a catalogue have in common. `order` is the column that sorts their rows. */
function catalogueOf<Table extends SiteTable>(table: Table, order: SQLiteColumn) {
  type Row = InferSelectModel<Table>;
  const columns = getTableColumns(table);
  const name = getTableName(table);
  // drizzle's builders cannot infer through the generic type; the rows still come back as Row.
  const plain = table as SQLiteTable;
  const isThere = isAttached(name, table.id);
  const one = statement((db) =>
    db
      .select()
      .from(plain)
      .where(and(eq(table.siteId, sql.placeholder('siteId')), eq(table.id, sql.placeholder('id')), isThere))
      .prepare(),
  );
  const all = statement((db) =>
    db
      .select()
      .from(plain)
      .where(and(eq(table.siteId, sql.placeholder('siteId')), isThere))
      .orderBy(asc(order), asc(table.id))
      .prepare(),
  );
  return {
    insert: insertInto(table),
    update: updateById(table),
    /** Undefined also if the row belongs to another site. */
    get: (tx: Tx, siteId: number, id: number): Readonly<Row> | undefined =>
      remembered(tx, `${name} ${siteId} ${id}`, () => one(tx).get({ siteId, id }) as Row | undefined),
    list: (tx: Tx, siteId: number): readonly Row[] =>
      remembered(tx, `${name} ${siteId}`, () => all(tx).all({ siteId }) as Row[]),
    remove: (tx: Tx, id: number): void => {
      detach(tx, name, id);
    },
    reorder: (tx: Tx, ids: readonly number[]): void => {
      for (const [at, id] of ids.entries()) {
        tx.db
          .update(table)
          .set({ [columnName(columns, order)]: at + 1, version: sql`${columns.version} + 1` } as never)
          .where(eq(table.id, id))
          .run();
      }
    },
  };
}

function columnName(columns: Record<string, SQLiteColumn>, column: SQLiteColumn): string {
  return Object.entries(columns).find(([, known]) => known === column)?.[0] ?? '';
}

export const categoryRows = catalogueOf(categories, categories.sortOrder);
export const priorityRows = catalogueOf(priorities, priorities.sortOrder);
export const customFieldRows = catalogueOf(customFields, customFields.sortOrder);
export const channelRows = catalogueOf(channels, channels.sortOrder);
export const inboundRuleRows = catalogueOf(inboundRules, inboundRules.position);

type InboundRuleRow = Pick<
  InboundRule,
  'id' | 'name' | 'position' | 'isActive' | 'match' | 'conditions' | 'actions' | 'stopProcessing'
>;
const rulesOf = selectFrom(inboundRules, 'WHERE site_id = ? ORDER BY position, id');
/** By the mark that changes with every change of a site's rules, the least recently used first. */
const knownRules = new Map<string, readonly InboundRuleRow[]>();
const mostKnownRules = 20_000;
let knownTotal = 0;

export function ruleMark(tx: Tx, siteId: number): string | null {
  const mark = 'SELECT mark FROM inbound_rule_marks WHERE site_id = ?';
  return query<{ mark: string }>(tx, mark).get(siteId)?.mark ?? null;
}

/** A site's rules in order: the same objects for every message until one of them changes. */
export function rulesInOrder(tx: Tx, siteId: number): readonly InboundRuleRow[] {
  const mark = ruleMark(tx, siteId);
  if (mark === null) return rulesOf.all(tx, siteId);
  let rules = knownRules.get(mark);
  if (rules === undefined) {
    rules = rulesOf.all(tx, siteId);
    knownTotal += rules.length;
  } else knownRules.delete(mark);
  knownRules.set(mark, rules);
  for (const [oldest, { length }] of knownRules) {
    if (knownTotal <= mostKnownRules) break;
    knownRules.delete(oldest);
    knownTotal -= length;
  }
  return rules;
}

const categoryById = statement((db) =>
  db
    .select()
    .from(categories)
    .where(and(eq(categories.id, sql.placeholder('id')), isAttached('categories', categories.id)))
    .prepare(),
);
const priorityById = statement((db) =>
  db
    .select()
    .from(priorities)
    .where(eq(priorities.id, sql.placeholder('id')))
    .prepare(),
);

export function anyCategory(tx: Tx, id: number): Category | undefined {
  return remembered(tx, `category ${id}`, () => categoryById(tx).get({ id }));
}

export function anyPriority(tx: Tx, id: number): Priority | undefined {
  return remembered(tx, `priority ${id}`, () => priorityById(tx).get({ id }));
}

const channelById = statement((db) =>
  db
    .select()
    .from(channels)
    .where(eq(channels.id, sql.placeholder('id')))
    .prepare(),
);

export function anyChannel(tx: Tx, id: number): Channel | undefined {
  return remembered(tx, `channel ${id}`, () => channelById(tx).get({ id }));
}
