// Checks the database itself: damage, broken references, and derived values that differ from their source.

import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { SQLiteCustomColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { query, type Tx } from './database.ts';
import { flushDocuments, putDocument } from './documents.ts';
import * as schema from './schema.ts';

export function tableNames(tx: Tx): string[] {
  return query<{ name: string }>(tx, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => name);
}

export function rowsOfEachTable(tx: Tx): Record<string, number> {
  const own = tableNames(tx).filter((name) => !/^sqlite_|_search(?:_|$)/.test(name));
  return Object.fromEntries(
    own.map((name) => [
      name,
      tx.client.query<{ total: number }, []>(`SELECT count(*) AS total FROM "${name}"`).get()?.total ?? 0,
    ]),
  );
}

export function newestNumbers(tx: Tx): { tickets: number; messages: number; events: number } {
  const newest = (table: string, key: string) =>
    tx.client.query<{ number: number | null }, []>(`SELECT max(${key}) AS number FROM ${table}`).get()?.number ?? 0;
  return { tickets: newest('tickets', 'id'), messages: newest('messages', 'id'), events: newest('events', 'seq') };
}

export function rowsAfter(
  tx: Tx,
  { tickets, messages, events }: ReturnType<typeof newestNumbers>,
): ReturnType<typeof newestNumbers> {
  const count = (table: string, key: string, after: number) =>
    tx.client.query<{ total: number }, [number]>(`SELECT count(*) AS total FROM ${table} WHERE ${key} > ?`).get(after)
      ?.total ?? 0;
  return {
    tickets: count('tickets', 'id', tickets),
    messages: count('messages', 'id', messages),
    events: count('events', 'seq', events),
  };
}

export function schemaVersion(tx: Tx): number {
  return (
    query<{ version: number | null }>(tx, 'SELECT max(version) AS version FROM schema_migrations').get()?.version ?? 0
  );
}

/**
 * What SQLite finds wrong with one table and its indexes, or with the structure of a full-text index; empty if sound.
 */
export function damageOf(tx: Tx, table: string): string[] {
  return tx.client
    .query<{ integrity_check: string }, []>(`PRAGMA integrity_check("${table}")`)
    .all()
    .map((row) => row.integrity_check)
    .filter((line) => line !== 'ok');
}

export function brokenReferencesOf(tx: Tx, table: string): string[] {
  return tx.client
    .query<{ table: string; rowid: number | null; parent: string }, []>(`PRAGMA foreign_key_check("${table}")`)
    .all()
    .map((row) => `${row.table} ${row.rowid ?? ''} → ${row.parent}`);
}

export interface Slice<Found> {
  found: Found[];
  looked: number;
  nextAfter: number | null;
}

function slice<Row extends { id: number; isFound: number }>(
  tx: Tx,
  text: string,
  after: number,
  limit: number,
): Slice<Row> {
  const rows = query<Row>(tx, text).all(after, limit);
  return {
    found: rows.filter(({ isFound }) => isFound === 1),
    looked: rows.length,
    nextAfter: rows.length === limit ? (rows.at(-1)?.id ?? null) : null,
  };
}

type Found = { id: number; isFound: number };
type Look = (tx: Tx, after: number, limit: number) => Slice<Found>;
const look =
  (text: string): Look =>
  (tx, after, limit) =>
    slice(tx, text, after, limit);

export const withoutDocument = {
  ticket: look(
    'SELECT id, NOT EXISTS (SELECT 1 FROM ticket_search_docsize AS doc WHERE doc.id = tickets.id) AS isFound FROM tickets WHERE id > ? ORDER BY id LIMIT ?',
  ),
  author: look(
    'SELECT id, NOT EXISTS (SELECT 1 FROM author_search_docsize AS doc WHERE doc.id = authors.id) AS isFound FROM authors WHERE id > ? ORDER BY id LIMIT ?',
  ),
} as const;

export const documentWithout = {
  ticket: look(
    'SELECT id, NOT EXISTS (SELECT 1 FROM tickets WHERE tickets.id = doc.id) AS isFound FROM ticket_search_docsize AS doc WHERE id > ? ORDER BY id LIMIT ?',
  ),
  author: look(
    'SELECT id, NOT EXISTS (SELECT 1 FROM authors WHERE authors.id = doc.id) AS isFound FROM author_search_docsize AS doc WHERE id > ? ORDER BY id LIMIT ?',
  ),
} as const;

export type Indexed = keyof typeof withoutDocument;
export const indexedKinds = Object.keys(withoutDocument) as Indexed[];

export const withWrongMessageCount = look(
  'SELECT id, message_count <> (SELECT count(*) FROM messages WHERE ticket_id = tickets.id) AS isFound FROM tickets WHERE id > ? ORDER BY id LIMIT ?',
);

/** Leaves out a level that was just changed and is still being copied to its tickets. */
export const withWrongPriorityLevel = look(
  `SELECT id, priority_level IS NOT (SELECT level FROM priorities WHERE priorities.id = priority_id)
     AND priority_id NOT IN (SELECT priority_id FROM priority_levels) AS isFound FROM tickets WHERE id > ? ORDER BY id LIMIT ?`,
);

export const withWrongTags = look(
  `SELECT id, (SELECT coalesce(group_concat(value, ' '), '') FROM (SELECT DISTINCT value FROM json_each(tickets.tags) ORDER BY value))
     <> (SELECT coalesce(group_concat(tag, ' '), '') FROM (SELECT tag FROM ticket_tags WHERE ticket_id = tickets.id ORDER BY tag)) AS isFound
   FROM tickets WHERE id > ? ORDER BY id LIMIT ?`,
);

/**
 * Events older than an earlier one of the same ticket. A deadline's event has the time of the deadline, not of the
 * scan.
 */
export const backwardEvents = look(
  `SELECT seq AS id, ticket_id IS NOT NULL AND kind NOT LIKE 'ticket.sla_%' AND EXISTS (
     SELECT 1 FROM events AS earlier INDEXED BY events_by_ticket WHERE earlier.ticket_id = events.ticket_id
       AND earlier.seq < events.seq AND earlier.kind NOT LIKE 'ticket.sla_%' AND earlier.created_at > events.created_at + 60000) AS isFound
   FROM events WHERE seq > ? ORDER BY seq LIMIT ?`,
);

export function eventsAfterMoment(tx: Tx, moment: number, after: number, limit: number): Slice<Found> {
  const rows = query<Found>(
    tx,
    'SELECT seq AS id, created_at > ? AS isFound FROM events WHERE seq > ? ORDER BY seq LIMIT ?',
  ).all(moment, after, limit);
  return {
    found: rows.filter(({ isFound }) => isFound === 1),
    looked: rows.length,
    nextAfter: rows.length === limit ? (rows.at(-1)?.id ?? null) : null,
  };
}

const actualCounts =
  'SELECT site_id, status, is_test, count(*) AS total FROM tickets WHERE site_id = ?1 GROUP BY status, is_test';

export function countedSites(tx: Tx): number[] {
  return query<{ id: number }>(tx, 'SELECT id FROM sites UNION SELECT site_id FROM ticket_counts')
    .all()
    .map(({ id }) => id);
}

/** Whether a site's stored totals are wrong; one statement reads both sides, so they are of one moment. */
export function hasWrongCounts(tx: Tx, siteId: number): boolean {
  const kept = 'SELECT site_id, status, is_test, total FROM ticket_counts WHERE site_id = ?1 AND total <> 0';
  return (
    query(
      tx,
      `SELECT 1 FROM (SELECT * FROM (${kept} EXCEPT ${actualCounts}) UNION ALL SELECT * FROM (${actualCounts} EXCEPT ${kept})) LIMIT 1`,
    ).get(siteId) !== null
  );
}

export function recountSite(tx: Tx, siteId: number): null {
  query(tx, 'DELETE FROM ticket_counts WHERE site_id = ?').run(siteId);
  query(tx, `INSERT INTO ticket_counts ${actualCounts}`).run(siteId);
  return null;
}

export function recountMessages(tx: Tx, ticketId: number): null {
  query(
    tx,
    'UPDATE tickets SET message_count = (SELECT count(*) FROM messages WHERE ticket_id = tickets.id) WHERE id = ?',
  ).run(ticketId);
  return null;
}

export function copyPriorityLevel(tx: Tx, ticketId: number): null {
  query(
    tx,
    'UPDATE tickets SET priority_level = (SELECT level FROM priorities WHERE priorities.id = priority_id) WHERE id = ?',
  ).run(ticketId);
  return null;
}

export function copyTags(tx: Tx, ticketId: number): null {
  query(tx, 'DELETE FROM ticket_tags WHERE ticket_id = ?').run(ticketId);
  query(
    tx,
    'INSERT OR IGNORE INTO ticket_tags (tag, ticket_id) SELECT value, tickets.id FROM tickets, json_each(tickets.tags) WHERE tickets.id = ?',
  ).run(ticketId);
  return null;
}

export function emptyIndex(tx: Tx, kind: Indexed): null {
  flushDocuments(tx);
  query(tx, `INSERT INTO ${kind}_search (${kind}_search) VALUES ('delete-all')`).run();
  return null;
}

export function removeDocument(tx: Tx, kind: Indexed, id: number): null {
  putDocument(tx, `${kind}_search`, id, null);
  return null;
}

interface StoredFileRow {
  id: number;
  ulid: string;
  size: number;
  sha256: string | null;
}

export function storedFiles(
  tx: Tx,
  table: 'attachments' | 'inbound_mail',
  after: number,
  limit: number,
): StoredFileRow[] {
  const hash = table === 'attachments' ? 'sha256' : 'NULL AS sha256';
  const stored = table === 'attachments' ? '' : 'AND erased_at IS NULL';
  return query<StoredFileRow>(
    tx,
    `SELECT id, ulid, size, ${hash} FROM ${table} WHERE id > ? ${stored} ORDER BY id LIMIT ?`,
  ).all(after, limit);
}

export function rowTotal(tx: Tx, table: 'attachments' | 'inbound_mail' | 'tickets' | 'events'): number {
  return query<{ total: number }>(tx, `SELECT count(*) AS total FROM ${table}`).get()?.total ?? 0;
}

interface SealedSecret {
  owner: string;
  sealed: string;
  hash: string | null;
}

export function sealedSecrets(tx: Tx): SealedSecret[] {
  return query<SealedSecret>(
    tx,
    `SELECT 'site ' || slug AS owner, inbound_secret_sealed AS sealed, inbound_secret_hash AS hash FROM sites
     UNION ALL SELECT 'channel ' || id, signing_secret_sealed, NULL FROM channels
     UNION ALL SELECT 'channel ' || id, previous_signing_secret_sealed, NULL FROM channels WHERE previous_signing_secret_sealed IS NOT NULL`,
  ).all();
}

/** A few texts that are encrypted with the desk's key, the newest of each kind. */
export function someSealedSecrets(tx: Tx): string[] {
  return query<{ sealed: string }>(
    tx,
    `SELECT sealed FROM (SELECT inbound_secret_sealed AS sealed FROM sites WHERE inbound_secret_sealed IS NOT NULL ORDER BY id DESC LIMIT 3)
     UNION ALL SELECT sealed FROM (SELECT signing_secret_sealed AS sealed FROM channels WHERE signing_secret_sealed IS NOT NULL ORDER BY id DESC LIMIT 3)`,
  )
    .all()
    .map(({ sealed }) => sealed);
}

export const withDamagedJson: readonly { table: string; look: Look }[] = Object.values(schema)
  .filter((table) => is(table, SQLiteTable))
  .flatMap((table) => {
    const columns = Object.values(getTableColumns(table));
    const json = columns.filter((column) => column instanceof SQLiteCustomColumn && column.getSQLType() === 'text');
    const key = columns.find(({ name }) => name === 'id' || name === 'seq')?.name;
    if (key === undefined || json.length === 0) return [];
    const isDamaged = json.map(({ name }) => `coalesce(NOT json_valid(${name}), 0)`).join(' OR ');
    const name = getTableName(table);
    return [
      {
        table: name,
        look: look(
          `SELECT ${key} AS id, ${isDamaged} AS isFound FROM ${name} WHERE ${key} > ? ORDER BY ${key} LIMIT ?`,
        ),
      },
    ];
  });
