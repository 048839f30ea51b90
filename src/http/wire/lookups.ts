// Rows that an answer refers to, each read once.

import { followMerges } from '../../desk/find-ticket.ts';
import type { Actor } from '../../domain/actor.ts';
import { addressHint } from '../../domain/customer-link.ts';
import { matchedPiece, patternsOf } from '../../domain/matched-text.ts';
import { oneLine, withoutMarks } from '../../domain/plain-text.ts';
import { publicName } from '../../domain/site.ts';
import { truncate } from '../../domain/text.ts';
import { type BodyFormat, isUnread } from '../../domain/ticket.ts';
import { type Agent, agentById } from '../../store/agents.ts';
import { type CustomerLink, customerLinkById } from '../../store/customer-links.ts';
import type { Tx } from '../../store/database.ts';
import { readDeskSettings } from '../../store/desk-settings.ts';
import { ticketsWithDraft } from '../../store/drafts.ts';
import { type Message, newestPublicTexts, newestTexts } from '../../store/messages.ts';
import { type Author, authorById, authorsByIds } from '../../store/people.ts';
import { readMarks } from '../../store/read-marks.ts';
import { wantedTerms } from '../../store/search.ts';
import { anyCategory, anyPriority } from '../../store/site-catalogue.ts';
import { siteById } from '../../store/sites.ts';
import { extrasOfTickets, type Ticket, ticketById } from '../../store/tickets.ts';
import { presentCategory, presentPriority } from './catalogue.ts';

export interface Lookups {
  category(id: number): ReturnType<typeof presentCategory> | undefined;
  priority(id: number): ReturnType<typeof presentPriority> | undefined;
  author(id: number): Author | undefined;
  /** Who wrote a message: the name, else the address; the site's name for what no person signed. */
  speaker(message: Message): string;
  agent(id: number): Agent | undefined;
  customerLink(id: number): CustomerLink | undefined;
  mergedInto(ticket: Ticket): string | null;
  splitFrom(ticket: Ticket): string | null;
  extra(ticket: Ticket): unknown;
  snippet(ticket: Ticket): string | null;
  isUnread(ticket: Ticket): boolean;
  hasDraft(ticket: Ticket): boolean;
}

interface Reading {
  /** Tickets without contexts; what belongs to them is read in one query each. */
  listed?: readonly Ticket[];
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

function lineOf({ text, format }: { text: string; format: BodyFormat }): string {
  return oneLine(format === 'markdown' ? withoutMarks(text) : text);
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

export function createLookups(tx: Tx, { listed = [], reader, search = null, customerId }: Reading = {}): Lookups {
  const authors = listed.length === 0 ? [] : authorsByIds(tx, [...new Set(listed.map(({ authorId }) => authorId))]);
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
  const ticket = remembered(ticketById);
  const site = remembered(siteById);
  const textOf = inOneGo(listed, (ids) => newestPublicTexts(tx, ids));
  const agentId = reader?.kind === 'agent' ? reader.agentId : null;
  const markOf = inOneGo(listed, (ids) => (agentId === null ? new Map() : readMarks(tx, agentId, ids)));
  const patterns = search === null ? [] : patternsOf(wantedTerms(search));
  // Agents see where in a note the words stand; what applications show of a ticket stays public.
  const searched = { characters: Math.floor(mostSearched / (listed.length || 1)), isPublic: agentId === null };
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
      if (said) return said;
      const of = ticket(message.ticketId);
      const writer = author(message.authorId ?? of?.authorId ?? 0);
      if (!message.isAgent && !message.isAutomated && writer !== undefined) {
        const isOther = customerId !== undefined && customerId !== writer.id;
        return writer.name || (isOther ? addressHint(writer.email) : writer.email);
      }
      const own = site(of?.siteId ?? 0);
      return own ? publicName(own) : readDeskSettings(tx).name;
    },
    agent: remembered(agentById),
    customerLink: remembered(customerLinkById),
    mergedInto: (merged) => (merged.mergedIntoId === null ? null : (ticket(followMerges(tx, merged).id)?.ulid ?? null)),
    splitFrom: ({ splitFromId }) => (splitFromId === null ? null : (ticket(splitFromId)?.ulid ?? null)),
    extra: ({ id, context }) => (extras === null ? context?.extra : extras.get(id)),
    snippet(of) {
      const lines = patterns.length === 0 ? [] : newestTexts(tx, of.id, searched).map(lineOf);
      const newest = textOf(of);
      const text = matchedPiece(lines, patterns) ?? (newest && lineOf(newest));
      return text === undefined ? null : truncate(text, longestSnippet);
    },
    isUnread: (one) => agentId !== null && isUnread(one, markOf(one)),
    hasDraft: (one) => draftOf(one) === true,
  };
}
