// Rows that an answer refers to, each read once.

import { followMerges } from '../../desk/find-ticket.ts';
import { type Agent, agentById } from '../../store/agents.ts';
import type { Tx } from '../../store/database.ts';
import { type Author, authorById, authorsByIds } from '../../store/people.ts';
import { anyCategory, anyPriority } from '../../store/site-catalogue.ts';
import { siteById } from '../../store/sites.ts';
import { extrasOfTickets, type Ticket, ticketById } from '../../store/tickets.ts';
import { presentCategory, presentPriority } from './catalogue.ts';

export interface Lookups {
  category(id: number): ReturnType<typeof presentCategory> | undefined;
  priority(id: number): ReturnType<typeof presentPriority> | undefined;
  author(id: number): Author | undefined;
  agent(id: number): Agent | undefined;
  mergedInto(ticket: Ticket): string | null;
  splitFrom(ticket: Ticket): string | null;
  extra(ticket: Ticket): unknown;
}

/** @param listed tickets without contexts; their authors and extras are read in one query each */
export function createLookups(tx: Tx, listed: readonly Ticket[] = []): Lookups {
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
  return {
    category: remembered((_tx, id) => {
      const category = anyCategory(tx, id);
      return category && presentCategory(category);
    }),
    priority: remembered((_tx, id) => {
      const priority = anyPriority(tx, id);
      return priority && presentPriority(priority, siteById(tx, priority.siteId)?.defaultPriorityId === id);
    }),
    author: remembered(
      authorById,
      authors.map((author) => [author.id, author]),
    ),
    agent: remembered(agentById),
    mergedInto: (ticket) =>
      ticket.mergedIntoId === null ? null : (ticketById(tx, followMerges(tx, ticket).id)?.ulid ?? null),
    splitFrom: ({ splitFromId }) => (splitFromId === null ? null : (ticketById(tx, splitFromId)?.ulid ?? null)),
    extra: (ticket) => (extras === null ? ticket.context?.extra : extras.get(ticket.id)),
  };
}
