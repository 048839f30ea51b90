// What agents have written on tickets and not sent.

import type { InferSelectModel } from 'drizzle-orm';
import { query, type Tx } from './database.ts';
import { drafts } from './schema/tickets.ts';
import { selectFrom } from './statements.ts';

export type Draft = InferSelectModel<typeof drafts>;

const ofAgent = selectFrom(drafts, 'WHERE ticket_id = ? AND agent_id = ?');
const ofTicket = selectFrom(drafts, 'WHERE ticket_id = ? ORDER BY agent_id');

export function draftOf(tx: Tx, ticketId: number, agentId: number): Draft | undefined {
  return ofAgent.get(tx, ticketId, agentId);
}

export function ticketsWithDraft(tx: Tx, agentId: number, ticketIds: readonly number[]): Map<number, true> {
  const rows = query<{ ticketId: number }>(
    tx,
    `SELECT ticket_id AS ticketId FROM drafts WHERE agent_id = ? AND ticket_id IN (SELECT value FROM json_each(?))`,
  ).all(agentId, JSON.stringify(ticketIds));
  return new Map(rows.map(({ ticketId }) => [ticketId, true]));
}

export function draftsOfTicket(tx: Tx, ticketId: number): Draft[] {
  return ofTicket.all(tx, ticketId);
}

/** The tickets that were merged into this one, also by way of another, on which an agent has a draft. */
export function mergedTicketsWithDraft(tx: Tx, ticketId: number, agentId: number): number[] {
  return query<{ ticketId: number }>(
    tx,
    `WITH RECURSIVE led (ticket_id, to_id) AS (
       SELECT ticket_id, merged_into_id FROM drafts JOIN tickets ON tickets.id = ticket_id WHERE agent_id = ? AND merged_into_id IS NOT NULL
       UNION
       SELECT ticket_id, merged_into_id FROM led JOIN tickets ON tickets.id = to_id WHERE merged_into_id IS NOT NULL
     )
     SELECT ticket_id AS ticketId FROM led WHERE to_id = ? ORDER BY ticket_id`,
  )
    .all(agentId, ticketId)
    .map((row) => row.ticketId);
}

export function saveDraft(tx: Tx, draft: Draft): void {
  query(
    tx,
    `INSERT INTO drafts (ticket_id, agent_id, body, body_format, tab, attachment_ids, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (ticket_id, agent_id) DO UPDATE SET body = excluded.body, body_format = excluded.body_format,
       tab = excluded.tab, attachment_ids = excluded.attachment_ids, updated_at = excluded.updated_at`,
  ).run(
    draft.ticketId,
    draft.agentId,
    draft.body,
    draft.bodyFormat,
    draft.tab,
    JSON.stringify(draft.attachmentIds),
    draft.updatedAt,
  );
}

export function deleteDraft(tx: Tx, ticketId: number, agentId: number): void {
  query(tx, 'DELETE FROM drafts WHERE ticket_id = ? AND agent_id = ?').run(ticketId, agentId);
}

export function deleteDraftsOfTicket(tx: Tx, ticketId: number): void {
  query(tx, 'DELETE FROM drafts WHERE ticket_id = ?').run(ticketId);
}
