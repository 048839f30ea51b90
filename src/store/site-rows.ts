// A site's rows in the order of an export, and where an import records what each became.

import { getTableColumns, getTableName } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { SiteSlaPolicy } from '../domain/site.ts';
import { query, type Tx } from './database.ts';
import type { InboundMail } from './inbound.ts';
import {
  agents,
  attachments,
  authors,
  categories,
  channels,
  customFields,
  deliveries,
  events,
  inboundMail,
  inboundRules,
  messages,
  priorities,
  sites,
  slaIntervals,
  slaPolicies,
  teamTokens,
  tickets,
} from './schema.ts';
import { selectFrom } from './statements.ts';

function* pages<Row>(
  read: { all(tx: Tx, ...values: number[]): Row[] },
  idOf: (row: Row) => number,
  tx: Tx,
  owner: number,
  limit: number,
): Generator<Row> {
  for (let after = 0; ; ) {
    const rows = read.all(tx, owner, after, limit);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    after = idOf(last);
  }
}

const byId = 'AND id > ? ORDER BY id LIMIT ?';
const policiesOf = selectFrom(slaPolicies, `WHERE site_id = ? ${byId}`);
const tokensOf = selectFrom(teamTokens, `WHERE site_id = ? ${byId}`);
// These walk the table by id: with the index of the site, each page would have to be sorted.
const authorsOf = selectFrom(authors, `NOT INDEXED WHERE site_id = ? ${byId}`);
const ticketsOf = selectFrom(tickets, `NOT INDEXED WHERE site_id = ? ${byId}`);
const messagesOf = selectFrom(messages, `INDEXED BY messages_by_ticket WHERE ticket_id = ? ${byId}`);
const attachmentsOf = selectFrom(attachments, `INDEXED BY attachments_by_ticket WHERE ticket_id = ? ${byId}`);
const intervalsOf = selectFrom(slaIntervals, `INDEXED BY sla_intervals_by_ticket WHERE ticket_id = ? ${byId}`);
const eventsOf = selectFrom(events, 'INDEXED BY events_by_site WHERE site_id = ? AND seq > ? ORDER BY seq LIMIT ?');
const mailsOf = selectFrom(inboundMail, `INDEXED BY inbound_mail_by_site WHERE site_id = ? ${byId}`);
const sentOf = selectFrom(
  deliveries,
  `INDEXED BY deliveries_by_site WHERE site_id = ? AND mail_message_id IS NOT NULL AND ticket_id IS NOT NULL ${byId}`,
);

const idOf = ({ id }: { id: number }) => id;
export const siteRows = {
  slaPolicies: (tx: Tx, siteId: number) => pages(policiesOf, idOf, tx, siteId, 100),
  tokens: (tx: Tx, siteId: number) => pages(tokensOf, idOf, tx, siteId, 100),
  authors: (tx: Tx, siteId: number) => pages(authorsOf, idOf, tx, siteId, 1000),
  tickets: (tx: Tx, siteId: number) => pages(ticketsOf, idOf, tx, siteId, 100),
  messages: (tx: Tx, ticketId: number) => pages(messagesOf, idOf, tx, ticketId, 20),
  attachments: (tx: Tx, ticketId: number) => pages(attachmentsOf, idOf, tx, ticketId, 500),
  intervals: (tx: Tx, ticketId: number) => pages(intervalsOf, idOf, tx, ticketId, 500),
  events: (tx: Tx, siteId: number) => pages(eventsOf, ({ seq }) => seq, tx, siteId, 500),
  mails: (tx: Tx, siteId: number) => pages<InboundMail>(mailsOf, idOf, tx, siteId, 50),
  sentMails: (tx: Tx, siteId: number) => pages(sentOf, idOf, tx, siteId, 500),
} as const;

interface TicketStub {
  id: number;
  mergedIntoId: number | null;
}

export function* mergedTickets(tx: Tx, siteId: number): Generator<TicketStub> {
  const text =
    'SELECT id, merged_into_id AS mergedIntoId FROM tickets NOT INDEXED WHERE site_id = ? AND id > ? AND merged_into_id IS NOT NULL ORDER BY id LIMIT ?';
  const read = { all: (inner: Tx, ...values: number[]) => query<TicketStub>(inner, text).all(...values) };
  yield* pages(read, idOf, tx, siteId, 1000);
}

export function ticketIdsAfter(tx: Tx, siteId: number, after: number, limit: number): number[] {
  return query<{ id: number }>(
    tx,
    'SELECT id FROM tickets NOT INDEXED WHERE site_id = ? AND id > ? ORDER BY id LIMIT ?',
  )
    .all(siteId, after, limit)
    .map(({ id }) => id);
}

export function suppressionsOf(tx: Tx, siteId: number): { address: string; reason: string; created_at: number }[] {
  return query<{ address: string; reason: string; created_at: number }>(
    tx,
    'SELECT address, reason, created_at FROM mail_suppressions WHERE site_id = ? ORDER BY address',
  ).all(siteId);
}

const namedAgents = selectFrom(
  agents,
  `WHERE id IN (
     SELECT id FROM agents WHERE NOT EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = agents.id)
     UNION SELECT agent_id FROM agent_sites WHERE site_id = ?1
     UNION SELECT assignee_id FROM tickets WHERE site_id = ?1
     UNION SELECT agent_id FROM messages JOIN tickets ON tickets.id = ticket_id WHERE agent_id IS NOT NULL AND site_id = ?1
     UNION SELECT data ->> '$.changes.assigned_to.to' FROM events WHERE site_id = ?1 AND kind = 'ticket.assigned'
     UNION SELECT data ->> '$.changes.assigned_to.from' FROM events WHERE site_id = ?1 AND kind = 'ticket.assigned'
   ) ORDER BY id`,
);

export function agentsNamedBy(tx: Tx, siteId: number) {
  return namedAgents.all(tx, siteId).map((agent) => {
    const sites = query<{ siteId: number }>(tx, 'SELECT site_id AS siteId FROM agent_sites WHERE agent_id = ?').all(
      agent.id,
    );
    return { ...agent, belongs: sites.length === 0 || sites.some((one) => one.siteId === siteId) };
  });
}

const tables = {
  agents,
  attachments,
  authors,
  categories,
  channels,
  customFields,
  deliveries,
  events,
  inboundMail,
  inboundRules,
  messages,
  priorities,
  sites,
  slaIntervals,
  slaPolicies,
  teamTokens,
  tickets,
} as const;
type TransferTable = keyof typeof tables;

// A higher number is malicious: keeping it would use up the numbers for new rows.
const largestKeptId = 1_000_000_000;
// Nothing refers to these once they are gone, and they do not come in the order of their numbers.
const nameless: readonly TransferTable[] = ['messages', 'attachments', 'slaIntervals'];

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

export function setMergedInto(tx: Tx, ticketId: number, intoId: number): void {
  query(tx, 'UPDATE tickets SET merged_into_id = ? WHERE id = ?').run(intoId, ticketId);
}

export interface Import {
  id: number;
  siteId: number | null;
  run: number;
  finishedAt: number | null;
}

export function importByName(tx: Tx, name: string): Import | null {
  return query<Import>(
    tx,
    'SELECT id, site_id AS siteId, run, finished_at AS finishedAt FROM imports WHERE name = ?',
  ).get(name);
}

/** Starts an import, or continues one that was interrupted: its earlier process loses it. */
export function beginImport(tx: Tx, name: string, now: number): Import {
  query(
    tx,
    'INSERT INTO imports (name, run, created_at) VALUES (?, 1, ?) ON CONFLICT (name) DO UPDATE SET run = run + 1',
  ).run(name, now);
  const begun = importByName(tx, name);
  if (!begun) throw new Error('an import vanished inside its own transaction');
  return begun;
}

export function setImportSite(tx: Tx, importId: number, siteId: number): void {
  query(tx, 'UPDATE imports SET site_id = ? WHERE id = ?').run(siteId, importId);
}

/** Its rows go by `forgetImportedRows`. */
export function finishImport(tx: Tx, importId: number, now: number): void {
  query(tx, 'UPDATE imports SET finished_at = ? WHERE id = ?').run(now, importId);
}

// So many rows take a few milliseconds.
const rowsAtOnce = 500;

const finishedWithRows = `SELECT id FROM imports WHERE finished_at IS NOT NULL
  AND EXISTS (SELECT 1 FROM import_rows WHERE import_id = imports.id) LIMIT 1`;

/** Whether an import is finished whose rows are still noted. */
export function hasImportedRows(tx: Tx): boolean {
  return query(tx, finishedWithRows).get() !== null;
}

/** Forgets some of what became of the rows of finished imports. */
export function forgetImportedRows(tx: Tx): null {
  query(
    tx,
    `DELETE FROM import_rows WHERE (import_id, kind, old) IN
       (SELECT import_id, kind, old FROM import_rows WHERE import_id = (${finishedWithRows}) LIMIT ?)`,
  ).run(rowsAtOnce);
  return null;
}

interface ImportedRow {
  newId: number;
  newUlid: string | null;
  run: number;
}

export function importedRow(tx: Tx, importId: number, kind: string, old: string): ImportedRow | null {
  return query<ImportedRow>(
    tx,
    'SELECT new_id AS newId, new_ulid AS newUlid, run FROM import_rows WHERE import_id = ? AND kind = ? AND old = ?',
  ).get(importId, kind, old);
}

export function keepImportedRow(
  tx: Tx,
  { id, run }: Import,
  kind: string,
  old: string,
  newId: number,
  newUlid: string | null = null,
): void {
  query(
    tx,
    `INSERT INTO import_rows (import_id, kind, old, new_id, new_ulid, run) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (import_id, kind, old) DO UPDATE SET run = excluded.run`,
  ).run(id, kind, old, newId, newUlid, run);
}

export function isUlidOfSite(tx: Tx, siteId: number, ulid: string): boolean {
  return (
    query(
      tx,
      `SELECT 1 FROM sites WHERE ulid = ?1 AND id = ?2
       UNION ALL SELECT 1 FROM tickets WHERE ulid = ?1 AND site_id = ?2
       UNION ALL SELECT 1 FROM messages JOIN tickets ON tickets.id = ticket_id WHERE messages.ulid = ?1 AND site_id = ?2
       UNION ALL SELECT 1 FROM attachments WHERE ulid = ?1 AND site_id = ?2 LIMIT 1`,
    ).get(ulid, siteId) !== null
  );
}

export function mailByUlid(tx: Tx, ulid: string): { siteId: number; size: number; erasedAt: number | null } | null {
  return query<{ siteId: number; size: number; erasedAt: number | null }>(
    tx,
    'SELECT site_id AS siteId, size, erased_at AS erasedAt FROM inbound_mail WHERE ulid = ?',
  ).get(ulid);
}

export function setAuthorEmail(tx: Tx, id: number, email: string): void {
  query(tx, 'UPDATE authors SET email = ? WHERE id = ?').run(email, id);
}
