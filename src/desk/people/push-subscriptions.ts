// The browsers that an agent lets the desk push to (docs/spec/push.md).

import { newUlid } from '../../base/ids.ts';
import { isPublicKey } from '../../base/push-keys.ts';
import type { AgentActor } from '../../domain/actor.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import type { PushSubscriptionInput, PushTarget } from '../../domain/input/push.ts';
import type { Tx } from '../../engine/database.ts';
import { insertDelivery } from '../../store/outbox/outbox.ts';
import {
  deletePushSubscription,
  insertPushSubscription,
  type PushSubscription,
  pushSubscriptionById,
  pushSubscriptionsOf,
  replacePushSubscription,
} from '../../store/people/push-subscriptions.ts';
import type { Context } from '../context.ts';

// A script that signs in again and again must not multiply what each notification sends.
const mostSubscriptions = 20;

/** Instead of what this session had. */
export function addPushSubscription(
  tx: Tx,
  ctx: Context,
  actor: AgentActor,
  { endpoint, keys }: PushSubscriptionInput,
): PushSubscription {
  if (!isPublicKey(keys.p256dh)) throw invalid('keys.p256dh', 'must be a point of the curve P-256.');
  const endpointHash = ctx.seal.fingerprint('push endpoint', endpoint);
  replacePushSubscription(tx, actor.sessionId, endpointHash);
  for (const { id } of pushSubscriptionsOf(tx, actor.agentId).slice(mostSubscriptions - 1))
    deletePushSubscription(tx, id);
  const target: PushTarget = { endpoint, p256dh: keys.p256dh, auth: keys.auth };
  const id = insertPushSubscription(tx, {
    agentId: actor.agentId,
    sessionId: actor.sessionId,
    endpointHash,
    targetSealed: ctx.seal.seal(JSON.stringify(target)),
    lastDeliveredAt: null,
    lastError: null,
    createdAt: ctx.now,
  });
  const added = pushSubscriptionById(tx, id);
  if (!added) throw new Error('a new push subscription is not there');
  return added;
}

function ownSubscription(tx: Tx, { agentId }: AgentActor, id: number): PushSubscription {
  const subscription = pushSubscriptionById(tx, id);
  if (subscription?.agentId !== agentId) throw notFound('push subscription');
  return subscription;
}

export function removePushSubscription(tx: Tx, actor: AgentActor, id: number): void {
  deletePushSubscription(tx, ownSubscription(tx, actor, id).id);
}

export function testPushSubscription(tx: Tx, ctx: Context, actor: AgentActor, id: number): void {
  insertDelivery(tx, {
    ulid: newUlid(ctx.now),
    siteId: null,
    channelId: null,
    ticketId: null,
    eventSeq: null,
    event: 'push.test',
    payload: {},
    recipient: null,
    mailMessageId: null,
    createdAt: ctx.now,
    pushSubscriptionId: ownSubscription(tx, actor, id).id,
  });
}
