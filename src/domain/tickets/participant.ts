// People beside its author who take part in a ticket, and who a mail from it goes to (docs/spec/conversations.md#participants).

import type { MessageDeliveryStatus } from '../outbox/delivery.ts';

export const participantLimits = {
  /** On one ticket. Mail can name hundreds of addresses. */
  onTicket: 30,
  /** That an application names when it opens a ticket. */
  byApplication: 10,
  /** Of one reply, beside the author. */
  ofReply: 30,
} as const;

/** Who wrote a customer's message: `other` is someone who is not on the ticket. */
export const authorRoles = ['author', 'participant', 'other'] as const;
export type AuthorRole = (typeof authorRoles)[number];

/** An address in its stored form. */
export interface Addressee {
  email: string;
  name: string | null;
}

/** What an event says of people on a ticket; `paused` are those whose mail came back. */
export const participantChanges = ['added', 'back', 'removed', 'paused'] as const;
export type ParticipantChange = (typeof participantChanges)[number];

/** Each address once, in its first place. */
export function eachOnce<Person extends { email: string }>(people: readonly Person[]): Person[] {
  const first = new Map<string, Person>();
  for (const person of people) if (!first.has(person.email)) first.set(person.email, person);
  return [...first.values()];
}

export const recipientFields = ['to', 'cc', 'bcc'] as const;

/** Someone to whom a reply goes. */
export interface Recipient extends Addressee {
  as: (typeof recipientFields)[number];
  /** The author of the ticket, whose address can change. */
  isAuthor?: true;
}

/** With what became of the mail to them. */
export interface MailedRecipient extends Recipient {
  status: MessageDeliveryStatus;
  at: string;
  error: string | null;
}

/** Why the desk itself does not mail someone. The message keeps the English text; programs and the console read it again as a code. */
export const notMailed = {
  removed: 'They were removed from the ticket before this mail left.',
  became_agent: 'They became an agent of the site before this mail left.',
  own_address: 'It is an address of this desk, where mail comes in.',
  bounced_before: 'Earlier mail to this address bounced.',
  was_queued: 'The mail was still queued when the site was exported.',
} as const;
export type NotMailed = keyof typeof notMailed;
export const notMailedCodes = Object.keys(notMailed) as [NotMailed, ...NotMailed[]];

/** Null for the words of a mail server. */
export const notMailedIn = (error: string | null): NotMailed | null =>
  notMailedCodes.find((code) => notMailed[code] === error) ?? null;

/** Who reads a mail with these recipients: all in To and Cc who get it, or have got it. */
export function readersOf(recipients: readonly MailedRecipient[]): MailedRecipient[] {
  return recipients.filter(({ as, status }) => as !== 'bcc' && (status === 'queued' || status === 'sent'));
}

const fromWorst: readonly MessageDeliveryStatus[] = ['failed', 'bounced', 'queued', 'sent'];

/** What became of a reply as a whole: the worst of what became of it for anyone. */
export function deliveryOf(
  recipients: readonly MailedRecipient[],
): Pick<MailedRecipient, 'status' | 'at' | 'error'> | null {
  const rank = ({ status }: MailedRecipient) => fromWorst.indexOf(status);
  const [worst] = recipients.toSorted((one, other) => rank(one) - rank(other));
  if (worst === undefined) return null;
  const { status, error, email } = worst;
  const at =
    recipients
      .map((one) => one.at)
      .sort()
      .at(-1) ?? worst.at;
  return { status, at, error: error === null || recipients.length === 1 ? error : `${email}: ${error}` };
}
