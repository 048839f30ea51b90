// The tickets of one user of an application, which knows the user by its own id (docs/spec/api.md#ingest).

import { hashSecret, randomSecret } from '../../base/crypto.ts';
import { toStoredActor } from '../../domain/actor.ts';
import { notFound } from '../../domain/errors.ts';
import { isUlid } from '../../domain/ulid.ts';
import type { Tx } from '../../engine/database.ts';
import { authorByExternalId } from '../../store/customers/authors.ts';
import { revokeLinks } from '../../store/customers/links.ts';
import { pageOfAuthor } from '../../store/customers/my-tickets.ts';
import { type Ticket, ticketByUlid, ticketsByIds, updateTicket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { record } from '../record.ts';

export function ticketsOfUser(
  tx: Tx,
  siteId: number,
  externalId: string,
  page: Parameters<typeof pageOfAuthor>[2],
): { tickets: Ticket[]; total: number } {
  const author = authorByExternalId(tx, siteId, externalId);
  if (!author) return { tickets: [], total: 0 };
  const { ids, total } = pageOfAuthor(tx, author.id, page);
  return { tickets: ticketsByIds(tx, ids), total };
}

/** Takes the place of the one before, which may be lost or known to others. */
export function replaceAccessToken(tx: Tx, ctx: Context, siteId: number, ulid: string, externalId: string): string {
  const author = authorByExternalId(tx, siteId, externalId);
  const ticket = isUlid(ulid) ? ticketByUlid(tx, ulid) : undefined;
  if (!ticket || !author || ticket.siteId !== siteId || ticket.authorId !== author.id) throw notFound('ticket');
  const accessToken = randomSecret('hda');
  updateTicket(tx, ticket, { accessTokenHash: hashSecret(accessToken) });
  // A browser that opened the page by the old token has a link and visits by it.
  revokeLinks(tx, [ticket.id], toStoredActor(ctx.actor), ctx.now, 'application');
  record(tx, ctx, {
    kind: 'ticket.access_token_replaced',
    siteId,
    ticketId: ticket.id,
    data: { ticket_ulid: ticket.ulid },
  });
  return accessToken;
}
