// Inserting and changing rows by statements that are prepared once for each set of columns.

import { eq, getTableColumns, type InferInsertModel, type InferSelectModel, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { statement, type Tx } from './database.ts';

type TableWithId = SQLiteTable & { id: SQLiteColumn };

/** Inserts a row given whole, its id aside, and answers the id that it got. */
export function insertInto<Table extends SQLiteTable>(table: Table) {
  const names = Object.entries(getTableColumns(table))
    .filter(([, column]) => !(column.primary && column.getSQLType() === 'integer'))
    .map(([name]) => name);
  const placeholders = Object.fromEntries(names.map((name) => [name, sql.placeholder(name)]));
  const prepared = statement((db) =>
    db
      .insert(table)
      .values(placeholders as never)
      .prepare(),
  );
  return (tx: Tx, row: Omit<Required<InferInsertModel<Table>>, 'id' | 'seq'>): number =>
    Number(
      (prepared(tx).run(row as Record<string, unknown>) as unknown as { lastInsertRowid: number | bigint })
        .lastInsertRowid,
    );
}

/** Changes the named columns of the row with this id. */
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
