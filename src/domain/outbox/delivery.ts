// What follows an attempt to deliver: delivered, retried later, or failed for good (docs/spec/behaviour.md#outbox).

import { dayMs, hourMs, minuteMs } from '../instant.ts';

export const deliveryStatuses = ['queued', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** What a message shows of its own mail. `bounced`: accepted, and returned later. */
export const messageDeliveryStatuses = ['queued', 'sent', 'failed', 'bounced'] as const;
export type MessageDeliveryStatus = (typeof messageDeliveryStatuses)[number];

/** How a webhook attempt ended. `refused`: the address guard or the URL forbade it, and nothing was sent. */
export type WebhookAttempt =
  | { kind: 'answered'; status: number; retryAfter: string | null }
  | { kind: 'timed_out' }
  | { kind: 'unreachable' }
  | { kind: 'refused' };

/** `rejected`: with a three-digit code. `unreachable`: no connection or sign-in. `unsendable`: by no server. */
export type MailAttempt =
  | { kind: 'accepted' }
  | { kind: 'rejected'; code: number }
  | { kind: 'unreachable' }
  | { kind: 'unsendable' };

export const attemptOutcomes = ['delivered', 'retry', 'failed'] as const;

export type AttemptResult =
  | { outcome: 'delivered' }
  | { outcome: 'retry'; at: number }
  | { outcome: 'failed'; isGone: boolean };

export const defaultRetryDelaysMs: readonly number[] = [10_000, 60_000, 300_000];
const failuresUntilDisabled = 10;
export const longestRetryAfterMs = hourMs;

/** `attemptNumber` starts at 1; `random` is in [0, 1) and spreads the delay by 20 %. `Retry-After` can only postpone the retry. */
export function judgeWebhookAttempt(
  ended: WebhookAttempt,
  step: { attemptNumber: number; now: number; random: number; retryDelaysMs: readonly number[] },
): AttemptResult {
  if (ended.kind === 'answered' && ended.status >= 200 && ended.status < 300) return { outcome: 'delivered' };
  const isGone = ended.kind === 'answered' && ended.status === 410;
  const delayMs = step.retryDelaysMs[step.attemptNumber - 1];
  if (delayMs === undefined || !mayHelpToRepeat(ended)) return { outcome: 'failed', isGone };
  const askedMs = ended.kind === 'answered' ? parseRetryAfter(ended.retryAfter, step.now) : null;
  return { outcome: 'retry', at: step.now + Math.max(spread(delayMs, step.random), askedMs ?? 0) };
}

/** A push service has forgotten the browser: 410, and 404 where it never knew it. */
export function judgePushAttempt(
  ended: WebhookAttempt,
  step: Parameters<typeof judgeWebhookAttempt>[1],
): AttemptResult {
  const isForgotten = ended.kind === 'answered' && ended.status === 404;
  return isForgotten ? { outcome: 'failed', isGone: true } : judgeWebhookAttempt(ended, step);
}

function mayHelpToRepeat(ended: WebhookAttempt): boolean {
  if (ended.kind === 'refused') return false;
  if (ended.kind !== 'answered') return true;
  return ended.status >= 500 || ended.status === 408 || ended.status === 425 || ended.status === 429;
}

function spread(delayMs: number, random: number): number {
  return Math.round(delayMs * (0.8 + 0.4 * random));
}

// The three forms of an HTTP date (RFC 9110, 5.6.7). Date.parse would read "12 bananas" as a date in 2001.
const httpDate =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} |[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} )\d{2}:\d{2}:\d{2} GMT$/;
const asctimeDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** Milliseconds from 0 to an hour, or null when the header is neither seconds nor an HTTP date. */
export function parseRetryAfter(header: string | null, now: number): number | null {
  const value = header?.trim() ?? '';
  if (/^\d{1,15}$/.test(value)) return Math.min(Number(value) * 1000, longestRetryAfterMs);
  const isAsctime = asctimeDate.test(value);
  if (!isAsctime && !httpDate.test(value)) return null;
  const at = Date.parse(isAsctime ? `${value} GMT` : value.replace(/^\w+, (\d{2})-(\w{3})-(\d{2}) /, '$1 $2 20$3 '));
  return Number.isNaN(at) ? null : Math.min(Math.max(at - now, 0), longestRetryAfterMs);
}

export function countFailures(
  before: number,
  result: AttemptResult,
): { consecutiveFailures: number; isDisabling: boolean } {
  if (result.outcome === 'delivered') return { consecutiveFailures: 0, isDisabling: false };
  if (result.outcome === 'retry') return { consecutiveFailures: before, isDisabling: false };
  const consecutiveFailures = before + 1;
  return { consecutiveFailures, isDisabling: result.isGone || consecutiveFailures >= failuresUntilDisabled };
}

const mailRetryDelaysMs = [1, 5, 15, 30, 60, 120, 240, 480].map((minutes) => minutes * minuteMs);
export const mailGivesUpAfterMs = dayMs;

/** 5xx is final. Anything else is retried with growing gaps, for the last time a day after `firstTriedAt`. */
export function judgeMailAttempt(
  ended: MailAttempt,
  step: { attemptNumber: number; firstTriedAt: number; now: number; random: number },
): AttemptResult {
  if (ended.kind === 'accepted') return { outcome: 'delivered' };
  const lastTryAt = step.firstTriedAt + mailGivesUpAfterMs;
  const isFinal = ended.kind === 'unsendable' || (ended.kind === 'rejected' && ended.code >= 500);
  if (isFinal || step.now >= lastTryAt) return { outcome: 'failed', isGone: false };
  const delayMs = mailRetryDelaysMs[Math.min(step.attemptNumber, mailRetryDelaysMs.length) - 1] ?? minuteMs;
  return { outcome: 'retry', at: Math.min(step.now + spread(delayMs, step.random), lastTryAt) };
}
