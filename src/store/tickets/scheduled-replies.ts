// Replies and notes that wait for their time, and the files that they hold.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../base/clock.ts';
import { query, type Tx } from '../../engine/database.ts';
import { rowsOf, selectFrom, statement } from '../../engine/statements.ts';
import { scheduledReplies } from '../schema/tickets.ts';
import { notSetAside } from './ticket-faults.ts';

export type ScheduledReply = InferSelectModel<typeof scheduledReplies>;

export const {
  insert: insertScheduledReply,
  update: updateScheduledReply,
  remove: deleteScheduledReply,
} = rowsOf(scheduledReplies);

export const scheduledReplyByUlid = selectFrom(scheduledReplies, 'WHERE ulid = ?').get<[ulid: string]>;

export const scheduledRepliesOfTicket = selectFrom(scheduledReplies, 'WHERE ticket_id = ? ORDER BY send_at, id').all<
  [ticketId: number]
>;

export const ulidsOfScheduledReplies = statement(
  'SELECT ulid FROM scheduled_replies WHERE ticket_id = ? ORDER BY send_at, id',
).column<string, [ticketId: number]>;

export function countScheduledReplies(tx: Tx, ticketId: number): number {
  const row = query<{ total: number }>(tx, 'SELECT count(*) AS total FROM scheduled_replies WHERE ticket_id = ?');
  return row.get(ticketId)?.total ?? 0;
}

/** To a customer, and no note. */
export const hasWaitingReply = statement(
  'SELECT 1 FROM scheduled_replies WHERE ticket_id = ? AND is_internal = 0 LIMIT 1',
).has<[ticketId: number]>;

// A site is without a default priority while it is imported, and without a row while it is removed.
const due = `SELECT DISTINCT tickets.id FROM scheduled_replies CROSS JOIN tickets ON tickets.id = ticket_id
  WHERE send_at <= ?1 AND ${notSetAside('scheduled replies')}
    AND EXISTS (SELECT 1 FROM sites WHERE sites.id = site_id AND default_priority_id IS NOT NULL) LIMIT ?2`;

export const ticketsToSendOn = statement(due).column<number, [now: Instant, limit: number]>;
