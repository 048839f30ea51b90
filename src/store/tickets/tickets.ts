// Tickets and their tags, one at a time; lists live in store/lists.

import { getTableColumns, type InferInsertModel, type InferSelectModel } from 'drizzle-orm';
import { query, type Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement, updateById } from '../../engine/statements.ts';
import { tickets } from '../schema/tickets.ts';

export type Ticket = InferSelectModel<typeof tickets>;
type NewTicket = InferInsertModel<typeof tickets>;

const insertRow = insertInto(tickets);
const blank = Object.fromEntries(
  Object.entries(getTableColumns(tickets)).flatMap(([name, { notNull }]) => (notNull ? [] : [[name, null]])),
);
const updateRow = updateById(tickets);
const byUlid = selectFrom(tickets, 'WHERE ulid = ?');
// A context can hold a hundred kilobytes of console output, and no list shows it.
const many = selectFrom(tickets, 'WHERE id IN (SELECT value FROM json_each(?))', ['context']);
const insertTag = statement('INSERT INTO ticket_tags (tag, ticket_id) VALUES (?, ?) ON CONFLICT DO NOTHING').run<
  [tag: string, ticketId: number]
>;
const clearTags = statement('DELETE FROM ticket_tags WHERE ticket_id = ?').run<[ticketId: number]>;

export const ticketById = selectFrom(tickets, 'WHERE id = ?').get<[id: number]>;

export function ticketByUlid(tx: Tx, ulid: string): Ticket | undefined {
  return byUlid.get(tx, ulid.toUpperCase());
}

/** In the order of the ids, without their contexts. */
export function ticketsByIds(tx: Tx, ids: readonly number[]): Ticket[] {
  const rows = new Map(many.all(tx, ids).map((row) => [row.id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** Names the index, because SQLite would otherwise read the contexts. */
export const extrasText = `SELECT id, context -> '$.extra' AS extra FROM tickets INDEXED BY tickets_extra
     WHERE id IN (SELECT value FROM json_each(?)) AND context -> '$.extra' IS NOT NULL`;

export function extrasOfTickets(tx: Tx, ids: readonly number[]): Map<number, unknown> {
  const rows = query<{ id: number; extra: string }>(tx, extrasText).all(JSON.stringify(ids));
  return new Map(rows.map(({ id, extra }) => [id, JSON.parse(extra)]));
}

/** What can have no value is null where the row does not name it. */
export function insertTicket(tx: Tx, row: Omit<NewTicket, 'id'>): Ticket {
  const ticket = { ...blank, ...row, id: 0 } as Ticket;
  ticket.id = insertRow(tx, ticket);
  for (const tag of row.tags) insertTag(tx, tag, ticket.id);
  return ticket;
}

export function updateTicket(tx: Tx, ticket: Ticket, change: Partial<Omit<Ticket, 'id' | 'version'>>): Ticket {
  const { updatedAt } = change;
  // Lists rely on this even if the clock was wrong.
  const at = updatedAt === undefined ? {} : { updatedAt: Math.max(updatedAt, ticket.createdAt) };
  const changed = { ...ticket, ...change, ...at, version: ticket.version + 1 };
  updateRow(tx, ticket.id, { ...change, ...at, version: changed.version });
  if (change.tags) {
    clearTags(tx, ticket.id);
    for (const tag of change.tags) insertTag(tx, tag, ticket.id);
  }
  return changed;
}

export const mergedIds = statement(`WITH RECURSIVE merged (id) AS (
         SELECT id FROM tickets WHERE merged_into_id = ?
         UNION SELECT tickets.id FROM tickets JOIN merged ON tickets.merged_into_id = merged.id
       ) SELECT id FROM merged`).column<number, [ticketId: number]>;

export const ticketIdsOfAuthor = statement(
  'SELECT id FROM tickets INDEXED BY tickets_by_author WHERE author_id = ? AND id > ? ORDER BY id LIMIT ?',
).column<number, [authorId: number, after: number, limit: number]>;

export function countTicketsOfAuthor(tx: Tx, authorId: number): number {
  const text = 'SELECT count(*) AS total FROM tickets INDEXED BY tickets_by_author WHERE author_id = ?';
  return query<{ total: number }>(tx, text).get(authorId)?.total ?? 0;
}

export const countTicketsOfPriority = statement('SELECT count(*) AS total FROM tickets WHERE priority_id = ?').number<
  [priorityId: number]
>;

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

export const hasLevelsToCopy = statement('SELECT 1 FROM priority_levels LIMIT 1').has<[]>;

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
