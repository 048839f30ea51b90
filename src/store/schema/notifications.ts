// What agents hear of, and which tickets they follow.

import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { NotificationKind, NotificationPayload, Reason } from '../../domain/notifications/notification.ts';
import { agentId, createdAt, flag, id, json } from './columns.ts';

export const notifications = sqliteTable('notifications', {
  id: id(),
  agentId: agentId(),
  kind: text('kind').$type<NotificationKind>().notNull(),
  reason: text('reason').$type<Reason>().notNull(),
  siteId: integer('site_id'),
  ticketId: integer('ticket_id'),
  eventSeq: integer('event_seq'),
  payload: json('payload').$type<NotificationPayload>().notNull(),
  inInbox: flag('in_inbox').notNull(),
  mailAt: integer('mail_at'),
  createdAt: createdAt(),
  readAt: integer('read_at'),
});

export const ticketFollowers = sqliteTable(
  'ticket_followers',
  {
    ticketId: integer('ticket_id').notNull(),
    agentId: agentId(),
    isMuted: flag('is_muted').notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.ticketId, table.agentId] })],
);
