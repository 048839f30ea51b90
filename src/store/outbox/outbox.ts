// The outbox: rows that must leave the desk, and the log of every attempt.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../base/clock.ts';
import type { MailKind, WebhookEvent } from '../../domain/event.ts';
import type { DeliveryStatus } from '../../domain/outbox/delivery.ts';
import { query, type Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement, updateById } from '../../engine/statements.ts';
import { deliveries, deliveryAttempts } from '../schema/deliveries.ts';
import { mailLines, noMailbox } from './lane.ts';

export type Delivery = InferSelectModel<typeof deliveries>;

export type DeliveryAttempt = InferSelectModel<typeof deliveryAttempts>;

const insertRow = insertInto(deliveries);

export const updateDelivery = updateById(deliveries);

export const insertAttempt = insertInto(deliveryAttempts);

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
> & { mailboxId?: number | null; pushSubscriptionId?: number };

/** Looks at the newest hundred of a channel: one that sends more is told again. */
export const wasQueuedSince = statement(
  `SELECT 1 FROM (SELECT event, created_at FROM deliveries INDEXED BY deliveries_by_channel WHERE channel_id = ? ORDER BY id DESC LIMIT 100)
   WHERE event = ? AND created_at > ? LIMIT 1`,
).has<[channelId: number, event: WebhookEvent, since: Instant]>;

export const sameReceiver = "channel_id IS ? AND ticket_id = ? AND recipient IS ? AND status = 'queued'";

/** `nextAt` is null while an earlier one of its ticket waits, so that due rows are found without reading those. */
export function insertDelivery(tx: Tx, row: NewDelivery, holdMs = 0): number {
  const isBehind =
    row.ticketId !== null &&
    row.pushSubscriptionId === undefined &&
    query(tx, `SELECT 1 FROM deliveries INDEXED BY deliveries_by_ticket WHERE ${sameReceiver} LIMIT 1`).get(
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
    mailboxId: row.pushSubscriptionId === undefined ? (row.mailboxId ?? null) : noMailbox,
    pushSubscriptionId: row.pushSubscriptionId ?? null,
  });
}

export const deliveryById = selectFrom(deliveries, 'WHERE id = ?').get<[id: number]>;

export const waitingAcknowledgementsOf = selectFrom(
  deliveries,
  "INDEXED BY deliveries_by_ticket WHERE ticket_id = ? AND status = 'queued' AND event = 'mail.acknowledgement'",
).all<[ticketId: number]>;

export function deleteDelivery(tx: Tx, id: number): void {
  query(tx, 'DELETE FROM customer_links WHERE delivery_id = ?').run(id);
  query(tx, 'DELETE FROM deliveries WHERE id = ?').run(id);
}

/** The newest mail of this kind to an address that is due until then and was never tried. */
export function waitingMail(
  tx: Tx,
  wanted: { event: MailKind; recipient: string; createdAfter: Instant },
  now: Instant,
  until: Instant,
): Delivery | undefined {
  const found = query<{ id: number }>(
    tx,
    `WITH RECURSIVE ${mailLines}
     SELECT id FROM (SELECT deliveries.* FROM box CROSS JOIN deliveries INDEXED BY deliveries_due ON mailbox_id IS box.id
       WHERE channel_id IS NULL AND status = 'queued' AND next_at > ? AND next_at <= ? ORDER BY next_at DESC LIMIT 500)
     WHERE event = ? AND recipient = ? AND created_at > ? AND attempts = 0 LIMIT 1`,
  ).get(now, until, wanted.event, wanted.recipient, wanted.createdAfter);
  return found === null ? undefined : deliveryById(tx, found.id);
}

export const deliveryByUlid = selectFrom(deliveries, 'WHERE ulid = ?').get<[ulid: string]>;

export const attemptsOfDelivery = selectFrom(deliveryAttempts, 'WHERE delivery_id = ? ORDER BY id').all<
  [deliveryId: number]
>;

export function listDeliveries(
  tx: Tx,
  filter: { siteId: number | null; channelId?: number | null; status: DeliveryStatus | null },
  limit: number,
  offset: number,
): { rows: Delivery[]; total: number } {
  const { siteId, channelId, status } = filter;
  const where: string[] = [];
  const values: number[] = [];
  const require = (column: string, value: number) => where.push(`${column} = ?${values.push(value)}`);
  if (siteId !== null) require('site_id', siteId);
  if (channelId === null) where.push('channel_id IS NULL AND push_subscription_id IS NULL');
  else if (channelId !== undefined) require('channel_id', channelId);
  const all = typeof channelId === 'number' ? 'deliveries_by_channel' : siteId === null ? null : 'deliveries_by_site';
  const from = (index: string | null, ...more: string[]) => {
    const conditions = [...where, ...more].join(' AND ');
    return `FROM deliveries ${index === null ? '' : `INDEXED BY ${index}`} ${conditions && `WHERE ${conditions}`}`;
  };
  const queued = from('deliveries_due', "status = 'queued'");
  const failed = from('deliveries_failed', "status = 'failed'");
  // What was delivered is nearly everything, and has no index that each delivery would have to enter.
  const delivered = from(all, `id NOT IN (SELECT id ${queued})`, `id NOT IN (SELECT id ${failed})`);
  const found = status === null ? from(all) : { queued, failed, delivered }[status];
  const ids = query<{ id: number }>(tx, `SELECT id ${found} ORDER BY id DESC LIMIT ? OFFSET ?`);
  return {
    rows: ids.all(...values, limit, offset).flatMap(({ id }) => deliveryById(tx, id) ?? []),
    total: query<{ total: number }>(tx, `SELECT count(*) AS total ${found}`).get(...values)?.total ?? 0,
  };
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
    'DELETE FROM delivery_attempts WHERE id IN (SELECT id FROM delivery_attempts ORDER BY id LIMIT ?) AND at < ?',
  ).run(limit, before).changes;
  const deliveries = query(
    tx,
    `DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries INDEXED BY deliveries_finished
       WHERE finished_at < ? AND (mail_message_id IS NULL OR ticket_id IS NULL) ORDER BY finished_at LIMIT ?)`,
  ).run(before, limit).changes;
  return { deliveries, tries };
}

export function outboxDepth(tx: Tx): { queued: number; oldestCreatedAt: Instant | null } {
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
