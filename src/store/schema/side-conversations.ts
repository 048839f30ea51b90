// Conversations with people outside about a ticket.

import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Addressee } from '../../domain/tickets/participant.ts';
import { createdAt, id, json, nullableFlag } from './columns.ts';

export const sideConversations = sqliteTable('side_conversations', {
  id: id(),
  ulid: text('ulid').notNull(),
  ticketId: integer('ticket_id').notNull(),
  subject: text('subject').notNull(),
  people: json('people').$type<Addressee[]>().notNull(),
  closedAt: integer('closed_at'),
  createdAt: createdAt(),
  agentId: integer('agent_id'),
});

export const sideMessages = sqliteTable('side_messages', {
  id: id(),
  ulid: text('ulid').notNull(),
  sideConversationId: integer('side_conversation_id').notNull(),
  agentName: text('agent_name'),
  senderEmail: text('sender_email'),
  senderName: text('sender_name'),
  senderVerified: nullableFlag('sender_verified'),
  body: text('body').notNull(),
  quoted: text('quoted'),
  attachmentIds: json('attachment_ids').$type<number[]>().notNull(),
  mailMessageId: text('mail_message_id'),
  createdAt: createdAt(),
});
