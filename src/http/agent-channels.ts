// The agent surface: webhook channels and inbound rules (api.md, Agent).

import * as z from 'zod';
import { addChannel, channels, rotateSigningSecret } from '../desk/channels.ts';
import { inboundRules } from '../desk/inbound-rules.ts';
import { can } from '../domain/actor.ts';
import { notFound } from '../domain/errors.ts';
import {
  type ChannelInput,
  channelChangeInput,
  channelInput,
  ruleChangeInput,
  ruleInput,
} from '../domain/input/channels.ts';
import { rotateInput } from '../domain/input/sites.ts';
import { catalogueOperations } from './agent-sites.ts';
import type { Operation } from './call.ts';
import { presentChannel, presentRule } from './present.ts';
import { jsonReply } from './respond.ts';
import * as shapes from './shapes.ts';

export const agentChannelOperations: readonly Operation[] = [
  ...catalogueOperations({
    path: 'webhook-channels',
    tag: 'Webhook channels',
    one: 'WebhookChannel',
    many: 'WebhookChannels',
    verbs: channels,
    input: channelInput,
    change: channelChangeInput,
    shape: shapes.channel,
    present: (channel, _site, call) => presentChannel(channel, can(call.actor, 'manage')),
    add: (call) =>
      call.commit((tx) => {
        const { channel, signingSecret } = addChannel(tx, call.ctx, call.params.site ?? '', call.body as ChannelInput);
        return jsonReply(201, {
          data: { ...presentChannel(channel, true), signing_secret: signingSecret },
          signing_secret: signingSecret,
        });
      }),
  }),
  {
    method: 'POST',
    path: '/api/v1/sites/{site}/webhook-channels/{id}/secret',
    id: 'rotateSigningSecret',
    tag: 'Webhook channels',
    summary: 'Turn over the signing secret',
    description: 'While the grace lasts, deliveries carry signatures of both secrets.',
    access: 'team',
    body: rotateInput,
    isBodyOptional: true,
    answer: {
      status: 200,
      description: 'The channel with its new secret',
      schema: z.object({ data: shapes.channel, signing_secret: z.string() }),
    },
    errors: [404, 409],
    handle(call) {
      const id = Number(call.params.id);
      if (!Number.isSafeInteger(id)) throw notFound('webhook channel');
      const grace = (call.body as z.output<typeof rotateInput>).grace_minutes ?? null;
      return call.commit((tx) => {
        const { channel, signingSecret } = rotateSigningSecret(tx, call.ctx, call.params.site ?? '', id, grace);
        return jsonReply(200, {
          data: { ...presentChannel(channel, true), signing_secret: signingSecret },
          signing_secret: signingSecret,
        });
      });
    },
  },
  ...catalogueOperations({
    path: 'inbound-rules',
    tag: 'Inbound rules',
    one: 'InboundRule',
    many: 'InboundRules',
    verbs: inboundRules,
    input: ruleInput,
    change: ruleChangeInput,
    shape: shapes.rule,
    present: presentRule,
  }),
];
