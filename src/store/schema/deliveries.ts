// What leaves the desk and what mail arrives.

import { integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core';
import type { DeliveryEvent, DeliveryPayload } from '../../domain/event.ts';
import type { FormInput } from '../../domain/input/portal.ts';
import type { HeldFor, InboundOrigin, InboundOutcome, InboundStatus } from '../../domain/mail/inbound.ts';
import type { SenderChecks } from '../../domain/mail/sender-checks.ts';
import type { SpamCheck } from '../../domain/mail/spam-check.ts';
import type { DeliveryStatus } from '../../domain/outbox/delivery.ts';
import { createdAt, flag, id, json, siteId } from './columns.ts';

export const deliveries = sqliteTable('deliveries', {
  id: id(),
  ulid: text('ulid').notNull(),
  siteId: integer('site_id'),
  channelId: integer('channel_id'),
  ticketId: integer('ticket_id'),
  eventSeq: integer('event_seq'),
  event: text('event').$type<DeliveryEvent>().notNull(),
  payload: json('payload').$type<DeliveryPayload>().notNull(),
  recipient: text('recipient'),
  mailMessageId: text('mail_message_id'),
  status: text('status').$type<DeliveryStatus>().notNull(),
  attempts: integer('attempts').notNull(),
  tries: integer('tries').notNull(),
  firstTriedAt: integer('first_tried_at'),
  nextAt: integer('next_at'),
  claimedUntil: integer('claimed_until').notNull(),
  claimedBy: text('claimed_by'),
  finishedAt: integer('finished_at'),
  lastError: text('last_error'),
  createdAt: createdAt(),
  mailboxId: integer('mailbox_id'),
  pushSubscriptionId: integer('push_subscription_id'),
});

export const askedMails = sqliteTable('asked_mails', {
  id: id(),
  mailAt: integer('mail_at').notNull(),
  askedSealed: text('asked_sealed').notNull(),
});

export const deliveryAttempts = sqliteTable('delivery_attempts', {
  id: id(),
  deliveryId: integer('delivery_id').notNull(),
  at: integer('at').notNull(),
  durationMs: integer('duration_ms').notNull(),
  responseStatus: integer('response_status'),
  responseExcerpt: text('response_excerpt').notNull(),
  error: text('error'),
});

export const inboundMail = sqliteTable('inbound_mail', {
  id: id(),
  ulid: text('ulid').notNull(),
  siteId: siteId(),
  provider: text('provider').$type<InboundOrigin>().notNull(),
  headers: json('headers').$type<Record<string, string>>().notNull(),
  size: integer('size').notNull(),
  status: text('status').$type<InboundStatus>().notNull(),
  outcome: text('outcome').$type<InboundOutcome>(),
  reason: text('reason'),
  sender: text('sender'),
  recipient: text('recipient'),
  subject: text('subject'),
  mailMessageId: text('mail_message_id'),
  contentHash: text('content_hash'),
  ticketId: integer('ticket_id'),
  isReopening: flag('is_reopening').notNull(),
  matchedRules: json('matched_rules').$type<{ id: number; name: string }[]>().notNull(),
  trace: json('trace').$type<unknown[]>().notNull(),
  forwardedTo: json('forwarded_to').$type<string[]>().notNull(),
  attempts: integer('attempts').notNull(),
  retryAt: integer('retry_at'),
  receivedAt: integer('received_at').notNull(),
  processedAt: integer('processed_at'),
  erasedAt: integer('erased_at'),
  form: json('form').$type<FormInput>(),
  sha256: text('sha256'),
  mailboxId: integer('mailbox_id'),
  silentDate: integer('silent_date'),
  senderChecks: json('sender_checks').$type<SenderChecks>(),
  heldFor: text('held_for').$type<HeldFor>(),
  isReleased: flag('is_released').notNull(),
  spamCheck: json('spam_check').$type<SpamCheck>(),
});

export const mailSuppressions = sqliteTable(
  'mail_suppressions',
  { siteId: siteId(), address: text('address').notNull(), reason: text('reason').notNull(), createdAt: createdAt() },
  (table) => [primaryKey({ columns: [table.siteId, table.address] })],
);

export const arrivalAddresses = sqliteTable(
  'arrival_addresses',
  { id: integer('id').primaryKey(), siteId: siteId(), address: text('address').notNull() },
  (table) => [unique().on(table.siteId, table.address)],
);
