// The browsers that the agent lets the desk push to (docs/spec/push.md).

import * as z from 'zod';
import { pushKeysOf } from '../../../base/push-keys.ts';
import {
  addPushSubscription,
  removePushSubscription,
  testPushSubscription,
} from '../../../desk/people/push-subscriptions.ts';
import type { AgentActor } from '../../../domain/actor.ts';
import { invalid } from '../../../domain/errors.ts';
import { pushSubscriptionInput } from '../../../domain/input/push.ts';
import type { Tx } from '../../../engine/database.ts';
import { type PushSubscription, pushSubscriptionsOf } from '../../../store/people/push-subscriptions.ts';
import { sessionsOfAgent } from '../../../store/people/sessions.ts';
import { answered, type Operation, operation } from '../../operation.ts';
import { ownActor } from '../../session-call.ts';
import { presentPushSubscription, pushSubscriptionShape } from '../../wire/people/push-subscription.ts';
import { emptyReply, jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { idOf } from '../parameters.ts';

const tag = 'Own account';
const path = '/api/v1/me/push-subscriptions';

function present(tx: Tx, { agentId, sessionId }: AgentActor, subscriptions: readonly PushSubscription[]) {
  const sessions = new Map(sessionsOfAgent(tx, agentId).map((one) => [one.id, one]));
  return subscriptions.flatMap((one) => {
    const session = sessions.get(one.sessionId);
    return session === undefined ? [] : [presentPushSubscription(one, session, sessionId)];
  });
}

export const pushSubscriptionOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path,
    id: 'listPushSubscriptions',
    tag,
    summary: 'List the browsers that get your notifications',
    access: 'session',
    answer: answered(
      200,
      'Newest first',
      z.object({
        data: z.array(pushSubscriptionShape),
        public_key: z
          .string()
          .meta({ description: "The desk's key: `applicationServerKey` of `pushManager.subscribe`." }),
      }),
    ),
    read: (tx, call) =>
      jsonReply(200, {
        data: present(tx, ownActor(call), pushSubscriptionsOf(tx, ownActor(call).agentId)),
        public_key: pushKeysOf(call.ctx.seal).publicKey.toString('base64url'),
      }),
  }),
  operation({
    method: 'POST',
    path,
    id: 'addPushSubscription',
    tag,
    summary: 'Let the desk push to this browser',
    description:
      'Takes what `pushManager.subscribe` gives, as JSON. It replaces what this session had, ends with the session, and with the 21st of an agent the oldest goes.',
    access: 'session',
    body: pushSubscriptionInput,
    answer: answered(201, 'The subscription', shapes.one(pushSubscriptionShape)),
    async handle(call) {
      const reason = await call.edge.refuseDestination(call.body.endpoint);
      if (reason !== null) throw invalid('endpoint', `is refused: ${reason}.`);
      return call.commit((tx) => {
        const added = addPushSubscription(tx, call.ctx, ownActor(call), call.body);
        return jsonReply(201, { data: present(tx, ownActor(call), [added])[0] });
      });
    },
  }),
  operation({
    method: 'DELETE',
    path: `${path}/{id}`,
    id: 'removePushSubscription',
    tag,
    summary: 'Stop pushing to a browser',
    access: 'session',
    answer: answered(204, 'Removed', null),
    errors: [404],
    handle(call) {
      const id = idOf(call, 'push subscription');
      return call.commit((tx) => {
        removePushSubscription(tx, ownActor(call), id);
        return emptyReply(204);
      });
    },
  }),
  operation({
    method: 'POST',
    path: `${path}/{id}/test`,
    id: 'testPushSubscription',
    tag,
    summary: 'Push an example to a browser',
    description: 'The list of subscriptions says afterwards whether it arrived.',
    access: 'session',
    answer: answered(202, 'Queued', null),
    errors: [404],
    handle(call) {
      const id = idOf(call, 'push subscription');
      return call.commit((tx) => {
        testPushSubscription(tx, call.ctx, ownActor(call), id);
        return emptyReply(202);
      });
    },
  }),
];
