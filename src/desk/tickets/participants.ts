// Who takes part in a ticket beside its author (docs/spec/conversations.md#participants).

import type { Instant } from '../../base/clock.ts';
import { can, isInScope, toStoredActor } from '../../domain/actor.ts';
import { isAnonymisedEmail } from '../../domain/customers/author.ts';
import { conflict, invalid, notFound } from '../../domain/errors.ts';
import { canonicalAddress, normaliseEmail } from '../../domain/mail/address.ts';
import { truncate } from '../../domain/text.ts';
import {
  type Addressee,
  eachOnce,
  type ParticipantChange,
  participantLimits,
} from '../../domain/tickets/participant.ts';
import type { Tx } from '../../engine/database.ts';
import type { ReadMessage } from '../../mail/inbound/message.ts';
import { type Author, authorById, unverifiedAuthorByEmail } from '../../store/customers/authors.ts';
import { isArrivalAddress } from '../../store/mail/arrival-addresses.ts';
import { liftSuppression } from '../../store/mail/suppressions.ts';
import { followUnlessDecided } from '../../store/notifications/followers.ts';
import { agentsSeeingSite } from '../../store/people/agents.ts';
import { type Site, siteById } from '../../store/sites/sites.ts';
import {
  hasParticipant,
  insertParticipant,
  type Participant,
  participantsOf,
  pausedSince,
  updateParticipant,
} from '../../store/tickets/participants.ts';
import { type Ticket, updateTicket } from '../../store/tickets/tickets.ts';
import { authorise, findTicket } from '../access.ts';
import type { Context } from '../context.ts';
import { findOrCreateAuthor } from '../customers/authors.ts';
import { isErasedSince } from '../customers/erasure.ts';
import { answeredTicket } from '../mail/match-ticket.ts';
import { isOwnAddress } from '../mail/own-address.ts';
import { record } from '../record.ts';

/** Whose address can never take part in a ticket of this author. */
function outsiders(tx: Tx, ctx: Context, site: Site, author: string | undefined): (email: string) => boolean {
  const agents = new Set(agentsSeeingSite(tx, site.id).map(({ email }) => normaliseEmail(email)));
  const isByHand = can(ctx.actor, 'write') && ctx.actor.kind !== 'mail' && ctx.actor.kind !== 'rule';
  return (email) =>
    email === author ||
    agents.has(email) ||
    isAnonymisedEmail(email) ||
    isOwnAddress(tx, ctx, email) ||
    (!isByHand && isArrivalAddress(tx, site.id, email));
}

interface Comers {
  people: Addressee[];
  /** More than a ticket can have. */
  leftOut: number;
}

/** Those of these people who are not on the ticket yet, as far as there is room. */
function comersAmong(
  people: readonly Addressee[],
  known: ReadonlyMap<string, Participant>,
  isOutsider: (email: string) => boolean,
): Comers {
  const isOn = (email: string) => known.get(email)?.removedAt === null;
  const comers = eachOnce(people).filter(({ email }) => !isOn(email) && !isOutsider(email));
  const room = participantLimits.onTicket - [...known.keys()].filter(isOn).length;
  const taken = comers.slice(0, Math.max(0, room));
  return { people: taken, leftOut: comers.length - taken.length };
}

const byAddress = (participants: readonly Participant[]) => new Map(participants.map((one) => [one.person.email, one]));

interface Taken {
  added: Participant[];
  back: Participant[];
  leftOut: number;
}

/** Says nothing in the history. Agents among these people follow the ticket instead. */
function takeOn(tx: Tx, ctx: Context, site: Site, ticket: Ticket, people: readonly Addressee[]): Taken {
  const known = byAddress(participantsOf(tx, ticket.id));
  const isOutsider = outsiders(tx, ctx, site, authorById(tx, ticket.authorId)?.email);
  const { people: comers, leftOut } = comersAmong(people, known, isOutsider);
  const taken: Taken = { added: [], back: [], leftOut };
  for (const { id, email } of agentsSeeingSite(tx, site.id))
    if (people.some((one) => one.email === normaliseEmail(email))) followUnlessDecided(tx, ticket.id, id, ctx.now);
  for (const one of comers) {
    const before = known.get(one.email);
    const now = { addedBy: toStoredActor(ctx.actor), createdAt: ctx.now, removedAt: null };
    if (before) {
      updateParticipant(tx, before.id, now);
      taken.back.push({ ...before, ...now, absence: null });
      continue;
    }
    const person = personAt(tx, ctx, site.id, one);
    const row = insertParticipant(tx, { ticketId: ticket.id, authorId: person.id, ...now });
    taken.added.push({ ...row, person, absence: null });
  }
  return taken;
}

/** Who writes to the desk must not rename the people whom they name. */
function personAt(tx: Tx, ctx: Context, siteId: number, { email, name }: Addressee): Author {
  const known = unverifiedAuthorByEmail(tx, siteId, email);
  if (known?.name != null) return known;
  return findOrCreateAuthor(tx, ctx, siteId, { externalId: null, email, name });
}

const named = ({ person }: Participant) => ({ email: person.email, name: person.name });

function tell(
  tx: Tx,
  ctx: Context,
  ticket: Ticket,
  changes: Partial<Record<ParticipantChange, Participant[]>>,
  leftOut = 0,
): Ticket {
  const lists = Object.entries(changes).filter(([, people]) => people.length > 0);
  if (lists.length === 0 && leftOut === 0) return ticket;
  const changed = updateTicket(tx, ticket, {});
  const told = lists.map(([change, people]) => [change, people.map(named)]);
  recordPeople(tx, ctx, ticket, { ...Object.fromEntries(told), ...(leftOut === 0 ? {} : { left_out: leftOut }) });
  return changed;
}

export function recordPeople(tx: Tx, ctx: Context, ticket: Ticket, changes: Record<string, unknown>): void {
  record(tx, ctx, {
    kind: 'ticket.participants_changed',
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: { ticket_ulid: ticket.ulid, ...changes },
  });
}

/** Of a ticket that is being opened, whose history begins after this. @returns for how many there was no room */
export function startWith(tx: Tx, ctx: Context, site: Site, ticket: Ticket, people: readonly Addressee[]): number {
  return people.length === 0 ? 0 : takeOn(tx, ctx, site, ticket, people).leftOut;
}

export function bringIn(tx: Tx, ctx: Context, site: Site, ticket: Ticket, people: readonly Addressee[]): Ticket {
  if (people.length === 0) return ticket;
  const { added, back, leftOut } = takeOn(tx, ctx, site, ticket, people);
  return tell(tx, ctx, ticket, { added, back }, leftOut);
}

/**
 * The people beside its sender to whom a mail went. Not those of a mailing list, whose members the desk does not know, nor
 * of a forgery that was released, nor those in To of a mail that names the desk nowhere: one can be an alias that leads here.
 */
export function peopleIn(tx: Tx, ctx: Context, site: Site, mail: ReceivedMail): Addressee[] {
  const { message, isList, receivedAt } = mail;
  if (isList || message.verdict === 'fail') return [];
  const deliveredTo = new Set([...message.envelope.to, ...message.deliveredTo].map(normaliseEmail));
  const isOurs = ({ email }: Addressee) => deliveredTo.has(email) || isOwnAddress(tx, ctx, email);
  const to = addresseesOf(message.to);
  const all = [...to, ...addresseesOf(message.cc)];
  const people = all.some(isOurs) ? all : all.slice(to.length);
  return people.filter((one) => !deliveredTo.has(one.email) && !isErasedSince(tx, ctx, site, one.email, receivedAt));
}

function addresseesOf(written: ReadMessage['to']): Addressee[] {
  return written.flatMap(({ name, address }) => {
    const email = canonicalAddress(address);
    if (email === null) return [];
    return [{ email, name: name === '' || normaliseEmail(name) === email ? null : truncate(name, 255) }];
  });
}

interface ReceivedMail {
  message: ReadMessage;
  isList: boolean;
  /** Who was erased since must not come back by it. */
  receivedAt: Instant;
}

/** Only mail of people on the ticket brings others in. Who was removed brings back no one but themselves. */
function broughtBy(tx: Tx, ctx: Context, site: Site, ticket: Ticket, sender: string, mail: ReceivedMail): Addressee[] {
  // Anyone can write the address of another and guess a number: they would have the next reply sent to themselves.
  if (mail.message.verdict !== 'pass' && answeredTicket(tx, ctx, site, mail.message, mail.isList) === null) return [];
  const people = peopleIn(tx, ctx, site, mail);
  const isOnTicket = authorById(tx, ticket.authorId)?.email === sender || hasParticipant(tx, ticket.id, sender);
  if (isOnTicket) return people.filter(({ email }) => email !== sender);
  const wasOnTicket = participantsOf(tx, ticket.id).some(({ person }) => person.email === sender);
  return wasOnTicket ? people.filter(({ email }) => email === sender) : [];
}

export function bringInByMail(
  tx: Tx,
  ctx: Context,
  site: Site,
  ticket: Ticket,
  sender: string,
  mail: ReceivedMail,
): Ticket {
  return bringIn(tx, ctx, site, ticket, broughtBy(tx, ctx, site, ticket, sender, mail));
}

export interface Gathering {
  /** Who takes part once the mail is filed. */
  people: Addressee[];
  /** The author, and who was removed and stays so. */
  barred: string[];
  /** Why a rule does not add someone; null if it does, as far as there is room. */
  refusal(email: string): string | null;
}

/** What a mail makes of the people on its ticket, or on the one that it opens. Changes nothing. */
export function gathering(
  tx: Tx,
  ctx: Context,
  site: Site,
  {
    matched,
    sender,
    writer,
    isNoted,
    mail,
  }: { matched: Ticket | null; sender: string; writer: string; isNoted: boolean; mail: ReceivedMail },
): Gathering {
  const known = byAddress(matched === null ? [] : participantsOf(tx, matched.id));
  const author = matched === null ? writer : authorById(tx, matched.authorId)?.email;
  const isOutsider = outsiders(tx, ctx, site, author);
  const named =
    matched === null ? peopleIn(tx, ctx, site, mail) : isNoted ? [] : broughtBy(tx, ctx, site, matched, sender, mail);
  const active = [...known.values()].filter(({ removedAt }) => removedAt === null).map(({ person }) => person);
  const people = [...active, ...comersAmong(named, known, isOutsider).people];
  const isOn = (email: string) => people.some((one) => one.email === email);
  return {
    people,
    barred: [author ?? '', ...[...known.keys()].filter((email) => !isOn(email))],
    refusal(email) {
      if (isOutsider(email)) return 'it is the address of the author, of an agent of the site, or of the desk';
      if (isOn(email)) return 'they take part already';
      return known.has(email) ? 'an agent removed them' : null;
    },
  };
}

/** The rules of a site name people before there is a ticket. */
export function requireCanTakePart(tx: Tx, ctx: Context, site: Site, email: string, field: string): void {
  if (outsiders(tx, ctx, site, undefined)(email))
    throw invalid(field, 'must not be the address of an agent of this site, or of the desk.');
}

/** Mail to them has come back for the first time. */
export function tellPaused(tx: Tx, ctx: Context, ticket: Ticket, email: string): void {
  const paused = participantsOf(tx, ticket.id).filter((one) => one.person.email === email && one.removedAt === null);
  tell(tx, ctx, ticket, { paused });
}

export interface ShownParticipant extends Participant {
  pausedAt: Instant | null;
}

export function shownParticipants(tx: Tx, ticket: Pick<Ticket, 'id' | 'siteId'>): ShownParticipant[] {
  const people = participantsOf(tx, ticket.id);
  if (people.length === 0) return [];
  const addresses = people.map(({ person }) => person.email);
  const paused = new Map(pausedSince(tx, ticket.siteId, addresses).map(({ address, at }) => [address, at]));
  return people.map((one) => ({ ...one, pausedAt: paused.get(one.person.email) ?? null }));
}

/** Since when mail to an author has come back; null if it does not. */
export function authorPausedSince(tx: Tx, { siteId, email }: Pick<Author, 'siteId' | 'email'>): Instant | null {
  return pausedSince(tx, siteId, [normaliseEmail(email)])[0]?.at ?? null;
}

export function listParticipants(tx: Tx, ctx: Context, name: string | number): ShownParticipant[] {
  authorise(ctx, 'read');
  return shownParticipants(tx, findTicket(tx, ctx, name));
}

/** Also someone who was removed, or whose mail came back: their address counts as good again. */
export function addParticipant(
  tx: Tx,
  ctx: Context,
  name: string | number,
  { email, name: called }: { email: string; name?: string | null | undefined },
): { ticket: Ticket; participant: ShownParticipant } {
  authorise(ctx, 'write');
  const ticket = findTicket(tx, ctx, name);
  if (ticket.mergedIntoId !== null)
    throw conflict('This ticket was merged into another one. Add them there instead.', 'ticket_merged');
  const site = siteById(tx, ticket.siteId);
  if (!site || !isInScope(ctx.actor, site.id)) throw notFound('ticket');
  const { added, back, leftOut } = takeOn(tx, ctx, site, ticket, [{ email, name: called || null }]);
  if (leftOut > 0)
    throw conflict(`A ticket can have at most ${participantLimits.onTicket} participants.`, 'too_many_participants');
  liftSuppression(tx, site.id, email);
  const changed = tell(tx, ctx, ticket, { added, back });
  const participant = shownParticipants(tx, ticket).find(({ person }) => person.email === email);
  if (!participant)
    throw invalid('email', 'must not be the address of the author, of an agent of this site, or of the desk.');
  return { ticket: changed, participant };
}

/** Removes the customer of a ticket that is apart again after a merge, if they became a participant here since the merge. */
export function leaveAgain(tx: Tx, ctx: Context, ticket: Ticket, authorId: number, mergedAt: Instant): Ticket {
  const since = participantsOf(tx, ticket.id).filter(
    (one) => one.authorId === authorId && one.removedAt === null && one.createdAt >= mergedAt,
  );
  for (const { id } of since) updateParticipant(tx, id, { removedAt: ctx.now });
  return tell(tx, ctx, ticket, { removed: since });
}

/** They stay listed as removed. */
export function removeParticipant(tx: Tx, ctx: Context, name: string | number, id: number): Ticket {
  authorise(ctx, 'write');
  const ticket = findTicket(tx, ctx, name);
  const participant = participantsOf(tx, ticket.id).find((one) => one.id === id);
  if (!participant) throw notFound('participant');
  if (participant.removedAt !== null) return ticket;
  updateParticipant(tx, id, { removedAt: ctx.now });
  return tell(tx, ctx, ticket, { removed: [participant] });
}
