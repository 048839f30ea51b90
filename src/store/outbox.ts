// The outbox: rows that must leave, who may take them next, and the log of every try.

import { asc, eq, type InferSelectModel, sql } from 'drizzle-orm';
import type { Instant } from '../base/clock.ts';
import { query, statement, type Tx } from './database.ts';
import { deliveries, deliveryAttempts } from './schema.ts';
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

/** Queues a delivery that is due at once. */
export function insertDelivery(tx: Tx, row: NewDelivery): number {
  return insertRow(tx, {
    ...row,
    status: 'queued',
    attempts: 0,
    tries: 0,
    firstTriedAt: null,
    nextAt: row.createdAt,
    claimedUntil: 0,
    finishedAt: null,
    lastError: null,
  });
}

export function deliveryById(tx: Tx, id: number): Delivery | undefined {
  return byId(tx).get({ id });
}

export function insertAttempt(tx: Tx, attempt: Omit<DeliveryAttempt, 'id'>): void {
  insertAttemptRow(tx, attempt);
}

export function attemptsOfDelivery(tx: Tx, deliveryId: number): DeliveryAttempt[] {
  return attemptsOf(tx).all({ deliveryId });
}

/** Active channels that have something due, also inactive ones that somebody tests; and whether mail has: null. */
export function lanesDue(tx: Tx, now: Instant): (number | null)[] {
  const channels = query<{ id: number }>(
    tx,
    `SELECT id FROM channels WHERE EXISTS (
       SELECT 1 FROM deliveries INDEXED BY deliveries_due
       WHERE channel_id = channels.id AND status = 'queued' AND next_at <= ? AND (is_active = 1 OR event = 'channel.test'))`,
  ).all(now);
  const mail = query(
    tx,
    "SELECT 1 FROM deliveries INDEXED BY deliveries_due WHERE channel_id IS NULL AND status = 'queued' AND next_at <= ? LIMIT 1",
  ).get(now);
  return [...channels.map(({ id }) => id), ...(mail ? [null] : [])];
}

/**
 * What a lane may send now, oldest due first: not what somebody has claimed, and nothing of a ticket of which something
 * earlier is still on its way to the same receiver.
 */
export function deliveriesDue(tx: Tx, channelId: number | null, now: Instant, limit: number): number[] {
  return query<{ id: number }>(
    tx,
    `SELECT id FROM deliveries AS due INDEXED BY deliveries_due
     WHERE channel_id IS ? AND status = 'queued' AND next_at <= ? AND claimed_until <= ?
       AND (channel_id IS NULL OR event = 'channel.test' OR (SELECT is_active FROM channels WHERE id = due.channel_id))
       AND NOT EXISTS (
         SELECT 1 FROM deliveries AS earlier INDEXED BY deliveries_in_order
         WHERE earlier.channel_id IS due.channel_id AND earlier.ticket_id = due.ticket_id
           AND earlier.recipient IS due.recipient AND earlier.status = 'queued' AND earlier.id < due.id)
     ORDER BY next_at, id LIMIT ?`,
  )
    .all(channelId, now, now, limit)
    .map(({ id }) => id);
}

export function claim(tx: Tx, id: number, until: Instant): void {
  query(tx, 'UPDATE deliveries SET claimed_until = ? WHERE id = ?').run(until, id);
}

/** Lets go of what a process that is no more had claimed. */
export function releaseClaims(tx: Tx): number {
  return query(tx, "UPDATE deliveries SET claimed_until = 0 WHERE status = 'queued' AND claimed_until > 0").run()
    .changes;
}

/** When the next delivery falls due that is not due yet; null when there is none. */
export function nextDeliveryAt(tx: Tx, now: Instant): Instant | null {
  const row = query<{ at: Instant | null }>(
    tx,
    `SELECT min(at) AS at FROM (
       SELECT (SELECT next_at FROM deliveries INDEXED BY deliveries_due
               WHERE channel_id = channels.id AND status = 'queued' AND next_at > ? ORDER BY next_at LIMIT 1) AS at
       FROM channels WHERE is_active = 1
       UNION ALL
       SELECT (SELECT next_at FROM deliveries INDEXED BY deliveries_due
               WHERE channel_id IS NULL AND status = 'queued' AND next_at > ? ORDER BY next_at LIMIT 1))`,
  ).get(now, now);
  return row?.at ?? null;
}

export interface DeliveryFilter {
  siteId: number | null;
  /** A channel's, or mail: null. Undefined: both. */
  channelId?: number | null;
  status: string | null;
}

/** Newest first. */
export function listDeliveries(
  tx: Tx,
  filter: DeliveryFilter,
  limit: number,
  offset: number,
): { rows: Delivery[]; total: number } {
  const where: string[] = [];
  const values: (string | number | null)[] = [];
  if (filter.siteId !== null) {
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
  const condition = where.length > 0 ? `WHERE ${where.join(' AND ')}` : '';
  const ids = query<{ id: number }>(tx, `SELECT id FROM deliveries ${condition} ORDER BY id DESC LIMIT ? OFFSET ?`).all(
    ...values,
    limit,
    offset,
  );
  const total =
    query<{ total: number }>(tx, `SELECT count(*) AS total FROM deliveries ${condition}`).get(...values)?.total ?? 0;
  return { rows: ids.flatMap(({ id }) => deliveryById(tx, id) ?? []), total };
}

/** Queues again what failed in a stretch of time; answers how many. Their retries begin anew. */
export function requeueFailed(tx: Tx, channelId: number, since: Instant, until: Instant, now: Instant): number {
  return query(
    tx,
    `UPDATE deliveries SET status = 'queued', tries = 0, first_tried_at = NULL, next_at = ?, claimed_until = 0, finished_at = NULL
     WHERE channel_id = ? AND status = 'failed' AND created_at BETWEEN ? AND ?`,
  ).run(now, channelId, since, until).changes;
}

/** Queues again what a channel failed to take since it last took anything, and makes what it held due. */
export function catchUpChannel(
  tx: Tx,
  channelId: number,
  lastSuccessAt: Instant,
  heldSince: Instant,
  now: Instant,
): number {
  query(tx, "UPDATE deliveries SET next_at = ? WHERE channel_id = ? AND status = 'queued'").run(now, channelId);
  return query(
    tx,
    `UPDATE deliveries SET status = 'queued', tries = 0, first_tried_at = NULL, next_at = ?, claimed_until = 0, finished_at = NULL
     WHERE channel_id = ? AND status = 'failed' AND finished_at > ? AND created_at >= ?`,
  ).run(now, channelId, lastSuccessAt, heldSince).changes;
}

/** Gives up what a disabled channel has held for too long. */
export function expireHeld(tx: Tx, heldSince: Instant, now: Instant): number {
  return query(
    tx,
    `UPDATE deliveries SET status = 'failed', next_at = NULL, finished_at = ?, last_error = 'held for seven days by a disabled channel'
     WHERE status = 'queued' AND created_at < ? AND channel_id IN (SELECT id FROM channels WHERE is_active = 0)`,
  ).run(now, heldSince).changes;
}

/** Forgets finished deliveries and tries older than `before`, at most `limit` of each. */
export function purgeDeliveries(tx: Tx, before: Instant, limit: number): number {
  query(
    tx,
    'DELETE FROM delivery_attempts WHERE id IN (SELECT id FROM delivery_attempts WHERE at < ? ORDER BY at LIMIT ?)',
  ).run(before, limit);
  return query(
    tx,
    'DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE finished_at < ? ORDER BY finished_at LIMIT ?)',
  ).run(before, limit).changes;
}

export interface OutboxDepth {
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

/** The Message-IDs of the mails about a ticket that went to one address, oldest first, the newest twenty. */
export function mailThread(tx: Tx, ticketId: number, recipient: string, beforeId: number): string[] {
  return query<{ mail_message_id: string }>(
    tx,
    'SELECT mail_message_id FROM deliveries WHERE ticket_id = ? AND recipient = ? AND mail_message_id IS NOT NULL AND id < ? ORDER BY id DESC LIMIT 20',
  )
    .all(ticketId, recipient, beforeId)
    .map((row) => row.mail_message_id)
    .reverse();
}

/** Takes a person out of the mails that went, or were about to go, to the author of a ticket; none of them leaves any more. */
export function anonymiseMailsOf(tx: Tx, ticketId: number, recipient: string, now: Instant): void {
  const ofAuthor = `ticket_id = ? AND channel_id IS NULL
    AND event IN ('mail.acknowledgement', 'mail.agent_reply', 'mail.ticket_resolved')`;
  query(
    tx,
    `UPDATE delivery_attempts SET response_excerpt = '', error = NULL
     WHERE delivery_id IN (SELECT id FROM deliveries WHERE ${ofAuthor})`,
  ).run(ticketId);
  query(
    tx,
    `UPDATE deliveries SET recipient = ?, payload = json_remove(payload, '$.recipient_name'), next_at = NULL,
       last_error = CASE status WHEN 'queued' THEN 'The author was anonymised.' END,
       status = CASE status WHEN 'queued' THEN 'failed' ELSE status END, finished_at = coalesce(finished_at, ?)
     WHERE ${ofAuthor}`,
  ).run(recipient, now, ticketId);
}

/** Takes everything out of the outbox unsent: demo data must write to nobody. */
export function discardOutbox(tx: Tx): void {
  query(tx, 'DELETE FROM deliveries').run();
  query(tx, 'UPDATE messages SET delivery = NULL').run();
}
