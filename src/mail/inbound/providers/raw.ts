// A raw message as the request's body, from a Cloudflare worker or a local mail server.

import { provenBy, spamScoreOf } from '../authentication.ts';
import { envelopeIn } from '../envelope.ts';
import type { InboundMessage } from '../message.ts';
import { parseMail } from '../parse.ts';
import type { InboundRequest, ReadOptions } from '../providers.ts';

export async function readRaw(
  provider: 'cloudflare' | 'raw',
  request: InboundRequest,
  options: ReadOptions,
): Promise<InboundMessage> {
  const message = await parseMail(request.body, {
    provider,
    envelope: envelopeIn(request.headers),
    ...(options.bodiesBytes === undefined ? {} : { bodiesBytes: options.bodiesBytes }),
  });
  message.spamScore = spamScoreOf(message);
  Object.assign(message, provenBy(message, options));
  return message;
}
