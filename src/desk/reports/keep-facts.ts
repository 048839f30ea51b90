// Keeps what reports count: computed again in the transaction that changes a ticket's history.

import { type Fact, factsOf } from '../../domain/reports/facts.ts';
import type { Tx } from '../../engine/database.ts';
import {
  differingFacts,
  factsAreKept,
  factsDue,
  isFactsDue,
  publicMessagesInTime,
  replaceFacts,
  stateEventsOf,
  ticketIdsAfter,
} from '../../store/reports/facts.ts';
import { siteById } from '../../store/sites/sites.ts';
import { intervalsOfTicket } from '../../store/sla/sla.ts';
import { type Ticket, ticketsByIds } from '../../store/tickets/tickets.ts';
import { policyOf, termsOf } from '../sla/clocks.ts';

function factsOfTicket(tx: Tx, ticket: Ticket): Fact[] {
  const site = siteById(tx, ticket.siteId);
  if (site === undefined) return [];
  return factsOf({
    ticket,
    messages: publicMessagesInTime(tx, ticket.id),
    events: stateEventsOf(tx, ticket.id),
    held: intervalsOfTicket(tx, ticket.id),
    calendar: termsOf(policyOf(tx, site, ticket)).calendar,
  });
}

export function keepFacts(tx: Tx, ticketId: number): null {
  for (const ticket of ticketsByIds(tx, [ticketId])) replaceFacts(tx, ticket, factsOfTicket(tx, ticket));
  factsAreKept(tx, ticketId);
  return null;
}

// A transaction must not hold up others. More are due after an upgrade, an import or a change of many tickets: then the job does them all.
const mostAtOnce = 16;

/** What the writer does before it commits: one step for each ticket, so that one that fails keeps no other from it. */
export function factSteps(tx: Tx): ((tx: Tx) => null)[] {
  const due = factsDue(tx, 0, mostAtOnce + 1);
  return due.length > mostAtOnce ? [] : due.map((id) => (inner: Tx) => keepFacts(inner, id));
}

/** Tickets whose stored facts are not those of their history. Those that are due are about to be. */
export function withOtherFacts(
  tx: Tx,
  after: number,
  limit: number,
): { found: { id: number }[]; nextAfter: number | null } {
  const ids = ticketIdsAfter(tx, after, limit);
  const found = ticketsByIds(tx, ids).filter((ticket) => {
    if (isFactsDue(tx, ticket.id)) return false;
    const { removed, added } = differingFacts(tx, ticket, factsOfTicket(tx, ticket));
    return removed.length > 0 || added.length > 0;
  });
  return { found, nextAfter: ids.length < limit ? null : (ids.at(-1) ?? null) };
}
