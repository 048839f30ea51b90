// The part of a list that is in memory: tickets by row, and the cursors that lead on from some rows.

import type { Ticket } from '../../wire.ts';

export interface LoadedRows {
  at(row: number): Ticket | undefined;
  cursorAt(row: number): string | undefined;
  rowOf(ulid: string): number | null;
  byId(id: number): Ticket | null;
  /** How many rows are in memory. */
  count(): number;
  tags(): string[];
  /** Rows that are there already stay. */
  add(first: number, tickets: readonly Ticket[], next: string | null): void;
  /** What is known of this ticket: a long answer can come after a short one that was asked for later. */
  newest(ticket: Ticket): Ticket;
  /** False if the ticket is not there. */
  put(ticket: Ticket): boolean;
  /** Moves the rows behind up. @returns how many left */
  remove(ulids: readonly string[]): number;
  /** Moves the rows from there on down. */
  insert(row: number, ticket: Ticket): void;
  keepOnly(first: number, end: number): void;
  clear(): void;
}

export function createLoadedRows(): LoadedRows {
  let rows = new Map<number, Ticket>();
  let cursors = new Map<number, string>();

  function rowOf(ulid: string): number | null {
    for (const [row, ticket] of rows) if (ticket.ulid === ulid) return row;
    return null;
  }

  function newest(ticket: Ticket): Ticket {
    const known = rows.get(rowOf(ticket.ulid) ?? -1);
    return known !== undefined && known.updated_at > ticket.updated_at ? known : ticket;
  }

  function move(to: (row: number) => number): void {
    rows = new Map([...rows].map(([row, ticket]) => [to(row), ticket]));
    cursors = new Map([...cursors].map(([row, cursor]) => [to(row), cursor]));
  }

  return {
    at: (row) => rows.get(row),
    cursorAt: (row) => cursors.get(row),
    rowOf,
    byId: (id) => [...rows.values()].find((ticket) => ticket.id === id) ?? null,
    count: () => rows.size,
    tags: () => [...rows.values()].flatMap(({ tags }) => tags),
    add(first, tickets, next) {
      for (const [index, ticket] of tickets.entries()) {
        const row = first + index;
        if (row >= 0 && !rows.has(row)) rows.set(row, ticket);
      }
      if (next !== null) cursors.set(first + tickets.length, next);
    },
    newest,
    put(ticket) {
      const row = rowOf(ticket.ulid);
      if (row !== null) rows.set(row, newest(ticket));
      return row !== null;
    },
    remove(ulids) {
      const gone = ulids.map(rowOf).filter((row) => row !== null);
      for (const row of gone) rows.delete(row);
      move((row) => row - gone.filter((other) => other < row).length);
      return gone.length;
    },
    insert(row, ticket) {
      move((other) => (other < row ? other : other + 1));
      rows.set(row, ticket);
    },
    clear() {
      rows.clear();
      cursors.clear();
    },
    keepOnly(first, end) {
      for (const kept of [rows, cursors])
        for (const row of kept.keys()) if (row < first || row >= end) kept.delete(row);
    },
  };
}
