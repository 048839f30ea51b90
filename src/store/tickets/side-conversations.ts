// Conversations with people outside about a ticket. Only agents' pages and their own mail read them.

import type { InferSelectModel } from 'drizzle-orm';
import type { DeliveryStatus } from '../../domain/outbox/delivery.ts';
import type { Tx } from '../../engine/database.ts';
import { rowsOf, selectFrom, statement } from '../../engine/statements.ts';
import { deliveriesOfMailIds, type SentMail, sentMailColumns } from '../mail/threads.ts';
import { sideConversations, sideMessages } from '../schema/side-conversations.ts';

export type SideConversation = InferSelectModel<typeof sideConversations>;
export type SideMessage = InferSelectModel<typeof sideMessages>;

export const {
  get: sideConversationById,
  insert: insertSideConversation,
  update: updateSideConversation,
} = rowsOf(sideConversations);

export const { get: sideMessageById, insert: insertSideMessage, update: updateSideMessage } = rowsOf(sideMessages);

export const sideConversationByUlid = selectFrom(sideConversations, 'WHERE ulid = ?').get<[ulid: string]>;
export const sideConversationsOf = selectFrom(sideConversations, 'WHERE ticket_id = ? ORDER BY id').all<
  [ticketId: number]
>;
export const sideMessagesOf = selectFrom(sideMessages, 'WHERE side_conversation_id = ? ORDER BY id').all<[id: number]>;
export const countSideMessages = statement('SELECT count(*) FROM side_messages WHERE side_conversation_id = ?').number<
  [id: number]
>;

// From the mails to the site: a desk has many more tickets.
const ofMails = statement(`SELECT message.side_conversation_id FROM (
    SELECT side_messages.id FROM json_each(?1) CROSS JOIN side_messages ON mail_message_id = value
    UNION ALL
    SELECT payload ->> 'side_message_id' FROM deliveries
    WHERE id IN (${deliveriesOfMailIds}) AND event = 'mail.side_message') AS found
  CROSS JOIN side_messages AS message ON message.id = found.id
  CROSS JOIN side_conversations AS conversation ON conversation.id = message.side_conversation_id
  CROSS JOIN tickets ON tickets.id = conversation.ticket_id AND tickets.site_id = ?2
  LIMIT 1`).number<[mailMessageIds: readonly string[], siteId: number]>;

/** The conversation that this mail belongs to. */
export function sideConversationOfMail(tx: Tx, siteId: number, id: string): SideConversation | undefined {
  return sideConversationById(tx, ofMails(tx, [id], siteId));
}

export const hasSideMail = statement(
  'SELECT 1 FROM side_messages WHERE side_conversation_id = ? AND mail_message_id = ? LIMIT 1',
).has<[id: number, mailMessageId: string]>;

/** Oldest first: what went to and came from one address. */
export const sideThread = statement(`SELECT id FROM (
    SELECT mail_message_id AS id, created_at AS at FROM side_messages
    WHERE side_conversation_id = ?1 AND sender_email = ?2 AND mail_message_id IS NOT NULL
    UNION ALL
    SELECT deliveries.mail_message_id, deliveries.created_at FROM side_messages
    JOIN deliveries ON deliveries.event = 'mail.side_message' AND deliveries.payload ->> 'side_message_id' = side_messages.id
    WHERE side_conversation_id = ?1 AND recipient = ?2 AND deliveries.id < ?3)
  ORDER BY at`).column<string, [id: number, address: string, beforeDeliveryId: number]>;

/** The newest mail of it to one of these addresses. */
export const sentAside = statement(`SELECT ${sentMailColumns} FROM deliveries
  WHERE event = 'mail.side_message' AND status = 'delivered'
    AND payload ->> 'side_message_id' IN (SELECT id FROM side_messages WHERE side_conversation_id = ?1)
    AND recipient IN (SELECT value FROM json_each(?2))
  ORDER BY id DESC LIMIT 1`).get<SentMail, [id: number, addresses: readonly string[]]>;

export interface SideDelivery {
  recipient: string;
  status: DeliveryStatus;
  error: string | null;
}

export const deliveriesOfSideMessage = statement(`SELECT recipient, status, last_error AS error FROM deliveries
  WHERE event = 'mail.side_message' AND payload ->> 'side_message_id' = ? ORDER BY id`).all<
  SideDelivery,
  [sideMessageId: number]
>;

export const sideTextsOf = statement(`SELECT substr(body, 1, ?2) AS body FROM side_messages
  JOIN side_conversations AS conversation ON conversation.id = side_conversation_id
  WHERE conversation.ticket_id = ?1 ORDER BY side_messages.id DESC LIMIT 50`).column<
  string,
  [ticketId: number, characters: number]
>;

/** Tickets on whose side conversations someone wrote, or was written to. */
export const ticketIdsOfSidePerson = statement(`SELECT DISTINCT ticket_id FROM side_conversations
  JOIN tickets ON tickets.id = ticket_id AND tickets.site_id = ?1
  WHERE EXISTS (SELECT 1 FROM json_each(people) WHERE value ->> 'email' = ?2)
     OR side_conversations.id IN (SELECT side_conversation_id FROM side_messages WHERE sender_email = ?2)
  LIMIT ?3`).column<number, [siteId: number, address: string, limit: number]>;

/** What the deliveries of these conversations say of a person. */
export const forgetSideRecipient = statement(`UPDATE deliveries SET recipient = ?3, last_error = NULL,
    payload = json_remove(payload, '$.recipient_name'), next_at = NULL,
    status = CASE status WHEN 'queued' THEN 'failed' ELSE status END, finished_at = coalesce(finished_at, created_at)
  WHERE event = 'mail.side_message' AND recipient = ?2
    AND payload ->> 'side_message_id' IN (SELECT id FROM side_messages WHERE side_conversation_id = ?1)`).run<
  [id: number, address: string, to: string]
>;

/** Mail in files, which has the person's words. */
export const eraseSideLetters = statement(`INSERT OR IGNORE INTO erased_letters
  SELECT mail_message_id FROM deliveries WHERE event = 'mail.side_message' AND mail_message_id IS NOT NULL
    AND payload ->> 'side_message_id' IN (SELECT id FROM side_messages WHERE side_conversation_id = ?)`).run<
  [id: number]
>;
