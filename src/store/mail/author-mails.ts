// Mail to the author of a ticket: its thread, and what an erasure leaves of it.

import type { Instant } from '../../base/clock.ts';
import { authorMails } from '../../domain/event.ts';
import { query, type Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';
import { notBehind } from '../outbox/lanes.ts';
import type { Delivery } from '../outbox/outbox.ts';

/** By any site. Text after a plus sign names the same mailbox, so many such addresses bring no extra mail. */
export const wasAcknowledged = statement(`SELECT 1 FROM deliveries INDEXED BY deliveries_acknowledged
       WHERE event = 'mail.acknowledgement' AND ${mailboxOf('recipient')} = ${mailboxOf('?1')} AND created_at > ?2 LIMIT 1`)
  .has<[address: string, since: Instant]>;

function mailboxOf(address: string): string {
  return `CASE WHEN instr(${address}, '+') BETWEEN 2 AND instr(${address}, '@')
    THEN substr(${address}, 1, instr(${address}, '+') - 1) || substr(${address}, instr(${address}, '@')) ELSE ${address} END`;
}

/** Oldest first, mail to any of these addresses and from any of those. Only the first, and the newest before `before`. */
export function mailThread(
  tx: Tx,
  ticketId: number,
  sentTo: readonly string[],
  from: readonly string[],
  before: Pick<Delivery, 'id' | 'createdAt'>,
): string[] {
  const some = (order: 'ASC' | 'DESC', limit: number) =>
    statement(`SELECT mail_message_id FROM (
         SELECT deliveries.mail_message_id, deliveries.created_at AS at, 1 AS isOurs, deliveries.id
         FROM deliveries INDEXED BY deliveries_by_ticket LEFT JOIN messages ON messages.id = payload ->> 'message_id'
         WHERE deliveries.ticket_id = ?1 AND mail_message_id IS NOT NULL AND deliveries.id < ?4
           AND event <> 'mail.customer_code'
           AND (recipient IN (SELECT value FROM json_each(?2)) OR (event = 'mail.agent_reply' AND EXISTS (
             SELECT 1 FROM json_each(recipients) AS one WHERE one.value ->> 'as' <> 'bcc'
               AND one.value ->> 'email' IN (SELECT value FROM json_each(?2)))))
         UNION ALL
         SELECT mail_message_id, processed_at, 0, id FROM inbound_mail INDEXED BY inbound_mail_by_ticket
         WHERE ticket_id = ?1 AND mail_message_id IS NOT NULL
           -- A contact form has one address for everyone.
           AND (sender IN (SELECT value FROM json_each(?3)) OR id IN (
             SELECT inbound_id FROM messages JOIN authors ON authors.id = messages.author_id
             WHERE messages.ticket_id = ?1 AND email IN (SELECT value FROM json_each(?3))))
           AND processed_at <= ?5 AND outcome IN ('ticket_created', 'reply_added'))
       ORDER BY at ${order}, isOurs ${order}, id ${order} LIMIT ${limit}`).column<
      string,
      [number, readonly string[], readonly string[], number, number]
    >(tx, ticketId, sentTo, from, before.id, before.createdAt);
  const newest = some('DESC', 19).reverse();
  return newest.length < 19 ? newest : [...new Set([...some('ASC', 1), ...newest])];
}

const ofAuthor = `ticket_id = ? AND channel_id IS NULL AND event IN (${authorMails.map((kind) => `'${kind}'`).join(', ')})`;

export const authorMailsOf = statement(
  `SELECT DISTINCT recipient, payload ->> 'recipient_name' AS recipientName FROM deliveries WHERE ${ofAuthor}`,
).all<{ recipient: string; recipientName: string | null }, [ticketId: number]>;

export const eraseLettersOf = statement(`INSERT OR IGNORE INTO erased_letters
     SELECT mail_message_id FROM deliveries WHERE ticket_id = ? AND mail_message_id IS NOT NULL`).run<
  [ticketId: number]
>;

export const eraseLetter = statement('INSERT OR IGNORE INTO erased_letters VALUES (?)').run<[mailMessageId: string]>;

export const erasedLetters = statement('SELECT mail_message_id AS id FROM erased_letters LIMIT ?').column<
  string,
  [limit: number]
>;

export const forgetErasedLetters = statement(
  'DELETE FROM erased_letters WHERE mail_message_id IN (SELECT value FROM json_each(?))',
).run<[mailMessageIds: readonly string[]]>;

export const failedDeliveriesOf = statement(
  'SELECT id, last_error AS lastError FROM deliveries WHERE ticket_id = ? AND last_error IS NOT NULL',
).all<{ id: number; lastError: string }, [ticketId: number]>;

/** Answers of receivers and mail servers may repeat what they were sent. */
export const forgetAnswersOf =
  statement(`UPDATE delivery_attempts SET response_excerpt = '', error = CASE WHEN error IS NULL THEN NULL ELSE 'The author was erased.' END
     WHERE delivery_id IN (SELECT id FROM deliveries WHERE ticket_id = ?)`).run<[ticketId: number]>;

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

/** The same for someone else on a ticket: what goes to others too goes only to them. */
export function eraseMailsTo(
  tx: Tx,
  ticketId: number,
  addresses: readonly string[],
  recipient: string,
  now: Instant,
): void {
  const ends = "status = 'queued' AND event <> 'mail.agent_reply'";
  statement(`UPDATE deliveries SET recipient = ?3, payload = json_remove(payload, '$.recipient_name', '$.code_sealed'),
       next_at = CASE WHEN ${ends} THEN NULL ELSE next_at END,
       last_error = CASE WHEN ${ends} THEN 'The author was erased.' ELSE last_error END,
       finished_at = CASE WHEN ${ends} THEN ?4 ELSE finished_at END, status = CASE WHEN ${ends} THEN 'failed' ELSE status END
     WHERE ${ofAuthor.replace('?', '?1')} AND recipient IN (SELECT value FROM json_each(?2))
       AND (event = 'mail.reply_copy' OR NOT EXISTS (
         SELECT 1 FROM tickets JOIN authors ON authors.id = author_id WHERE tickets.id = ?1 AND email = recipient))`).run<
    [number, readonly string[], string, number]
  >(tx, ticketId, addresses, recipient, now);
}

const copiesTo = `FROM deliveries INDEXED BY deliveries_copies
  WHERE event = 'mail.reply_copy' AND site_id = ? AND recipient = ? AND ticket_id IS NOT NULL LIMIT`;

export const hasCopies = statement(`SELECT 1 ${copiesTo} 1`).has<[siteId: number, address: string]>;

export const ticketIdsOfCopies = statement(`SELECT ticket_id ${copiesTo} ?`).column<
  number,
  [siteId: number, address: string, limit: number]
>;
