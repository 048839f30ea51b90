// The outbox: rows that must leave the desk, which of them are next, and the log of every attempt.

import { asc, eq, type InferSelectModel, sql } from 'drizzle-orm';
import type { Instant } from '../base/clock.ts';
import { authorMails } from '../domain/event.ts';
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

const sameReceiver = "channel_id IS ? AND ticket_id = ? AND recipient IS ? AND status = 'queued'";

/**
 * Queues a delivery: due at once, or without a due time (`nextAt` null) while an earlier one of its ticket waits for
 * the same receiver. So due rows are found without reading all those that wait behind others.
 */
export function insertDelivery(tx: Tx, row: NewDelivery): number {
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
    nextAt: isBehind ? null : row.createdAt,
    claimedUntil: 0,
    claimedBy: null,
    finishedAt: null,
    lastError: null,
  });
}

export function deliveryById(tx: Tx, id: number): Delivery | undefined {
  return byId(tx).get({ id });
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

interface LaneOutlook {
  lane: number | null;
  isDue: boolean;
  nextAt: Instant | null;
}

// A channel that is catching up sends what it owes before anything else.
const maySend = 'is_active = 1 AND channels.id NOT IN (SELECT channel_id FROM channel_catch_ups)';

// Walks from one channel with queued deliveries to the next, however many each has. Only tests leave from a disabled
// channel; they belong to no ticket.
const outlookText = `
  WITH RECURSIVE lane (id) AS (
    SELECT min(channel_id) FROM deliveries INDEXED BY deliveries_due WHERE status = 'queued' AND channel_id > 0
    UNION ALL
    SELECT (SELECT min(channel_id) FROM deliveries INDEXED BY deliveries_due WHERE status = 'queued' AND channel_id > lane.id)
    FROM lane WHERE lane.id IS NOT NULL)
  SELECT channels.id AS lane,
    EXISTS (SELECT 1 FROM deliveries INDEXED BY deliveries_due
            WHERE channel_id = channels.id AND status = 'queued' AND next_at <= ?1) AS isDue,
    (SELECT next_at FROM deliveries INDEXED BY deliveries_due
     WHERE channel_id = channels.id AND status = 'queued' AND next_at > ?1 ORDER BY next_at LIMIT 1) AS nextAt
  FROM lane CROSS JOIN channels ON channels.id = lane.id WHERE ${maySend}
  UNION ALL
  SELECT channels.id,
    EXISTS (SELECT 1 FROM deliveries INDEXED BY deliveries_in_order
            WHERE channel_id = channels.id AND ticket_id IS NULL AND status = 'queued' AND next_at <= ?1), NULL
  FROM lane CROSS JOIN channels ON channels.id = lane.id WHERE NOT (${maySend})
  UNION ALL
  SELECT NULL,
    EXISTS (SELECT 1 FROM deliveries INDEXED BY deliveries_due
            WHERE channel_id IS NULL AND status = 'queued' AND next_at <= ?1),
    (SELECT next_at FROM deliveries INDEXED BY deliveries_due
     WHERE channel_id IS NULL AND status = 'queued' AND next_at > ?1 ORDER BY next_at LIMIT 1)`;

/** Every channel, and mail, with queued rows that can leave: whether any are due, and when more will be. */
export function lanesAhead(tx: Tx, now: Instant): LaneOutlook[] {
  return query<{ lane: number | null; isDue: number; nextAt: Instant | null }>(tx, outlookText)
    .all(now)
    .map(({ lane, isDue, nextAt }) => ({ lane, isDue: isDue === 1, nextAt }));
}

export const notBehind = `NOT EXISTS (
         SELECT 1 FROM deliveries AS earlier INDEXED BY deliveries_in_order
         WHERE earlier.channel_id IS due.channel_id AND earlier.ticket_id = due.ticket_id
           AND earlier.recipient IS due.recipient AND earlier.status = 'queued' AND earlier.id < due.id)`;

/**
 * What a lane can send now, oldest due first: nothing that is claimed, and nothing of a ticket with an earlier delivery
 * to the same receiver.
 */
export function deliveriesDue(tx: Tx, channelId: number | null, now: Instant, limit: number): number[] {
  const isHeld =
    channelId !== null && query(tx, `SELECT 1 FROM channels WHERE id = ? AND ${maySend}`).get(channelId) === null;
  return query<{ id: number }>(
    tx,
    isHeld
      ? `SELECT id FROM deliveries INDEXED BY deliveries_in_order
         WHERE channel_id IS ? AND ticket_id IS NULL AND status = 'queued' AND next_at <= ? AND claimed_until <= ?
         ORDER BY id LIMIT ?`
      : `SELECT id FROM deliveries AS due INDEXED BY deliveries_due
         WHERE channel_id IS ? AND status = 'queued' AND next_at <= ? AND claimed_until <= ? AND ${notBehind}
         ORDER BY next_at, id LIMIT ?`,
  )
    .all(channelId, now, now, limit)
    .map(({ id }) => id);
}

export function claim(tx: Tx, id: number, until: Instant, by: string | null): void {
  query(tx, 'UPDATE deliveries SET claimed_until = ?, claimed_by = ? WHERE id = ?').run(until, by, id);
}

export function promoteNext(tx: Tx, { channelId, ticketId, recipient }: Delivery): void {
  if (ticketId === null) return;
  query(
    tx,
    `UPDATE deliveries SET next_at = created_at
     WHERE next_at IS NULL AND id = (SELECT id FROM deliveries INDEXED BY deliveries_in_order WHERE ${sameReceiver} ORDER BY id LIMIT 1)`,
  ).run(channelId, ticketId, recipient);
}

export function releaseClaims(tx: Tx, hasEnded: (process: string) => boolean): number {
  const claimed = 'deliveries INDEXED BY deliveries_claimed';
  const isClaimed = "status = 'queued' AND claimed_until > 0";
  const ended = query<{ by: string | null }>(tx, `SELECT DISTINCT claimed_by AS by FROM ${claimed} WHERE ${isClaimed}`)
    .all()
    .filter(({ by }) => by === null || hasEnded(by));
  const release = query(
    tx,
    `UPDATE ${claimed} SET claimed_until = 0, claimed_by = NULL WHERE ${isClaimed} AND claimed_by IS ?`,
  );
  return ended.reduce((total, { by }) => total + release.run(by).changes, 0);
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

export function expireHeld(tx: Tx, heldSince: Instant, now: Instant, limit: number): number {
  return query(
    tx,
    `UPDATE deliveries SET status = 'failed', next_at = NULL, finished_at = ?, last_error = 'held for seven days by a disabled channel'
     WHERE id IN (SELECT deliveries.id FROM channels CROSS JOIN deliveries INDEXED BY deliveries_due
       ON channel_id = channels.id AND status = 'queued' AND deliveries.created_at < ? WHERE is_active = 0 LIMIT ?)`,
  ).run(now, heldSince, limit).changes;
}

/**
 * Whether an acknowledgement was queued for this mailbox since then, by any site. Text after a plus sign names the same
 * mailbox, so having many such addresses brings no extra mail.
 */
export function wasAcknowledged(tx: Tx, address: string, since: Instant): boolean {
  return (
    query(
      tx,
      `SELECT 1 FROM deliveries INDEXED BY deliveries_acknowledged
       WHERE event = 'mail.acknowledgement' AND ${mailboxOf('recipient')} = ${mailboxOf('?1')} AND created_at > ?2 LIMIT 1`,
    ).get(address, since) !== null
  );
}

function mailboxOf(address: string): string {
  return `CASE WHEN instr(${address}, '+') BETWEEN 2 AND instr(${address}, '@')
    THEN substr(${address}, 1, instr(${address}, '+') - 1) || substr(${address}, instr(${address}, '@')) ELSE ${address} END`;
}

/**
 * Deletes finished deliveries (except mail about tickets) and attempts older than `before`, at most `limit` of each.
 */
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

/**
 * The Message-IDs of a ticket's mail conversation with one address, oldest first: mail to it, and mail from it that was
 * filed on the ticket. The first, and the newest before the delivery `before`.
 */
export function mailThread(
  tx: Tx,
  ticketId: number,
  address: string,
  before: Pick<Delivery, 'id' | 'createdAt'>,
): string[] {
  const some = (order: 'ASC' | 'DESC', limit: number) =>
    query<{ mail_message_id: string }>(
      tx,
      `SELECT mail_message_id FROM (
         SELECT mail_message_id, created_at AS at, 1 AS isOurs, id FROM deliveries INDEXED BY deliveries_by_ticket
         WHERE ticket_id = ?1 AND recipient = ?2 AND mail_message_id IS NOT NULL AND id < ?3
         UNION ALL
         SELECT mail_message_id, processed_at, 0, id FROM inbound_mail INDEXED BY inbound_mail_by_ticket
         WHERE ticket_id = ?1 AND sender = ?2 AND mail_message_id IS NOT NULL AND processed_at <= ?4
           AND outcome IN ('ticket_created', 'reply_added'))
       ORDER BY at ${order}, isOurs ${order}, id ${order} LIMIT ${limit}`,
    )
      .all(ticketId, address, before.id, before.createdAt)
      .map((row) => row.mail_message_id);
  const newest = some('DESC', 19).reverse();
  return newest.length < 19 ? newest : [...new Set([...some('ASC', 1), ...newest])];
}

const ofAuthor = `ticket_id = ? AND channel_id IS NULL AND event IN (${authorMails.map((kind) => `'${kind}'`).join(', ')})`;

export function authorMailsOf(tx: Tx, ticketId: number): { recipient: string; recipientName: string | null }[] {
  return query<{ recipient: string; recipientName: string | null }>(
    tx,
    `SELECT DISTINCT recipient, payload ->> 'recipient_name' AS recipientName FROM deliveries WHERE ${ofAuthor}`,
  ).all(ticketId);
}

export function eraseLettersOf(tx: Tx, ticketId: number): void {
  query(
    tx,
    `INSERT OR IGNORE INTO erased_letters
     SELECT mail_message_id FROM deliveries WHERE ticket_id = ? AND mail_message_id IS NOT NULL`,
  ).run(ticketId);
}

export function eraseLetter(tx: Tx, mailMessageId: string): void {
  query(tx, 'INSERT OR IGNORE INTO erased_letters VALUES (?)').run(mailMessageId);
}

export function erasedLetters(tx: Tx, limit: number): string[] {
  return query<{ id: string }>(tx, 'SELECT mail_message_id AS id FROM erased_letters LIMIT ?')
    .all(limit)
    .map(({ id }) => id);
}

export function forgetErasedLetters(tx: Tx, mailMessageIds: readonly string[]): void {
  query(tx, 'DELETE FROM erased_letters WHERE mail_message_id IN (SELECT value FROM json_each(?))').run(
    JSON.stringify(mailMessageIds),
  );
}

export function failedDeliveriesOf(tx: Tx, ticketId: number): { id: number; lastError: string }[] {
  return query<{ id: number; lastError: string }>(
    tx,
    'SELECT id, last_error AS lastError FROM deliveries WHERE ticket_id = ? AND last_error IS NOT NULL',
  ).all(ticketId);
}

/** Answers of receivers and mail servers may repeat what they were sent. */
export function forgetAnswersOf(tx: Tx, ticketId: number): void {
  query(
    tx,
    `UPDATE delivery_attempts SET response_excerpt = '', error = CASE WHEN error IS NULL THEN NULL ELSE 'The author was erased.' END
     WHERE delivery_id IN (SELECT id FROM deliveries WHERE ticket_id = ?)`,
  ).run(ticketId);
}

/** Removes a person from mail that went, or was about to go, to the author of a ticket; nothing more is sent. */
export function eraseAuthorMails(tx: Tx, ticketId: number, recipient: string, now: Instant): void {
  query(
    tx,
    `UPDATE deliveries SET recipient = ?, payload = json_remove(payload, '$.recipient_name'), next_at = NULL,
       last_error = CASE status WHEN 'queued' THEN 'The author was erased.' END,
       status = CASE status WHEN 'queued' THEN 'failed' ELSE status END, finished_at = coalesce(finished_at, ?)
     WHERE ${ofAuthor}`,
  ).run(recipient, now, ticketId);
  query(
    tx,
    `UPDATE messages SET delivery = json_set(delivery,
       '$.status', CASE delivery ->> 'status' WHEN 'queued' THEN 'failed' ELSE delivery ->> 'status' END,
       '$.error', CASE delivery ->> 'status' WHEN 'queued' THEN 'The author was erased.' END)
     WHERE delivery IS NOT NULL AND id IN (SELECT payload ->> 'message_id' FROM deliveries WHERE ${ofAuthor})`,
  ).run(ticketId);
  // An agent's mail with the same address may have waited behind one of these.
  query(
    tx,
    `UPDATE deliveries AS due SET next_at = created_at
     WHERE ticket_id = ? AND channel_id IS NULL AND status = 'queued' AND next_at IS NULL AND ${notBehind}`,
  ).run(ticketId);
}

/** Discards everything unsent: demo data must not send mail. */
export function discardOutbox(tx: Tx): void {
  query(tx, 'DELETE FROM deliveries').run();
  query(tx, 'UPDATE messages SET delivery = NULL').run();
}
