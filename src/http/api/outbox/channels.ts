// The agent surface: webhook channels and their deliveries (docs/spec/api.md#webhook-channels).

import * as z from 'zod';
import { authorise } from '../../../desk/access.ts';
import { addChannel, channels, rotateSigningSecret } from '../../../desk/outbox/channels.ts';
import { materialOf } from '../../../desk/outbox/content.ts';
import {
  type LoggedDelivery,
  listChannelDeliveries,
  redeliver,
  redeliverFailed,
  testChannel,
} from '../../../desk/outbox/log.ts';
import { can } from '../../../domain/actor.ts';
import { invalid } from '../../../domain/errors.ts';
import {
  type ChannelChangeInput,
  type ChannelInput,
  channelChangeInput,
  channelInput,
  redeliverInput,
} from '../../../domain/input/channels.ts';
import { rotateInput } from '../../../domain/input/sites.ts';
import { deliveryStatuses } from '../../../domain/outbox/delivery.ts';
import type { Tx } from '../../../engine/database.ts';
import { answered, type Call, type Operation, operation } from '../../operation.ts';
import { channelShape, deliveryShape, presentChannel, presentDelivery } from '../../wire/outbox/channel.ts';
import { pageOf, paging } from '../../wire/queries.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { visible } from '../../write-only-answer.ts';
import { pageReply } from '../lists.ts';
import { idOf, siteName } from '../parameters.ts';
import { catalogueOperations } from '../sites/catalogue.ts';

const managing = { tag: 'Webhook channels', access: 'team', ability: 'manage', isShortWithoutRead: true } as const;

/** 422 for a URL whose host is neither public nor allowed by name. Each connection is checked again. */
async function requireAllowedDestination(call: Call<unknown, ChannelInput | ChannelChangeInput>): Promise<void> {
  const { webhook_url: url } = call.body;
  authorise(call.ctx, 'manage');
  const reason = url === undefined ? null : await call.edge.refuseDestination(url);
  if (reason !== null) throw invalid('webhook_url', `is refused: ${reason}.`);
}

const channelId = (call: Call) => idOf(call, 'webhook channel');

function shown(call: Call, tx: Tx, logged: LoggedDelivery) {
  const material = materialOf(tx, call.ctx, logged.delivery);
  const body = material && call.edge.requestBodyOf(material);
  return visible(call, presentDelivery(logged, material, body, can(call.actor, 'manage')));
}

const deliveriesQuery = z.object({ ...paging, status: z.enum(deliveryStatuses).optional() });

export const agentChannelOperations: readonly Operation[] = [
  ...catalogueOperations({
    path: 'webhook-channels',
    tag: 'Webhook channels',
    one: 'WebhookChannel',
    many: 'WebhookChannels',
    verbs: channels,
    input: channelInput,
    change: channelChangeInput,
    shape: channelShape,
    addedShape: z.object({ data: channelShape, signing_secret: z.string() }),
    present: (channel, _site, call) => presentChannel(channel, call.ctx.seal, can(call.actor, 'manage')),
    before: requireAllowedDestination,
    add: (call) =>
      call.commit((tx) => {
        const { channel, signingSecret } = addChannel(tx, call.ctx, siteName(call), call.body);
        return jsonReply(201, {
          data: { ...visible(call, presentChannel(channel, call.ctx.seal, true)), signing_secret: signingSecret },
          signing_secret: signingSecret,
        });
      }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/sites/{site}/webhook-channels/{id}/secret',
    id: 'rotateSigningSecret',
    ...managing,
    summary: 'Rotate the signing secret',
    description:
      'During the grace period, webhook-signature carries a signature by the new secret and one by the old. The other signature header uses only the new secret.',
    body: rotateInput,
    isBodyOptional: true,
    answer: answered(
      200,
      'The channel with its new secret',
      z.object({ data: channelShape, signing_secret: z.string() }),
    ),
    errors: [404, 409],
    handle(call) {
      const id = channelId(call);
      const grace = call.body.grace_minutes ?? null;
      return call.commit((tx) => {
        const { channel, signingSecret } = rotateSigningSecret(tx, call.ctx, siteName(call), id, grace);
        return jsonReply(200, {
          data: { ...visible(call, presentChannel(channel, call.ctx.seal, true)), signing_secret: signingSecret },
          signing_secret: signingSecret,
        });
      });
    },
  }),
  operation({
    method: 'GET',
    path: '/api/v1/sites/{site}/webhook-channels/{id}/deliveries',
    id: 'listDeliveries',
    tag: 'Webhook channels',
    summary: 'List deliveries',
    description: 'Newest first, with every attempt of the last 30 days.',
    access: 'team',
    ability: 'read',
    query: deliveriesQuery,
    answer: answered(200, 'One page', shapes.page(deliveryShape)),
    errors: [404],
    handle(call) {
      const asked = call.query;
      const page = pageOf(asked);
      const offset = (page.page - 1) * page.perPage;
      const name = siteName(call);
      const status = asked.status ?? null;
      const { rows, total } = call.edge.desk.read((tx) => {
        const found = listChannelDeliveries(tx, call.ctx, name, channelId(call), status, page.perPage, offset);
        return { rows: found.rows.map((logged) => shown(call, tx, logged)), total: found.total };
      });
      return pageReply(call, rows, page, total);
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/sites/{site}/webhook-channels/{id}/deliveries/{delivery}/redeliver',
    id: 'redeliver',
    ...managing,
    summary: 'Redeliver a delivery',
    answer: answered(200, 'The queued delivery', z.object({ message: z.string(), data: deliveryShape })),
    errors: [404, 409],
    write(tx, call) {
      const logged = redeliver(tx, call.ctx, siteName(call), channelId(call), call.params.delivery ?? '');
      return jsonReply(200, { message: 'Queued again.', data: shown(call, tx, logged) });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/sites/{site}/webhook-channels/{id}/redeliver',
    id: 'redeliverFailed',
    ...managing,
    summary: 'Redeliver what failed in a period',
    description:
      'All deliveries of events from since to until that failed for good. Their retries start from the beginning.',
    body: redeliverInput,
    answer: answered(200, 'How many are queued again', z.object({ data: z.object({ requeued: z.int() }) })),
    errors: [404],
    async handle(call) {
      const { since, until = call.ctx.now } = call.body;
      let requeued = 0;
      for (let afterId: number | null = 0; afterId !== null; ) {
        const after: number = afterId;
        const part = await call.commitPart(`after ${after}`, (tx) =>
          jsonReply(200, redeliverFailed(tx, call.ctx, siteName(call), channelId(call), { since, until }, after)),
        );
        if (part.status !== 200) return part;
        const some: ReturnType<typeof redeliverFailed> = JSON.parse(part.body);
        requeued += some.total;
        afterId = some.afterId;
      }
      return jsonReply(200, { data: { requeued } });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/sites/{site}/webhook-channels/{id}/test',
    id: 'testChannel',
    ...managing,
    summary: 'Send a test event',
    description: 'The desk makes one attempt, even when the channel is disabled. The delivery log shows the outcome.',
    answer: answered(201, 'The queued delivery', z.object({ message: z.string(), data: deliveryShape })),
    errors: [404, 409],
    write(tx, call) {
      const logged = testChannel(tx, call.ctx, siteName(call), channelId(call));
      return jsonReply(201, { message: 'Test queued.', data: shown(call, tx, logged) });
    },
  }),
];
