// What agents have written on tickets and not sent.

import type { InferSelectModel } from 'drizzle-orm';
import { query, type Tx } from '../../engine/database.ts';
import { selectFrom, statement } from '../../engine/statements.ts';
import { drafts } from '../schema/tickets.ts';

export type Draft = InferSelectModel<typeof drafts>;

export const draftOf = selectFrom(drafts, 'WHERE ticket_id = ? AND agent_id = ?').get<
  [ticketId: number, agentId: number]
>;

export function ticketsWithDraft(tx: Tx, agentId: number, ticketIds: readonly number[]): Map<number, true> {
  const rows = query<{ ticketId: number }>(
    tx,
    `SELECT ticket_id AS ticketId FROM drafts WHERE agent_id = ? AND ticket_id IN (SELECT value FROM json_each(?))`,
  ).all(agentId, JSON.stringify(ticketIds));
  return new Map(rows.map(({ ticketId }) => [ticketId, true]));
}

export const draftsOfTicket = selectFrom(drafts, 'WHERE ticket_id = ? ORDER BY agent_id').all<[ticketId: number]>;

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
    `INSERT INTO drafts (ticket_id, agent_id, body, body_format, tab, attachment_ids, fields, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (ticket_id, agent_id) DO UPDATE SET body = excluded.body, body_format = excluded.body_format,
       tab = excluded.tab, attachment_ids = excluded.attachment_ids, fields = excluded.fields, updated_at = excluded.updated_at`,
  ).run(
    draft.ticketId,
    draft.agentId,
    draft.body,
    draft.bodyFormat,
    draft.tab,
    JSON.stringify(draft.attachmentIds),
    JSON.stringify(draft.fields),
    draft.updatedAt,
  );
}

export const deleteDraft = statement('DELETE FROM drafts WHERE ticket_id = ? AND agent_id = ?').run<
  [ticketId: number, agentId: number]
>;

export const deleteDraftsOfTicket = statement('DELETE FROM drafts WHERE ticket_id = ?').run<[ticketId: number]>;
