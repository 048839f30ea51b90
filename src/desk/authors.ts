// Who a ticket is from: found or made, and erased on request.

import { isAnonymisedEmail, normaliseEmail } from '../domain/author.ts';
import { invalid, notFound } from '../domain/errors.ts';
import type { AnonymiseInput } from '../domain/input/tickets.ts';
import type { Tx } from '../store/database.ts';
import {
  type Author,
  authorByExternalId,
  authorsByEmail,
  erasedAuthor,
  insertAuthor,
  unverifiedAuthorByEmail,
  updateAuthor,
} from '../store/people.ts';
import { authorise, findSite } from './access.ts';
import { erase, fingerprintsOf } from './erasure.ts';
import type { Context } from './record.ts';

/**
 * The author of a new ticket. With an external id the identity is verified, and their address and name follow the newest
 * ticket; without, it is one author for each lower-cased address (docs/spec/api.md#authors).
 */
export function findOrCreateAuthor(
  tx: Tx,
  ctx: Context,
  siteId: number,
  identity: { externalId: string | null; email: string; name: string | null },
): Author {
  const email = normaliseEmail(identity.email);
  if (isAnonymisedEmail(email)) throw invalid('email', 'is not an address that anybody can be reached by.');
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
 * (docs/spec/api.md#erasing-an-author). Asking again finds the erased author by a keyed fingerprint and changes nothing.
 */
export function anonymiseAuthor(
  tx: Tx,
  ctx: Context,
  input: AnonymiseInput,
): { author: Author; ticketsScrubbed: number } {
  authorise(ctx, 'manage');
  const site = findSite(tx, ctx, input.site_id);
  const email = input.email === undefined ? undefined : normaliseEmail(input.email);
  const found =
    input.external_id !== undefined
      ? [authorByExternalId(tx, site.id, input.external_id)].filter((author) => author !== undefined)
      : authorsByEmail(tx, site.id, email ?? '');
  if (found.length === 0) {
    const by =
      input.external_id !== undefined
        ? { externalIds: fingerprintsOf(ctx, 'external-id', site, input.external_id) }
        : { emails: fingerprintsOf(ctx, 'email', site, email ?? '') };
    const erased = erasedAuthor(tx, site.id, by);
    if (!erased) throw notFound('author');
    return { author: erased, ticketsScrubbed: 0 };
  }
  let ticketsScrubbed = 0;
  let last: Author | undefined;
  for (const author of found) {
    const erased = erase(tx, ctx, site, author);
    ticketsScrubbed += erased.ticketsScrubbed;
    last = erased.author;
  }
  if (!last) throw notFound('author');
  return { author: last, ticketsScrubbed };
}
