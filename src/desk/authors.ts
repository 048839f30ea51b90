// Who a ticket is from: found or made, and erased on request.

import type { Instant } from '../base/clock.ts';
import { anonymisedEmail, anonymisedName, isAnonymisedEmail, normaliseEmail } from '../domain/author.ts';
import type { TicketContext } from '../domain/context.ts';
import type { CustomFieldValues } from '../domain/custom-field.ts';
import { invalid, notFound } from '../domain/errors.ts';
import type { AnonymiseInput } from '../domain/input/tickets.ts';
import type { Tx } from '../store/database.ts';
import { eraseMailsOf } from '../store/inbound.ts';
import { anonymiseMessagesOf } from '../store/messages.ts';
import { anonymiseMailsOf } from '../store/outbox.ts';
import {
  type Author,
  authorByExternalId,
  authorsByEmail,
  erasedAuthor,
  erasedAuthors,
  insertAuthor,
  presentAuthors,
  unverifiedAuthorByEmail,
  updateAuthor,
  wasErasedSince,
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
  const found =
    input.external_id !== undefined
      ? [authorByExternalId(tx, site.id, input.external_id)].filter((author) => author !== undefined)
      : authorsByEmail(tx, site.id, email ?? '');
  if (found.length === 0) {
    const by =
      input.external_id !== undefined
        ? { externalId: fingerprintOf(ctx, 'external-id', site.id, input.external_id) ?? '' }
        : { email: fingerprintOf(ctx, 'email', site.id, email ?? null) ?? '' };
    const erased = erasedAuthor(tx, site.id, by);
    if (!erased) throw notFound('author');
    return { author: erased, ticketsScrubbed: 0 };
  }
  let ticketsScrubbed = 0;
  let last: Author | undefined;
  for (const author of found) {
    const erased = erase(tx, ctx, author);
    ticketsScrubbed += erased.ticketsScrubbed;
    last = erased.author;
  }
  if (!last) throw notFound('author');
  return { author: last, ticketsScrubbed };
}

const fingerprintOf = (ctx: Context, kind: 'external-id' | 'email', siteId: number, value: string | null) =>
  value === null ? null : ctx.seal.fingerprint(`erased-${kind}/${siteId}`, value);

/** Whether whoever had this address was erased after this instant, and nobody has it now. */
export function isErasedSince(tx: Tx, ctx: Context, siteId: number, email: string, since: Instant): boolean {
  const fingerprint = fingerprintOf(ctx, 'email', siteId, email) ?? '';
  return wasErasedSince(tx, siteId, [fingerprint], since) && authorsByEmail(tx, siteId, email).length === 0;
}

function erase(tx: Tx, ctx: Context, author: Author): { author: Author; ticketsScrubbed: number } {
  const { siteId } = author;
  const anonymised = updateAuthor(tx, author, {
    externalId: null,
    email: anonymisedEmail(author.id),
    name: anonymisedName,
    anonymisedAt: ctx.now,
    erasedExternalId: fingerprintOf(ctx, 'external-id', siteId, author.externalId),
    erasedEmail: fingerprintOf(ctx, 'email', siteId, author.email),
  });
  const ownTicketIds = ticketIdsOfAuthor(tx, author.id);
  const ticketIds = new Set([...ownTicketIds, ...anonymiseMessagesOf(tx, author.id, anonymisedName)]);
  let ticketsScrubbed = 0;
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
    siteId,
    ticketId: null,
    data: { author_id: author.id, tickets_scrubbed: ticketsScrubbed },
  });
  const { email } = author;
  const isShared = authorsByEmail(tx, siteId, email).length > 0;
  ctx.noteErasure?.(eraseMailsOf(tx, { siteId, email, isShared, ticketIds: ownTicketIds }, ctx.now));
  return { author: anonymised, ticketsScrubbed };
}

/** What is kept of an erased person outside the database: enough to know them again, too little to tell who they were. */
export interface Erasure {
  siteId: number;
  authorId: number;
  /** Keyed fingerprints. */
  externalId: string | null;
  email: string | null;
  at: Instant;
}

/** Everybody who was erased. */
export function erasures(tx: Tx): Erasure[] {
  return erasedAuthors(tx).map(({ siteId, id, erasedExternalId, erasedEmail, anonymisedAt }) => ({
    siteId,
    authorId: id,
    externalId: erasedExternalId,
    email: erasedEmail,
    at: anonymisedAt ?? 0,
  }));
}

/**
 * Erases again whom an older database brought back; who came back after having been erased stays. Answers how many people.
 * (semantics.md, Data directory)
 */
export function eraseAgain(tx: Tx, ctx: Context, known: readonly Erasure[]): number {
  authorise(ctx, 'manage');
  const mark = (siteId: number, kind: string, value: string) => `${siteId} ${kind} ${value}`;
  const marks = new Map<string, Instant>();
  for (const { siteId, externalId, email, at } of known) {
    // Somebody with an external id is known by that alone: others may share the address.
    const key = externalId === null ? mark(siteId, 'email', email ?? '') : mark(siteId, 'external-id', externalId);
    marks.set(key, Math.max(at, marks.get(key) ?? 0));
  }
  let erased = 0;
  for (const siteId of new Set(known.map((one) => one.siteId))) {
    for (const author of presentAuthors(tx, siteId)) {
      const kind = author.externalId === null ? 'email' : 'external-id';
      const value = fingerprintOf(ctx, kind, siteId, author.externalId ?? author.email);
      const at = marks.get(mark(siteId, kind, value ?? ''));
      if (at === undefined || author.createdAt > at) continue;
      erase(tx, ctx, author);
      erased += 1;
    }
  }
  return erased;
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
