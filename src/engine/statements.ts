// Reads, inserts and changes rows with statements that are prepared once for each set of columns.

import { getTableColumns, getTableName, type InferInsertModel, type InferSelectModel } from 'drizzle-orm';
import { type SQLiteColumn, SQLiteCustomColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { SqlValue } from '../platform/sqlite.ts';
import { query, type Tx } from './database.ts';

/** A value that the desk never wrote, because of the disk or another program. Names the place but not the content. */
class UnreadableRow extends Error {
  override name = 'UnreadableRow';
  constructor(table: string, id: unknown, column: string) {
    super(
      `Row ${id} of ${table} cannot be read: ${column} is damaged. Run \`helpdesk doctor\`, and restore it from a backup.`,
    );
  }
}

type TableWithId = SQLiteTable & { id: SQLiteColumn };

type Values = readonly (SqlValue | readonly (string | number)[])[];

const bound = (values: Values) =>
  values.map((value) => (Array.isArray(value) ? JSON.stringify(value) : (value as SqlValue)));

/**
 * One statement as a function of the transaction and the values of its placeholders, which a type argument names:
 * `statement('DELETE FROM links WHERE id = ?').run<[id: number]>`. A list becomes JSON, for `json_each`.
 */
export function statement(text: string) {
  return {
    /** Returns how many rows it changed. */
    run: <Given extends Values>(tx: Tx, ...values: Given): number => query(tx, text).run(...bound(values)).changes,
    has: <Given extends Values>(tx: Tx, ...values: Given): boolean => query(tx, text).get(...bound(values)) !== null,
    get: <Row, Given extends Values = []>(tx: Tx, ...values: Given): Row | undefined =>
      query<Row>(tx, text).get(...bound(values)) ?? undefined,
    all: <Row, Given extends Values = []>(tx: Tx, ...values: Given): Row[] =>
      query<Row>(tx, text).all(...bound(values)),
    /** The first value of each row. */
    column: <Value, Given extends Values = []>(tx: Tx, ...values: Given): Value[] =>
      query(tx, text)
        .values(...bound(values))
        .map(([value]) => value as Value),
    /** The first value of the first row; 0 if it is null or there is no row. */
    number: <Given extends Values = []>(tx: Tx, ...values: Given): number =>
      Number(query(tx, text).values(...bound(values))[0]?.[0] ?? 0),
  };
}

export function insertInto<Table extends SQLiteTable>(table: Table) {
  const columns = Object.entries(getTableColumns(table)).filter(([name]) => name !== 'id' && name !== 'seq');
  const text = `INSERT INTO ${getTableName(table)} (${columns.map(([, column]) => column.name).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  return (tx: Tx, row: Omit<Required<InferInsertModel<Table>>, 'id' | 'seq'>): number => {
    const given = row as Record<string, unknown>;
    const values = columns.map(([name, column]) => encoded(column, given[name]));
    return Number(query(tx, text).run(...values).lastInsertRowid);
  };
}

function encoded(column: SQLiteColumn | undefined, value: unknown): SqlValue {
  return (value !== null && column instanceof SQLiteCustomColumn ? column.mapToDriverValue(value) : value) as SqlValue;
}

export function updateById<Table extends TableWithId>(table: Table) {
  const columns = getTableColumns(table);
  return (tx: Tx, id: number, change: Partial<InferSelectModel<Table>>): void => {
    const changes = Object.entries(change).sort(([one], [other]) => (one < other ? -1 : 1));
    if (changes.length === 0) return;
    const assigned = changes.map(([name]) => `${columns[name]?.name} = ?`).join(', ');
    const values = changes.map(([name, value]) => encoded(columns[name], value));
    query(tx, `UPDATE ${getTableName(table)} SET ${assigned} WHERE id = ?`).run(...values, id);
  };
}

/** What most tables need of one row. */
export function rowsOf<Table extends TableWithId>(table: Table) {
  type Row = InferSelectModel<Table>;
  const insert = insertInto(table);
  return {
    get: selectFrom(table, 'WHERE id = ?').get<[id: number]>,
    insert: (tx: Tx, row: Parameters<typeof insert>[1]) => ({ ...row, id: insert(tx, row) }) as unknown as Row,
    update: updateById(table),
    remove: statement(`DELETE FROM ${getTableName(table)} WHERE id = ?`).run<[id: number]>,
  };
}

/** Takes a third of the time of drizzle's mapping. @param without columns that come back as null */
export function selectFrom<Table extends SQLiteTable>(table: Table, rest: string, without: readonly string[] = []) {
  type Row = InferSelectModel<Table>;
  const columns = Object.entries(getTableColumns(table));
  const shown = columns.map(([name, column]) =>
    without.includes(name) ? `NULL AS "${name}"` : `${column.name} AS "${name}"`,
  );
  const text = `SELECT ${shown.join(', ')} FROM ${getTableName(table)} ${rest}`;
  const encoded = columns.filter(([, column]) => column instanceof SQLiteCustomColumn);
  const decode = (row: Record<string, unknown>): Row => {
    for (const [name, column] of encoded) {
      const value = row[name];
      if (value === null) continue;
      try {
        row[name] = column.mapFromDriverValue(value);
      } catch {
        throw new UnreadableRow(getTableName(table), row.id ?? row.seq, column.name);
      }
    }
    return row as Row;
  };
  return {
    get<Given extends Values>(tx: Tx, ...values: Given): Row | undefined {
      const row = query<Record<string, unknown>>(tx, text).get(...bound(values));
      return row === null ? undefined : decode(row);
    },
    all: <Given extends Values>(tx: Tx, ...values: Given): Row[] =>
      query<Record<string, unknown>>(tx, text)
        .all(...bound(values))
        .map(decode),
  };
}
