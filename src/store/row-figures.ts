// How many rows the tables have, and the newest numbers.

import { query, type Tx } from '../engine/database.ts';
import { statement } from '../engine/statements.ts';

export const tableNames = statement("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").column<string>;

export function rowsOfEachTable(tx: Tx): Record<string, number> {
  const own = tableNames(tx).filter((name) => !/^sqlite_|_search(?:_|$)/.test(name));
  return Object.fromEntries(
    own.map((name) => [
      name,
      tx.client.query<{ total: number }, []>(`SELECT count(*) AS total FROM "${name}"`).get()?.total ?? 0,
    ]),
  );
}

export function newestNumbers(tx: Tx): { tickets: number; messages: number; events: number } {
  const newest = (table: string, key: string) =>
    tx.client.query<{ number: number | null }, []>(`SELECT max(${key}) AS number FROM ${table}`).get()?.number ?? 0;
  return { tickets: newest('tickets', 'id'), messages: newest('messages', 'id'), events: newest('events', 'seq') };
}

export function rowsAfter(
  tx: Tx,
  { tickets, messages, events }: ReturnType<typeof newestNumbers>,
): ReturnType<typeof newestNumbers> {
  const count = (table: string, key: string, after: number) =>
    tx.client.query<{ total: number }, [number]>(`SELECT count(*) AS total FROM ${table} WHERE ${key} > ?`).get(after)
      ?.total ?? 0;
  return {
    tickets: count('tickets', 'id', tickets),
    messages: count('messages', 'id', messages),
    events: count('events', 'seq', events),
  };
}

/** A database of another program has no such table. */
export const isOfDesk = statement("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'").has<[]>;
export const schemaVersion = statement('SELECT max(version) AS version FROM schema_migrations').number<[]>;

export function rowTotal(tx: Tx, table: 'attachments' | 'inbound_mail' | 'tickets' | 'events'): number {
  return query<{ total: number }>(tx, `SELECT count(*) AS total FROM ${table}`).get()?.total ?? 0;
}
