// What a push is made of, read when it leaves, and what follows an attempt.

import { DeskError } from '../../domain/errors.ts';
import type { PushTarget } from '../../domain/input/push.ts';
import type { AttemptResult } from '../../domain/outbox/delivery.ts';
import type { Locale } from '../../domain/people/preferences.ts';
import type { Tx } from '../../engine/database.ts';
import { readDeskSettings } from '../../store/desk-settings.ts';
import type { Notification } from '../../store/notifications/notifications.ts';
import { type Delivery, deleteDelivery, updateDelivery } from '../../store/outbox/outbox.ts';
import { agentById } from '../../store/people/agents.ts';
import {
  deletePushSubscription,
  pushSubscriptionById,
  updatePushSubscription,
} from '../../store/people/push-subscriptions.ts';
import { signedInById } from '../../store/people/sessions.ts';
import type { Context } from '../context.ts';
import { pushedNotification } from '../notifications/push.ts';

export interface PushMaterial {
  target: PushTarget;
  locale: Locale;
  /** Null: a test. */
  news: Notification | null;
  /** Whether it may say what the ticket is about and who wrote. */
  hasContent: boolean;
}

/** Null for another kind of delivery. */
export function pushOf(tx: Tx, ctx: Context, delivery: Delivery): PushMaterial | null {
  if (delivery.pushSubscriptionId === null) return null;
  const subscription = pushSubscriptionById(tx, delivery.pushSubscriptionId);
  const session = subscription && signedInById(tx, subscription.sessionId, ctx.now);
  if (!session) throw new DeskError('not_found', 'The session of this browser has ended.');
  const { notification_id: notificationId } = delivery.payload;
  const news = notificationId === undefined ? null : pushedNotification(tx, ctx, subscription, notificationId);
  if (news === null && delivery.event !== 'push.test')
    throw new DeskError('not_found', 'There is no reason to push this any more.');
  const desk = readDeskSettings(tx);
  return {
    target: JSON.parse(ctx.seal.open(subscription.targetSealed)) as PushTarget,
    locale: agentById(tx, session.agentId)?.locale ?? desk.locale,
    news,
    hasContent: desk.pushContent,
  };
}

/** A push is kept until it has arrived or been given up: what came of the last one stands at its browser. */
export function recordPush(
  tx: Tx,
  ctx: Context,
  delivery: Delivery,
  subscriptionId: number,
  result: AttemptResult,
  lastError: string | null,
): void {
  if (result.outcome === 'failed' && result.isGone) {
    deletePushSubscription(tx, subscriptionId);
    return;
  }
  updatePushSubscription(tx, subscriptionId, {
    lastError,
    ...(lastError === null ? { lastDeliveredAt: ctx.now } : {}),
  });
  if (result.outcome !== 'retry') {
    deleteDelivery(tx, delivery.id);
    return;
  }
  updateDelivery(tx, delivery.id, {
    attempts: delivery.attempts + 1,
    tries: delivery.tries + 1,
    firstTriedAt: delivery.firstTriedAt ?? ctx.now,
    nextAt: result.at,
    claimedUntil: 0,
    claimedBy: null,
    lastError,
  });
}
