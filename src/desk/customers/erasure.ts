// Erasing a person, and recognising them afterwards by keyed fingerprints.

import { type Instant, monotonicMs } from '../../base/clock.ts';
import { anonymisedEmail, anonymisedName } from '../../domain/customers/author.ts';
import { normaliseEmail } from '../../domain/mail/address.ts';
import type { Tx } from '../../engine/database.ts';
import {
  type Author,
  authorById,
  authorsAfter,
  authorsByEmail,
  erasedAuthors,
  erasedAuthorsAfter,
  erasedAuthorsAmong,
  insertAuthor,
  updateAuthor,
  wasErasedSince,
} from '../../store/customers/authors.ts';
import {
  advanceErasure,
  type ErasureUnderWay,
  endErasure,
  erasureUnderWay,
  insertErasure,
} from '../../store/customers/erasures.ts';
import { forgetAddresses } from '../../store/customers/proofs.ts';
import { purgeSearchIndexes } from '../../store/lists/search-purge.ts';
import { forgetArrivalAddress } from '../../store/mail/arrival-addresses.ts';
import { ticketIdsOfCopies } from '../../store/mail/author-mails.ts';
import { eraseMails, mailFromSender, mailOfOwnTicket } from '../../store/mail/inbound-erasure.ts';
import { liftSuppression } from '../../store/mail/suppressions.ts';
import { type Site, siteById, updateSite } from '../../store/sites/sites.ts';
import { messagesByAuthor } from '../../store/tickets/messages.ts';
import { ticketIdsOfParticipant } from '../../store/tickets/participants.ts';
import { ticketIdsOfSidePerson } from '../../store/tickets/side-conversations.ts';
import { countTicketsOfAuthor, ticketIdsOfAuthor } from '../../store/tickets/tickets.ts';
import { authorise } from '../access.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import { scrubViews } from '../lists/views.ts';
import { erasedMailId } from '../mail/mail-ids.ts';
import { record } from '../record.ts';
import { scrubSavedReports } from '../reports/saved-reports.ts';
import { scrubRules } from '../rules/scrub-rules.ts';
import { scrubNewTicketDrafts } from '../tickets/new-ticket-draft.ts';
import { type Person, scrubTicket } from './scrub-ticket.ts';

export type Mark = 'external-id' | 'email';

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

/** Removes an address from the senders that the site blocks or allows. */
function unlist(tx: Tx, siteId: number, email: string): void {
  const site = siteById(tx, siteId);
  const address = normaliseEmail(email);
  const { blocked_senders: blocked = [], allowed_senders: allowed = [] } = site?.settings ?? {};
  if (site === undefined || !(blocked.includes(address) || allowed.includes(address))) return;
  const without = (entries: readonly string[]) => entries.filter((entry) => entry !== address);
  const settings = { ...site.settings, blocked_senders: without(blocked), allowed_senders: without(allowed) };
  updateSite(tx, siteId, { settings, version: site.version + 1 });
}

/** Someone who has no ticket: whose mail was held, or who only got a copy or is in a side conversation. */
export function insertStranger(tx: Tx, ctx: Context, siteId: number, email: string): Author {
  return insertAuthor(tx, {
    siteId,
    externalId: null,
    email,
    name: null,
    isVerified: false,
    anonymisedAt: null,
    erasedExternalId: null,
    erasedEmail: null,
    createdAt: ctx.now,
  });
}

/** What a site is moved with: all of this is done again for those who come back with an older export. `eraseSome` does the tickets and mail. */
export function beginErasure(
  tx: Tx,
  ctx: Context,
  siteId: number,
  { id, email, name, externalId }: Pick<Author, 'id' | 'email' | 'name' | 'externalId'>,
): Person {
  const person: Person = {
    authorId: id,
    anonymisedEmail: anonymisedEmail(id),
    emails: [email],
    names: name === null ? [] : [name],
    externalIds: externalId === null ? [] : [externalId],
  };
  const isShared = authorsByEmail(tx, siteId, email).length > 0;
  if (!isShared) liftSuppression(tx, siteId, email);
  if (!isShared) unlist(tx, siteId, email);
  scrubRules(tx, siteId, person);
  insertErasure(tx, id, ctx.seal.seal(JSON.stringify(person)), isShared);
  return person;
}

export function erase(
  tx: Tx,
  ctx: Context,
  { id: siteId, originUlid }: Pick<Site, 'id' | 'originUlid'>,
  author: Author,
  stepsNow = stepsAtOnce,
): { author: Author; ticketsScrubbed: number } {
  const anonymised = updateAuthor(tx, author, {
    externalId: null,
    email: anonymisedEmail(author.id),
    name: anonymisedName,
    anonymisedAt: ctx.now,
    ...marksOf(ctx, originUlid, author),
  });
  const person = beginErasure(tx, ctx, siteId, author);
  forgetArrivalAddress(tx, siteId, normaliseEmail(author.email));
  forgetAddresses(tx, siteId, [normaliseEmail(author.email)]);
  scrubViews(tx, person);
  scrubSavedReports(tx, person);
  scrubNewTicketDrafts(tx, person);
  // Tells the data directory of the person, whatever the steps find.
  ctx.noteErasure?.([], [], author.id);
  for (let step = 0; step < stepsNow; step += 1) {
    const begun = erasureUnderWay(tx, author.id);
    if (begun === null) break;
    eraseSome(tx, ctx, begun);
  }
  const ticketsScrubbed = countTicketsOfAuthor(tx, author.id);
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
  return { author: anonymised, ticketsScrubbed };
}

// The first hundred tickets, or as many mails, are done in the same step. The rest follows in steps of this size, with other writes in between.
const stepsAtOnce = 6;
const ticketsOfStep = 20;
const messagesOfStep = 400;
const mailsOfStep = 100;

export function continueErasure(tx: Tx, ctx: Context): boolean {
  const next = erasureUnderWay(tx);
  if (next === null) return false;
  eraseSome(tx, ctx, next);
  purgeSearchIndexes(tx);
  return true;
}

/** Their own tickets with the mail on them, then other people's tickets that they wrote on or took part in, then the rest of their mail. */
function eraseSome(tx: Tx, ctx: Context, erasure: ErasureUnderWay): void {
  const { authorId, untilMailId } = erasure;
  const person = JSON.parse(ctx.seal.open(erasure.personSealed)) as Person;
  const email = person.emails[0] ?? '';
  const eraseRows = (rows: ReturnType<typeof mailOfOwnTicket>) => {
    const ulids = eraseMails(tx, email, rows, (messageId) => erasedMailId(ctx, messageId), ctx.now);
    if (ulids.length > 0) ctx.noteErasure?.(ulids);
  };
  const own = ticketIdsOfAuthor(tx, authorId, erasure.afterTicketId, ticketsOfStep);
  for (const ticketId of own) {
    scrubTicket(tx, ctx, person, ticketId);
    eraseRows(mailOfOwnTicket(tx, ticketId, email, untilMailId));
  }
  const afterTicketId = own.at(-1) ?? erasure.afterTicketId;
  if (own.length === ticketsOfStep) {
    advanceErasure(tx, { ...erasure, afterTicketId });
    return;
  }
  const written = messagesByAuthor(tx, authorId, erasure.afterMessageId, messagesOfStep);
  let scrubbed = own.length;
  let afterMessageId = erasure.afterMessageId;
  for (const { id, ticketId, isFirstElsewhere } of written) {
    if (isFirstElsewhere && scrubbed === ticketsOfStep) break;
    if (isFirstElsewhere) {
      scrubTicket(tx, ctx, person, ticketId);
      scrubbed += 1;
    }
    afterMessageId = id;
  }
  const isWritingDone = afterMessageId === (written.at(-1)?.id ?? afterMessageId) && written.length < messagesOfStep;
  const siteOfPerson = authorById(tx, authorId)?.siteId;
  const siteId = erasure.isShared ? undefined : siteOfPerson;
  const room = isWritingDone ? ticketsOfStep - scrubbed : 0;
  const silent = new Set([
    ...ticketIdsOfParticipant(tx, authorId, room),
    ...(siteOfPerson === undefined ? [] : ticketIdsOfSidePerson(tx, siteOfPerson, normaliseEmail(email), room)),
    ...(siteId === undefined ? [] : ticketIdsOfCopies(tx, siteId, email, room)),
  ]);
  for (const ticketId of silent) scrubTicket(tx, ctx, person, ticketId);
  if (isWritingDone && scrubbed + silent.size < ticketsOfStep) {
    const rows = siteId === undefined ? [] : mailFromSender(tx, siteId, email, untilMailId, mailsOfStep);
    eraseRows(rows);
    if (rows.length < mailsOfStep) {
      endErasure(tx, authorId);
      return;
    }
  }
  advanceErasure(tx, { authorId, afterTicketId, afterMessageId });
}

/** Kept outside the database: enough to recognise an erased person, too little to identify them. */
export interface Erasure {
  siteId: number;
  originUlid: string | null;
  authorId: number;
  externalId: string | null;
  email: string | null;
  at: Instant;
}

export const erasures = (tx: Tx): Erasure[] => tombstonesOf(tx, erasedAuthors(tx));

export const erasuresAmong = (tx: Tx, authorIds: readonly number[]): Erasure[] =>
  tombstonesOf(tx, erasedAuthorsAmong(tx, authorIds));

export const erasuresAfter = (tx: Tx, authorId: number, limit: number): Erasure[] =>
  erasedAuthorsAfter(tx, authorId, limit).map((author) => tombstoneOf(author, author.originUlid));

function tombstonesOf(tx: Tx, erased: readonly Author[]): Erasure[] {
  const origins = new Map<number, string | null>();
  const originOf = (siteId: number) => {
    const known = origins.get(siteId);
    if (known !== undefined) return known;
    const found = siteById(tx, siteId)?.originUlid ?? null;
    origins.set(siteId, found);
    return found;
  };
  return erased.map((author) => tombstoneOf(author, originOf(author.siteId)));
}

type Erased = Pick<Author, 'siteId' | 'id' | 'erasedExternalId' | 'erasedEmail' | 'anonymisedAt'>;

function tombstoneOf(
  { siteId, id, erasedExternalId, erasedEmail, anonymisedAt }: Erased,
  originUlid: string | null,
): Erasure {
  return {
    siteId,
    originUlid,
    authorId: id,
    externalId: erasedExternalId,
    email: erasedEmail,
    at: anonymisedAt ?? 0,
  };
}

/** An author with an external id is recognised by it only, since others may share the address. */
export function keyOf(mark: Mark, fingerprint: string): string {
  return `${mark} ${fingerprint}`;
}

function addInstant(instants: Map<string, Instant>, { externalId, email, at }: Erasure): void {
  const key = externalId === null ? keyOf('email', email ?? '') : keyOf('external-id', externalId);
  instants.set(key, Math.max(at, instants.get(key) ?? 0));
}

export function instantsOf(known: readonly Erasure[]): Map<string, Instant> {
  const instants = new Map<string, Instant>();
  for (const one of known) addInstant(instants, one);
  return instants;
}

export type Wanted = Map<number, Map<string, Instant>>;

export function want(wanted: Wanted, known: readonly Erasure[]): void {
  for (const one of known) {
    const instants = wanted.get(one.siteId) ?? new Map<string, Instant>();
    wanted.set(one.siteId, instants);
    addInstant(instants, one);
  }
}

const authorsOfStep = 500;
const stepMs = 4;

/**
 * Erases again some of the people that an older database brought back (docs/spec/behaviour.md#data-directory). Authors created since
 * stay. `continueErasure` does the rest of their tickets. Returns the author to continue after; null at the end.
 */
export function eraseAgain(
  tx: Tx,
  ctx: Context,
  wanted: Wanted,
  after: number,
): { erased: number; after: number | null } {
  authorise(ctx, 'manage');
  const until = monotonicMs() + stepMs;
  const looked = authorsAfter(tx, after, authorsOfStep);
  let erased = 0;
  for (const author of looked) {
    const instants = author.anonymisedAt === null ? wanted.get(author.siteId) : undefined;
    const site = instants && siteById(tx, author.siteId);
    if (instants && site && wasErased(ctx, site, author, instants)) {
      erase(tx, ctx, site, author, 0);
      erased += 1;
    }
    if (monotonicMs() >= until) return { erased, after: author.id };
  }
  return { erased, after: looked.length < authorsOfStep ? null : (looked.at(-1)?.id ?? null) };
}

function wasErased(ctx: Context, site: Site, author: Author, instants: Map<string, Instant>): boolean {
  const mark: Mark = author.externalId === null ? 'email' : 'external-id';
  return fingerprintsOf(ctx, mark, site, author.externalId ?? author.email).some(
    (one) => author.createdAt <= (instants.get(keyOf(mark, one)) ?? -1),
  );
}
