// Reads, inserts and changes rows with statements that are prepared once for each set of columns.

import { eq, getTableColumns, getTableName, type InferInsertModel, type InferSelectModel, sql } from 'drizzle-orm';
import { type SQLiteColumn, SQLiteCustomColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { query, statement, type Tx } from './database.ts';

/** A value that the desk never wrote, because of the disk or another program. Names the place but not the content. */
class UnreadableRow extends Error {
  override name = 'UnreadableRow';
  constructor(table: string, id: unknown, column: string) {
    super(
      `Row ${id} of ${table} cannot be read: ${column} is damaged. Run \`helpdesk doctor\`, and restore it from a backup.`,
    );
  }
}

// A sum, because SQLite plans a statement again whenever a bare parameter of LIMIT is bound.
export const limited = 'LIMIT ? + 0';

type TableWithId = SQLiteTable & { id: SQLiteColumn };

export function insertInto<Table extends SQLiteTable>(table: Table) {
  const columns = Object.entries(getTableColumns(table)).filter(
    ([, column]) => !(column.primary && column.getSQLType() === 'integer'),
  );
  const text = `INSERT INTO ${getTableName(table)} (${columns.map(([, column]) => column.name).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  const encoders = columns.map(
    ([name, column]) => [name, column instanceof SQLiteCustomColumn ? column : null] as const,
  );
  return (tx: Tx, row: Omit<Required<InferInsertModel<Table>>, 'id' | 'seq'>): number => {
    const given = row as Record<string, unknown>;
    const values = encoders.map(([name, encoder]) => {
      const value = given[name];
      return encoder === null || value === null ? value : encoder.mapToDriverValue(value);
    });
    return Number(query(tx, text).run(...(values as never[])).lastInsertRowid);
  };
}

export function updateById<Table extends TableWithId>(table: Table) {
  const byColumns = new Map<string, ReturnType<typeof prepare>>();
  function prepare(names: string[]) {
    const placeholders = Object.fromEntries(
      names.map((name) => [name, sql`${sql.param(sql.placeholder(name), column(name))}`]),
    );
    return statement((db) =>
      db
        .update(table)
        .set(placeholders as never)
        .where(eq(table.id, sql.placeholder('whereId')))
        .prepare(),
    );
  }
  function column(name: string): SQLiteColumn {
    return getTableColumns(table)[name] as SQLiteColumn;
  }
  return (tx: Tx, id: number, change: Partial<InferSelectModel<Table>>): void => {
    const names = Object.keys(change).sort();
    if (names.length === 0) return;
    const key = names.join();
    let prepared = byColumns.get(key);
    if (!prepared) {
      prepared = prepare(names);
      byColumns.set(key, prepared);
    }
    prepared(tx).run({ ...(change as Record<string, unknown>), whereId: id });
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
  type Values = (string | number | null)[];
  return {
    get(tx: Tx, ...values: Values): Row | undefined {
      const row = query<Record<string, unknown>>(tx, text).get(...values);
      return row === null ? undefined : decode(row);
    },
    all: (tx: Tx, ...values: Values): Row[] =>
      query<Record<string, unknown>>(tx, text)
        .all(...values)
        .map(decode),
  };
}
