// What becomes of mail that arrives, by name (docs/spec/behaviour.md#inbound-mail).

import { hourMs, minuteMs } from './instant.ts';

export const inboundOutcomes = [
  'ticket_created',
  'reply_added',
  'duplicate',
  'discarded',
  'forwarded',
  'ignored_auto_reply',
  'bounce_recorded',
  'held',
  'failed',
] as const;
export type InboundOutcome = (typeof inboundOutcomes)[number];

export const providerNames = ['postmark', 'mailgun', 'sendgrid', 'ses', 'cloudflare', 'raw'] as const;
export type ProviderName = (typeof providerNames)[number];

/** New tickets and reopenings by one address in an hour; what exceeds it is held. */
export const floodLimit = 10;
/** Days that the ledger keeps a row and its raw message: less for what a rule discarded. */
export const keptDays = { discarded: 30, other: 90 } as const;

/** A message that somebody has in hand is nobody else's for so long. */
export const filingMs = 2 * minuteMs;
/** Mail of a sender who writes too much waits so long for its turn at most; what would wait longer is held. */
export const longestTurnMs = hourMs;
const longestGapMs = hourMs;
/** About a day; what cannot be filed for so long is failed, and filed by a replay. */
const mostTries = 30;

/** How long to wait before the next try after so many: a minute, twice as long each time, an hour at most; null for no more. */
export function retryGapMs(tries: number): number | null {
  return tries >= mostTries ? null : Math.min(longestGapMs, minuteMs * 2 ** Math.max(0, tries - 1));
}

/** How the note of an automatic answer begins. */
export function automaticAnswerFrom(address: string): string {
  return `Automatic answer from ${address}:`;
}
