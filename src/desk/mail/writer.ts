// Who wrote a mail and gets its answers, beside the address in From (docs/spec/behaviour.md#whom-a-mail-is-from).

import { isAnonymisedEmail } from '../../domain/customers/author.ts';
import { canonicalAddress, normaliseEmail } from '../../domain/mail/address.ts';
import { truncate } from '../../domain/text.ts';
import type { Tx } from '../../engine/database.ts';
import { isNoReplyAddress } from '../../mail/inbound/classify.ts';
import type { MailAddress, ReadMessage } from '../../mail/inbound/message.ts';
import { authorById, unverifiedAuthorByEmail } from '../../store/customers/authors.ts';
import { isArrivalAddress } from '../../store/mail/arrival-addresses.ts';
import { hasOpened } from '../../store/mail/threads.ts';
import type { Site } from '../../store/sites/sites.ts';
import { hasParticipant } from '../../store/tickets/participants.ts';
import type { Ticket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import type { Understood } from '../rules/question.ts';
import { isOwnAddress } from './own-address.ts';

export interface Writer {
  email: string;
  name: string | null;
  /** It is not who From names: nothing that is proven of From is proven of them. */
  isClaimed: boolean;
  /** A group, or a form that the site knows, brought it: limits are the writer's, not those of the address that many share. */
  isRelayed: boolean;
}

interface Received {
  /** Who From names. */
  sender: string;
  matched: Ticket | null;
  /** The site allows the sender. */
  isAllowed: boolean;
}

/** An answer goes to Reply-To (RFC 5322, 3.6.2). Anyone can write anything there, so it opens a ticket, and is believed in little else. */
export function writerOf(
  tx: Tx,
  ctx: Context,
  site: Site,
  { message, classified }: Pick<Understood, 'message' | 'classified'>,
  { sender, matched, isAllowed }: Received,
): Writer {
  const itself = {
    email: sender,
    name: truncate(message.from?.name ?? '', 255) || null,
    isClaimed: false,
    isRelayed: false,
  };
  // A program that answers by itself names in Reply-To whom it likes.
  if (classified.kind !== 'ordinary' || message.envelope.from === '') return itself;
  const isOurs = (email: string) => isOwnAddress(tx, ctx, email) || isArrivalAddress(tx, site.id, email);
  const isOwn = isOurs(sender);
  const isGroup = classified.isList && isOfList(message, sender);
  const claimed = claimedBy(message, { sender, isOurs, isList: classified.isList, isShared: isOwn || isGroup });
  if (claimed === null) return itself;
  if (matched !== null && !mayAnswerFor(tx, matched, sender, isOwn, claimed.address)) return itself;
  const isKnown = message.verdict === 'pass' && (isOwn || isAllowed);
  return { ...namedAs(tx, site, message, claimed), isClaimed: true, isRelayed: isGroup || isKnown };
}

/** Everyone whom a mail may be from. */
export function mayBeFrom({ from, repliesTo, originalFrom }: ReadMessage): string[] {
  const named = [...(from === null ? [] : [from]), ...repliesTo, ...originalFrom];
  return [...new Set(named.map(({ address }) => normaliseEmail(address)))];
}

function claimedBy(
  message: ReadMessage,
  known: { sender: string; isOurs: (email: string) => boolean; isList: boolean; isShared: boolean },
): MailAddress | null {
  const { repliesTo, originalFrom } = message;
  const named = (known.isShared ? [...repliesTo, ...originalFrom] : repliesTo).flatMap(({ name, address }) => {
    const email = canonicalAddress(address);
    return email === null ? [] : [{ name, address: email }];
  });
  // Who asks for answers to others too gets them as well.
  if (!known.isShared && named.some(({ address }) => address === known.sender)) return null;
  const reached = new Set([...message.envelope.to, ...message.deliveredTo].map(normaliseEmail));
  const found = named.find(
    ({ address }) =>
      address !== known.sender &&
      !reached.has(address) &&
      !isNoReplyAddress(address) &&
      !isAnonymisedEmail(address) &&
      // Many lists ask for answers to all of their members.
      !(known.isList && isOfList(message, address)) &&
      !known.isOurs(address),
  );
  return found ?? null;
}

/** Whether it is the address of the mailing list that brought the mail. */
function isOfList({ to, cc, headers }: ReadMessage, email: string): boolean {
  const posts = (headers['list-post'] ?? []).flatMap((value) => /<mailto:([^<>?\s]{3,320})/i.exec(value)?.[1] ?? []);
  return [...posts, ...to.map(({ address }) => address), ...cc.map(({ address }) => address)].some(
    (address) => normaliseEmail(address) === email,
  );
}

/** On a ticket that others write on too, only through an address of the desk, or the one that opened the ticket. */
function mayAnswerFor(tx: Tx, ticket: Ticket, sender: string, isOwn: boolean, email: string): boolean {
  const isOn = (address: string) =>
    authorById(tx, ticket.authorId)?.email === address || hasParticipant(tx, ticket.id, address);
  return isOn(email) && !isOn(sender) && (isOwn || hasOpened(tx, ticket.id, sender));
}

/** A claim renames no one. */
function namedAs(
  tx: Tx,
  site: Site,
  { from }: ReadMessage,
  { name, address: email }: MailAddress,
): Pick<Writer, 'email' | 'name'> {
  const known = unverifiedAuthorByEmail(tx, site.id, email)?.name;
  if (known != null) return { email, name: known };
  // As a group writes its members: 'Mia Kay' via Support.
  const called = name || (/^'([^']{1,200})' via /.exec(from?.name ?? '')?.[1] ?? '');
  return { email, name: called === '' || normaliseEmail(called) === email ? null : truncate(called, 255) };
}
