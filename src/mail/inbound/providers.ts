// Every inbound provider in one record, and the one function that reads what a provider posted.

import { DeskError } from '../../domain/errors.ts';
import type { ProviderName } from '../../domain/mail/inbound.ts';
import type { SenderChecks } from '../../domain/mail/sender-checks.ts';
import { mailLimits, malformed, tooMuch } from './limits.ts';
import type { InboundMessage } from './message.ts';

/** A request as it arrived or as the inbound log stored it: header names in lower case. */
export type InboundRequest = { headers: Readonly<Record<string, string | undefined>>; body: Uint8Array };

export type ReadOptions = {
  allowedTopicArns?: readonly string[];
  /** Fetches the PEM of an SNS signing certificate. The URL has been checked to be Amazon's. */
  fetchCertificate?: (url: string) => Promise<string>;
  /** The site's own mail servers (authserv-id), whose Authentication-Results can prove a raw message. */
  trustedServers?: readonly string[];
  /** What the desk found itself, where no server that is trusted has said it. */
  senderChecks?: SenderChecks | null;
  bodiesBytes?: number;
};

export type InboundDelivery =
  | { kind: 'message'; message: InboundMessage }
  /** SNS asks whether the topic can send here; a GET of `subscribeUrl`, which is Amazon's, confirms it. */
  | { kind: 'subscription'; topicArn: string; subscribeUrl: string }
  | { kind: 'ignored'; reason: string };

interface Provider {
  requestGrowth: number;
  /** What the desk answers beyond the rate limit: 429, or 503 to a provider that drops mail after any 4xx. */
  beyondRateLimit: 'rate_limited' | 'unavailable';
  read(request: InboundRequest, options: ReadOptions): Promise<InboundDelivery>;
  rawMessage(request: InboundRequest): Promise<Uint8Array | null>;
}

const asMessage = (message: InboundMessage): InboundDelivery => ({ kind: 'message', message });
// JSON and base64 make a message a third larger.
const usualGrowth = 1.5;

/** Readers are loaded with the first request of their provider. */
export const providers = {
  postmark: {
    // With its raw message included, a request has every attachment twice.
    requestGrowth: 3,
    beyondRateLimit: 'rate_limited',
    read: async (request) => asMessage(await (await import('./providers/postmark.ts')).readPostmark(request)),
    rawMessage: async (request) => (await import('./providers/postmark.ts')).rawInPostmark(request),
  },
  mailgun: {
    requestGrowth: usualGrowth,
    beyondRateLimit: 'rate_limited',
    read: async (request) => asMessage(await (await import('./providers/mailgun.ts')).readMailgun(request)),
    rawMessage: async (request) => (await import('./providers/mailgun.ts')).rawInMailgun(request),
  },
  sendgrid: {
    requestGrowth: usualGrowth,
    beyondRateLimit: 'unavailable',
    read: async (request) => asMessage(await (await import('./providers/sendgrid.ts')).readSendgrid(request)),
    rawMessage: async (request) => (await import('./providers/sendgrid.ts')).rawInSendgrid(request),
  },
  ses: {
    requestGrowth: usualGrowth,
    beyondRateLimit: 'rate_limited',
    read: async (request, options) => (await import('./providers/ses.ts')).readSns(request, options),
    rawMessage: async (request) => (await import('./providers/ses.ts')).rawInSns(request),
  },
  cloudflare: {
    requestGrowth: usualGrowth,
    beyondRateLimit: 'rate_limited',
    read: async (request, options) =>
      asMessage(await (await import('./providers/raw.ts')).readRaw('cloudflare', request, options)),
    rawMessage: async ({ body }) => body,
  },
  raw: {
    requestGrowth: usualGrowth,
    beyondRateLimit: 'rate_limited',
    read: async (request, options) =>
      asMessage(await (await import('./providers/raw.ts')).readRaw('raw', request, options)),
    rawMessage: async ({ body }) => body,
  },
} satisfies Record<ProviderName, Provider>;

export function requestBytesOf(provider: ProviderName): number {
  return Math.round(providers[provider].requestGrowth * mailLimits.messageBytes);
}

/** docs/spec/api.md#inbound-mail. Throws MailRefusal, or `unavailable` when the SNS certificate cannot be fetched. */
export async function readInbound(
  provider: ProviderName,
  request: InboundRequest,
  options: ReadOptions = {},
): Promise<InboundDelivery> {
  if (request.body.byteLength === 0) throw malformed('The request has no body.');
  if (request.body.byteLength > requestBytesOf(provider))
    throw tooMuch('message_too_large', 'The request is larger than a 25 MB message needs.');
  try {
    return await (providers[provider] as Provider).read(request, options);
  } catch (error) {
    if (error instanceof DeskError) throw error;
    throw malformed('The request could not be read.');
  }
}
