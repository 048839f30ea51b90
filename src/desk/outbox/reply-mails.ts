// The mails of a reply: one for everyone in To and Cc, and a copy for each in Bcc (docs/spec/conversations.md#replies).

import { toWire } from '../../base/clock.ts';
import { isAnonymisedEmail } from '../../domain/customers/author.ts';
import { normaliseEmail } from '../../domain/mail/address.ts';
import type { AttemptResult, MessageDeliveryStatus } from '../../domain/outbox/delivery.ts';
import {
  deliveryOf,
  type MailedRecipient,
  notMailed,
  type Recipient,
  readersOf,
} from '../../domain/tickets/participant.ts';
import type { Tx } from '../../engine/database.ts';
import { isSuppressed } from '../../store/mail/suppressions.ts';
import type { Delivery } from '../../store/outbox/outbox.ts';
import { messageById, updateMessage } from '../../store/tickets/messages.ts';
import { type Absence, participantsOf } from '../../store/tickets/participants.ts';
import type { Ticket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { isOwnAddress } from '../mail/own-address.ts';
import { queueMail } from './queue-mail.ts';

export function asQueued(ctx: Context, recipients: readonly Recipient[]): MailedRecipient[] {
  return recipients.map((one) => ({ ...one, status: 'queued', at: toWire(ctx.now), error: null }));
}

export function noteRecipients(tx: Tx, messageId: number, recipients: MailedRecipient[]): void {
  updateMessage(tx, messageId, { recipients, delivery: deliveryOf(recipients) });
}

const whyLeftOut: Record<Absence, string> = {
  removed: notMailed.removed,
  agent: notMailed.became_agent,
  'own address': notMailed.own_address,
};

/** For those who are queued. An address whose mail came back is left out, and the message says so at once. */
export function queueReply(
  tx: Tx,
  ctx: Context,
  ticket: Pick<Ticket, 'id' | 'siteId'>,
  seq: number,
  message: { id: number; recipients: readonly MailedRecipient[] },
): void {
  const told = message.recipients.map((one): MailedRecipient => {
    if (one.status !== 'queued') return one;
    if (isOwnAddress(tx, ctx, one.email)) return { ...one, status: 'failed', error: notMailed.own_address };
    return isSuppressed(tx, ticket.siteId, one.email)
      ? { ...one, status: 'bounced', error: notMailed.bounced_before }
      : one;
  });
  noteRecipients(tx, message.id, told);
  const due = told.filter(({ status }) => status === 'queued');
  const [first] = due.filter(({ as }) => as !== 'bcc');
  const link = isToAuthorAlone(told) ? 'mail' : 'shared';
  const queue = (event: 'mail.agent_reply' | 'mail.reply_copy', to: MailedRecipient) =>
    queueMail(
      tx,
      ctx,
      ticket.siteId,
      ticket.id,
      seq,
      event,
      to,
      { message_id: message.id },
      event === 'mail.reply_copy' ? undefined : link,
    );
  if (first) queue('mail.agent_reply', first);
  for (const one of due) if (one.as === 'bcc') queue('mail.reply_copy', one);
}

/** Everyone who reads a mail sees its links, so only a mail to no one but the author has the author's own. */
export function isToAuthorAlone(recipients: readonly MailedRecipient[]): boolean {
  const readers = readersOf(recipients);
  return readers.length === 1 && readers[0]?.isAuthor === true;
}

interface Envelope {
  event: string;
  recipient: string | null;
}

/** Who of a message's recipients one of its mails goes to, and who reads it. Of messages of earlier versions, its recipient. */
export function addressed(
  { event, recipient }: Envelope,
  recipients: readonly MailedRecipient[] | null,
): { readers: MailedRecipient[]; goesTo: string[] } | null {
  if (recipients === null) return null;
  const readers = readersOf(recipients).filter(({ email }) => isWritable(email));
  if (event === 'mail.reply_copy') return { readers, goesTo: recipient === null ? [] : [recipient] };
  return { readers, goesTo: readers.filter(({ status }) => status === 'queued').map(({ email }) => email) };
}

const isWritable = (email: string) => email.includes('@') && !isAnonymisedEmail(email);

/** What a mail server said of each address, when it took some and refused others. */
export interface Answer {
  address: string;
  /** Null: taken. */
  code: number | null;
  response: string;
}

export function noteAttempt(
  tx: Tx,
  ctx: Context,
  delivery: Delivery,
  { outcome }: AttemptResult,
  error: string | null,
  answers: readonly Answer[],
): void {
  const messageId = delivery.payload.message_id;
  const message = messageId === undefined ? undefined : messageById(tx, messageId);
  if (!message) return;
  const at = toWire(ctx.now);
  const whole = ({ delivered: 'sent', retry: 'queued', failed: 'failed' } as const)[outcome];
  if (message.recipients === null) {
    updateMessage(tx, message.id, { delivery: { status: whole, at, error } });
    return;
  }
  const of = new Map(answers.map((answer) => [normaliseEmail(answer.address), answer]));
  const recipients = message.recipients.map((one): MailedRecipient => {
    if (!isMeant(delivery, one) || one.status !== 'queued') return one;
    const answer = of.get(one.email);
    if (answer === undefined) return { ...one, status: whole, at, error };
    if (answer.code === null) return { ...one, status: 'sent', at, error: null };
    const status: MessageDeliveryStatus = answer.code >= 500 || outcome !== 'retry' ? 'failed' : 'queued';
    return { ...one, status, at, error: answer.response };
  });
  noteRecipients(tx, message.id, recipients);
}

export const isMeant = ({ event, recipient }: Envelope, { as, email }: MailedRecipient) =>
  event === 'mail.reply_copy' ? as === 'bcc' && email === recipient : as !== 'bcc';

/**
 * Before a mail leaves: of its recipients, those who ceased to take part since it was queued do not get it, and the message says why.
 * @returns why no one is left to get it; null if someone is
 */
export function leaveOut(tx: Tx, ctx: Context, delivery: Delivery): string | null {
  const messageId = delivery.payload.message_id;
  const message = messageId === undefined ? undefined : messageById(tx, messageId);
  if (!message?.recipients) return null;
  const reasons = new Map(
    participantsOf(tx, message.ticketId).flatMap(({ absence, removedAt, person }) =>
      absence !== null && (removedAt ?? 0) >= delivery.createdAt ? [[person.email, whyLeftOut[absence]]] : [],
    ),
  );
  const isDue = (one: MailedRecipient) => isMeant(delivery, one) && one.status === 'queued';
  const told = message.recipients.map((one): MailedRecipient => {
    const error = isDue(one) && !one.isAuthor ? reasons.get(one.email) : undefined;
    return error === undefined ? one : { ...one, status: 'failed', at: toWire(ctx.now), error };
  });
  const changed = told.filter((one, at) => one !== message.recipients?.[at]);
  if (changed.length === 0) return null;
  noteRecipients(tx, message.id, told);
  return told.some(isDue) ? null : (changed[0]?.error ?? null);
}

/** Before a delivery that failed leaves again: whom its reply did not reach wait again. False: none are left. */
export function waitAgain(tx: Tx, ctx: Context, delivery: Delivery): boolean {
  // Its author was erased.
  if (delivery.channelId === null && !isWritable(delivery.recipient ?? '')) return false;
  const messageId = delivery.payload.message_id;
  const message = messageId === undefined ? undefined : messageById(tx, messageId);
  if (!message) return true;
  const queued = { status: 'queued', at: toWire(ctx.now), error: null } as const;
  if (message.recipients === null) {
    if (message.delivery?.status !== 'failed') return false;
    updateMessage(tx, message.id, { delivery: queued });
    return true;
  }
  const isDue = (one: MailedRecipient) => isMeant(delivery, one) && one.status === 'failed' && isWritable(one.email);
  if (!message.recipients.some(isDue)) return false;
  noteRecipients(
    tx,
    message.id,
    message.recipients.map((one) => (isDue(one) ? { ...one, ...queued } : one)),
  );
  return true;
}
