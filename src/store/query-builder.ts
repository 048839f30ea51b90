// drizzle's query builder on the desk's own SQLite handle: drizzle writes the statements, and none of its drivers runs them.

import { Column, fillPlaceholders, is, type Query } from 'drizzle-orm';
import {
  BaseSQLiteDatabase,
  type PreparedQueryConfig,
  type SelectedFieldsOrdered,
  type SQLiteExecuteMethod,
  SQLitePreparedQuery,
  SQLiteSession,
  SQLiteSyncDialect,
} from 'drizzle-orm/sqlite-core';
import type { Database, Statement } from '../platform/sqlite.ts';

export type QueryBuilder = BaseSQLiteDatabase<'sync', unknown>;
type NoSchema = Record<string, never>;
type SyncQuery = PreparedQueryConfig & { type: 'sync' };

export function queryBuilderOn(client: Database): QueryBuilder {
  const dialect = new SQLiteSyncDialect();
  return new BaseSQLiteDatabase('sync', dialect, new HandleSession(client, dialect), undefined);
}

class HandleSession extends SQLiteSession<'sync', unknown, NoSchema, NoSchema> {
  private readonly client: Database;

  constructor(client: Database, dialect: SQLiteSyncDialect) {
    super(dialect);
    this.client = client;
  }

  prepareQuery(query: Query, fields: SelectedFieldsOrdered | undefined, executeMethod: SQLiteExecuteMethod) {
    return new HandleQuery(this.client.prepare(query.sql), query, fields, executeMethod);
  }

  transaction(): never {
    throw new Error('Transactions begin in the writer.');
  }
}

interface Reading {
  name: string;
  column: Column | null;
}

class HandleQuery extends SQLitePreparedQuery<SyncQuery> {
  private readonly statement: Statement;
  private readonly readings: readonly Reading[];

  constructor(
    statement: Statement,
    query: Query,
    fields: SelectedFieldsOrdered | undefined,
    executeMethod: SQLiteExecuteMethod,
  ) {
    super('sync', executeMethod, query);
    this.statement = statement;
    this.readings = (fields ?? []).map(({ path, field }) => {
      const [name, ...deeper] = path;
      if (name === undefined || deeper.length > 0) throw new Error(`No query reads nested rows: ${query.sql}`);
      return { name, column: is(field, Column) ? field : null };
    });
  }

  run(placeholders?: Record<string, unknown>): unknown {
    return this.statement.run(...this.bound(placeholders));
  }

  all(placeholders?: Record<string, unknown>): unknown[] {
    return this.values(placeholders).map((row) => this.decoded(row));
  }

  get(placeholders?: Record<string, unknown>): unknown {
    const [row] = this.values(placeholders);
    return row === undefined ? undefined : this.decoded(row);
  }

  values(placeholders?: Record<string, unknown>): unknown[][] {
    return this.statement.values(...this.bound(placeholders));
  }

  private bound(placeholders: Record<string, unknown> = {}): never[] {
    return fillPlaceholders(this.query.params, placeholders) as never[];
  }

  private decoded(row: readonly unknown[]): unknown {
    const result: Record<string, unknown> = {};
    for (const [at, { name, column }] of this.readings.entries()) {
      const value = row[at];
      result[name] = value === null || column === null ? value : column.mapFromDriverValue(value);
    }
    return result;
  }
}
