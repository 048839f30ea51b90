// What becomes of mail that arrives, by name (semantics.md, Inbound mail).

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
