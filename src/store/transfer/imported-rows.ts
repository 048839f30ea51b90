// Inserts the rows of an import, under their own ids and ulids where these are free.

import { getTableColumns, getTableName } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { SiteSlaPolicy } from '../../domain/sites/site.ts';
import { query, type Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';
import { allTables } from '../schema/all-tables.ts';

type TransferTable =
  | 'agents'
  | 'attachments'
  | 'authors'
  | 'categories'
  | 'channels'
  | 'customFields'
  | 'deliveries'
  | 'inboundMail'
  | 'inboundRules'
  | 'macros'
  | 'messages'
  | 'participants'
  | 'priorities'
  | 'scheduledReplies'
  | 'senders'
  | 'sites'
  | 'slaIntervals'
  | 'slaPolicies'
  | 'teams'
  | 'teamTokens'
  | 'tickets'
  | 'timedRules'
  | 'recurringTickets'
  | 'triggers';
const tables: Pick<typeof allTables, TransferTable> = allTables;

// A higher number is malicious: keeping it would use up the numbers for new rows.
const largestKeptId = 1_000_000_000;

// Nothing refers to these once they are gone, and they do not come in the order of their numbers.
const nameless: readonly TransferTable[] = [
  'messages',
  'attachments',
  'slaIntervals',
  'scheduledReplies',
  'participants',
];

/** Whether no row ever had this number: a history may still refer to a removed row. */
function isIdFree(tx: Tx, name: TransferTable, id: number): boolean {
  if (id > largestKeptId) return false;
  const tableName = getTableName(tables[name]);
  if (nameless.includes(name)) return query(tx, `SELECT 1 FROM ${tableName} WHERE rowid = ?`).get(id) === null;
  return query(tx, 'SELECT 1 FROM sqlite_sequence WHERE name = ? AND seq >= ?').get(tableName, id) === null;
}

/** Inserts a row under its old number if that is free, otherwise under a new one; returns the number. */
export function insertKeepingId<Name extends TransferTable>(
  tx: Tx,
  name: Name,
  id: number,
  row: Omit<(typeof tables)[Name]['$inferSelect'], 'id' | 'seq'>,
): number {
  const table: SQLiteTable = tables[name];
  const columns = Object.entries(getTableColumns(table) as Record<string, SQLiteColumn>);
  const tableName = getTableName(table);
  const isFree = isIdFree(tx, name, id);
  const values: Record<string, unknown> = { ...row, id: isFree ? id : null, seq: null };
  const text = `INSERT INTO ${tableName} (${columns.map(([, column]) => column.name).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  const bound = columns.map(([key, column]) => {
    const value = values[key];
    return value === null ? null : (column.mapToDriverValue(value) as string | number | null);
  });
  return Number(query(tx, text).run(...bound).lastInsertRowid);
}

const ulidTables = {
  site: 'sites',
  ticket: 'tickets',
  message: 'messages',
  attachment: 'attachments',
  delivery: 'deliveries',
  mail: 'inbound_mail',
} as const;

export function isUlidFree(tx: Tx, kind: keyof typeof ulidTables, ulid: string): boolean {
  return query(tx, `SELECT 1 FROM ${ulidTables[kind]} WHERE ulid = ?`).get(ulid) === null;
}

export function isTokenHashFree(tx: Tx, hash: string): boolean {
  return (
    query(
      tx,
      'SELECT 1 FROM sites WHERE token_hash = ?1 OR previous_token_hash = ?1 UNION ALL SELECT 1 FROM team_tokens WHERE token_hash = ?1',
    ).get(hash) === null
  );
}

export function isInboundHashFree(tx: Tx, hash: string): boolean {
  return (
    query(tx, 'SELECT 1 FROM sites WHERE inbound_secret_hash = ?1 OR previous_inbound_secret_hash = ?1').get(hash) ===
    null
  );
}

export function admitAgent(tx: Tx, agentId: number, siteId: number, isNew: boolean): void {
  const belongsToSome = query(tx, 'SELECT 1 FROM agent_sites WHERE agent_id = ?').get(agentId) !== null;
  if (isNew || belongsToSome)
    query(tx, 'INSERT INTO agent_sites (agent_id, site_id) VALUES (?, ?) ON CONFLICT DO NOTHING').run(agentId, siteId);
}

export function keepPolicyUnder(tx: Tx, siteId: number, id: number, policy: SiteSlaPolicy): number {
  const found = query<{ id: number }>(tx, 'SELECT id FROM sla_policies WHERE site_id = ? AND policy = ?').get(
    siteId,
    JSON.stringify(policy),
  );
  return found?.id ?? insertKeepingId(tx, 'slaPolicies', id, { siteId, policy });
}

export const setMergedInto = statement('UPDATE tickets SET merged_into_id = ?2 WHERE id = ?1').run<
  [ticketId: number, intoId: number]
>;

export const setSplitFrom = statement('UPDATE tickets SET split_from_id = ?2 WHERE id = ?1').run<
  [ticketId: number, fromId: number]
>;

export function isUlidOfSite(tx: Tx, siteId: number, ulid: string): boolean {
  return (
    query(
      tx,
      `SELECT 1 FROM sites WHERE ulid = ?1 AND id = ?2
       UNION ALL SELECT 1 FROM tickets WHERE ulid = ?1 AND site_id = ?2
       UNION ALL SELECT 1 FROM messages JOIN tickets ON tickets.id = ticket_id WHERE messages.ulid = ?1 AND site_id = ?2
       UNION ALL SELECT 1 FROM attachments WHERE ulid = ?1 AND site_id = ?2
       UNION ALL SELECT 1 FROM scheduled_replies JOIN tickets ON tickets.id = ticket_id
         WHERE scheduled_replies.ulid = ?1 AND site_id = ?2 LIMIT 1`,
    ).get(ulid, siteId) !== null
  );
}

export function mailByUlid(tx: Tx, ulid: string): { siteId: number; size: number; erasedAt: number | null } | null {
  return query<{ siteId: number; size: number; erasedAt: number | null }>(
    tx,
    'SELECT site_id AS siteId, size, erased_at AS erasedAt FROM inbound_mail WHERE ulid = ?',
  ).get(ulid);
}

export const setAuthorEmail = statement('UPDATE authors SET email = ?2 WHERE id = ?1').run<[id: number, email: string]>;
