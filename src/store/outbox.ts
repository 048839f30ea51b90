// The outbox: rows that must leave the desk, and the log of every attempt.

import { asc, eq, type InferSelectModel, sql } from 'drizzle-orm';
import type { Instant } from '../base/clock.ts';
import type { MailKind } from '../domain/event.ts';
import { query, statement, type Tx } from './database.ts';
import { deliveries, deliveryAttempts } from './schema/deliveries.ts';
import { insertInto, updateById } from './statements.ts';

export type Delivery = InferSelectModel<typeof deliveries>;

export type DeliveryAttempt = InferSelectModel<typeof deliveryAttempts>;

const insertRow = insertInto(deliveries);

export const updateDelivery = updateById(deliveries);

const insertAttemptRow = insertInto(deliveryAttempts);

const byId = statement((db) =>
  db
    .select()
    .from(deliveries)
    .where(eq(deliveries.id, sql.placeholder('id')))
    .prepare(),
);

const attemptsOf = statement((db) =>
  db
    .select()
    .from(deliveryAttempts)
    .where(eq(deliveryAttempts.deliveryId, sql.placeholder('deliveryId')))
    .orderBy(asc(deliveryAttempts.id))
    .prepare(),
);

type NewDelivery = Pick<
  Delivery,
  | 'ulid'
  | 'siteId'
  | 'channelId'
  | 'ticketId'
  | 'eventSeq'
  | 'event'
  | 'payload'
  | 'recipient'
  | 'mailMessageId'
  | 'createdAt'
>;

export const sameReceiver = "channel_id IS ? AND ticket_id = ? AND recipient IS ? AND status = 'queued'";

/** `nextAt` is null while an earlier one of its ticket waits, so that due rows are found without reading those. */
export function insertDelivery(tx: Tx, row: NewDelivery, holdMs = 0): number {
  const isBehind =
    row.ticketId !== null &&
    query(tx, `SELECT 1 FROM deliveries INDEXED BY deliveries_in_order WHERE ${sameReceiver} LIMIT 1`).get(
      row.channelId,
      row.ticketId,
      row.recipient,
    ) !== null;
  return insertRow(tx, {
    ...row,
    status: 'queued',
    attempts: 0,
    tries: 0,
    firstTriedAt: null,
    nextAt: isBehind && holdMs === 0 ? null : row.createdAt + holdMs,
    claimedUntil: 0,
    claimedBy: null,
    finishedAt: null,
    lastError: null,
  });
}

export function deliveryById(tx: Tx, id: number): Delivery | undefined {
  return byId(tx).get({ id });
}

export function deleteDelivery(tx: Tx, id: number): void {
  query(tx, 'DELETE FROM customer_links WHERE delivery_id = ?').run(id);
  query(tx, 'DELETE FROM deliveries WHERE id = ?').run(id);
}

/** The newest mail of this kind to an address that is not due yet and was never tried. */
export function waitingMail(
  tx: Tx,
  wanted: { event: MailKind; siteId: number; recipient: string; createdAfter: Instant },
  now: Instant,
): Delivery | undefined {
  const found = query<{ id: number }>(
    tx,
    `SELECT id FROM (SELECT * FROM deliveries INDEXED BY deliveries_due
       WHERE channel_id IS NULL AND status = 'queued' AND next_at > ? ORDER BY next_at DESC LIMIT 500)
     WHERE event = ? AND site_id = ? AND recipient = ? AND created_at > ? AND attempts = 0 LIMIT 1`,
  ).get(now, wanted.event, wanted.siteId, wanted.recipient, wanted.createdAfter);
  return found === null ? undefined : deliveryById(tx, found.id);
}

export function deliveryByUlid(tx: Tx, ulid: string): Delivery | undefined {
  const found = query<{ id: number }>(tx, 'SELECT id FROM deliveries WHERE ulid = ?').get(ulid);
  return found === null ? undefined : deliveryById(tx, found.id);
}

export function insertAttempt(tx: Tx, attempt: Omit<DeliveryAttempt, 'id'>): void {
  insertAttemptRow(tx, attempt);
}

export function attemptsOfDelivery(tx: Tx, deliveryId: number): DeliveryAttempt[] {
  return attemptsOf(tx).all({ deliveryId });
}

interface DeliveryFilter {
  siteId: number | null;
  channelId?: number | null;
  status: string | null;
}

export function listDeliveries(
  tx: Tx,
  filter: DeliveryFilter,
  limit: number,
  offset: number,
): { rows: Delivery[]; total: number } {
  const where: string[] = [];
  const values: (string | number | null)[] = [];
  const isOfChannel = typeof filter.channelId === 'number';
  if (filter.siteId !== null && !isOfChannel) {
    where.push('site_id = ?');
    values.push(filter.siteId);
  }
  if (filter.channelId !== undefined) {
    where.push('channel_id IS ?');
    values.push(filter.channelId);
  }
  if (filter.status !== null) {
    where.push('status = ?');
    values.push(filter.status);
  }
  const isOfSite = where[0] === 'site_id = ?';
  const index = isOfSite ? 'INDEXED BY deliveries_by_site' : isOfChannel ? 'INDEXED BY deliveries_by_channel' : '';
  const condition = where.length > 0 ? `WHERE ${where.join(' AND ')}` : '';
  const ids = query<{ id: number }>(
    tx,
    `SELECT id FROM deliveries ${index} ${condition} ORDER BY id DESC LIMIT ? OFFSET ?`,
  ).all(...values, limit, offset);
  const total =
    query<{ total: number }>(tx, `SELECT count(*) AS total FROM deliveries ${index} ${condition}`).get(...values)
      ?.total ?? 0;
  return { rows: ids.flatMap(({ id }) => deliveryById(tx, id) ?? []), total };
}

/** How far the deliveries of disabled channels have been looked at. */
interface HeldPlace {
  channelId: number;
  id: number;
}

export const firstHeld: HeldPlace = { channelId: 0, id: 0 };

/** Looks at up to `limit` deliveries of a disabled channel; returns the place to go on from, or null at the end. */
export function expireHeld(
  tx: Tx,
  heldSince: Instant,
  now: Instant,
  after: HeldPlace,
  limit: number,
): HeldPlace | null {
  const next = query<{ id: number | null }>(
    tx,
    'SELECT min(id) AS id FROM channels WHERE is_active = 0 AND id >= ?',
  ).get(after.channelId);
  if (next === null || next.id === null) return null;
  const channelId = next.id;
  const seen = query<{ id: number; status: string }>(
    tx,
    'SELECT id, status FROM deliveries INDEXED BY deliveries_by_channel WHERE channel_id = ? AND id > ? ORDER BY id LIMIT ?',
  ).all(channelId, channelId === after.channelId ? after.id : 0, limit);
  const queued = seen.filter(({ status }) => status === 'queued').map(({ id }) => id);
  query(
    tx,
    `UPDATE deliveries SET status = 'failed', next_at = NULL, finished_at = ?, last_error = 'held for seven days by a disabled channel'
     WHERE id IN (SELECT value FROM json_each(?)) AND created_at < ?`,
  ).run(now, JSON.stringify(queued), heldSince);
  const last = seen.at(-1);
  return seen.length < limit || last === undefined ? { channelId: channelId + 1, id: 0 } : { channelId, id: last.id };
}

/** Keeps mail about tickets. At most `limit` deliveries and attempts. */
export function purgeDeliveries(tx: Tx, before: Instant, limit: number): { deliveries: number; tries: number } {
  const tries = query(
    tx,
    'DELETE FROM delivery_attempts WHERE id IN (SELECT id FROM delivery_attempts WHERE at < ? ORDER BY at LIMIT ?)',
  ).run(before, limit).changes;
  const deliveries = query(
    tx,
    `DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries INDEXED BY deliveries_finished
       WHERE finished_at < ? AND (mail_message_id IS NULL OR ticket_id IS NULL) ORDER BY finished_at LIMIT ?)`,
  ).run(before, limit).changes;
  return { deliveries, tries };
}

interface OutboxDepth {
  queued: number;
  oldestCreatedAt: Instant | null;
}

export function outboxDepth(tx: Tx): OutboxDepth {
  const row = query<{ queued: number; oldest: number | null }>(
    tx,
    "SELECT count(*) AS queued, min(created_at) AS oldest FROM deliveries WHERE status = 'queued'",
  ).get();
  return { queued: row?.queued ?? 0, oldestCreatedAt: row?.oldest ?? null };
}

/** Discards everything unsent: demo data must not send mail. */
export function discardOutbox(tx: Tx): void {
  query(tx, 'DELETE FROM deliveries').run();
  query(tx, 'UPDATE messages SET delivery = NULL').run();
}
