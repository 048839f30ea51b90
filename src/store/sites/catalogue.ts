// The rows of a site's catalogue: categories, priorities, custom fields, senders, channels and rules.

import { getTableName, type InferSelectModel } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Scope } from '../../domain/actor.ts';
import { query, type Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement, updateById } from '../../engine/statements.ts';
import { detach, isAttached } from '../detachments.ts';
import { recurringTickets, timedRules, triggers } from '../schema/automation.ts';
import { mailboxes } from '../schema/mailboxes.ts';
import { categories, channels, customFields, inboundRules, priorities, senders } from '../schema/sites.ts';
import { isOfSites } from '../scope.ts';
import { remembered } from './catalogue-cache.ts';

export type Category = InferSelectModel<typeof categories>;

export type Priority = InferSelectModel<typeof priorities>;

export type CustomFieldRow = InferSelectModel<typeof customFields>;

export type Channel = InferSelectModel<typeof channels>;

export type InboundRule = InferSelectModel<typeof inboundRules>;

export type TriggerRow = InferSelectModel<typeof triggers>;

export type TimedRuleRow = InferSelectModel<typeof timedRules>;

export type RecurringTicketRow = InferSelectModel<typeof recurringTickets>;

export type Mailbox = InferSelectModel<typeof mailboxes>;

/** As stored: src/desk/sites/senders.ts knows the name and address of the default one. */
export type SenderRow = InferSelectModel<typeof senders>;

type SiteTable = SQLiteTable & { id: SQLiteColumn; siteId: SQLiteColumn };

/** What the tables of a catalogue have in common. `order` is the column that sorts their rows. */
function catalogueOf<Table extends SiteTable>(table: Table, order: SQLiteColumn) {
  type Row = InferSelectModel<Table>;
  const name = getTableName(table);
  const one = selectFrom(table, `WHERE site_id = ? AND id = ? AND ${isAttached(name)}`);
  const all = selectFrom(table, `WHERE site_id = ? AND ${isAttached(name)} ORDER BY ${order.name}, id`);
  const place = statement(`UPDATE ${name} SET ${order.name} = ?, version = version + 1 WHERE id = ?`).run<
    [place: number, id: number]
  >;
  return {
    insert: insertInto(table),
    update: updateById(table),
    /** Undefined also if the row belongs to another site. */
    get: (tx: Tx, siteId: number, id: number): Readonly<Row> | undefined =>
      remembered(tx, `${name} ${siteId} ${id}`, () => one.get(tx, siteId, id)),
    list: (tx: Tx, siteId: number): readonly Row[] => remembered(tx, `${name} ${siteId}`, () => all.all(tx, siteId)),
    remove: (tx: Tx, id: number): void => {
      detach(tx, name, id);
    },
    reorder: (tx: Tx, ids: readonly number[]): void => {
      for (const [at, id] of ids.entries()) place(tx, at + 1, id);
    },
  };
}

export const categoryRows = catalogueOf(categories, categories.sortOrder);

export const priorityRows = catalogueOf(priorities, priorities.sortOrder);

export const customFieldRows = catalogueOf(customFields, customFields.sortOrder);

export const channelRows = catalogueOf(channels, channels.sortOrder);

export const inboundRuleRows = catalogueOf(inboundRules, inboundRules.position);

export const triggerRows = catalogueOf(triggers, triggers.position);

export const timedRuleRows = catalogueOf(timedRules, timedRules.position);

export const recurringTicketRows = catalogueOf(recurringTickets, recurringTickets.position);

export const senderRows = catalogueOf(senders, senders.sortOrder);

/** They have no order but that of their ids. */
export const mailboxRows = catalogueOf(mailboxes, mailboxes.id);

const categoryById = selectFrom(categories, `WHERE id = ? AND ${isAttached('categories')}`);
const priorityById = selectFrom(priorities, 'WHERE id = ?');
const channelById = selectFrom(channels, 'WHERE id = ?');

export function anyCategory(tx: Tx, id: number): Category | undefined {
  return remembered(tx, `category ${id}`, () => categoryById.get(tx, id));
}

export function anyPriority(tx: Tx, id: number): Priority | undefined {
  return remembered(tx, `priority ${id}`, () => priorityById.get(tx, id));
}

export function anyChannel(tx: Tx, id: number): Channel | undefined {
  return remembered(tx, `channel ${id}`, () => channelById.get(tx, id));
}

const everyChannel = selectFrom(channels, `WHERE ${isAttached(getTableName(channels))} ORDER BY id`);
export const channelsOfEverySite = (tx: Tx): Channel[] => everyChannel.all(tx);

/** Of every site. */
export function customFieldKeys(tx: Tx, sites: Scope): string[] {
  const ofSites = isOfSites(sites, 'site_id');
  const where = ofSites === null ? '' : `WHERE ${ofSites.text}`;
  return query<{ key: string }>(tx, `SELECT DISTINCT key FROM custom_fields ${where}`)
    .all(...(ofSites?.values ?? []))
    .map(({ key }) => key);
}
