// Mail to the author of a ticket: its thread, and what an erasure leaves of it.

import type { Instant } from '../base/clock.ts';
import { authorMails } from '../domain/event.ts';
import { query, type Tx } from './database.ts';
import type { Delivery } from './outbox.ts';
import { notBehind } from './outbox-lanes.ts';

/** By any site. Text after a plus sign names the same mailbox, so many such addresses bring no extra mail. */
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

/** Oldest first, mail to and from this address. Only the first, and the newest before `before`. */
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
           AND event <> 'mail.customer_code'
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
    `UPDATE deliveries SET recipient = ?, payload = json_remove(payload, '$.recipient_name', '$.code_sealed'), next_at = NULL,
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
