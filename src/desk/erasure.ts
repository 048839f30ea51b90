// Erasing a person, and recognising them afterwards by keyed fingerprints.

import type { Instant } from '../base/clock.ts';
import { anonymisedEmail, anonymisedName } from '../domain/author.ts';
import type { Tx } from '../store/database.ts';
import { endErasure, erasureUnderWay, insertErasure, takeErasureTickets } from '../store/erasures.ts';
import { eraseMailsOf } from '../store/inbound.ts';
import { ticketIdsWrittenOn } from '../store/messages.ts';
import {
  type Author,
  authorsByEmail,
  erasedAuthors,
  presentAuthors,
  updateAuthor,
  wasErasedSince,
} from '../store/people.ts';
import { purgeSearchIndexes } from '../store/search-purge.ts';
import { type Site, siteById } from '../store/sites.ts';
import { ticketIdsOfAuthor } from '../store/tickets.ts';
import { authorise } from './access.ts';
import { audit } from './audit.ts';
import type { Context } from './context.ts';
import { erasedMailId } from './mail-ids.ts';
import { record } from './record.ts';
import { type Person, scrubTicket } from './scrub-ticket.ts';

export type Mark = 'external-id' | 'email';

/** @param site the site's original ulid; its id in older erasures */
export const fingerprintOf = (ctx: Context, mark: Mark, site: string | number, value: string): string =>
  ctx.seal.fingerprint(`erased-${mark}/${site}`, value);

export const fingerprintsOf = (ctx: Context, mark: Mark, site: Pick<Site, 'id' | 'originUlid'>, value: string) =>
  [site.originUlid, site.id].map((key) => fingerprintOf(ctx, mark, key, value));

export function marksOf(
  ctx: Context,
  originUlid: string,
  { externalId, email }: Pick<Author, 'externalId' | 'email'>,
): { erasedExternalId: string | null; erasedEmail: string } {
  return {
    erasedExternalId: externalId === null ? null : fingerprintOf(ctx, 'external-id', originUlid, externalId),
    erasedEmail: fingerprintOf(ctx, 'email', originUlid, email),
  };
}

/** Whether the owner of this address was erased after `since`, and no author has it now. */
export function isErasedSince(tx: Tx, ctx: Context, site: Site, email: string, since: Instant): boolean {
  return (
    wasErasedSince(tx, site.id, fingerprintsOf(ctx, 'email', site, email), since) &&
    authorsByEmail(tx, site.id, email).length === 0
  );
}

export function erase(
  tx: Tx,
  ctx: Context,
  { id: siteId, originUlid }: Pick<Site, 'id' | 'originUlid'>,
  author: Author,
): { author: Author; ticketsScrubbed: number } {
  const anonymised = updateAuthor(tx, author, {
    externalId: null,
    email: anonymisedEmail(author.id),
    name: anonymisedName,
    anonymisedAt: ctx.now,
    ...marksOf(ctx, originUlid, author),
  });
  const person: Person = {
    authorId: author.id,
    anonymisedEmail: anonymised.email,
    emails: [author.email],
    names: author.name === null ? [] : [author.name],
    externalIds: author.externalId === null ? [] : [author.externalId],
  };
  const ownTicketIds = ticketIdsOfAuthor(tx, author.id);
  const ticketIds = [...new Set([...ownTicketIds, ...ticketIdsWrittenOn(tx, author.id)])];
  for (const ticketId of ticketIds.slice(0, ticketsAtOnce)) scrubTicket(tx, ctx, person, ticketId);
  const left = ticketIds.slice(ticketsAtOnce);
  if (left.length > 0) insertErasure(tx, author.id, ctx.seal.seal(JSON.stringify(person)), left);
  const ticketsScrubbed = ownTicketIds.length;
  purgeSearchIndexes(tx);
  record(tx, ctx, {
    kind: 'author.anonymised',
    siteId,
    ticketId: null,
    data: { author_id: author.id, tickets_scrubbed: ticketsScrubbed },
  });
  audit(tx, ctx, {
    action: 'author.anonymised',
    target: { type: 'author', id: author.id },
    siteId,
    after: { ticketsScrubbed },
  });
  const { email } = author;
  const erasedId = (messageId: string) => erasedMailId(ctx, messageId);
  const isShared = authorsByEmail(tx, siteId, email).length > 0;
  ctx.noteErasure?.(eraseMailsOf(tx, { siteId, email, isShared, ticketIds: ownTicketIds }, erasedId, ctx.now));
  return { author: anonymised, ticketsScrubbed };
}

// The remaining tickets follow in steps of this size, with other writes in between.
const ticketsAtOnce = 100;
const ticketsOfStep = 20;

/** Runs one step; false when no erasure is in progress. */
export function continueErasure(tx: Tx, ctx: Context): boolean {
  const next = erasureUnderWay(tx);
  if (next === null) return false;
  const person = JSON.parse(ctx.seal.open(next.personSealed)) as Person;
  const ticketIds = takeErasureTickets(tx, next.authorId, ticketsOfStep);
  for (const ticketId of ticketIds) scrubTicket(tx, ctx, person, ticketId);
  if (ticketIds.length < ticketsOfStep) endErasure(tx, next.authorId);
  purgeSearchIndexes(tx);
  return true;
}

/** Kept outside the database: enough to recognise an erased person, too little to identify them. */
export interface Erasure {
  siteId: number;
  /** Null in tombstones older than this field. */
  originUlid: string | null;
  authorId: number;
  externalId: string | null;
  email: string | null;
  at: Instant;
}

export function erasures(tx: Tx): Erasure[] {
  const origins = new Map<number, string | null>();
  const originOf = (siteId: number) => {
    const known = origins.get(siteId);
    if (known !== undefined) return known;
    const found = siteById(tx, siteId)?.originUlid ?? null;
    origins.set(siteId, found);
    return found;
  };
  return erasedAuthors(tx).map(({ siteId, id, erasedExternalId, erasedEmail, anonymisedAt }) => ({
    siteId,
    originUlid: originOf(siteId),
    authorId: id,
    externalId: erasedExternalId,
    email: erasedEmail,
    at: anonymisedAt ?? 0,
  }));
}

/** An author with an external id is recognised by it only, since others may share the address. */
export function keyOf(mark: Mark, fingerprint: string): string {
  return `${mark} ${fingerprint}`;
}

export function instantsOf(known: readonly Erasure[]): Map<string, Instant> {
  const instants = new Map<string, Instant>();
  for (const { externalId, email, at } of known) {
    const key = externalId === null ? keyOf('email', email ?? '') : keyOf('external-id', externalId);
    instants.set(key, Math.max(at, instants.get(key) ?? 0));
  }
  return instants;
}

/** Erases again the people that an older database brought back (docs/spec/behaviour.md#data-directory). Authors created since stay. */
export function eraseAgain(tx: Tx, ctx: Context, known: readonly Erasure[]): number {
  authorise(ctx, 'manage');
  let erased = 0;
  for (const siteId of new Set(known.map((one) => one.siteId))) {
    const site = siteById(tx, siteId);
    if (!site) continue;
    const instants = instantsOf(known.filter((one) => one.siteId === siteId));
    for (const author of presentAuthors(tx, siteId)) {
      const mark: Mark = author.externalId === null ? 'email' : 'external-id';
      const fingerprints = fingerprintsOf(ctx, mark, site, author.externalId ?? author.email);
      if (!fingerprints.some((one) => author.createdAt <= (instants.get(keyOf(mark, one)) ?? -1))) continue;
      erase(tx, ctx, site, author);
      erased += 1;
    }
  }
  return erased;
}
