// Mail that arrives: its outcomes, its providers and its limits (docs/spec/behaviour.md#inbound-mail).

import { hourMs, minuteMs } from '../instant.ts';

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

/** Why mail waits for a decision. `other`: someone put it back, or an old export does not say. */
export const heldReasons = ['spam', 'forged', 'too_much', 'undeliverable', 'forward_bounces', 'form', 'other'] as const;
export type HeldFor = (typeof heldReasons)[number];

/** What became of a message, or will. */
export type Fate = { outcome: Exclude<InboundOutcome, 'held'>; heldFor?: null } | { outcome: 'held'; heldFor: HeldFor };

export const held = (heldFor: HeldFor, reason: string) => ({ outcome: 'held', heldFor, reason }) as const;

/** `received` until it is filed, or will never be. */
export const inboundStatuses = ['received', 'done'] as const;
export type InboundStatus = (typeof inboundStatuses)[number];

export const providerNames = ['postmark', 'mailgun', 'sendgrid', 'ses', 'cloudflare', 'raw'] as const;
export type ProviderName = (typeof providerNames)[number];

/** What the inbound log has rows of: mail, and forms that wait for an agent. */
export const inboundOrigins = [...providerNames, 'form'] as const;
export type InboundOrigin = (typeof inboundOrigins)[number];

/** A form has no message behind it that could be read or forwarded. */
export function providerOf({ provider }: { provider: InboundOrigin }): ProviderName {
  if (provider === 'form') throw new Error('a form has no stored request');
  return provider;
}

export const floodLimit = 10;
export const keptDays = { discarded: 30, other: 90 } as const;

export const filingMs = 2 * minuteMs;
export const longestTurnMs = hourMs;
const longestGapMs = hourMs;
const mostTries = 30;

export function retryGapMs(tries: number): number | null {
  return tries >= mostTries ? null : Math.min(longestGapMs, minuteMs * 2 ** Math.max(0, tries - 1));
}

export function automaticAnswerFrom(address: string): string {
  return `Automatic answer from ${address}:`;
}
