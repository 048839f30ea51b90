// Up to when each agent has read each ticket.

import type { Instant } from '../../base/clock.ts';
import { query, type Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';

/** Null: marked as unread. Tickets without a mark are missing. */
export function readMarks(tx: Tx, agentId: number, ticketIds: readonly number[]): Map<number, Instant | null> {
  const rows = query<{ ticketId: number; readAt: number | null }>(
    tx,
    `SELECT ticket_id AS ticketId, read_at AS readAt FROM read_marks
     WHERE agent_id = ? AND ticket_id IN (SELECT value FROM json_each(?))`,
  ).all(agentId, JSON.stringify(ticketIds));
  return new Map(rows.map(({ ticketId, readAt }) => [ticketId, readAt]));
}

export const putReadMark = statement(`INSERT INTO read_marks (agent_id, ticket_id, read_at) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET read_at = excluded.read_at`).run<
  [agentId: number, ticketId: number, readAt: Instant | null]
>;
