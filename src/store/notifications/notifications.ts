// What agents hear of.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../base/clock.ts';
import { includesSite, type Scope } from '../../domain/actor.ts';
import { alarmKinds, type NotificationKind } from '../../domain/notifications/notification.ts';
import { query, type Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement } from '../../engine/statements.ts';
import { notifications } from '../schema/notifications.ts';
import { isOfSites } from '../scope.ts';

export type Notification = InferSelectModel<typeof notifications>;

export const insertNotification = insertInto(notifications);

/** Whose rows, and what they may see by now: rights may have been lowered since. */
export interface Reader {
  agentId: number;
  scope: Scope;
  isManager: boolean;
}

const alarms = alarmKinds.map((kind) => `'${kind}'`).join(', ');

function ofReader({ agentId, scope, isManager }: Reader): { text: string; values: number[] } {
  const ofSites = isOfSites(scope);
  // What is of the whole desk is for those who see all of it.
  const sites = ofSites === null ? '' : ` AND ${ofSites.text}`;
  const kinds = isManager ? '' : ` AND kind NOT IN (${alarms})`;
  return { text: `agent_id = ?${sites}${kinds}`, values: [agentId, ...(ofSites?.values ?? [])] };
}

interface Asked {
  isUnread: boolean;
  kinds: readonly NotificationKind[] | null;
  before: number | null;
}

/** Newest first. */
export function listNotifications(tx: Tx, reader: Reader, asked: Asked, limit: number): Notification[] {
  const own = ofReader(reader);
  const conditions = [
    own.text,
    'in_inbox = 1',
    ...(asked.isUnread ? ['read_at IS NULL'] : []),
    ...(asked.kinds === null ? [] : ['kind IN (SELECT value FROM json_each(?))']),
    ...(asked.before === null ? [] : ['id < ?']),
  ];
  const values = [
    ...own.values,
    ...(asked.kinds === null ? [] : [JSON.stringify(asked.kinds)]),
    ...(asked.before === null ? [] : [asked.before]),
  ];
  const index = asked.isUnread ? 'notifications_unread' : 'notifications_by_agent';
  return selectFrom(
    notifications,
    `INDEXED BY ${index} WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT ?`,
  ).all(tx, ...values, limit);
}

/** Also one that is not in the inbox. */
export function notificationFor(tx: Tx, reader: Reader, id: number): Notification | undefined {
  const own = ofReader(reader);
  return selectFrom(notifications, `WHERE id = ? AND ${own.text}`).get(tx, id, ...own.values);
}

/** Counts no further than this. */
export const mostCounted = 1000;

/** How many are unread, and the newest of them: together they differ after every change. */
export function unreadOf(tx: Tx, reader: Reader): { unread: number; newestId: number } {
  const own = ofReader(reader);
  const found = query<{ unread: number; newestId: number | null }>(
    tx,
    `SELECT count(*) AS unread, max(id) AS newestId FROM (SELECT id FROM notifications INDEXED BY notifications_unread
       WHERE read_at IS NULL AND in_inbox = 1 AND ${own.text} ORDER BY id DESC LIMIT ${mostCounted})`,
  ).get(...own.values);
  return { unread: found?.unread ?? 0, newestId: found?.newestId ?? 0 };
}

export const hasUnreadOfSite = statement(
  'SELECT 1 FROM notifications INDEXED BY notifications_unread WHERE read_at IS NULL AND agent_id = ? AND kind = ? AND site_id IS ? LIMIT 1',
).has<[agentId: number, kind: NotificationKind, siteId: number | null]>;

/** So that reading the ticket that it is merged into reads them. */
export const moveUnread = statement('UPDATE notifications SET ticket_id = ?2 WHERE ticket_id = ?1 AND read_at IS NULL')
  .run<[sourceId: number, targetId: number]>;

/** Those of what happened on the source. */
export const moveUnreadBack = statement(
  `UPDATE notifications SET ticket_id = ?1 WHERE ticket_id = ?2 AND read_at IS NULL
   AND event_seq IN (SELECT seq FROM events WHERE ticket_id = ?1)`,
).run<[sourceId: number, targetId: number]>;

/** When the newest mail about a ticket leaves, or left. */
export const mailedAt = statement(
  `SELECT mail_at FROM notifications INDEXED BY notifications_by_ticket
   WHERE ticket_id = ? AND agent_id = ? AND mail_at IS NOT NULL ORDER BY id DESC LIMIT 1`,
).number<[ticketId: number, agentId: number]>;

/** Whether a mail leaves then. */
export const hasMailAt = statement('SELECT 1 FROM notifications WHERE agent_id = ? AND mail_at = ? LIMIT 1').has<
  [agentId: number, mailAt: Instant]
>;

const withMail = selectFrom(notifications, 'WHERE agent_id = ? AND mail_at = ? ORDER BY id DESC LIMIT 500');

/** What a mail tells, newest first, as far as the agent sees it by now. */
export function notificationsInMail(tx: Tx, { agentId, scope, isManager }: Reader, mailAt: Instant): Notification[] {
  const isAlarm = (kind: NotificationKind) => alarmKinds.some((one) => one === kind);
  return withMail
    .all(tx, agentId, mailAt)
    .filter(({ siteId }) => (siteId === null ? scope === 'all' : includesSite(scope, siteId)))
    .filter(({ kind }) => isManager || !isAlarm(kind));
}

/** Whose have come or been read since. */
export const agentsWithNews = statement(
  `SELECT DISTINCT agent_id FROM notifications WHERE id > ?
   UNION SELECT DISTINCT agent_id FROM notifications INDEXED BY notifications_read WHERE read_at >= ?`,
).column<number, [afterId: number, readSince: Instant]>;

export const newestMoments = statement(
  'SELECT coalesce((SELECT max(id) FROM notifications), 0) AS id, coalesce((SELECT max(read_at) FROM notifications), 0) AS readAt',
).get<{ id: number; readAt: Instant }>;

export const readNotifications = statement(
  'UPDATE notifications SET read_at = ? WHERE agent_id = ? AND read_at IS NULL AND id IN (SELECT value FROM json_each(?))',
).run<[at: Instant, agentId: number, ids: readonly number[]]>;

export const readOfTicket = statement(
  'UPDATE notifications SET read_at = ? WHERE read_at IS NULL AND agent_id = ? AND ticket_id = ?',
).run<[at: Instant, agentId: number, ticketId: number]>;

export const hasUnreadOfTicket = statement(
  'SELECT 1 FROM notifications WHERE read_at IS NULL AND agent_id = ? AND ticket_id = ? LIMIT 1',
).has<[agentId: number, ticketId: number]>;

/** Up to this one: what came since was not on the screen. */
export const readUpTo = statement(
  'UPDATE notifications SET read_at = ? WHERE read_at IS NULL AND agent_id = ? AND id <= ?',
).run<[at: Instant, agentId: number, id: number]>;

export const purgeNotifications = statement(
  `DELETE FROM notifications WHERE id IN (
     SELECT id FROM (SELECT id, created_at FROM notifications ORDER BY id LIMIT ?) WHERE created_at <= ?)`,
).run<[limit: number, before: Instant]>;
