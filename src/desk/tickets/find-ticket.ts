// Reading a ticket, for agents and for the holder of its access token.

import { hashSecret, isSameSecret } from '../../base/crypto.ts';
import { notFound } from '../../domain/errors.ts';
import { isUlid } from '../../domain/ulid.ts';
import type { Tx } from '../../engine/database.ts';
import { type Author, authorById } from '../../store/customers/authors.ts';
import { type InboundMail, keptMail } from '../../store/mail/inbound.ts';
import { type Site, siteById } from '../../store/sites/sites.ts';
import { type Attachment, attachmentsOfTicket, messageByUlid } from '../../store/tickets/messages.ts';
import { mergedIds, type Ticket, ticketById, ticketByUlid } from '../../store/tickets/tickets.ts';
import { authorise, findTicket } from '../access.ts';
import type { Context } from '../context.ts';

export function followMerges(tx: Tx, ticket: Ticket): Ticket {
  let at = ticket;
  // Merging a merged ticket is refused; the bound protects from a database edited by hand.
  for (let step = 0; at.mergedIntoId !== null && step < 100; step += 1) {
    const next = ticketById(tx, at.mergedIntoId);
    if (!next) break;
    at = next;
  }
  return at;
}

/** Every 404 does the same work, so that neither body nor duration tells the reasons apart. */
export function openThread(
  tx: Tx,
  siteId: number,
  ulid: string,
  accessToken: string,
): { ticket: Ticket; author: Author } {
  const named = ticketByUlid(tx, ulid);
  const ticket = named && named.siteId === siteId ? named : undefined;
  const presented = hashSecret(accessToken);
  const candidates: (Ticket | undefined)[] = [
    ticket,
    ...mergedIds(tx, ticket?.id ?? -1).map((id) => ticketById(tx, id)),
  ];
  // Every candidate is compared, whichever fits.
  const fits = candidates.map((one) => isSameSecret(one?.accessTokenHash ?? '-', presented));
  // Whose token it is speaks here: on a merged thread that is not always the author of the ticket named.
  const holder = candidates[fits.indexOf(true)];
  if (!ticket || !holder) throw notFound('ticket');
  const thread = followMerges(tx, ticket);
  const author = authorById(tx, holder.authorId);
  if (!author || author.anonymisedAt !== null) throw notFound('ticket');
  return { ticket: thread, author };
}

export function readTicket(tx: Tx, ctx: Context, name: string | number): { ticket: Ticket; attachments: Attachment[] } {
  authorise(ctx, 'read');
  const ticket = findTicket(tx, ctx, name);
  return { ticket, attachments: attachmentsOfTicket(tx, ticket.id) };
}

/** 404 unless the message has HTML and is on this ticket. */
export function readMailMessage(
  tx: Tx,
  ctx: Context,
  name: string | number,
  ulid: string,
): { ticket: Ticket; html: string } {
  authorise(ctx, 'read');
  const ticket = findTicket(tx, ctx, name);
  const message = messageByUlid(tx, ulid);
  if (message?.ticketId !== ticket.id || message.html === null) throw notFound('message');
  return { ticket, html: message.html };
}

export function ticketEtag(ticket: Ticket): string {
  return `"t${ticket.id}-${ticket.version}"`;
}

/** The mail that a customer's message came by. 404 if there is none, or it is no longer kept. */
export function readOriginal(
  tx: Tx,
  ctx: Context,
  name: string | number,
  ulid: string,
): { ticket: Ticket; site: Site; row: InboundMail } {
  authorise(ctx, 'read');
  const ticket = findTicket(tx, ctx, name);
  const message = isUlid(ulid) ? messageByUlid(tx, ulid.toUpperCase()) : undefined;
  if (message?.ticketId !== ticket.id) throw notFound('message');
  const row = message.inboundId === null ? undefined : keptMail(tx, message.inboundId);
  const site = siteById(tx, ticket.siteId);
  if (row === undefined || site === undefined || row.siteId !== site.id) throw notFound('original');
  return { ticket, site, row };
}
