// Replies that wait for their time to be sent, and the files that they hold.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../base/clock.ts';
import { query, type Tx } from './database.ts';
import { scheduledReplies } from './schema/tickets.ts';
import { insertInto, selectFrom, updateById } from './statements.ts';
import { notSetAside } from './tickets-set-aside.ts';

export type ScheduledReply = InferSelectModel<typeof scheduledReplies>;

const insertRow = insertInto(scheduledReplies);
export const updateScheduledReply = updateById(scheduledReplies);
const byUlid = selectFrom(scheduledReplies, 'WHERE ulid = ?');
const ofTicket = selectFrom(scheduledReplies, 'WHERE ticket_id = ? ORDER BY send_at, id');

export function insertScheduledReply(tx: Tx, row: Omit<ScheduledReply, 'id'>): ScheduledReply {
  return { ...row, id: insertRow(tx, row) };
}

export function scheduledReplyByUlid(tx: Tx, ulid: string): ScheduledReply | undefined {
  return byUlid.get(tx, ulid);
}

export function scheduledRepliesOfTicket(tx: Tx, ticketId: number): ScheduledReply[] {
  return ofTicket.all(tx, ticketId);
}

export function ulidsOfScheduledReplies(tx: Tx, ticketId: number): string[] {
  return query<{ ulid: string }>(tx, 'SELECT ulid FROM scheduled_replies WHERE ticket_id = ? ORDER BY send_at, id')
    .all(ticketId)
    .map(({ ulid }) => ulid);
}

export function countScheduledReplies(tx: Tx, ticketId: number): number {
  const row = query<{ total: number }>(tx, 'SELECT count(*) AS total FROM scheduled_replies WHERE ticket_id = ?');
  return row.get(ticketId)?.total ?? 0;
}

export function deleteScheduledReply(tx: Tx, id: number): void {
  query(tx, 'DELETE FROM scheduled_replies WHERE id = ?').run(id);
}

export function moveScheduledReplies(tx: Tx, fromTicketId: number, toTicketId: number): void {
  query(tx, 'UPDATE scheduled_replies SET ticket_id = ? WHERE ticket_id = ?').run(toTicketId, fromTicketId);
}

// A site is without a default priority while it is imported, and without a row while it is removed.
const due = `SELECT DISTINCT tickets.id FROM scheduled_replies CROSS JOIN tickets ON tickets.id = ticket_id
  WHERE send_at <= ?1 AND ${notSetAside('scheduled replies')}
    AND EXISTS (SELECT 1 FROM sites WHERE sites.id = site_id AND default_priority_id IS NOT NULL) LIMIT ?2`;

export function ticketsToSendOn(tx: Tx, now: Instant, limit: number): number[] {
  return query<{ id: number }>(tx, due)
    .all(now, limit)
    .map(({ id }) => id);
}
