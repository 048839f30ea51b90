// What a customer says of the help that they got (docs/spec/customer.md#satisfaction).

import { dayMs, type Instant } from '../instant.ts';

export const ratings = ['good', 'bad'] as const;
export type Rating = (typeof ratings)[number];

export const satisfactionLimits = {
  commentCharacters: 2000,
  /** After it was given. */
  changeableDays: 14,
  /** Of one ticket, changes included: each is an event, and can be a webhook. */
  times: 20,
} as const;

/** By what the customer is asked: a mail for it, the reply that resolved the ticket, or the page on which they did so themselves. */
export type AskedBy = 'mail' | 'reply' | 'page';

/** Null: it was not given, so it can be. */
export function isRatingFinal(givenAt: Instant | null, now: Instant): boolean {
  return givenAt !== null && now >= givenAt + satisfactionLimits.changeableDays * dayMs;
}
