// The numbered events, and the answers kept for Idempotency-Key.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../base/clock.ts';
import type { Scope } from '../domain/actor.ts';
import { dayMs } from '../domain/instant.ts';
import type { AutomationKind } from '../domain/rules/trigger.ts';
import { query, type Tx } from '../engine/database.ts';
import { insertInto, selectFrom, statement } from '../engine/statements.ts';
import { idempotencyKeys } from './schema/desk.ts';
import { events } from './schema/tickets.ts';

export type Event = InferSelectModel<typeof events>;
type IdempotencyKey = InferSelectModel<typeof idempotencyKeys>;

const insertRow = insertInto(events);
const after = selectFrom(events, 'WHERE seq > ? ORDER BY seq LIMIT ?');
const afterInSite = selectFrom(events, 'WHERE site_id = ? AND seq > ? ORDER BY seq LIMIT ?');

export function insertEvent(tx: Tx, row: Omit<Event, 'seq'>): number {
  return insertRow(tx, row);
}

export const eventsOfTicket = selectFrom(events, 'WHERE ticket_id = ? ORDER BY seq').all<[ticketId: number]>;

export const nextEvents = selectFrom(events, 'WHERE ticket_id = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?').all<
  [ticketId: number, after: number, upTo: number, limit: number]
>;

/** To whom the ticket was assigned before its assignments since then, of its newest events; undefined without any. */
export function assigneeBefore(tx: Tx, ticketId: number, since: Instant): number | null | undefined {
  return query<{ id: number | null }>(
    tx,
    `SELECT data ->> '$.changes.assigned_to.from' AS id FROM (SELECT * FROM events WHERE ticket_id = ? ORDER BY seq DESC LIMIT 20)
     WHERE kind = 'ticket.assigned' AND created_at > ? ORDER BY seq LIMIT 1`,
  ).get(ticketId, since)?.id;
}

export const countRatings = statement(
  "SELECT count(*) FROM events INDEXED BY events_by_ticket WHERE ticket_id = ? AND kind = 'ticket.rated'",
).number<[ticketId: number]>;

/** Whether the event of a reply came with one that resolved the ticket, and asked how the help was. */
export const isAskedWith = statement(
  `SELECT 1 FROM events INDEXED BY events_by_ticket WHERE ticket_id = ? AND seq > ? AND created_at = ?
     AND kind = 'ticket.status_changed' AND data ->> 'satisfaction_asked' = 'reply' LIMIT 1`,
).has<[ticketId: number, seq: number, at: Instant]>;

/** @param kind null: inbound rules */
export function skippedRulesOf(tx: Tx, ticketId: number, kind: AutomationKind | null): Set<number> {
  const rows = query<{ id: number }>(
    tx,
    `SELECT DISTINCT actor ->> 'id' AS id FROM events
     WHERE ticket_id = ? AND kind = 'ticket.updated' AND data ->> 'rule_skipped' IS NOT NULL AND actor ->> 'rule_kind' IS ?`,
  ).all(ticketId, kind);
  return new Set(rows.map(({ id }) => id));
}

const blank = { data: {}, ticketId: null, actor: { type: 'desk', id: null, name: null } } as const;

function rowsAfter(tx: Tx, scope: Scope, seq: number, limit: number): Event[] {
  if (scope === 'all') return after.all(tx, seq, limit);
  const sites = [...new Set(scope)];
  const [siteId] = sites;
  if (siteId === undefined) return [];
  if (sites.length === 1) return afterInSite.all(tx, siteId, seq, limit);
  // The next numbers of each site come from its index; only the events of the page are read.
  const numbers = query<{ seq: number }>(
    tx,
    'SELECT seq FROM events INDEXED BY events_by_site WHERE site_id = ? AND seq > ? ORDER BY seq LIMIT ?',
  );
  return sites
    .flatMap((id) => numbers.all(id, seq, limit))
    .sort((one, other) => one.seq - other.seq)
    .slice(0, limit)
    .flatMap((found) => eventBySeq(tx, found.seq) ?? []);
}

export function eventsAfter(tx: Tx, scope: Scope, seq: number, limit: number): Event[] {
  const rows = rowsAfter(tx, scope, seq, limit);
  // Events of a site that is being removed are blanked before its rows are.
  const blanked = query<{ id: number; until: number }>(
    tx,
    'SELECT site_id AS id, until_seq AS until FROM site_removals',
  ).all();
  if (blanked.length === 0) return rows;
  const isBlank = (row: Event) => blanked.some(({ id, until }) => id === row.siteId && row.seq <= until);
  return rows.map((row) => (isBlank(row) ? { ...row, ...blank } : row));
}

export function newestEventSeq(tx: Tx, scope: Scope = 'all'): number {
  type Newest = { seq: number | null };
  if (scope === 'all') return query<Newest>(tx, 'SELECT max(seq) AS seq FROM events').get()?.seq ?? 0;
  const ofSite = query<Newest>(tx, 'SELECT max(seq) AS seq FROM events WHERE site_id = ?');
  return Math.max(0, ...scope.map((siteId) => ofSite.get(siteId)?.seq ?? 0));
}

/** Keeps the numbers of a removed site's events, without people and contents. */
export function blankEvents(tx: Tx, seqs: readonly number[]): void {
  query(
    tx,
    `UPDATE events SET data = ?, ticket_id = ?, actor = ?
     WHERE seq IN (SELECT value FROM json_each(?))`,
  ).run(JSON.stringify(blank.data), blank.ticketId, JSON.stringify(blank.actor), JSON.stringify(seqs));
}

export function setEventTexts(tx: Tx, seq: number, { data, actor }: Pick<Event, 'data' | 'actor'>): void {
  query(tx, 'UPDATE events SET data = ?, actor = ? WHERE seq = ?').run(
    JSON.stringify(data),
    JSON.stringify(actor),
    seq,
  );
}

const keyOf = selectFrom(idempotencyKeys, 'WHERE credential = ? AND key = ?');
const insertKey = insertInto(idempotencyKeys);

const idempotencyWindowMs = dayMs;

export function idempotencyKey(tx: Tx, credential: string, key: string, now: Instant): IdempotencyKey | undefined {
  const row = keyOf.get(tx, credential, key);
  return row && row.createdAt > now - idempotencyWindowMs ? row : undefined;
}

/** Returns its id. */
export function insertIdempotencyKey(tx: Tx, row: Omit<IdempotencyKey, 'id'>): number {
  query(tx, 'DELETE FROM idempotency_keys WHERE credential = ? AND key = ? AND created_at <= ?').run(
    row.credential,
    row.key,
    row.createdAt - idempotencyWindowMs,
  );
  return insertKey(tx, row);
}

/** Links an answer to the tickets that it is about: those with an event since. */
export const linkIdempotencyKey = statement(`INSERT OR IGNORE INTO idempotency_tickets (ticket_id, key_id)
     SELECT DISTINCT ticket_id, ? FROM events WHERE seq > ? AND ticket_id IS NOT NULL`).run<
  [id: number, afterSeq: number]
>;

export const answersAboutTicket = statement(`SELECT id, answer_sealed AS answerSealed FROM idempotency_tickets
     JOIN idempotency_keys ON idempotency_keys.id = key_id WHERE ticket_id = ?`).all<
  { id: number; answerSealed: string },
  [ticketId: number]
>;

export const setIdempotencyAnswer = statement('UPDATE idempotency_keys SET answer_sealed = ?2 WHERE id = ?1').run<
  [id: number, answerSealed: string]
>;

export function forgetIdempotencyKeys(tx: Tx, now: Instant, limit: number): number {
  return query(
    tx,
    'DELETE FROM idempotency_keys WHERE id IN (SELECT id FROM idempotency_keys WHERE created_at <= ? ORDER BY created_at LIMIT ?)',
  ).run(now - idempotencyWindowMs, limit).changes;
}

export const eventBySeq = selectFrom(events, 'WHERE seq = ?').get<[seq: number]>;
