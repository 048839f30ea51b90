// What earlier mail says of a message: the ticket of its ids, and how much its sender has sent.

import type { Instant } from '../../base/clock.ts';
import { agentMails } from '../../domain/event.ts';
import { query, type Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';
import { hasAddress } from '../customers/author-address.ts';
import { type InboundMail, inboundMailById } from './inbound.ts';

/** Also one to another of its recipients: mail servers deliver a mail to several addresses of the desk as often. */
export function earlierDelivery(
  tx: Tx,
  row: { id: number; siteId: number },
  messageIds: readonly string[],
  recipients: readonly string[],
  contentHash: string,
): InboundMail | undefined {
  const found = query<{ id: number }>(
    tx,
    `SELECT id FROM inbound_mail WHERE site_id = ? AND mail_message_id IN (SELECT value FROM json_each(?)) AND recipient IN (SELECT value FROM json_each(?)) AND content_hash = ? AND id <> ?
       AND status = 'done' AND outcome NOT IN ('failed', 'held', 'duplicate') ORDER BY id LIMIT 1`,
  ).get(row.siteId, JSON.stringify(messageIds), JSON.stringify(recipients), contentHash, row.id);
  return found === null ? undefined : inboundMailById(tx, found.id);
}

// The Message-ID of our own mail is its ulid with a domain; an imported one can have another. ?1: a list in JSON.
export const deliveriesOfMailIds = `
  SELECT deliveries.id FROM json_each(?1) CROSS JOIN deliveries ON ulid = substr(value, 2, 26) AND mail_message_id = value
  UNION ALL
  SELECT deliveries.id FROM json_each(?1) CROSS JOIN deliveries INDEXED BY deliveries_by_other_mail_id
    ON mail_message_id = value AND substr(mail_message_id, 2, 26) <> ulid`;

export function ticketOfMailId(tx: Tx, siteId: number, messageIds: readonly string[]): number | null {
  const ids = JSON.stringify(messageIds);
  const sent = query<{ ticket_id: number | null }>(
    tx,
    // Who answers a rule's mail has no part in the ticket.
    `SELECT ticket_id FROM deliveries WHERE id IN (${deliveriesOfMailIds}) AND site_id = ?2 AND event <> 'mail.rule' LIMIT 1`,
  ).get(ids, siteId);
  if (sent?.ticket_id != null) return sent.ticket_id;
  const received = query<{ ticket_id: number }>(
    tx,
    'SELECT ticket_id FROM inbound_mail WHERE site_id = ? AND mail_message_id IN (SELECT value FROM json_each(?)) AND ticket_id IS NOT NULL ORDER BY id DESC LIMIT 1',
  ).get(siteId, ids);
  return received?.ticket_id ?? null;
}

/** One of the desk's mails with these ids told an agent of a ticket. */
export function wentToAgent(tx: Tx, siteId: number, messageIds: readonly string[]): boolean {
  const kinds = agentMails.map((kind) => `'${kind}'`).join(', ');
  return statement(
    `SELECT 1 FROM deliveries WHERE id IN (${deliveriesOfMailIds}) AND site_id = ?2 AND event IN (${kinds}) LIMIT 1`,
  ).has<[messageIds: readonly string[], siteId: number]>(tx, messageIds, siteId);
}

export interface SentMail {
  id: number;
  siteId: number;
  ticketId: number | null;
  event: string;
  recipient: string;
  messageId: number | null;
}

export const sentMailColumns =
  "id, site_id AS siteId, ticket_id AS ticketId, event, recipient, payload ->> 'message_id' AS messageId";

export function sentMail(tx: Tx, messageId: string): SentMail | undefined {
  const row = query<SentMail>(tx, `SELECT ${sentMailColumns} FROM deliveries WHERE id IN (${deliveriesOfMailIds})`).get(
    JSON.stringify([messageId]),
  );
  return row ?? undefined;
}

/**
 * Of these tickets' mails to one of these addresses the one with this date, else the newest, and of these a reply first.
 * Looks at the newest 200.
 */
export function sentMailTo(
  tx: Tx,
  ticketIds: readonly number[],
  addresses: readonly string[],
  date: string | null,
): SentMail | undefined {
  const row = query<SentMail>(
    tx,
    `SELECT ${sentMailColumns}
     FROM (SELECT * FROM deliveries WHERE ticket_id IN (SELECT value FROM json_each(?1)) AND status = 'delivered'
       AND channel_id IS NULL AND mail_message_id IS NOT NULL ORDER BY id DESC LIMIT 200)
     WHERE recipient IN (SELECT value FROM json_each(?2)) OR (event = 'mail.agent_reply' AND EXISTS (
       SELECT 1 FROM messages, json_each(messages.recipients) AS one
       WHERE messages.id = payload ->> 'message_id' AND one.value ->> 'as' <> 'bcc'
         AND one.value ->> 'email' IN (SELECT value FROM json_each(?2))))
     ORDER BY created_at / 1000 = ?3 DESC, messageId IS NULL, id DESC LIMIT 1`,
  ).get(
    JSON.stringify(ticketIds),
    JSON.stringify(addresses),
    date === null ? null : Math.floor(Date.parse(date) / 1000),
  );
  return row ?? undefined;
}

export function countFromSender(
  tx: Tx,
  siteId: number,
  sender: string,
  since: Instant,
  kind: 'opened' | 'reopened',
): number {
  const condition = kind === 'opened' ? "outcome = 'ticket_created'" : 'is_reopening = 1';
  return (
    query<{ total: number }>(
      tx,
      `SELECT count(*) AS total FROM inbound_mail INDEXED BY inbound_mail_by_sender WHERE site_id = ? AND sender = ? AND received_at > ? AND ${condition}`,
    ).get(siteId, sender, since)?.total ?? 0
  );
}

export const hasWrittenOn = statement(
  'SELECT 1 FROM messages JOIN authors ON authors.id = messages.author_id WHERE messages.ticket_id = ? AND authors.email = ? LIMIT 1',
).has<[ticketId: number, address: string]>;

/** Mail from this address opened the ticket, also where its author is someone else. */
export const hasOpened = statement(
  "SELECT 1 FROM inbound_mail INDEXED BY inbound_mail_by_ticket WHERE ticket_id = ? AND sender = ? AND outcome = 'ticket_created' LIMIT 1",
).has<[ticketId: number, sender: string]>;

/** Of anyone with this address, by mail. */
export const countOpenedFor = statement(`SELECT count(*) AS total FROM tickets INDEXED BY tickets_by_author
     WHERE author_id IN (SELECT id FROM authors WHERE ${hasAddress('email = ?2')} AND site_id = ?1)
       AND status IN ('open', 'pending', 'resolved', 'closed') AND created_at > ?3 AND source = 'email'`).number<
  [siteId: number, address: string, since: Instant]
>;

export const hasMailFrom = statement(
  'SELECT 1 FROM inbound_mail INDEXED BY inbound_mail_by_sender WHERE site_id = ? AND sender = ? LIMIT 1',
).has<[siteId: number, sender: string]>;

export function hasSpamFrom(tx: Tx, siteId: number, address: string): boolean {
  return (
    query(
      tx,
      `SELECT 1 FROM authors WHERE ${hasAddress('email = ?1')} AND site_id = ?2
         AND EXISTS (SELECT 1 FROM tickets INDEXED BY tickets_spam WHERE author_id = authors.id AND is_spam = 1 AND merged_into_id IS NULL) LIMIT 1`,
    ).get(address, siteId) !== null
  );
}
