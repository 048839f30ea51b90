// Which ticket a message belongs to.

import { normaliseEmail } from '../../domain/mail/address.ts';
import { ulidShape } from '../../domain/ulid.ts';
import type { Tx } from '../../engine/database.ts';
import type { ReadMessage } from '../../mail/inbound/message.ts';
import { authorById } from '../../store/customers/authors.ts';
import { hasWrittenOn, ticketOfMailId } from '../../store/mail/threads.ts';
import type { Site } from '../../store/sites/sites.ts';
import { hasParticipant } from '../../store/tickets/participants.ts';
import { type Ticket, ticketById, ticketByUlid } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { followMerges } from '../tickets/find-ticket.ts';
import { keptMailIds } from './mail-ids.ts';

const ticketAddress = new RegExp(`^ticket\\+(${ulidShape})@`, 'i');

/** The one with this address, of any site. */
export function ticketAt(tx: Tx, address: string): Ticket | undefined {
  const ulid = ticketAddress.exec(address)?.[1];
  return ulid === undefined ? undefined : ticketByUlid(tx, ulid);
}

type Ours = (ticket: Ticket | undefined) => Ticket | null;

const oursOf =
  (tx: Tx, site: Site): Ours =>
  (ticket) =>
    ticket && ticket.siteId === site.id ? followMerges(tx, ticket) : null;

/** The one to whose address the message was sent. */
export function addressedTicket(tx: Tx, site: Site, message: ReadMessage): Ticket | null {
  const ours = oursOf(tx, site);
  for (const address of recipientsOf(message)) {
    const found = ours(ticketAt(tx, address));
    if (found) return found;
  }
  return null;
}

/**
 * By its plus address or its thread, which only those know who had mail of it.
 * @param isList of a mailing list, whose copy differs from the mail that came without it only by what the list adds
 */
export function answeredTicket(tx: Tx, ctx: Context, site: Site, message: ReadMessage, isList: boolean): Ticket | null {
  const addressed = addressedTicket(tx, site, message);
  if (addressed !== null) return addressed;
  const ours = oursOf(tx, site);
  const own = isList ? message.messageId : null;
  for (const messageId of [message.inReplyTo, ...message.references.toReversed(), own]) {
    const ticketId = messageId === null ? null : ticketOfMailId(tx, site.id, keptMailIds(ctx, messageId));
    const found = ticketId === null ? null : ours(ticketById(tx, ticketId));
    if (found) return found;
  }
  return null;
}

/** Else by the reference in the subject, which counts only from a known sender. */
export function matchTicket(tx: Tx, ctx: Context, site: Site, message: ReadMessage, isList: boolean): Ticket | null {
  const answered = answeredTicket(tx, ctx, site, message, isList);
  if (answered !== null) return answered;
  const ours = oursOf(tx, site);
  const reference = /\[#(\d{1,15})\]/.exec(message.subject)?.[1];
  const named = reference === undefined ? null : ours(ticketById(tx, Number(reference)));
  if (!named || message.from === null) return null;
  const sender = normaliseEmail(message.from.address);
  const isKnown =
    authorById(tx, named.authorId)?.email === sender ||
    hasWrittenOn(tx, named.id, sender) ||
    hasParticipant(tx, named.id, sender);
  return isKnown ? named : null;
}

export function recipientOf(message: ReadMessage): string {
  return recipientsOf(message)[0] ?? '';
}

export function recipientsOf(message: ReadMessage): string[] {
  return [
    ...message.envelope.to,
    ...message.deliveredTo,
    ...message.to.map(({ address }) => address),
    ...message.cc.map(({ address }) => address),
  ].map(normaliseEmail);
}
