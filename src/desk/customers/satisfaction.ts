// Customers say how the help was (docs/spec/customer.md#satisfaction): how they are asked, and what they answer.

import { isSameSecret, type Seal } from '../../base/crypto.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import type { EventData } from '../../domain/event.ts';
import type { MailedRecipient } from '../../domain/tickets/participant.ts';
import { type AskedBy, isRatingFinal, type Rating, satisfactionLimits } from '../../domain/tickets/satisfaction.ts';
import { isUlid } from '../../domain/ulid.ts';
import type { Tx } from '../../engine/database.ts';
import { type Author, authorById } from '../../store/customers/authors.ts';
import { customerLinkByUlid } from '../../store/customers/links.ts';
import { countRatings, type Event, isAskedWith } from '../../store/events.ts';
import { isSuppressed } from '../../store/mail/suppressions.ts';
import type { Site } from '../../store/sites/sites.ts';
import { type Ticket, updateTicket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { isKnownToAuthor } from '../outbox/queue.ts';
import { isToAuthorAlone } from '../outbox/reply-mails.ts';
import { record } from '../record.ts';
import { type Opened, openedBy } from './links.ts';

/** Of a link in a mail that only its author got. It rates their ticket, and opens nothing. */
const secretOf = (seal: Seal, linkUlid: string) => `hdr_${seal.sign('customer-rating', linkUlid)}`;

export const ratingPath = (linkUlid: string, secret: string) => `/rate/${linkUlid}/${secret}`;

export function ratingPaths(seal: Seal, linkUlid: string): Record<Rating, string> {
  const path = ratingPath(linkUlid, secretOf(seal, linkUlid));
  return { good: `${path}?as=good`, bad: `${path}?as=bad` };
}

/** What a link that rates is about. Null for one that is unknown or has ended, and if a merge has brought the ticket to someone else's. */
export function findRatable(
  tx: Tx,
  ctx: Pick<Context, 'seal' | 'now'>,
  linkUlid: string,
  secret: string,
): Opened | null {
  const link = customerLinkByUlid(tx, isUlid(linkUlid) ? linkUlid.toUpperCase() : '');
  const isRight = isSameSecret(secretOf(ctx.seal, link?.ulid ?? ''), secret);
  const opened = openedBy(tx, link, ctx.now);
  return isRight && link?.kind === 'mail' && opened !== null && isRatable(opened) ? opened : null;
}

/** Only for its own author: a merge can bring one ticket to another's. */
type Asked = Pick<Opened, 'thread'> & { author: Pick<Author, 'id'> };

function isRatable({ thread, author }: Asked): boolean {
  return thread.authorId === author.id && !thread.isTest && !thread.isSpam;
}

/** Whether the page of a ticket asks its author, or shows what they said. */
export function mayRate({ thread, site, author }: Asked & Pick<Opened, 'site'>, now: number): boolean {
  if (!isRatable({ thread, author }) || isRatingFinal(thread.satisfactionAt, now)) return false;
  const isOver = thread.status === 'resolved' || thread.status === 'closed';
  return thread.satisfaction !== null || (site.settings.ask_satisfaction && isOver);
}

/**
 * How the customer of a ticket that is being resolved is asked; null if they are not. No one gets a second mail for it, and
 * what several people read never carries a link that can speak for one of them.
 * @param reply what an agent said in the same step
 */
export function howAsked(
  tx: Tx,
  ctx: Context,
  site: Site,
  ticket: Ticket,
  told: EventData,
  reply: readonly MailedRecipient[] | null,
): AskedBy | null {
  const { ask_satisfaction: isAsking, customer_links: links, notify_resolved: isTold } = site.settings;
  if (!isAsking || links === 'off' || ticket.satisfaction !== null) return null;
  if (ticket.isTest || ticket.isSpam || ctx.isSilent || told.notify_author === false) return null;
  const author = authorById(tx, ticket.authorId);
  if (!author || author.anonymisedAt !== null) return null;
  const isOnPage = ctx.actor.kind === 'author' && ctx.actor.authorId === author.id;
  if (isOnPage && (!isTold || isKnownToAuthor(ctx, site, author))) return 'page';
  if (isKnownToAuthor(ctx, site, author) || isSuppressed(tx, site.id, author.email)) return null;
  if (reply === null || isTold || !reply.some(({ isAuthor }) => isAuthor)) return 'mail';
  return isToAuthorAlone(reply) ? 'reply' : null;
}

/** Whether the mail of this event asks: of what resolved the ticket, or of the reply that came with it. Not again once there is an answer. */
export function asksIn(tx: Tx, ticket: Ticket, { kind, seq, createdAt, data }: Event): boolean {
  if (ticket.satisfaction !== null || ticket.isTest || ticket.isSpam) return false;
  if (kind === 'ticket.status_changed') return data.satisfaction_asked === 'mail';
  return kind === 'ticket.replied' && isAskedWith(tx, ticket.id, seq, createdAt);
}

interface Given {
  rating: Rating;
  /** Undefined leaves it as it is. */
  comment?: string | null | undefined;
}

/** Once, changeable for some days. 409 after that. @param ctx with the author as its actor */
export function rateTicket(tx: Tx, ctx: Context, ticket: Ticket, { rating, comment }: Given): Ticket {
  const words = comment === undefined ? ticket.satisfactionComment : comment?.trim() || null;
  if (ticket.satisfaction === rating && ticket.satisfactionComment === words) return ticket;
  if (isRatingFinal(ticket.satisfactionAt, ctx.now) || countRatings(tx, ticket.id) >= satisfactionLimits.times)
    throw tooLate();
  const changed = updateTicket(tx, ticket, {
    satisfaction: rating,
    satisfactionComment: words,
    satisfactionAt: ticket.satisfactionAt ?? ctx.now,
    updatedAt: ctx.now,
  });
  record(tx, ctx, {
    kind: 'ticket.rated',
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: {
      ticket_ulid: ticket.ulid,
      changes: { satisfaction: { from: ticket.satisfaction, to: rating } },
      has_comment: words !== null,
    },
    ticket: changed,
  });
  return changed;
}

/** By the page of the ticket. 404 for anyone but its author, and until it is asked. */
export function requireRatable(opened: Opened, speaker: Author, now: number): Ticket {
  if (isRatingFinal(opened.thread.satisfactionAt, now)) throw tooLate();
  if (!mayRate({ ...opened, author: speaker }, now)) throw notFound('ticket');
  return opened.thread;
}

const tooLate = () => conflict('This can no longer be changed.', 'rating_final');
