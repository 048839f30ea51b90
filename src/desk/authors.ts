// Who a ticket is from: found or made, and erased on request.

import { anonymisedEmail, anonymisedName, isAnonymisedEmail, normaliseEmail } from '../domain/author.ts';
import type { TicketContext } from '../domain/context.ts';
import type { CustomFieldValues } from '../domain/custom-field.ts';
import { invalid, notFound } from '../domain/errors.ts';
import type { AnonymiseInput } from '../domain/input/tickets.ts';
import type { Tx } from '../store/database.ts';
import { anonymiseMessagesOf } from '../store/messages.ts';
import { anonymiseMailsOf } from '../store/outbox.ts';
import {
  type Author,
  authorByExternalId,
  authorsByEmail,
  erasedAuthor,
  insertAuthor,
  unverifiedAuthorByEmail,
  updateAuthor,
} from '../store/people.ts';
import { ticketById, ticketIdsOfAuthor, updateTicket } from '../store/tickets.ts';
import { authorise, findSite } from './access.ts';
import { type Context, record } from './record.ts';
import { reindexTicket } from './search-index.ts';

/**
 * The author of a new ticket. With an external id the identity is verified, and their address and name follow the newest
 * ticket; without, it is one author for each lower-cased address (api.md, Ingest).
 */
export function findOrCreateAuthor(
  tx: Tx,
  ctx: Context,
  siteId: number,
  identity: { externalId: string | null; email: string; name: string | null },
): Author {
  const email = normaliseEmail(identity.email);
  if (isAnonymisedEmail(email)) throw invalid('email', 'This is not an address that anybody can be reached by.');
  const known =
    identity.externalId === null
      ? unverifiedAuthorByEmail(tx, siteId, email)
      : authorByExternalId(tx, siteId, identity.externalId);
  if (!known) {
    return insertAuthor(tx, {
      siteId,
      externalId: identity.externalId,
      email,
      name: identity.name,
      isVerified: identity.externalId !== null,
      anonymisedAt: null,
      erasedExternalId: null,
      erasedEmail: null,
      createdAt: ctx.now,
    });
  }
  const change: Partial<Author> = {};
  if (known.email !== email) change.email = email;
  if (identity.name !== null && known.name !== identity.name) change.name = identity.name;
  return Object.keys(change).length > 0 ? updateAuthor(tx, known, change) : known;
}

/**
 * Removes what points at a person: from the author, their tickets' context, their messages' headers and the search index
 * (api.md, POST /authors/anonymise). Asking again finds the erased author by a keyed fingerprint and changes nothing.
 */
export function anonymiseAuthor(
  tx: Tx,
  ctx: Context,
  input: AnonymiseInput,
): { author: Author; ticketsScrubbed: number } {
  authorise(ctx, 'manage');
  const site = findSite(tx, ctx, input.site_id);
  const email = input.email === undefined ? undefined : normaliseEmail(input.email);
  const fingerprint = (kind: string, value: string | null) =>
    value === null ? null : ctx.seal.fingerprint(`erased-${kind}/${site.id}`, value);
  const found =
    input.external_id !== undefined
      ? [authorByExternalId(tx, site.id, input.external_id)].filter((author) => author !== undefined)
      : authorsByEmail(tx, site.id, email ?? '');
  if (found.length === 0) {
    const by =
      input.external_id !== undefined
        ? { externalId: fingerprint('external-id', input.external_id) ?? '' }
        : { email: fingerprint('email', email ?? null) ?? '' };
    const erased = erasedAuthor(tx, site.id, by);
    if (!erased) throw notFound('author');
    return { author: erased, ticketsScrubbed: 0 };
  }
  let ticketsScrubbed = 0;
  let last: Author | undefined;
  for (const author of found) {
    const anonymised = updateAuthor(tx, author, {
      externalId: null,
      email: anonymisedEmail(author.id),
      name: anonymisedName,
      anonymisedAt: ctx.now,
      erasedExternalId: fingerprint('external-id', author.externalId),
      erasedEmail: fingerprint('email', author.email),
    });
    const ticketIds = new Set([
      ...ticketIdsOfAuthor(tx, author.id),
      ...anonymiseMessagesOf(tx, author.id, anonymisedName),
    ]);
    for (const ticketId of ticketIds) {
      const ticket = ticketById(tx, ticketId);
      if (!ticket) continue;
      if (ticket.authorId === author.id) {
        updateTicket(tx, ticket, {
          context: technicalContext(ticket.context),
          customFields: withoutPerson(ticket.customFields, [author.email, author.name, author.externalId]),
          updatedAt: ctx.now,
        });
        anonymiseMailsOf(tx, ticketId, anonymised.email, ctx.now);
        ticketsScrubbed += 1;
      }
      reindexTicket(tx, ticketId);
    }
    record(tx, ctx, {
      kind: 'author.anonymised',
      siteId: site.id,
      ticketId: null,
      data: { author_id: author.id, tickets_scrubbed: ticketsScrubbed },
    });
    last = anonymised;
  }
  if (!last) throw notFound('author');
  return { author: last, ticketsScrubbed };
}

/** What of a context speaks of a machine and not of a person: pages, consoles and free-form data may hold anything. */
function technicalContext(context: TicketContext | null): TicketContext | null {
  if (context === null) return null;
  const { source, sdk, app, runtime, device } = context;
  return { source, sdk, app, runtime, device };
}

function withoutPerson(values: CustomFieldValues, marks: readonly (string | null)[]): CustomFieldValues {
  const known = marks
    .filter((mark): mark is string => mark !== null && mark.length > 1)
    .map((mark) => mark.toLowerCase());
  return Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => typeof value !== 'string' || !known.some((mark) => value.toLowerCase().includes(mark)),
    ),
  );
}
