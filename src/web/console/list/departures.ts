// Tickets that left a list by a change of this agent, which may be taken back: then each returns to its place.

import type { Ticket } from '../wire.ts';
import type { ListFilter } from './filter.ts';
import { matches } from './matches.ts';
import type { TicketRows } from './ticket-rows.ts';

interface Departures {
  /** Takes a change into the row. @returns whether the ticket left or came back */
  change(ulid: string, fields: Partial<Ticket>): 'left' | 'returned' | null;
  /** The row that it had. */
  rowOf(ulid: string): number | null;
  clear(): void;
}

export function createDepartures(rows: TicketRows, filter: ListFilter, agentId: number): Departures {
  const left = new Map<string, { row: number; ticket: Ticket }>();
  const belongs = (ticket: Ticket) => matches(filter, ticket, agentId);

  function changeRow(row: number, before: Ticket, ticket: Ticket): 'left' | null {
    // What someone else changed stays where it is, until the list is loaded again.
    if (belongs(ticket) || !belongs(before)) {
      rows.put(ticket);
      return null;
    }
    left.set(ticket.ulid, { row, ticket });
    rows.remove([ticket.ulid]);
    return 'left';
  }

  return {
    change(ulid, fields) {
      const row = rows.rowOf(ulid);
      const before = row === null ? null : rows.at(row);
      if (row !== null && before !== null) return changeRow(row, before, { ...before, ...fields });
      const gone = left.get(ulid);
      if (gone === undefined) return null;
      const ticket = { ...gone.ticket, ...fields };
      left.set(ulid, { ...gone, ticket });
      if (!belongs(ticket)) return null;
      left.delete(ulid);
      rows.insert(Math.min(gone.row, rows.total.peek() ?? 0), ticket);
      return 'returned';
    },
    rowOf: (ulid) => left.get(ulid)?.row ?? null,
    clear: () => left.clear(),
  };
}
