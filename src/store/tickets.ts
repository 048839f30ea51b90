// Tickets and their tags, one at a time; lists live in ticket-list.ts.

import { eq, type InferSelectModel, sql } from 'drizzle-orm';
import { query, statement, type Tx } from './database.ts';
import { tickets, ticketTags } from './schema/tickets.ts';
import { insertInto, selectFrom, updateById } from './statements.ts';

export type Ticket = InferSelectModel<typeof tickets>;

const insertRow = insertInto(tickets);
const updateRow = updateById(tickets);
const byId = selectFrom(tickets, 'WHERE id = ?');
const byUlid = selectFrom(tickets, 'WHERE ulid = ?');
// A context can hold a hundred kilobytes of console output, and no list shows it.
const many = selectFrom(tickets, 'WHERE id IN (SELECT value FROM json_each(?))', ['context']);
const insertTag = statement((db) =>
  db
    .insert(ticketTags)
    .values({ tag: sql.placeholder('tag'), ticketId: sql.placeholder('ticketId') })
    .onConflictDoNothing()
    .prepare(),
);
const clearTags = statement((db) =>
  db
    .delete(ticketTags)
    .where(eq(ticketTags.ticketId, sql.placeholder('ticketId')))
    .prepare(),
);

export function ticketById(tx: Tx, id: number): Ticket | undefined {
  return byId.get(tx, id);
}

export function ticketByUlid(tx: Tx, ulid: string): Ticket | undefined {
  return byUlid.get(tx, ulid.toUpperCase());
}

/** In the order of the ids, without their contexts. */
export function ticketsByIds(tx: Tx, ids: readonly number[]): Ticket[] {
  const rows = new Map(many.all(tx, JSON.stringify(ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** Names the index, because SQLite would otherwise read the contexts. */
export const extrasText = `SELECT id, context -> '$.extra' AS extra FROM tickets INDEXED BY tickets_extra
     WHERE id IN (SELECT value FROM json_each(?)) AND context -> '$.extra' IS NOT NULL`;

export function extrasOfTickets(tx: Tx, ids: readonly number[]): Map<number, unknown> {
  const rows = query<{ id: number; extra: string }>(tx, extrasText).all(JSON.stringify(ids));
  return new Map(rows.map(({ id, extra }) => [id, JSON.parse(extra)]));
}

export function insertTicket(tx: Tx, row: Omit<Ticket, 'id'>): Ticket {
  const id = insertRow(tx, row);
  for (const tag of row.tags) insertTag(tx).run({ tag, ticketId: id });
  return { ...row, id };
}

export function updateTicket(tx: Tx, ticket: Ticket, change: Partial<Omit<Ticket, 'id' | 'version'>>): Ticket {
  const { updatedAt } = change;
  // Lists rely on this even if the clock was wrong.
  const at = updatedAt === undefined ? {} : { updatedAt: Math.max(updatedAt, ticket.createdAt) };
  const changed = { ...ticket, ...change, ...at, version: ticket.version + 1 };
  updateRow(tx, ticket.id, { ...change, ...at, version: changed.version });
  if (change.tags) {
    clearTags(tx).run({ ticketId: ticket.id });
    for (const tag of change.tags) insertTag(tx).run({ tag, ticketId: ticket.id });
  }
  return changed;
}

export function ticketVersions(tx: Tx, ids: readonly number[]): Map<number, number> {
  const rows = query<{ id: number; version: number }>(
    tx,
    'SELECT id, version FROM tickets WHERE id IN (SELECT value FROM json_each(?))',
  ).all(JSON.stringify(ids));
  return new Map(rows.map(({ id, version }) => [id, version]));
}

export function mergedIds(tx: Tx, ticketId: number): number[] {
  return query<{ id: number }>(
    tx,
    `WITH RECURSIVE merged (id) AS (
         SELECT id FROM tickets WHERE merged_into_id = ?
         UNION SELECT tickets.id FROM tickets JOIN merged ON tickets.merged_into_id = merged.id
       ) SELECT id FROM merged`,
  )
    .all(ticketId)
    .map(({ id }) => id);
}

export function ticketIdsOfAuthor(tx: Tx, authorId: number, after: number, limit: number): number[] {
  return query<{ id: number }>(
    tx,
    'SELECT id FROM tickets INDEXED BY tickets_by_author WHERE author_id = ? AND id > ? ORDER BY id LIMIT ?',
  )
    .all(authorId, after, limit)
    .map(({ id }) => id);
}

export function countTicketsOfAuthor(tx: Tx, authorId: number): number {
  const text = 'SELECT count(*) AS total FROM tickets INDEXED BY tickets_by_author WHERE author_id = ?';
  return query<{ total: number }>(tx, text).get(authorId)?.total ?? 0;
}

export function countTicketsOfPriority(tx: Tx, priorityId: number): number {
  return (
    query<{ total: number }>(tx, 'SELECT count(*) AS total FROM tickets WHERE priority_id = ?').get(priorityId)
      ?.total ?? 0
  );
}

const levelsAtOnce = 200;
const maxLooked = 2000;

/** Copies a priority's new level to its tickets: at once if there are few, otherwise with `copyLevels`. */
export function changePriorityLevel(tx: Tx, priorityId: number, level: number): void {
  const found = query<{ total: number }>(
    tx,
    'SELECT count(*) AS total FROM (SELECT 1 FROM tickets INDEXED BY tickets_by_priority WHERE priority_id = ? LIMIT ?)',
  ).get(priorityId, levelsAtOnce + 1);
  if ((found?.total ?? 0) <= levelsAtOnce)
    query(tx, 'UPDATE tickets SET priority_level = ? WHERE priority_id = ?').run(level, priorityId);
  else query(tx, 'INSERT INTO priority_levels VALUES (?, 0) ON CONFLICT DO UPDATE SET after_id = 0').run(priorityId);
}

export function hasLevelsToCopy(tx: Tx): boolean {
  return query(tx, 'SELECT 1 FROM priority_levels LIMIT 1').get() !== null;
}

export function copyLevels(tx: Tx): boolean {
  const due = query<{ id: number; level: number; afterId: number }>(
    tx,
    'SELECT id, level, after_id AS afterId FROM priority_levels JOIN priorities ON id = priority_id ORDER BY id LIMIT 1',
  ).get();
  if (due === null) return false;
  const looked = query<{ id: number; isOther: number }>(
    tx,
    'SELECT id, priority_id = ? AND priority_level <> ? AS isOther FROM tickets NOT INDEXED WHERE id > ? ORDER BY id LIMIT ?',
  ).all(due.id, due.level, due.afterId, maxLooked);
  const ids: number[] = [];
  let lastId: number | null = looked.length === maxLooked ? (looked.at(-1)?.id ?? null) : null;
  for (const { id, isOther } of looked) {
    if (isOther) ids.push(id);
    if (ids.length < levelsAtOnce) continue;
    lastId = id;
    break;
  }
  query(tx, 'UPDATE tickets SET priority_level = ? WHERE id IN (SELECT value FROM json_each(?))').run(
    due.level,
    JSON.stringify(ids),
  );
  if (lastId === null) query(tx, 'DELETE FROM priority_levels WHERE priority_id = ?').run(due.id);
  else query(tx, 'UPDATE priority_levels SET after_id = ? WHERE priority_id = ?').run(lastId, due.id);
  return true;
}
