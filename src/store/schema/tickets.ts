// Tickets, their authors, messages and history.

import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { StoredActor } from '../../domain/actor.ts';
import type { EventData, EventKind } from '../../domain/event.ts';
import type { MessageDeliveryStatus } from '../../domain/outbox/delivery.ts';
import type { SlaIntervalKind } from '../../domain/sla/ledger.ts';
import type { TicketContext } from '../../domain/tickets/context.ts';
import type { CustomFieldValues } from '../../domain/tickets/custom-field.ts';
import type { ScanStatus } from '../../domain/tickets/files.ts';
import type { Moved } from '../../domain/tickets/merge.ts';
import type { MailedRecipient, Recipient } from '../../domain/tickets/participant.ts';
import type { Rating } from '../../domain/tickets/satisfaction.ts';
import type { BodyFormat, DraftTab, TicketStatus } from '../../domain/tickets/ticket.ts';
import { agentId, createdAt, flag, id, json, nullableFlag, siteId, version } from './columns.ts';

export const authors = sqliteTable('authors', {
  id: id(),
  siteId: siteId(),
  externalId: text('external_id'),
  email: text('email').notNull(),
  name: text('name'),
  isVerified: flag('is_verified').notNull(),
  anonymisedAt: integer('anonymised_at'),
  erasedExternalId: text('erased_external_id'),
  erasedEmail: text('erased_email'),
  createdAt: createdAt(),
});

export const tickets = sqliteTable('tickets', {
  id: id(),
  ulid: text('ulid').notNull(),
  siteId: siteId(),
  authorId: integer('author_id').notNull(),
  subject: text('subject').notNull(),
  status: text('status').$type<TicketStatus>().notNull(),
  source: text('source').notNull(),
  isTest: flag('is_test').notNull(),
  tags: json('tags').$type<string[]>().notNull(),
  customFields: json('custom_fields').$type<CustomFieldValues>().notNull(),
  metadata: json('metadata').$type<Record<string, unknown>>().notNull(),
  context: json('context').$type<TicketContext | null>(),
  categoryId: integer('category_id'),
  priorityId: integer('priority_id').notNull(),
  priorityLevel: integer('priority_level').notNull(),
  assigneeId: integer('assignee_id'),
  accessTokenHash: text('access_token_hash'),
  firstResponseFrom: integer('first_response_from'),
  firstResponseTargetMinutes: integer('first_response_target_minutes'),
  resolutionTargetMinutes: integer('resolution_target_minutes'),
  firstResponseDueAt: integer('first_response_due_at'),
  firstResponseAt: integer('first_response_at'),
  firstResponseWarnedAt: integer('first_response_warned_at'),
  firstResponseBreachedAt: integer('first_response_breached_at'),
  resolutionDueAt: integer('resolution_due_at'),
  resolvedAt: integer('resolved_at'),
  resolutionWarnedAt: integer('resolution_warned_at'),
  resolutionBreachedAt: integer('resolution_breached_at'),
  slaPausedAt: integer('sla_paused_at'),
  firstResponsePausedMs: integer('first_response_paused_ms').notNull(),
  resolutionPausedMs: integer('resolution_paused_ms').notNull(),
  slaNextAt: integer('sla_next_at'),
  slaPolicyId: integer('sla_policy_id'),
  closedAt: integer('closed_at'),
  mergedIntoId: integer('merged_into_id'),
  splitFromId: integer('split_from_id'),
  snoozedUntil: integer('snoozed_until'),
  isSpam: flag('is_spam').notNull(),
  senderId: integer('sender_id'),
  messageCount: integer('message_count').notNull(),
  lastCustomerMessageAt: integer('last_customer_message_at'),
  lastAgentMessageAt: integer('last_agent_message_at'),
  satisfaction: text('satisfaction').$type<Rating | null>(),
  satisfactionComment: text('satisfaction_comment'),
  satisfactionAt: integer('satisfaction_at'),
  version: version(),
  createdAt: createdAt(),
  updatedAt: integer('updated_at').notNull(),
  teamId: integer('team_id'),
});

export const participants = sqliteTable('participants', {
  id: id(),
  ticketId: integer('ticket_id').notNull(),
  authorId: integer('author_id').notNull(),
  addedBy: json('added_by').$type<StoredActor>().notNull(),
  createdAt: createdAt(),
  removedAt: integer('removed_at'),
});

export const merges = sqliteTable('merges', {
  sourceId: integer('source_id').primaryKey(),
  targetId: integer('target_id').notNull(),
  mergedBy: json('merged_by').$type<StoredActor>().notNull(),
  moved: json('moved').$type<Moved>().notNull(),
  createdAt: createdAt(),
});

export const slaIntervals = sqliteTable('sla_intervals', {
  id: id(),
  ticketId: integer('ticket_id').notNull(),
  kind: text('kind').$type<SlaIntervalKind>().notNull(),
  startedAt: integer('started_at').notNull(),
  endedAt: integer('ended_at'),
  startedBySeq: integer('started_by_seq'),
  endedBySeq: integer('ended_by_seq'),
});

export const ticketTags = sqliteTable(
  'ticket_tags',
  { tag: text('tag').notNull(), ticketId: integer('ticket_id').notNull() },
  (table) => [primaryKey({ columns: [table.tag, table.ticketId] })],
);

export const teamWaits = sqliteTable('team_waits', {
  ticketId: integer('ticket_id').primaryKey(),
  teamId: integer('team_id').notNull(),
  since: integer('since').notNull(),
});

export const messages = sqliteTable('messages', {
  id: id(),
  ulid: text('ulid').notNull(),
  ticketId: integer('ticket_id').notNull(),
  authorId: integer('author_id'),
  agentId: integer('agent_id'),
  agentName: text('agent_name'),
  authorName: text('author_name'),
  body: text('body').notNull(),
  bodyFormat: text('body_format').$type<BodyFormat>().notNull(),
  isInternal: flag('is_internal').notNull(),
  isAutomated: flag('is_automated').notNull(),
  isAgent: flag('is_agent').notNull(),
  source: text('source').notNull(),
  senderVerified: nullableFlag('sender_verified'),
  delivery: json('delivery').$type<{ status: MessageDeliveryStatus; at: string; error: string | null } | null>(),
  html: text('html'),
  wholeBody: text('whole_body'),
  createdAt: createdAt(),
  linkId: integer('link_id'),
  isConfirmed: nullableFlag('is_confirmed'),
  editedAt: integer('edited_at'),
  recipients: json('recipients').$type<MailedRecipient[] | null>(),
  senderId: integer('sender_id'),
  inboundId: integer('inbound_id'),
});

export const attachments = sqliteTable('attachments', {
  id: id(),
  ulid: text('ulid').notNull(),
  siteId: siteId(),
  ticketId: integer('ticket_id').notNull(),
  messageId: integer('message_id'),
  filename: text('filename').notNull(),
  contentType: text('content_type').notNull(),
  size: integer('size').notNull(),
  sha256: text('sha256').notNull(),
  isAgent: flag('is_agent').notNull(),
  isInternal: flag('is_internal').notNull(),
  createdAt: createdAt(),
  scheduledReplyId: integer('scheduled_reply_id'),
  agentId: integer('agent_id'),
  scanStatus: text('scan_status').$type<ScanStatus>(),
  scanFound: text('scan_found'),
  scanNextAt: integer('scan_next_at'),
});

export const scheduledReplies = sqliteTable('scheduled_replies', {
  id: id(),
  ulid: text('ulid').notNull(),
  ticketId: integer('ticket_id').notNull(),
  agentId: integer('agent_id'),
  agentName: text('agent_name').notNull(),
  body: text('body').notNull(),
  bodyFormat: text('body_format').$type<BodyFormat>().notNull(),
  html: text('html'),
  mentions: json('mentions').$type<number[]>().notNull(),
  status: text('status').$type<TicketStatus>(),
  senderId: integer('sender_id'),
  actor: json('actor').$type<StoredActor>().notNull(),
  sendAt: integer('send_at').notNull(),
  createdAt: createdAt(),
  recipients: json('recipients').$type<Recipient[] | null>(),
  isInternal: flag('is_internal').notNull(),
});

export const mentions = sqliteTable(
  'mentions',
  {
    messageId: integer('message_id').notNull(),
    agentId: agentId(),
    ticketId: integer('ticket_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.messageId, table.agentId] })],
);

export const drafts = sqliteTable(
  'drafts',
  {
    ticketId: integer('ticket_id').notNull(),
    agentId: agentId(),
    body: text('body').notNull(),
    bodyFormat: text('body_format').$type<BodyFormat>().notNull(),
    tab: text('tab').$type<DraftTab>().notNull(),
    attachmentIds: json('attachment_ids').$type<number[]>().notNull(),
    updatedAt: integer('updated_at').notNull(),
    fields: json('fields').$type<Record<string, unknown>>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.ticketId, table.agentId] })],
);

export const ticketDrafts = sqliteTable('ticket_drafts', {
  agentId: integer('agent_id').primaryKey(),
  body: text('body').notNull(),
  bodyFormat: text('body_format').$type<BodyFormat>().notNull(),
  attachmentIds: json('attachment_ids').$type<number[]>().notNull(),
  fields: json('fields').$type<Record<string, unknown>>().notNull(),
  updatedAt: integer('updated_at').notNull(),
});

export const draftFiles = sqliteTable('draft_files', {
  id: id(),
  ulid: text('ulid').notNull(),
  agentId: agentId(),
  filename: text('filename').notNull(),
  contentType: text('content_type').notNull(),
  size: integer('size').notNull(),
  sha256: text('sha256').notNull(),
  createdAt: createdAt(),
  scanStatus: text('scan_status').$type<ScanStatus>(),
  scanFound: text('scan_found'),
  scanNextAt: integer('scan_next_at'),
});

export const events = sqliteTable('events', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  kind: text('kind').$type<EventKind>().notNull(),
  siteId: siteId(),
  ticketId: integer('ticket_id'),
  actor: json('actor').$type<StoredActor>().notNull(),
  data: json('data').$type<EventData>().notNull(),
  createdAt: createdAt(),
});
