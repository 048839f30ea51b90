// A raw message as the request's body, from a Cloudflare worker or a local mail server.

import { isAddress } from '../../../domain/address.ts';
import { authenticationResults, spamScoreOf, verdictOf } from '../authentication.ts';
import { mailLimits } from '../limits.ts';
import type { InboundMessage } from '../message.ts';
import { parseMail } from '../parse.ts';
import type { InboundRequest, ReadOptions } from '../providers.ts';

/** X-Envelope-From (empty, <> or MAILER-DAEMON for the empty return path) and X-Envelope-To give the SMTP envelope. */
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
  message.verdict = verdictOf(message, authenticationResults(message, options.trustedServers));
  return message;
}

function envelopeIn(headers: InboundRequest['headers']): { from?: string | null; to: string[] } {
  const from = headers['x-envelope-from']
    ?.replace(/[<>]/g, '')
    .trim()
    .replace(/^MAILER-DAEMON$/i, '');
  const to = (headers['x-envelope-to'] ?? '').split(/[,\s<>]+/).filter(isAddress);
  return {
    from: from === undefined || !(from === '' || isAddress(from)) ? null : from,
    to: to.slice(0, mailLimits.addresses),
  };
}
