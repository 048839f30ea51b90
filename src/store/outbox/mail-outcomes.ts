// What became of the mails of replies, in the order in which it was recorded.

import type { MessageDeliveryStatus } from '../../domain/outbox/delivery.ts';
import type { MailedRecipient } from '../../domain/tickets/participant.ts';
import { query, type Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';

export interface MailOutcome {
  attemptId: number;
  siteId: number;
  ticket: string;
  message: string;
  delivery: { status: MessageDeliveryStatus; at: string; error: string | null };
  recipients: MailedRecipient[];
}

type Row = Omit<MailOutcome, 'delivery' | 'recipients'> & { delivery: string; recipients: string | null };

const columns = `delivery_attempts.id AS attemptId, tickets.site_id AS siteId, tickets.ulid AS ticket,
  messages.ulid AS message, messages.delivery AS delivery, messages.recipients AS recipients
  FROM delivery_attempts
  JOIN deliveries ON deliveries.id = delivery_id
  JOIN messages ON messages.id = payload ->> 'message_id'
  JOIN tickets ON tickets.id = messages.ticket_id
  WHERE messages.delivery IS NOT NULL`;

const fromRow = (row: Row): MailOutcome => ({
  ...row,
  delivery: JSON.parse(row.delivery),
  recipients: JSON.parse(row.recipients ?? '[]'),
});

export const newestAttempt = statement('SELECT max(id) AS id FROM delivery_attempts').number<[]>;

export function mailOutcomesAfter(tx: Tx, after: number, upTo: number, limit: number): MailOutcome[] {
  return query<Row>(
    tx,
    `SELECT ${columns} AND delivery_attempts.id > ? AND delivery_attempts.id <= ? ORDER BY delivery_attempts.id LIMIT ?`,
  )
    .all(after, upTo, limit)
    .map(fromRow);
}
