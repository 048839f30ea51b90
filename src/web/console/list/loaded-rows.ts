// The part of a list that is in memory: tickets by row, and the cursors that lead on from some rows.

import type { Ticket } from '../wire.ts';

export interface LoadedRows {
  at(row: number): Ticket | undefined;
  cursorAt(row: number): string | undefined;
  rowOf(ulid: string): number | null;
  count(): number;
  /** Rows that are there already stay. */
  add(first: number, tickets: readonly Ticket[], next: string | null): void;
  /** False if the ticket is not there. */
  put(ticket: Ticket): boolean;
  /** Moves the rows behind up. @returns how many left */
  remove(ulids: readonly string[]): number;
  keepOnly(first: number, end: number): void;
}

export function createLoadedRows(): LoadedRows {
  let rows = new Map<number, Ticket>();
  let cursors = new Map<number, string>();

  function rowOf(ulid: string): number | null {
    for (const [row, ticket] of rows) if (ticket.ulid === ulid) return row;
    return null;
  }

  return {
    at: (row) => rows.get(row),
    cursorAt: (row) => cursors.get(row),
    rowOf,
    count: () => rows.size,
    add(first, tickets, next) {
      for (const [index, ticket] of tickets.entries()) {
        const row = first + index;
        if (row >= 0 && !rows.has(row)) rows.set(row, ticket);
      }
      if (next !== null) cursors.set(first + tickets.length, next);
    },
    put(ticket) {
      const row = rowOf(ticket.ulid);
      if (row !== null) rows.set(row, ticket);
      return row !== null;
    },
    remove(ulids) {
      const gone = ulids.map(rowOf).filter((row) => row !== null);
      const moved = (row: number) => row - gone.filter((other) => other < row).length;
      rows = new Map([...rows].filter(([row]) => !gone.includes(row)).map(([row, ticket]) => [moved(row), ticket]));
      cursors = new Map([...cursors].map(([row, cursor]) => [moved(row), cursor]));
      return gone.length;
    },
    keepOnly(first, end) {
      for (const kept of [rows, cursors])
        for (const row of kept.keys()) if (row < first || row >= end) kept.delete(row);
    },
  };
}
