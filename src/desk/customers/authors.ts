// Finding, creating and erasing the author of a ticket.

import { isAnonymisedEmail } from '../../domain/customers/author.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import type { AnonymiseInput } from '../../domain/input/tickets.ts';
import { canonicalAddress, keptForms } from '../../domain/mail/address.ts';
import type { Tx } from '../../engine/database.ts';
import {
  type Author,
  authorByExternalId,
  authorsByEmail,
  erasedAuthorByEmail,
  erasedAuthorByExternalId,
  insertAuthor,
  unverifiedAuthorByEmail,
  updateAuthor,
} from '../../store/customers/authors.ts';
import { hasCopies } from '../../store/mail/author-mails.ts';
import { hasMailFrom } from '../../store/mail/threads.ts';
import { ticketIdsOfSidePerson } from '../../store/tickets/side-conversations.ts';
import { authorise, findSite } from '../access.ts';
import type { Context } from '../context.ts';
import { erase, fingerprintsOf, insertStranger } from './erasure.ts';

export function requireReachable(address: string): string {
  const email = canonicalAddress(address);
  if (email === null || isAnonymisedEmail(email)) throw invalid('email', 'must be an address that can receive mail.');
  return email;
}

/** With an external id, verified and updated; without, one author per address (docs/spec/api.md#authors). */
export function findOrCreateAuthor(
  tx: Tx,
  ctx: Context,
  siteId: number,
  identity: { externalId: string | null; email: string; name: string | null },
): Author {
  const email = requireReachable(identity.email);
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

/** Idempotent, by a keyed fingerprint. Also in the inbound log (docs/spec/behaviour.md#erasing-a-person). */
export function eraseAuthor(tx: Tx, ctx: Context, input: AnonymiseInput): { author: Author; ticketsScrubbed: number } {
  authorise(ctx, 'write');
  const site = findSite(tx, ctx, input.site_id);
  const emails = input.email == null ? [] : keptForms(input.email);
  const named =
    input.external_id == null
      ? emails.flatMap((email) => authorsByEmail(tx, site.id, email))
      : [authorByExternalId(tx, site.id, input.external_id)].filter((author) => author !== undefined);
  const found = named.filter(({ anonymisedAt }) => anonymisedAt === null);
  const unknown = emails.filter(
    (email) =>
      authorsByEmail(tx, site.id, email).length === 0 &&
      (hasMailFrom(tx, site.id, email) ||
        hasCopies(tx, site.id, email) ||
        ticketIdsOfSidePerson(tx, site.id, email, 1).length > 0),
  );
  for (const email of unknown) found.push(insertStranger(tx, ctx, site.id, email));
  let ticketsScrubbed = 0;
  let last = named.at(-1);
  for (const author of found) {
    const erased = erase(tx, ctx, site, author);
    ticketsScrubbed += erased.ticketsScrubbed;
    last = erased.author;
  }
  last ??=
    input.external_id == null
      ? erasedAuthorByEmail(
          tx,
          site.id,
          emails.flatMap((email) => fingerprintsOf(ctx, 'email', site, email)),
        )
      : erasedAuthorByExternalId(tx, site.id, fingerprintsOf(ctx, 'external-id', site, input.external_id));
  if (!last) throw notFound('author');
  return { author: last, ticketsScrubbed };
}
