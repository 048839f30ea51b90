// Received mail of erased people.

import type { Instant } from '../../base/clock.ts';
import { query, type Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';
import { type InboundMail, inboundMailById, updateInboundMail } from './inbound.ts';

/** What an erasure leaves of a row: that mail came, its outcome, and the means to recognise a repeat. */
export const erasedMail = {
  headers: {} as Record<string, string>,
  reason: 'Erased, together with the person it was from or about.',
  sender: null,
  subject: null,
  trace: [] as unknown[],
  form: null,
  sha256: null,
  senderChecks: null,
  spamCheck: null,
};

interface MailToErase {
  id: number;
  ulid: string;
  recipient: string | null;
  forwarded_to: string;
  mail_message_id: string | null;
}

const mailToErase = 'SELECT id, ulid, recipient, forwarded_to, mail_message_id FROM inbound_mail';

export const mailFromSender = statement(`${mailToErase} INDEXED BY inbound_mail_by_sender
     WHERE site_id = ? AND sender = ? AND id <= ? AND erased_at IS NULL LIMIT ?`).all<
  MailToErase,
  [siteId: number, email: string, until: number, limit: number]
>;

/** Of the mail on a person's own ticket, up to the row `until`: what opened it, what bounced on it, and what is from their address. */
export const mailOfOwnTicket =
  statement(`${mailToErase} INDEXED BY inbound_mail_by_ticket WHERE ticket_id = ?1 AND id <= ?3 AND erased_at IS NULL
       AND (outcome IN ('ticket_created', 'bounce_recorded') OR sender = ?2)`).all<
    MailToErase,
    [ticketId: number, email: string, until: number]
  >;

/**
 * @param erasedId replaces a Message-ID, which can name the sender's machine
 * @returns whose stored requests can go
 */
export function eraseMails(
  tx: Tx,
  email: string,
  rows: readonly MailToErase[],
  erasedId: (messageId: string) => string,
  now: Instant,
): string[] {
  for (const { id, recipient, forwarded_to, mail_message_id } of rows) {
    updateInboundMail(tx, id, {
      ...erasedMail,
      ...(recipient === email ? { recipient: null } : {}),
      mailMessageId: mail_message_id === null ? null : erasedId(mail_message_id),
      erasedAt: now,
    });
    if (forwarded_to !== '[]') stopForwards(tx, JSON.parse(forwarded_to) as string[], id, now);
  }
  return rows.map(({ ulid }) => ulid);
}

export function mailOnTicket(tx: Tx, ticketId: number): InboundMail[] {
  return query<{ id: number }>(
    tx,
    'SELECT id FROM inbound_mail INDEXED BY inbound_mail_by_ticket WHERE ticket_id = ? AND erased_at IS NULL',
  )
    .all(ticketId)
    .flatMap(({ id }) => inboundMailById(tx, id) ?? []);
}

function stopForwards(tx: Tx, recipients: readonly string[], inboundId: number, now: Instant): void {
  const forwards = `event = 'mail.forward' AND payload ->> 'inbound_id' = ? AND recipient IN (SELECT value FROM json_each(?))`;
  const named = [inboundId, JSON.stringify(recipients)] as const;
  query(
    tx,
    `INSERT OR IGNORE INTO erased_letters SELECT mail_message_id FROM deliveries INDEXED BY deliveries_forwards WHERE ${forwards}`,
  ).run(...named);
  query(
    tx,
    `UPDATE deliveries INDEXED BY deliveries_forwards SET payload = json_remove(payload, '$.subject'), next_at = NULL,
       last_error = CASE status WHEN 'queued' THEN 'The author was erased.' ELSE last_error END,
       status = CASE status WHEN 'queued' THEN 'failed' ELSE status END, finished_at = coalesce(finished_at, ?)
     WHERE ${forwards}`,
  ).run(now, ...named);
}
