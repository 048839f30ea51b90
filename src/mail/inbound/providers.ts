// One door for every provider's request: who sends what, and the one message that comes out.

import { isAddress } from '../../domain/address.ts';
import { DeskError } from '../../domain/errors.ts';
import type { ProviderName } from '../../domain/inbound.ts';
import { authenticationResults, spamScoreOf, verdictOf } from './authentication.ts';
import { mailLimits, malformed, requestBytesOf, tooMuch } from './limits.ts';
import type { InboundMessage } from './message.ts';
import { parseMail } from './parse.ts';
import { readMailgun } from './providers/mailgun.ts';
import { readPostmark } from './providers/postmark.ts';
import { readSendgrid } from './providers/sendgrid.ts';
import { readSns } from './providers/ses.ts';

/** A request as it arrived, or as the ledger kept it: header names in lower case. */
export type InboundRequest = { headers: Readonly<Record<string, string | undefined>>; body: Uint8Array };

export type ReadOptions = {
  /** SNS topics that this site takes mail from; none means none. */
  allowedTopicArns?: readonly string[];
  /** Gets the PEM of an SNS signing certificate. The address has been checked to be one of Amazon's. */
  fetchCertificate?: (url: string) => Promise<string>;
  /** Names (authserv-id) of the site's own mail servers whose Authentication-Results a raw message may prove itself with. */
  trustedServers?: readonly string[];
  /** Of a raw message; see ParseOptions. */
  bodiesBytes?: number;
};

export type InboundDelivery =
  | { kind: 'message'; message: InboundMessage }
  /** SNS asks whether the topic may send here; GET subscribeUrl (checked to be Amazon's) says yes. */
  | { kind: 'subscription'; topicArn: string; subscribeUrl: string }
  | { kind: 'ignored'; reason: string };

/** Reads what a provider posted (docs/spec/api.md#inbound-mail). Throws MailRefusal, or `unavailable` where SNS could not be asked. */
export async function readInbound(
  provider: ProviderName,
  request: InboundRequest,
  options: ReadOptions = {},
): Promise<InboundDelivery> {
  if (request.body.byteLength === 0) throw malformed('The request has no body.');
  if (request.body.byteLength > requestBytesOf(provider))
    throw tooMuch('message_too_large', 'The request is larger than a 25 MB message needs.');
  try {
    if (provider === 'postmark') return asMessage(await readPostmark(request));
    if (provider === 'mailgun') return asMessage(await readMailgun(request));
    if (provider === 'sendgrid') return asMessage(await readSendgrid(request));
    if (provider === 'ses') return await readSns(request, options);
    return asMessage(await readRaw(provider, request, options));
  } catch (error) {
    if (error instanceof DeskError) throw error;
    throw malformed('The request could not be read.');
  }
}

function asMessage(message: InboundMessage): InboundDelivery {
  return { kind: 'message', message };
}

/**
 * The body is the message itself. Whoever posts it (a Cloudflare worker, a local mail server) tells the SMTP dialogue in
 * X-Envelope-From (empty or <> for the empty return path, or what Postfix
 * writes instead: MAILER-DAEMON) and X-Envelope-To (comma separated).
 */
async function readRaw(
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
