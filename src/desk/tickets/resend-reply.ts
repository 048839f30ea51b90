// Sending a reply again whose mail failed or came back.

import { toWire } from '../../base/clock.ts';
import { conflict, invalid, notFound } from '../../domain/errors.ts';
import { isAddress } from '../../domain/mail/address.ts';
import type { MessageDeliveryStatus } from '../../domain/outbox/delivery.ts';
import type { MailedRecipient } from '../../domain/tickets/participant.ts';
import { isUlid } from '../../domain/ulid.ts';
import type { Tx } from '../../engine/database.ts';
import { type Author, authorById } from '../../store/customers/authors.ts';
import { liftSuppression } from '../../store/mail/suppressions.ts';
import { type Message, messageById, messageByUlid } from '../../store/tickets/messages.ts';
import { participantsOf } from '../../store/tickets/participants.ts';
import { updateTicket } from '../../store/tickets/tickets.ts';
import { authorise, findTicket } from '../access.ts';
import type { Context } from '../context.ts';
import { queueReply } from '../outbox/reply-mails.ts';
import { record } from '../record.ts';
import { authorAsRecipient } from './recipients.ts';
import type { Said } from './sent-replies.ts';

/**
 * To those whom it did not reach and who were not removed; to the author at their address of today. Their addresses count as good again.
 * @param only of those whom it did not reach, by the addresses that it went to
 */
export function resendReply(
  tx: Tx,
  ctx: Context,
  name: string | number,
  ulid: string,
  only: readonly string[] | null = null,
): Said {
  authorise(ctx, 'write');
  const ticket = findTicket(tx, ctx, name);
  const message = isUlid(ulid) ? messageByUlid(tx, ulid.toUpperCase()) : undefined;
  if (message?.ticketId !== ticket.id) throw notFound('message');
  if (!isLost(message.delivery?.status))
    throw conflict('Only a reply whose mail failed or came back can be sent again.', 'not_failed');
  const author = authorById(tx, ticket.authorId);
  const lost = (message.recipients ?? []).filter(({ status }) => isLost(status)).map(({ email }) => email);
  if (only?.some((email) => !lost.includes(email)))
    throw invalid('to', 'must name recipients whom the mail did not reach.');
  const removed = participantsOf(tx, ticket.id).filter(({ removedAt }) => removedAt !== null);
  const wanted = only ?? lost.filter((email) => !removed.some(({ person }) => person.email === email));
  if (wanted.length === 0 && lost.length > 0)
    throw conflict('Those whom it did not reach were removed from the ticket. Name them in to.', 'recipients_removed');
  const recipients = recipientsToday(ctx, message, author, wanted);
  const due = recipients.filter(({ status }) => status === 'queued');
  if (due.length === 0)
    throw conflict('The author of this ticket was erased, so there is no address to send it to.', 'author_erased');
  const seq = record(tx, ctx, {
    kind: 'ticket.reply_resent',
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: { ticket_ulid: ticket.ulid, message_ulid: message.ulid },
  });
  for (const { email } of due) liftSuppression(tx, ticket.siteId, email);
  queueReply(tx, ctx, ticket, seq, { id: message.id, recipients });
  return { ticket: updateTicket(tx, ticket, {}), message: messageById(tx, message.id) ?? message };
}

const isLost = (status: MessageDeliveryStatus | undefined) => status === 'failed' || status === 'bounced';

/** Those who are wanted are queued again. Messages of earlier versions went only to the author. */
function recipientsToday(
  ctx: Context,
  message: Message,
  author: Author | undefined,
  wanted: readonly string[],
): MailedRecipient[] {
  const isHere = author !== undefined && author.anonymisedAt === null;
  const again = { status: 'queued', at: toWire(ctx.now), error: null } as const;
  if (message.recipients === null) return isHere ? [{ ...authorAsRecipient(author), ...again }] : [];
  return message.recipients.flatMap((one) => {
    if (!isLost(one.status) || !wanted.includes(one.email)) return [one];
    if (one.isAuthor) return isHere ? [{ ...authorAsRecipient(author), ...again }] : [];
    return isAddress(one.email) ? [{ ...one, ...again }] : [];
  });
}
