// Rows that an answer refers to, each read once.

import { followMerges } from '../../desk/tickets/find-ticket.ts';
import { type ShownParticipant, shownParticipants } from '../../desk/tickets/participants.ts';
import { everyoneOn } from '../../desk/tickets/recipients.ts';
import type { Actor } from '../../domain/actor.ts';
import { nameForOthers } from '../../domain/customers/link.ts';
import { findersOf, matchedPiece } from '../../domain/lists/matched-text.ts';
import type { Following } from '../../domain/notifications/notification.ts';
import { oneLine, withoutMarks } from '../../domain/plain-text.ts';
import { publicName } from '../../domain/sites/site.ts';
import { countCharacters, truncate } from '../../domain/text.ts';
import type { AuthorRole, Recipient } from '../../domain/tickets/participant.ts';
import { isUnread } from '../../domain/tickets/ticket.ts';
import type { Tx } from '../../engine/database.ts';
import { type Author, authorById, authorsByIds, authorsOnTicket } from '../../store/customers/authors.ts';
import { type CustomerLink, customerLinkById } from '../../store/customers/links.ts';
import { readDeskSettings } from '../../store/desk-settings.ts';
import { wantedTerms } from '../../store/lists/full-text.ts';
import { isMailKept } from '../../store/mail/inbound.ts';
import { followingsOf } from '../../store/notifications/followers.ts';
import { type Agent, agentById } from '../../store/people/agents.ts';
import { type Team, teamById } from '../../store/people/teams.ts';
import { anyCategory, anyPriority } from '../../store/sites/catalogue.ts';
import { siteById } from '../../store/sites/sites.ts';
import { ticketsWithDraft } from '../../store/tickets/drafts.ts';
import {
  type BodyText,
  type Message,
  newestPublicText,
  newestPublicTexts,
  newestTexts,
} from '../../store/tickets/messages.ts';
import { readMarks } from '../../store/tickets/read-marks.ts';
import { extrasOfTickets, type Ticket, ticketById } from '../../store/tickets/tickets.ts';
import { presentCategory, presentPriority } from './sites/catalogue.ts';

export interface Lookups {
  category(id: number): ReturnType<typeof presentCategory> | undefined;
  priority(id: number): ReturnType<typeof presentPriority> | undefined;
  author(id: number): Author | undefined;
  /** Who wrote a message: the name, else the address; the site's name for what no person signed. */
  speaker(message: Message): string;
  agent(id: number): Agent | undefined;
  team(id: number): Team | undefined;
  /** What the writer of a customer's message is to its ticket; null for messages of agents and of the desk. */
  role(message: Message): AuthorRole | null;
  participants(ticket: Ticket): readonly ShownParticipant[];
  everyoneOn(ticketId: number): Recipient[];
  customerLink(id: number): CustomerLink | undefined;
  /** Whether the mail that a message came by can still be shown. */
  hasOriginal(message: Message): boolean;
  mergedInto(ticket: Ticket): string | null;
  splitFrom(ticket: Ticket): string | null;
  extra(ticket: Ticket): unknown;
  snippet(ticket: Ticket): string | null;
  isUnread(ticket: Ticket): boolean;
  hasDraft(ticket: Ticket): boolean;
  following(ticket: Ticket): Following;
}

interface Reading {
  /** Tickets without contexts; what belongs to them is read in one query each. */
  listed?: readonly Ticket[];
  /** The only one that is shown. */
  ticket?: Ticket;
  /** All of its messages, if they have been read. */
  messages?: readonly Message[] | null;
  /** For whom tickets are unread, and whose drafts they have. */
  reader?: Actor;
  /** The words by which tickets were found; snippets show where they stand. */
  search?: string | null;
  /** The author who reads; null for who only holds a link, which can be forwarded. They see only a hint of other customers' addresses. */
  customerId?: number | null;
}

const longestSnippet = 160;
// In all tickets of a list together, so that looking for words in them takes some milliseconds.
const mostSearched = 200_000;

function lineOf({ text, format }: BodyText): string {
  return oneLine(format === 'markdown' ? withoutMarks(text) : text);
}

/** Rows have room for more: what is missing must be seen. */
function shortened(line: string): string {
  return countCharacters(line) <= longestSnippet ? line : `${truncate(line, longestSnippet - 1).trimEnd()}…`;
}

/** One after another, because the first ones may have all words. */
function* linesOf(texts: Iterable<BodyText>): Generator<string> {
  for (const text of texts) yield lineOf(text);
}

/** For a list: reads for all of its tickets as soon as one is asked for. */
function inOneGo<Value>(listed: readonly Ticket[], read: (ids: readonly number[]) => Map<number, Value>) {
  let known: Map<number, Value> | null = null;
  return ({ id }: Ticket): Value | undefined => {
    if (listed.length === 0) return read([id]).get(id);
    known ??= read(listed.map((one) => one.id));
    return known.get(id);
  };
}

export function createLookups(
  tx: Tx,
  { listed = [], ticket: shown, messages = null, reader, search = null, customerId }: Reading = {},
): Lookups {
  const authors = shown
    ? authorsOnTicket(tx, shown.authorId, shown.id)
    : listed.length === 0
      ? []
      : authorsByIds(tx, [...new Set(listed.map(({ authorId }) => authorId))]);
  const extras =
    listed.length === 0
      ? null
      : extrasOfTickets(
          tx,
          listed.map(({ id }) => id),
        );
  const remembered = <Row>(find: (tx: Tx, id: number) => Row | undefined, known: [number, Row][] = []) => {
    const rows = new Map<number, Row | undefined>(known);
    return (id: number) => {
      if (!rows.has(id)) rows.set(id, find(tx, id));
      return rows.get(id);
    };
  };
  const author = remembered(
    authorById,
    authors.map((one) => [one.id, one]),
  );
  const ticket = remembered(ticketById, shown && [[shown.id, shown]]);
  const site = remembered(siteById);
  const people = remembered(
    (_tx, id) => {
      const of = ticket(id);
      return of && shownParticipants(tx, of);
    },
    shown && authors.length < 2 ? [[shown.id, []]] : [],
  );
  const textOf =
    messages === null ? inOneGo(listed, (ids) => newestPublicTexts(tx, ids)) : () => newestPublicText(messages);
  const agentId = reader?.kind === 'agent' ? reader.agentId : null;
  const markOf = inOneGo(listed, (ids) => (agentId === null ? new Map() : readMarks(tx, agentId, ids)));
  const finders = search === null ? [] : findersOf(wantedTerms(search));
  // Agents see where in a note the words stand; what applications show of a ticket stays public.
  const searched = { characters: Math.floor(mostSearched / (listed.length || 1)), isPublic: agentId === null };
  const textsOf = inOneGo(listed, (ids) => newestTexts(tx, ids, searched));
  const followingOf = inOneGo(listed, (ids) => (agentId === null ? new Map() : followingsOf(tx, agentId, ids)));
  const draftOf = inOneGo(listed, (ids) => (agentId === null ? new Map() : ticketsWithDraft(tx, agentId, ids)));
  return {
    category: remembered((_tx, id) => {
      const category = anyCategory(tx, id);
      return category && presentCategory(category);
    }),
    priority: remembered((_tx, id) => {
      const priority = anyPriority(tx, id);
      return priority && presentPriority(priority, siteById(tx, priority.siteId)?.defaultPriorityId === id);
    }),
    author,
    speaker(message) {
      const said = message.authorName || (message.isAgent && message.agentName);
      if (said && (customerId === undefined || message.isAgent)) return said;
      const of = ticket(message.ticketId);
      const writer = author(message.authorId ?? of?.authorId ?? 0);
      if (!message.isAgent && !message.isAutomated && writer !== undefined) {
        const name = said || writer.name;
        const isOther = customerId !== undefined && customerId !== writer.id;
        return isOther ? nameForOthers(name, writer.email) : name || writer.email;
      }
      if (said) return said;
      const own = site(of?.siteId ?? 0);
      return own ? publicName(own) : readDeskSettings(tx).name;
    },
    agent: remembered(agentById),
    team: (id) => teamById(tx, id),
    role({ authorId, ticketId }) {
      const of = authorId === null ? undefined : ticket(ticketId);
      if (of === undefined || authorId === null) return null;
      // One person can have a record for each way in which the desk met them.
      const isThem = (other: number) => other === authorId || author(other)?.email === author(authorId)?.email;
      if (isThem(of.authorId)) return 'author';
      // What they wrote before they became an agent stays a participant's.
      const isOn = people(of.id)?.some(
        ({ absence, authorId: of }) => (absence === null || absence === 'agent') && isThem(of),
      );
      return isOn ? 'participant' : 'other';
    },
    participants: ({ id }) => people(id) ?? [],
    everyoneOn(id) {
      const of = ticket(id);
      return of === undefined ? [] : everyoneOn(tx, of);
    },
    customerLink: remembered(customerLinkById),
    hasOriginal: ({ inboundId }) => inboundId !== null && isMailKept(tx, inboundId),
    mergedInto: (merged) => (merged.mergedIntoId === null ? null : (ticket(followMerges(tx, merged).id)?.ulid ?? null)),
    splitFrom: ({ splitFromId }) => (splitFromId === null ? null : (ticket(splitFromId)?.ulid ?? null)),
    extra: ({ id, context }) => (extras === null ? context?.extra : extras.get(id)),
    snippet(of) {
      const piece = finders.length === 0 ? null : matchedPiece(linesOf(textsOf(of) ?? []), finders);
      if (piece !== null) return shortened(piece);
      const newest = textOf(of);
      return newest === undefined ? null : shortened(lineOf(newest));
    },
    isUnread: (one) => agentId !== null && isUnread(one, markOf(one)),
    following: (one) => followingOf(one) ?? 'no',
    hasDraft: (one) => draftOf(one) === true,
  };
}
