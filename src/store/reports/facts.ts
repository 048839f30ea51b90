// The facts that reports count: which tickets' are due, what they are computed from, and what is stored.

import type { Fact, HistoryEvent } from '../../domain/reports/facts.ts';
import { query, type Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement } from '../../engine/statements.ts';
import { reportFacts } from '../schema/reports.ts';

export const factsDue = statement(
  'SELECT ticket_id FROM report_facts_due WHERE ticket_id > ? ORDER BY ticket_id LIMIT ?',
).column<number, [after: number, limit: number]>;

export const countFactsDue = statement('SELECT count(*) FROM report_facts_due').number<[]>;

export const isFactsDue = statement('SELECT 1 FROM report_facts_due WHERE ticket_id = ?').has<[ticketId: number]>;

export const factsAreKept = statement('DELETE FROM report_facts_due WHERE ticket_id = ?').run<[ticketId: number]>;

/** An agent who does not exist any more keeps their number in the history. */
export function publicMessagesInTime(
  tx: Tx,
  ticketId: number,
): { at: number; isAgent: boolean; agentId: number | null }[] {
  return query(
    tx,
    `SELECT created_at, is_agent, agent_id FROM messages INDEXED BY messages_by_ticket
     WHERE ticket_id = ? AND is_internal = 0 AND is_automated = 0 ORDER BY created_at, id`,
  )
    .values(ticketId)
    .map(([at, isAgent, agentId]) => ({
      at: at as number,
      isAgent: isAgent === 1,
      agentId: agentId as number | null,
    }));
}

type EventRow = Omit<HistoryEvent, 'isSilent' | 'isAsking'> & { isSilent: number; isAsking: number };

const stateEvents = statement(
  `SELECT kind, created_at AS at, iif(actor ->> 'type' = 'agent', actor ->> 'id', NULL) AS agentId,
     data ->> 'old_status' AS "from", data ->> 'new_status' AS "to", data ->> 'source_ulid' AS sourceUlid,
     data ->> 'is_silent' IS NOT NULL AS isSilent, data ->> 'satisfaction_asked' IS NOT NULL AS isAsking
   FROM events INDEXED BY events_by_ticket
   WHERE ticket_id = ? AND kind IN ('ticket.created', 'ticket.status_changed', 'ticket.merged') ORDER BY seq`,
).all<EventRow, [ticketId: number]>;

export function stateEventsOf(tx: Tx, ticketId: number): HistoryEvent[] {
  return stateEvents(tx, ticketId).map((row) => ({
    ...row,
    isSilent: row.isSilent === 1,
    isAsking: row.isAsking === 1,
  }));
}

const stored = selectFrom(reportFacts, 'WHERE ticket_id = ? ORDER BY kind, number');
const insertFact = insertInto(reportFacts);
const removeFact = statement('DELETE FROM report_facts WHERE ticket_id = ? AND kind = ? AND number = ?').run<
  [ticketId: number, kind: string, number: number]
>;

interface Owner {
  id: number;
  siteId: number;
  createdAt: number;
}

/** What is to be removed, and what to be added. */
export function differingFacts(tx: Tx, { id: ticketId, siteId, createdAt }: Owner, facts: readonly Fact[]) {
  const wanted = new Map(
    facts.map((fact) => {
      const { kind, number, at, untilAt, agentId, calendarMs, workingMs, amount, isLast } = fact;
      const times = { at, untilAt, ticketCreatedAt: createdAt, agentId, calendarMs, workingMs, amount, isLast };
      const row = { ticketId, kind, number, siteId, ...times };
      return [JSON.stringify(row), row];
    }),
  );
  const removed = stored.all(tx, ticketId).filter((row) => !wanted.delete(JSON.stringify(row)));
  return { removed, added: [...wanted.values()] };
}

export function replaceFacts(tx: Tx, owner: Owner, facts: readonly Fact[]): void {
  const { removed, added } = differingFacts(tx, owner, facts);
  for (const { kind, number } of removed) removeFact(tx, owner.id, kind, number);
  for (const row of added) insertFact(tx, row);
}

/** Tickets in the order of their ids, for the doctor. */
export const ticketIdsAfter = statement('SELECT id FROM tickets NOT INDEXED WHERE id > ? ORDER BY id LIMIT ?').column<
  number,
  [after: number, limit: number]
>;
