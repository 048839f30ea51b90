// What the desk tells the owners of a mailbox: it is not read, or what it needs ends soon (docs/spec/mailboxes.md#alarms).

import { dayMs, hourMs, type Instant } from '../instant.ts';

/** What a mailbox needs and that ends on a known day. */
export const expiring = ['incoming_certificate', 'outgoing_certificate', 'client_secret', 'consent'] as const;
export type Expiring = (typeof expiring)[number];

/** They end when the mailbox is read again. */
export const readingAlarms = ['failing', 'refused', 'consent_needed'] as const;

export const mailboxAlarms = [...readingAlarms, 'canary', 'missing_mail', 'quiet', ...expiring] as const;
export type MailboxAlarm = (typeof mailboxAlarms)[number];

/** Servers restart, and networks break: an hour or two is not a reason to wake someone. */
export const failingToldMs = 2 * hourMs;

export interface Expiry {
  of: Expiring;
  at: Instant;
  /** From when on it is counted down. */
  warnAt: Instant;
}

const secretWarnMs = 30 * dayMs;
const longestCertificateWarnMs = 14 * dayMs;

export const secretExpiry = (at: Instant): Expiry => ({ of: 'client_secret', at, warnAt: at - secretWarnMs });

/** Servers renew theirs by themselves, with a third of the term left. One that has less than a quarter was forgotten. */
export function certificateExpiry(of: Expiring, { from, until }: { from: Instant; until: Instant }): Expiry {
  return { of, at: until, warnAt: until - Math.min(longestCertificateWarnMs, Math.max(0, (until - from) / 4)) };
}

// Those that are renewed with each token are never near their end, unless the desk stands still for long.
const leastConsentMs = 2 * dayMs;

/** Null: it is too short to count down. */
export function consentExpiry({ from, until }: { from: Instant; until: Instant }): Expiry | null {
  const termMs = until - from;
  if (termMs < leastConsentMs) return null;
  return { of: 'consent', at: until, warnAt: until - Math.min(secretWarnMs, termMs / 4) };
}

export const daysLeft = ({ at }: Expiry, now: Instant): number => Math.max(0, Math.ceil((at - now) / dayMs));

/** When the owners are told again. */
const toldAgainDays = [0, 1, 7];

/** Null while it is too early. Otherwise another number each time that the owners are to be told. */
export function countdownStep(expiry: Expiry, now: Instant): number | null {
  if (now < expiry.warnAt) return null;
  return toldAgainDays.find((days) => daysLeft(expiry, now) <= days) ?? 30;
}

const named: Readonly<Record<Expiring, string>> = {
  incoming_certificate: 'The certificate of its server for reading',
  outgoing_certificate: 'The certificate of its server for sending',
  client_secret: "The secret of the desk's app at its provider",
  consent: 'The consent at its provider',
};

export function expiryInWords(expiry: Expiry, now: Instant): string {
  const days = daysLeft(expiry, now);
  const date = new Date(expiry.at).toISOString().slice(0, 10);
  if (expiry.at <= now) return `${named[expiry.of]} ended on ${date}.`;
  return `${named[expiry.of]} ends on ${date}, in ${days === 1 ? '1 day' : `${days} days`}.`;
}

/** What each alarm is called in a subject or a chat. */
export const alarmTitles: Readonly<Record<MailboxAlarm, string>> = {
  failing: 'Mailbox not read',
  refused: 'Mailbox not read',
  consent_needed: 'Mailbox not read',
  canary: 'Mail does not come back',
  missing_mail: 'Mail was missing',
  quiet: 'No mail for long',
  incoming_certificate: 'Certificate ends',
  outgoing_certificate: 'Certificate ends',
  client_secret: 'Secret ends',
  consent: 'Consent ends',
};

/** Once a day, the messages of so long in the folder are compared with what the desk has. */
export const countEveryMs = dayMs;
export const countedMs = 7 * dayMs;

const weekMs = 7 * dayMs;
const comparedWeeks = 4;
// Pauses vary: with less, a healthy mailbox would be called quiet every few days.
const shortestQuietMs = hourMs;
const quietFactor = 2;

/** This hour of the week, in each of the last four weeks. */
export function sameHours(now: Instant): { from: Instant; until: Instant }[] {
  const hour = now - (now % hourMs);
  return Array.from({ length: comparedWeeks }, (_, week) => {
    const from = hour - (week + 1) * weekMs;
    return { from, until: from + hourMs };
  });
}

/** @param pauses the longest at each of these hours; null where nothing is known */
export function isQuiet(pauseMs: number, pauses: readonly (number | null)[]): boolean {
  if (pauseMs < shortestQuietMs) return false;
  return pauses.every((usual) => usual !== null && pauseMs > quietFactor * usual);
}
