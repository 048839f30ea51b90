// What became of the mails of replies, in the order in which it was recorded.

import type { MessageDeliveryStatus } from '../domain/delivery.ts';
import { query, type Tx } from './database.ts';

export interface MailNews {
  attemptId: number;
  siteId: number;
  ticket: string;
  message: string;
  delivery: { status: MessageDeliveryStatus; at: string; error: string | null };
}

type Row = Omit<MailNews, 'delivery'> & { delivery: string };

const columns = `delivery_attempts.id AS attemptId, tickets.site_id AS siteId, tickets.ulid AS ticket,
  messages.ulid AS message, messages.delivery AS delivery
  FROM delivery_attempts
  JOIN deliveries ON deliveries.id = delivery_id
  JOIN messages ON messages.id = payload ->> 'message_id'
  JOIN tickets ON tickets.id = messages.ticket_id
  WHERE messages.delivery IS NOT NULL`;

const fromRow = (row: Row): MailNews => ({ ...row, delivery: JSON.parse(row.delivery) });

export function newestAttempt(tx: Tx): number {
  return query<{ id: number | null }>(tx, 'SELECT max(id) AS id FROM delivery_attempts').get()?.id ?? 0;
}

export function mailNewsAfter(tx: Tx, after: number, upTo: number, limit: number): MailNews[] {
  return query<Row>(
    tx,
    `SELECT ${columns} AND delivery_attempts.id > ? AND delivery_attempts.id <= ? ORDER BY delivery_attempts.id LIMIT ?`,
  )
    .all(after, upTo, limit)
    .map(fromRow);
}
