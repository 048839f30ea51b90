// Sending a reply again whose mail failed or came back.

import { toWire } from '../base/clock.ts';
import { normaliseEmail } from '../domain/address.ts';
import { conflict, notFound } from '../domain/errors.ts';
import { isUlid } from '../domain/ulid.ts';
import type { Tx } from '../store/database.ts';
import { messageById, messageByUlid, updateMessage } from '../store/messages.ts';
import { authorById } from '../store/people.ts';
import { liftSuppression } from '../store/suppressions.ts';
import { updateTicket } from '../store/tickets.ts';
import { authorise, findTicket } from './access.ts';
import type { Context } from './context.ts';
import { calledBy, queueMail } from './outbox/queue.ts';
import { record } from './record.ts';
import type { Said } from './sent-replies.ts';

/** To the author's address of today. It counts as good again, also if mail to it came back. */
export function resendReply(tx: Tx, ctx: Context, name: string | number, ulid: string): Said {
  authorise(ctx, 'write');
  const ticket = findTicket(tx, ctx, name);
  const message = isUlid(ulid) ? messageByUlid(tx, ulid.toUpperCase()) : undefined;
  if (message?.ticketId !== ticket.id) throw notFound('message');
  const status = message.delivery?.status;
  if (status !== 'failed' && status !== 'bounced')
    throw conflict('Only a reply whose mail failed or came back can be sent again.', 'not_failed');
  const author = authorById(tx, ticket.authorId);
  if (!author || author.anonymisedAt !== null)
    throw conflict('The author of this ticket was erased, so there is no address to send it to.', 'author_erased');
  const seq = record(tx, ctx, {
    kind: 'ticket.reply_resent',
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: { ticket_ulid: ticket.ulid, message_ulid: message.ulid },
  });
  liftSuppression(tx, ticket.siteId, normaliseEmail(author.email));
  updateMessage(tx, message.id, { delivery: { status: 'queued', at: toWire(ctx.now), error: null } });
  const to = { name: calledBy(author), email: author.email };
  queueMail(tx, ctx, ticket.siteId, ticket.id, seq, 'mail.agent_reply', to, { message_id: message.id });
  return { ticket: updateTicket(tx, ticket, {}), message: messageById(tx, message.id) ?? message };
}
