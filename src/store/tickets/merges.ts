// Merges that can still be undone, and moving rows from one ticket to another.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../base/clock.ts';
import { query, type Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement } from '../../engine/statements.ts';
import { merges } from '../schema/tickets.ts';

export type Merge = InferSelectModel<typeof merges>;

export const insertMerge = insertInto(merges);

export const mergeOf = selectFrom(merges, 'WHERE source_id = ?').get<[sourceId: number]>;
/** Oldest first. */
export const mergesInto = selectFrom(merges, 'WHERE target_id = ? ORDER BY created_at, source_id').all<
  [targetId: number]
>;

export function updateMoved(tx: Tx, { sourceId, moved }: Pick<Merge, 'sourceId' | 'moved'>): void {
  query(tx, 'UPDATE merges SET moved = ? WHERE source_id = ?').run(JSON.stringify(moved), sourceId);
}

/** After the messages of a merged ticket went to another one. */
export const redirectMerge = statement('UPDATE merges SET target_id = ?2 WHERE source_id = ?1').run<
  [sourceId: number, targetId: number]
>;

export const authorsOfParticipants = statement(
  'SELECT author_id FROM participants WHERE id IN (SELECT value FROM json_each(?))',
).column<number, [ids: readonly number[]]>;

export const deleteMerge = statement('DELETE FROM merges WHERE source_id = ?').run<[sourceId: number]>;

/** From and into this ticket. */
export const forgetMergesOf = statement('DELETE FROM merges WHERE ?1 IN (source_id, target_id)').run<
  [ticketId: number]
>;

export const purgeMerges = statement(`DELETE FROM merges WHERE source_id IN (
  SELECT source_id FROM merges WHERE created_at <= ? ORDER BY created_at LIMIT ?)`).run<
  [before: Instant, limit: number]
>;

type Table = 'messages' | 'scheduled_replies' | 'side_conversations';

/** Everything of one ticket, to another. Returns the ids. */
export function moveAll(tx: Tx, table: Table, fromTicketId: number, toTicketId: number): number[] {
  const moved = query<{ id: number }>(tx, `UPDATE ${table} SET ticket_id = ? WHERE ticket_id = ? RETURNING id`);
  return moved.all(toTicketId, fromTicketId).map(({ id }) => id);
}

/** Those of these rows that are on the ticket. */
export function moveThese(
  tx: Tx,
  table: Table | 'participants',
  ids: readonly number[],
  fromTicketId: number,
  toTicketId: number,
): void {
  query(tx, `UPDATE ${table} SET ticket_id = ? WHERE ticket_id = ? AND id IN (SELECT value FROM json_each(?))`).run(
    toTicketId,
    fromTicketId,
    JSON.stringify(ids),
  );
}

export const hasMessagesElsewhere = statement(
  'SELECT 1 FROM messages WHERE id IN (SELECT value FROM json_each(?)) AND ticket_id <> ? LIMIT 1',
).has<[ids: readonly number[], ticketId: number]>;

/** All files of one ticket, to another. Returns the ids of those that belong to no message. */
export function moveFiles(tx: Tx, fromTicketId: number, toTicketId: number): number[] {
  const files = query<{ id: number; isLoose: number }>(
    tx,
    `UPDATE attachments SET ticket_id = ? WHERE ticket_id = ?
     RETURNING id, message_id IS NULL AND scheduled_reply_id IS NULL AS isLoose`,
  ).all(toTicketId, fromTicketId);
  return files.flatMap(({ id, isLoose }) => (isLoose ? [id] : []));
}

const filesOfSide = (ticket: string) => `SELECT value FROM side_conversations AS conversation
  JOIN side_messages ON side_conversation_id = conversation.id, json_each(attachment_ids) WHERE conversation.ticket_id = ${ticket}`;

/** The files of what is on a ticket again, and of these the loose ones that nothing on the other one uses. */
export const moveFilesAfter = statement(`UPDATE attachments SET ticket_id = ?2 WHERE ticket_id = ?1 AND (
    message_id IN (SELECT id FROM messages WHERE ticket_id = ?2)
    OR scheduled_reply_id IN (SELECT id FROM scheduled_replies WHERE ticket_id = ?2)
    OR (message_id IS NULL AND scheduled_reply_id IS NULL AND (
      id IN (${filesOfSide('?2')})
      OR (id IN (SELECT value FROM json_each(?3)) AND id NOT IN (${filesOfSide('?1')})
        AND id NOT IN (SELECT value FROM drafts, json_each(attachment_ids) WHERE ticket_id = ?1)))))`).run<
  [fromTicketId: number, toTicketId: number, loose: readonly number[]]
>;

/** Which of these people sent to one of the tickets, and to no message. */
export const filesOfAuthors = statement(`SELECT attachments.id FROM events INDEXED BY events_by_ticket
  JOIN attachments ON attachments.ulid = data ->> 'attachment_ulid'
  WHERE events.ticket_id IN (SELECT value FROM json_each(?)) AND kind = 'ticket.attachment_added'
    AND actor ->> 'type' = 'author' AND actor ->> 'id' IN (SELECT value FROM json_each(?)) AND message_id IS NULL`)
  .column<number, [ticketIds: readonly number[], authorIds: readonly number[]]>;

/** Mails of these messages that are still to be sent: what they say and link to is the ticket's. */
export const moveQueuedMails = statement(`UPDATE deliveries SET ticket_id = ?2
  WHERE ticket_id = ?1 AND status = 'queued' AND channel_id IS NULL
    AND payload ->> 'message_id' IN (SELECT value FROM json_each(?3))`).run<
  [fromTicketId: number, toTicketId: number, messageIds: readonly number[]]
>;
