// The rows of a site's catalogue: categories, priorities, custom fields, channels and inbound rules.

import { and, asc, eq, getTableColumns, getTableName, type InferSelectModel, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Scope } from '../domain/actor.ts';
import { remembered } from './catalogue-cache.ts';
import { query, statement, type Tx } from './database.ts';
import { detach, isAttached } from './detachments.ts';
import { categories, channels, customFields, inboundRules, priorities } from './schema/sites.ts';
import { isOfSites } from './scope.ts';
import { insertInto, updateById } from './statements.ts';

export type Category = InferSelectModel<typeof categories>;

export type Priority = InferSelectModel<typeof priorities>;

export type CustomFieldRow = InferSelectModel<typeof customFields>;

export type Channel = InferSelectModel<typeof channels>;

export type InboundRule = InferSelectModel<typeof inboundRules>;

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

/** Of every site. */
export function customFieldKeys(tx: Tx, sites: Scope): string[] {
  const ofSites = isOfSites(sites, 'site_id');
  const where = ofSites === null ? '' : `WHERE ${ofSites.text}`;
  return query<{ key: string }>(tx, `SELECT DISTINCT key FROM custom_fields ${where}`)
    .all(...(ofSites?.values ?? []))
    .map(({ key }) => key);
}
