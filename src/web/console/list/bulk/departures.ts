// Tickets that left a list by a change of this agent, which may be taken back: then each returns to its place.

import { type ReadonlySignal, signal } from '@preact/signals';
import type { ListFilter } from '../../../../domain/tickets/filters.ts';
import type { Ticket } from '../../wire.ts';
import { matches } from '../filters/matches.ts';
import type { TicketRows } from '../rows/ticket-rows.ts';

interface Departures {
  /** The ticket under the cursor that left. Its row stays until the agent moves, so that the next key is for the same ticket. */
  staying: ReadonlySignal<string | null>;
  /** Takes a change into the row. @returns whether the ticket left or came back */
  change(ulid: string, fields: Partial<Ticket>): 'left' | 'returned' | null;
  /** Keeps a row that the newest list no longer has. */
  stay(row: number, ticket: Ticket): void;
  /** After someone else changed the row that stays: it may belong here again. */
  look(): void;
  /** The agent moves on. @returns the row that went */
  release(): number | null;
  /** The row that it had. */
  rowOf(ulid: string): number | null;
  clear(): void;
}

export function createDepartures(
  rows: TicketRows,
  filter: ListFilter,
  agentId: number,
  isUnderCursor: (ulid: string) => boolean,
): Departures {
  const left = new Map<string, { row: number; ticket: Ticket }>();
  const staying = signal<string | null>(null);
  const belongs = (ticket: Ticket) => matches(filter, ticket, agentId);

  function remove(row: number, ticket: Ticket): void {
    left.set(ticket.ulid, { row, ticket });
    rows.remove([ticket.ulid]);
  }

  function changeRow(row: number, before: Ticket, ticket: Ticket): 'left' | null {
    const isHere = belongs(ticket);
    if (isHere && staying.peek() === ticket.ulid) staying.value = null;
    // What someone else changed stays where it is, until the list is loaded again.
    if (isHere || !belongs(before)) {
      rows.put(ticket);
      return null;
    }
    if (isUnderCursor(ticket.ulid)) {
      staying.value = ticket.ulid;
      rows.put(ticket);
    } else remove(row, ticket);
    return 'left';
  }

  return {
    staying,
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
    stay(row, ticket) {
      if (belongs(ticket) || rows.rowOf(ticket.ulid) !== null) return;
      rows.insert(Math.min(row, rows.total.peek() ?? 0), ticket);
      staying.value = ticket.ulid;
    },
    look() {
      const row = staying.peek() === null ? null : rows.rowOf(staying.peek() ?? '');
      const ticket = row === null ? null : rows.at(row);
      if (ticket !== null && belongs(ticket)) staying.value = null;
    },
    release() {
      const ulid = staying.peek();
      staying.value = null;
      const row = ulid === null ? null : rows.rowOf(ulid);
      const ticket = row === null ? null : rows.at(row);
      if (row === null || ticket === null || belongs(ticket)) return null;
      remove(row, ticket);
      return row;
    },
    rowOf: (ulid) => left.get(ulid)?.row ?? null,
    clear() {
      left.clear();
      staying.value = null;
    },
  };
}
