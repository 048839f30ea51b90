// A ticket's links, for agents and for customers who ask for a new one (docs/spec/customer.md#links).

import { toStoredActor } from '../../domain/actor.ts';
import { customerLimits } from '../../domain/customers/link.ts';
import { isUlid } from '../../domain/ulid.ts';
import type { Tx } from '../../engine/database.ts';
import { type CustomerLink, countRequestedLinks, linksOfTickets, revokeLinks } from '../../store/customers/links.ts';
import { addressesProven } from '../../store/customers/proofs.ts';
import { mergedIds, type Ticket, ticketById, ticketByUlid, updateTicket } from '../../store/tickets/tickets.ts';
import { authorise, findTicket } from '../access.ts';
import type { Context } from '../context.ts';
import { mailRequestedLink } from '../outbox/customer-mails.ts';
import { linkWaiting } from '../outbox/queue-mail.ts';
import { record } from '../record.ts';
import { applicationLink, openedBy } from './links.ts';

const mostListed = 500;

export interface ListedLink {
  link: CustomerLink;
  /** Whether a browser has proved lately that it reads the mail of the link's address. */
  isConfirmed: boolean;
}

/** Its own and those of tickets that were merged into it, newest first. */
export function listTicketLinks(tx: Tx, ctx: Context, name: string): ListedLink[] {
  authorise(ctx, 'read');
  const ticket = findTicket(tx, ctx, name);
  const links = linksOfTickets(tx, [ticket.id, ...mergedIds(tx, ticket.id)], mostListed);
  const proven = addressesProven(
    tx,
    ticket.siteId,
    links.map(({ address }) => address),
    ctx.now - customerLimits.proofMs,
  );
  return links.map((link) => ({ link, isConfirmed: proven.has(link.address) }));
}

/** Ends their visits too, and lets no access token open the page. Returns how many of the listed links it revoked. */
export function revokeTicketLinks(tx: Tx, ctx: Context, name: string): number {
  authorise(ctx, 'write');
  const ticket = findTicket(tx, ctx, name);
  const ids = [ticket.id, ...mergedIds(tx, ticket.id)];
  const by = toStoredActor(ctx.actor);
  for (const id of ids) linkWaiting(tx, ctx, id);
  const revoked = revokeLinks(tx, ids, by, ctx.now);
  for (const id of ids) {
    const one = ticketById(tx, id);
    if (one && one.accessTokenHash !== null) applicationLink(tx, ctx, one, one.accessTokenHash);
  }
  const unused = revokeLinks(tx, ids, by, ctx.now);
  if (revoked + unused > 0) noteRevoked(tx, ctx, ticket, revoked);
  return revoked;
}

function noteRevoked(tx: Tx, ctx: Context, ticket: Ticket, revoked: number): void {
  updateTicket(tx, ticket, { updatedAt: ctx.now });
  const data = { ticket_ulid: ticket.ulid, revoked };
  record(tx, ctx, { kind: 'ticket.links_revoked', siteId: ticket.siteId, ticketId: ticket.id, data });
}

/** Mails a new link to the address on the ticket, a few times an hour; does nothing for a ticket that links do not open. */
export function requestLink(tx: Tx, ctx: Context, name: string): void {
  const ticket = isUlid(name) ? ticketByUlid(tx, name) : undefined;
  if (!ticket || ticket.isTest || openedBy(tx, { ticketId: ticket.id, revokedAt: null }, ctx.now) === null) return;
  if (countRequestedLinks(tx, ticket.id, ctx.now - customerLimits.hourMs) >= customerLimits.requestsAnHour) return;
  mailRequestedLink(tx, ctx, ticket);
}
