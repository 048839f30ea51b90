// Customers as agents see them: authors with their tickets (docs/spec/console.md#customers).

import { isInScope } from '../../domain/actor.ts';
import { notFound } from '../../domain/errors.ts';
import type { Tx } from '../../engine/database.ts';
import { findAuthors, listAuthors, newestTicketIdsOf, ticketFiguresOf } from '../../store/customers/author-list.ts';
import { type Author, authorById, authorsByIds } from '../../store/customers/authors.ts';
import { siteById } from '../../store/sites/sites.ts';
import { type Ticket, ticketsByIds } from '../../store/tickets/tickets.ts';
import { authorise, listScope } from '../access.ts';
import type { Context } from '../context.ts';

export interface Customer {
  author: Author;
  tickets: ReturnType<typeof ticketFiguresOf>;
}

const withTickets = (tx: Tx, author: Author): Customer => ({ author, tickets: ticketFiguresOf(tx, author.id) });

interface Asked {
  site: string | null;
  text: string | null;
  limit: number;
  offset: number;
}

/** Newest first. */
export function listCustomers(tx: Tx, ctx: Context, { site, text, limit, offset }: Asked) {
  const sites = listScope(tx, ctx, site);
  const { ids, total, isCapped } =
    text === null ? listAuthors(tx, sites, limit, offset) : findAuthors(tx, text, sites, limit, offset);
  const authors = new Map(authorsByIds(tx, ids).map((author) => [author.id, author]));
  const rows = ids.flatMap((id) => authors.get(id) ?? []).map((author) => withTickets(tx, author));
  return { rows, total, isCapped };
}

const newestTickets = 20;

/** 404 also outside the actor's scope. */
export function readCustomer(tx: Tx, ctx: Context, id: number): { customer: Customer; newest: Ticket[] } {
  authorise(ctx, 'read');
  const author = authorById(tx, id);
  if (!author || !isInScope(ctx.actor, author.siteId) || !siteById(tx, author.siteId)) throw notFound('customer');
  return { customer: withTickets(tx, author), newest: ticketsByIds(tx, newestTicketIdsOf(tx, id, newestTickets)) };
}

const mostOthers = 5;

/** Of the ticket's customer: the newest tickets beside this one, and how many there are. */
export function otherTickets(tx: Tx, { id, authorId, isTest, isSpam }: Ticket): { count: number; newest: Ticket[] } {
  const { total } = ticketFiguresOf(tx, authorId);
  const newest = newestTicketIdsOf(tx, authorId, mostOthers + 1).filter((one) => one !== id);
  return { count: isTest || isSpam ? total : total - 1, newest: ticketsByIds(tx, newest.slice(0, mostOthers)) };
}
