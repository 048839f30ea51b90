// Which ticket a message belongs to.

import { normaliseEmail } from '../../domain/address.ts';
import { ulidShape } from '../../domain/ulid.ts';
import type { ReadMessage } from '../../mail/inbound/message.ts';
import type { Tx } from '../../store/database.ts';
import { hasWrittenOn, ticketOfMailId } from '../../store/mail-threads.ts';
import { authorById } from '../../store/people.ts';
import type { Site } from '../../store/sites.ts';
import { type Ticket, ticketById, ticketByUlid } from '../../store/tickets.ts';
import type { Context } from '../context.ts';
import { followMerges } from '../find-ticket.ts';
import { keptMailIds } from '../mail-ids.ts';

const ticketAddress = new RegExp(`^ticket\\+(${ulidShape})@`, 'i');

// Plus address, then thread, then the reference in the subject, which counts only from a known sender.
export function matchTicket(tx: Tx, ctx: Context, site: Site, message: ReadMessage): Ticket | null {
  const ours = (ticket: Ticket | undefined) => (ticket && ticket.siteId === site.id ? followMerges(tx, ticket) : null);
  for (const address of recipientsOf(message)) {
    const ulid = ticketAddress.exec(address)?.[1];
    const found = ulid === undefined ? null : ours(ticketByUlid(tx, ulid));
    if (found) return found;
  }
  for (const messageId of [message.inReplyTo, ...message.references.toReversed()]) {
    const ticketId = messageId === null ? null : ticketOfMailId(tx, site.id, keptMailIds(ctx, messageId));
    const found = ticketId === null ? null : ours(ticketById(tx, ticketId));
    if (found) return found;
  }
  const reference = /\[#(\d{1,15})\]/.exec(message.subject)?.[1];
  const named = reference === undefined ? null : ours(ticketById(tx, Number(reference)));
  if (!named || message.from === null) return null;
  const sender = normaliseEmail(message.from.address);
  const isKnown = authorById(tx, named.authorId)?.email === sender || hasWrittenOn(tx, named.id, sender);
  return isKnown ? named : null;
}

export function recipientOf(message: ReadMessage): string {
  return recipientsOf(message)[0] ?? '';
}

function recipientsOf(message: ReadMessage): string[] {
  return [
    ...message.envelope.to,
    ...message.deliveredTo,
    ...message.to.map(({ address }) => address),
    ...message.cc.map(({ address }) => address),
  ].map(normaliseEmail);
}
