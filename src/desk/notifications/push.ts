// Pushes of notifications: queued with the row, and looked at again when they leave.

import { newUlid } from '../../base/ids.ts';
import { mayRing, type Preferences } from '../../domain/notifications/preferences.ts';
import type { Tx } from '../../engine/database.ts';
import { readDeskSettings } from '../../store/desk-settings.ts';
import type { Hearer } from '../../store/notifications/followers.ts';
import { type Notification, notificationFor } from '../../store/notifications/notifications.ts';
import { deleteDelivery, deliveryById, insertDelivery, updateDelivery } from '../../store/outbox/outbox.ts';
import {
  type PushSubscription,
  pushSubscriptionById,
  pushSubscriptionsOf,
  waitingPush,
} from '../../store/people/push-subscriptions.ts';
import { signedInById } from '../../store/people/sessions.ts';
import type { Context } from '../context.ts';
import { actorOf, canGoOn, ownAgent } from '../people/sessions.ts';
import { readerOf } from './inbox.ts';
import { ownPreferences } from './preferences.ts';

/** Who has the console open reads it first; and of several messages in this time only the newest is pushed. */
const holdMs = 3000;

export function isRingingNow(
  tx: Tx,
  ctx: Context,
  agent: Pick<Hearer['agent'], 'timeZone'>,
  preferences: Preferences,
  kind: Notification['kind'],
) {
  return mayRing(preferences, kind, ctx.now, agent.timeZone ?? readDeskSettings(tx).timeZone);
}

export function queuePushes(tx: Tx, ctx: Context, news: Omit<Notification, 'mailAt'>): void {
  const { id: notificationId, siteId, ticketId, eventSeq } = news;
  const sideMessage = news.payload.side_message_id;
  const payload = {
    notification_id: notificationId,
    ...(sideMessage === undefined ? {} : { side_message_id: sideMessage }),
  };
  for (const { id } of pushSubscriptionsOf(tx, news.agentId)) {
    const waiting = ticketId === null ? undefined : waitingPush(tx, ticketId, id, ctx.now);
    if (waiting !== undefined) updateDelivery(tx, waiting, { payload, eventSeq });
    else {
      const row = {
        ulid: newUlid(ctx.now),
        siteId,
        channelId: null,
        ticketId,
        eventSeq,
        event: 'push.notification',
      } as const;
      const rest = { payload, recipient: null, mailMessageId: null, createdAt: ctx.now, pushSubscriptionId: id };
      insertDelivery(tx, { ...row, ...rest }, holdMs);
    }
  }
}

/** Null when the agent has read it, no longer sees it, does not want it now, or is not signed in. */
export function pushedNotification(
  tx: Tx,
  ctx: Context,
  { sessionId }: PushSubscription,
  notificationId: number,
): Notification | null {
  const session = signedInById(tx, sessionId, ctx.now);
  const actor = session && actorOf(session);
  if (!actor || !canGoOn(tx, actor, ctx.now)) return null;
  const news = notificationFor(tx, readerOf(actor), notificationId);
  if (!news || news.readAt !== null) return null;
  const { preferences } = ownPreferences(tx, actor);
  return isRingingNow(tx, ctx, ownAgent(tx, actor), preferences, news.kind) ? news : null;
}

/** Whether the push is obsolete and can go. */
export function withdrawPush(tx: Tx, ctx: Context, id: number): boolean {
  const delivery = deliveryById(tx, id);
  const notificationId = delivery?.payload.notification_id;
  if (delivery?.pushSubscriptionId == null || notificationId === undefined) return false;
  const subscription = pushSubscriptionById(tx, delivery.pushSubscriptionId);
  if (subscription && pushedNotification(tx, ctx, subscription, notificationId) !== null) return false;
  deleteDelivery(tx, id);
  return true;
}
