// "My tickets": what an address that a browser has proved sees of its own (docs/spec/customer.md#my-tickets).

import { isReadable } from '../../domain/customers/link.ts';
import { ownTicketLimits } from '../../domain/customers/portal.ts';
import { notFound } from '../../domain/errors.ts';
import type { Instant } from '../../domain/instant.ts';
import { searchForm } from '../../domain/lists/search-form.ts';
import { referenceOf, type TicketStatus } from '../../domain/tickets/ticket.ts';
import { isUlid } from '../../domain/ulid.ts';
import type { Tx } from '../../engine/database.ts';
import { authorIdsOfAddress, publicTexts, ticketIdsBefore } from '../../store/customers/my-tickets.ts';
import type { ProvenAddress } from '../../store/customers/proofs.ts';
import { type Ticket, ticketById, ticketByUlid } from '../../store/tickets/tickets.ts';
import { followMerges } from '../tickets/find-ticket.ts';

interface OwnTicket {
  ticket: Ticket;
  /** What opening it shows: the ticket, or the one that it was merged into. */
  thread: Ticket;
}

interface Question {
  /** Every word must occur. */
  text: string;
  statuses: readonly TicketStatus[];
  /** Only tickets with smaller ids. */
  before: number | null;
}

interface OwnTickets {
  rows: OwnTicket[];
  /** Null at the end. With a filter, a page can be short and still not be the last. */
  next: number | null;
}

export function ownTickets(tx: Tx, whose: ProvenAddress, asked: Question, now: Instant): OwnTickets {
  const authorIds = authorIdsOfAddress(tx, whose);
  const words = searchForm(asked.text)
    .split(/\s+/)
    .filter((word) => word !== '');
  const { onPage, looked, characters } = ownTicketLimits;
  const ids = ticketIdsBefore(tx, authorIds, asked.before ?? Number.MAX_SAFE_INTEGER, looked + 1);
  const rows: OwnTicket[] = [];
  let left: number = characters;
  let last = 0;
  for (const [at, id] of ids.entries()) {
    if (rows.length === onPage || at === looked || left <= 0) return { rows, next: last };
    last = id;
    const own = shownOf(tx, id, authorIds, now);
    if (own === null || (asked.statuses.length > 0 && !asked.statuses.includes(own.thread.status))) continue;
    if (words.length > 0) {
      const { ticket, thread } = own;
      const text = searchForm([referenceOf(ticket.id), ticket.subject, ...publicTexts(tx, thread.id)].join('\n'));
      left -= text.length;
      if (!words.every((word) => text.includes(word))) continue;
    }
    rows.push(own);
  }
  return { rows, next: null };
}

/** Null if customers no longer see it, or if the ticket that it was merged into is listed instead. */
function shownOf(tx: Tx, id: number, authorIds: readonly number[], now: Instant): OwnTicket | null {
  const ticket = ticketById(tx, id);
  if (!ticket) return null;
  const thread = followMerges(tx, ticket);
  const isListed = thread.id !== ticket.id && authorIds.includes(thread.authorId);
  return isListed || !isReadable(thread, now) ? null : { ticket, thread };
}

/** The same 404 for a ticket of someone else and for one that does not exist. */
export function ownTicket(tx: Tx, whose: ProvenAddress, ulid: string): Ticket {
  const ticket = ticketByUlid(tx, isUlid(ulid) ? ulid : '');
  const isOwn = authorIdsOfAddress(tx, whose).includes(ticket?.authorId ?? -1);
  if (!ticket || !isOwn || ticket.siteId !== whose.siteId || ticket.isTest || ticket.isSpam) throw notFound('ticket');
  return ticket;
}
