// Visits: a browser that may read one ticket, since it had a link to it (docs/spec/customer.md#links).

import type { Instant } from '../../base/clock.ts';
import { randomSecret, type Seal } from '../../base/crypto.ts';
import type { Actor } from '../../domain/actor.ts';
import { customerLimits } from '../../domain/customers/link.ts';
import { DeskError } from '../../domain/errors.ts';
import { normaliseEmail } from '../../domain/mail/address.ts';
import type { Tx } from '../../engine/database.ts';
import type { Author } from '../../store/customers/authors.ts';
import { type CustomerLink, customerLinkById, listLinkOf, noteLinkUse } from '../../store/customers/links.ts';
import { type CustomerVisit, deleteVisit, endVisitBy, insertVisit, visitByHash } from '../../store/customers/visits.ts';
import { type Ticket, ticketByUlid } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { followMerges } from '../tickets/find-ticket.ts';
import { applicationLink, createCustomerLink, findLink, type Opened, openedBy } from './links.ts';

export type Visit = Opened & {
  visit: CustomerVisit;
  link: CustomerLink;
  /** Which the browser confirms before it writes. Null: one of those on the ticket. */
  address: string | null;
};

const hashOf = (seal: Seal, secret: string) => seal.fingerprint('customer-visit', secret);

export interface Started {
  thread: Ticket;
  /** For the cookie; it is shown only here. */
  secret: string;
}

function startVisit(tx: Tx, ctx: Context, link: CustomerLink, thread: Ticket): Started {
  const secret = randomSecret('hdv');
  const row = {
    siteId: link.siteId,
    linkId: link.id,
    tokenHash: hashOf(ctx.seal, secret),
    createdAt: ctx.now,
    expiresAt: ctx.now + customerLimits.visitMs,
  };
  insertVisit(tx, row, customerLimits.visitsOfLink);
  noteLinkUse(tx, link.id, ctx.now);
  return { thread, secret };
}

/** 404 for a link that is unknown or has ended. */
export function tradeLink(tx: Tx, ctx: Context, name: string, token: string): Started {
  const { link, thread } = findLink(tx, ctx, name, token);
  const used = 'id' in link ? link : applicationLink(tx, ctx, link.ticket, link.tokenHash);
  return startVisit(tx, ctx, used, thread);
}

/** For a ticket in the list of an address that its browser has confirmed. Null while links do not open it. */
export function visitFromList(tx: Tx, ctx: Context, ticket: Ticket, address: string): Started | null {
  const opened = openedBy(tx, { ticketId: ticket.id, revokedAt: null }, ctx.now);
  if (opened === null) return null;
  const known = listLinkOf(tx, ticket.id, normaliseEmail(address));
  const link =
    known ?? createCustomerLink(tx, ctx, { ticket, address, kind: 'list', deliveryId: null, messageId: null });
  return startVisit(tx, ctx, link, opened.thread);
}

function addressOf(link: CustomerLink, { author }: Opened): string | null {
  if (link.kind === 'shared') return null;
  return link.kind === 'application' ? author.email : link.address;
}

/** Undefined when the visit or what it opens has ended. */
function visitBySecret(tx: Tx, seal: Seal, secret: string, now: Instant): Visit | undefined {
  const visit = visitByHash(tx, hashOf(seal, secret), now);
  const link = visit && customerLinkById(tx, visit.linkId);
  const opened = openedBy(tx, link, now);
  if (!visit || !link || opened === null) return undefined;
  return { ...opened, visit, link, address: addressOf(link, opened) };
}

/** Of a browser's visits, by ticket, the one that began last. Each counts only for the ticket that its cookie names. */
export function newestVisit(
  tx: Tx,
  seal: Seal,
  secrets: Iterable<readonly [string, string]>,
  now: Instant,
): Visit | undefined {
  const visits = [...secrets].flatMap(([ulid, secret]) => {
    const visit = visitBySecret(tx, seal, secret, now);
    const named = ticketByUlid(tx, ulid);
    return visit && named && followMerges(tx, named).id === visit.thread.id ? [visit] : [];
  });
  return visits.sort((one, other) => other.visit.id - one.visit.id)[0];
}

/** 401 if the visit has ended since its request began. */
export function requireVisit(tx: Tx, ctx: Context, { visit }: Visit): Visit {
  const link = customerLinkById(tx, visit.linkId);
  const still = visitByHash(tx, visit.tokenHash, ctx.now);
  const opened = openedBy(tx, link, ctx.now);
  if (!still || !link || opened === null)
    throw new DeskError('unauthenticated', 'This visit has ended. Open the link again.', { reason: 'unknown_token' });
  return { ...opened, visit, link, address: addressOf(link, opened) };
}

/** Null when it has ended. */
export function siteOfVisit(tx: Tx, seal: Seal, secret: string, now: Instant): number | null {
  return visitByHash(tx, hashOf(seal, secret), now)?.siteId ?? null;
}

export function endVisit(tx: Tx, seal: Seal, secret: string): void {
  deleteVisit(tx, hashOf(seal, secret));
}

/** Of a browser that has a newer one. Its other pages may have asked by this one, and not know the new cookie yet. */
export function replaceVisit(tx: Tx, seal: Seal, secret: string, now: Instant): void {
  endVisitBy(tx, now + customerLimits.replacedMs, hashOf(seal, secret));
}

/** Which of a browser's visits to end before a new one, oldest first, so that no more than `most` are left. */
export function visitsBeyond(
  tx: Tx,
  seal: Seal,
  secrets: ReadonlyMap<string, string>,
  most: number,
  now: Instant,
): string[] {
  const ages = [...secrets].map(([name, secret]) => ({
    name,
    id: visitByHash(tx, hashOf(seal, secret), now)?.id ?? 0,
  }));
  return ages
    .sort((one, other) => other.id - one.id)
    .slice(most)
    .map(({ name }) => name);
}

export function actorOf(author: Author): Actor {
  return { kind: 'author', siteId: author.siteId, authorId: author.id, name: author.name };
}
