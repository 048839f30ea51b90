// What agents have written into the form for a new ticket, and the files that wait for it.

import type { InferSelectModel } from 'drizzle-orm';
import { query, type Tx } from '../../engine/database.ts';
import { rowsOf, selectFrom } from '../../engine/statements.ts';
import { draftFiles, ticketDrafts } from '../schema/tickets.ts';

export type TicketDraft = InferSelectModel<typeof ticketDrafts>;
export type DraftFile = InferSelectModel<typeof draftFiles>;

export const { insert: insertDraftFile, update: updateDraftFile, remove: deleteDraftFile } = rowsOf(draftFiles);

export const ticketDraftOf = selectFrom(ticketDrafts, 'WHERE agent_id = ?').get<[agentId: number]>;

export const allTicketDrafts = selectFrom(ticketDrafts, 'ORDER BY agent_id').all<[]>;

export function saveTicketDraft(tx: Tx, draft: TicketDraft): void {
  query(
    tx,
    `INSERT INTO ticket_drafts (agent_id, body, body_format, attachment_ids, fields, updated_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (agent_id) DO UPDATE SET body = excluded.body, body_format = excluded.body_format,
       attachment_ids = excluded.attachment_ids, fields = excluded.fields, updated_at = excluded.updated_at`,
  ).run(
    draft.agentId,
    draft.body,
    draft.bodyFormat,
    JSON.stringify(draft.attachmentIds),
    JSON.stringify(draft.fields),
    draft.updatedAt,
  );
}

export function deleteTicketDraft(tx: Tx, agentId: number): void {
  query(tx, 'DELETE FROM ticket_drafts WHERE agent_id = ?').run(agentId);
  query(tx, 'DELETE FROM draft_files WHERE agent_id = ?').run(agentId);
}

export const draftFilesOf = selectFrom(draftFiles, 'WHERE agent_id = ? ORDER BY id').all<[agentId: number]>;

export const draftFileByUlid = selectFrom(draftFiles, 'WHERE ulid = ?').get<[ulid: string]>;
