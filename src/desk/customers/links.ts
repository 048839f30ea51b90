// Links to a ticket for customers: made, found and revoked (docs/spec/customer.md#links).

import { hashSecret, isSameSecret, type Seal } from '../../base/crypto.ts';
import { newUlid } from '../../base/ids.ts';
import { type CustomerLinkKind, isReadable } from '../../domain/customers/link.ts';
import { notFound } from '../../domain/errors.ts';
import { normaliseEmail } from '../../domain/mail/address.ts';
import type { CustomerLinkMode } from '../../domain/sites/site.ts';
import { isUlid } from '../../domain/ulid.ts';
import type { Tx } from '../../engine/database.ts';
import { type Author, authorById } from '../../store/customers/authors.ts';
import {
  type CustomerLink,
  customerLinkByHash,
  insertCustomerLink,
  lastRevocation,
} from '../../store/customers/links.ts';
import { type Site, siteById } from '../../store/sites/sites.ts';
import { messageById } from '../../store/tickets/messages.ts';
import { participantsOf } from '../../store/tickets/participants.ts';
import { mergedIds, type Ticket, ticketById, ticketByUlid } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { followMerges } from '../tickets/find-ticket.ts';

/** Derived, so that a mail that is sent again has the same link. */
const secretOf = (seal: Seal, linkUlid: string) => `hdl_${seal.sign('customer-link', linkUlid)}`;

/** The secret stands after `#`, so that browsers send it to no one but the page. */
export function customerLinkUrl(seal: Seal, baseUrl: string, ticketUlid: string, linkUlid: string): string {
  return `${baseUrl}/t/${ticketUlid}#${secretOf(seal, linkUlid)}`;
}

interface NewLink {
  ticket: Pick<Ticket, 'id' | 'siteId'>;
  address: string;
  kind: CustomerLinkKind;
  deliveryId: number | null;
  messageId: number | null;
}

export function createCustomerLink(tx: Tx, ctx: Context, link: NewLink): CustomerLink {
  const ulid = newUlid(ctx.now);
  return insertLink(tx, ctx, ulid, hashSecret(secretOf(ctx.seal, ulid)), link);
}

function insertLink(
  tx: Tx,
  ctx: Context,
  ulid: string,
  tokenHash: string,
  { ticket, address, kind, deliveryId, messageId }: NewLink,
): CustomerLink {
  return insertCustomerLink(tx, {
    ulid,
    siteId: ticket.siteId,
    ticketId: ticket.id,
    address: normaliseEmail(address),
    kind,
    deliveryId,
    messageId,
    tokenHash,
    createdAt: ctx.now,
    lastUsedAt: null,
    uses: 0,
    revokedAt: null,
    revokedBy: null,
  });
}

/** The link that an access token of the ingest API is. */
export function applicationLink(tx: Tx, ctx: Context, ticket: Ticket, tokenHash: string): CustomerLink {
  const address = authorById(tx, ticket.authorId)?.email ?? '';
  const link = { ticket, address, kind: 'application', deliveryId: null, messageId: null } as const;
  return customerLinkByHash(tx, [ticket.id], tokenHash) ?? insertLink(tx, ctx, newUlid(ctx.now), tokenHash, link);
}

/** What a link opens. */
export interface Opened {
  site: Site;
  mode: CustomerLinkMode;
  /** Who speaks by this link: the author of the ticket that it was made for. */
  author: Author;
  /** The ticket, or the one that it was merged into. */
  thread: Ticket;
}

type Opening = Pick<CustomerLink, 'ticketId' | 'revokedAt'> & Partial<Pick<CustomerLink, 'kind' | 'messageId'>>;

/** Null when it opens nothing: revoked, expired, its author erased, its site gone, links are off, or someone who has it was removed. */
export function openedBy(tx: Tx, link: Opening | undefined, now: number): Opened | null {
  const ticket = ticketById(tx, link?.ticketId ?? -1);
  const site = siteById(tx, ticket?.siteId ?? -1);
  const author = authorById(tx, ticket?.authorId ?? -1);
  if (!link || !ticket || !site || !author) return null;
  const { customer_links: mode } = site.settings;
  const thread = followMerges(tx, ticket);
  if (link.revokedAt !== null || author.anonymisedAt !== null || mode === 'off' || !isReadable(thread, now))
    return null;
  if (link.kind === 'shared' && wentToRemoved(tx, link.messageId ?? -1, thread)) return null;
  return { site, mode, author, thread };
}

/** Several people have the link of such a mail, and one of them is not to read on. They all have another from the next mail. */
function wentToRemoved(tx: Tx, messageId: number, thread: Ticket): boolean {
  const recipients = messageById(tx, messageId)?.recipients ?? [];
  const readers = recipients.filter(({ as, status }) => as !== 'bcc' && status !== 'failed');
  return participantsOf(tx, thread.id).some(
    ({ absence, person }) => absence === 'removed' && readers.some(({ email }) => email === person.email),
  );
}

/** Whether a link can be sent, or used. */
export function isLinkAlive(tx: Tx, ctx: Context, link: CustomerLink): boolean {
  return openedBy(tx, link, ctx.now) !== null;
}

type Found = Opened & { link: CustomerLink | { ticket: Ticket; tokenHash: string } };

/**
 * What a token opens, by the ticket that its link names: the link's own, or the one that it was merged into. The token of
 * the ingest API has no link until it is first used. Every 404 does nearly the same work.
 */
export function findLink(tx: Tx, ctx: Context, name: string, token: string): Found {
  const hash = hashSecret(token);
  const named = ticketByUlid(tx, isUlid(name) ? name : '');
  const ids = [named?.id ?? -1, ...mergedIds(tx, named?.id ?? -1)];
  const tickets = ids.map((id) => ticketById(tx, id));
  const fits = tickets.map((one) => isSameSecret(one?.accessTokenHash ?? '-', hash));
  const holder = tickets[fits.indexOf(true)];
  const link = customerLinkByHash(tx, ids, hash);
  // A new access token does not open again what an agent closed.
  const revokedAt = lastRevocation(tx, holder?.id ?? -1);
  const opened = openedBy(tx, link ?? (holder && { ticketId: holder.id, revokedAt }), ctx.now);
  if (opened === null) throw notFound('ticket');
  if (link) return { ...opened, link };
  if (!holder) throw notFound('ticket');
  return { ...opened, link: { ticket: holder, tokenHash: hash } };
}
