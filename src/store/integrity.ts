// Checks the database itself: damage, broken references, and derived values that differ from their source.

import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { SQLiteCustomColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { query, type Tx } from '../engine/database.ts';
import { allTables } from './schema/all-tables.ts';

/** What SQLite finds wrong with a table and its indexes, or with a full-text index. */
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

/** Its document is still to be written, or removed. */
const isNotWaiting = (kind: 'ticket' | 'author', id: string) =>
  `NOT EXISTS (SELECT 1 FROM search_waiting WHERE name = '${kind}_search' AND search_waiting.id = ${id})`;

export const withoutDocument = {
  ticket: look(
    `SELECT id, NOT EXISTS (SELECT 1 FROM ticket_search_docsize AS doc WHERE doc.id = tickets.id) AND ${isNotWaiting('ticket', 'tickets.id')} AS isFound FROM tickets WHERE id > ? ORDER BY id LIMIT ?`,
  ),
  author: look(
    `SELECT id, NOT EXISTS (SELECT 1 FROM author_search_docsize AS doc WHERE doc.id = authors.id) AND ${isNotWaiting('author', 'authors.id')} AS isFound FROM authors WHERE id > ? ORDER BY id LIMIT ?`,
  ),
} as const;

export const documentWithout = {
  ticket: look(
    `SELECT id, NOT EXISTS (SELECT 1 FROM tickets WHERE tickets.id = doc.id) AND ${isNotWaiting('ticket', 'doc.id')} AS isFound FROM ticket_search_docsize AS doc WHERE id > ? ORDER BY id LIMIT ?`,
  ),
  author: look(
    `SELECT id, NOT EXISTS (SELECT 1 FROM authors WHERE authors.id = doc.id) AND ${isNotWaiting('author', 'doc.id')} AS isFound FROM author_search_docsize AS doc WHERE id > ? ORDER BY id LIMIT ?`,
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

/** A deadline's event has the time of the deadline, not of the scan. */
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

interface StoredFileRow {
  id: number;
  ulid: string;
  size: number;
  /** Null for mail that came before hashes were kept. */
  sha256: string | null;
}

export function storedFiles(
  tx: Tx,
  table: 'attachments' | 'inbound_mail',
  after: number,
  limit: number,
): StoredFileRow[] {
  const stored = table === 'attachments' ? '' : "AND erased_at IS NULL AND provider <> 'form'";
  return query<StoredFileRow>(
    tx,
    `SELECT id, ulid, size, sha256 FROM ${table} WHERE id > ? ${stored} ORDER BY id LIMIT ?`,
  ).all(after, limit);
}

export const withDamagedJson: readonly { table: string; look: Look }[] = Object.values(allTables)
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
