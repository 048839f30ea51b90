// SQLite, as Node has it built in.

import { DatabaseSync, type StatementSync } from 'node:sqlite';
import {
  type Database,
  fileAddress,
  type OpenMode,
  readOnlyAddress,
  type SqlValue,
  type Statement,
} from '../sqlite.ts';
import { asSqliteError } from './sqlite-errors.ts';

type Bindable = string | number | bigint | null | Uint8Array;

const bound = (value: SqlValue | undefined): Bindable => (typeof value === 'boolean' ? Number(value) : (value ?? null));

function guarded<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw asSqliteError(error);
  }
}

type Row = Record<string, unknown>;

/** The objects that Node makes of rows are dictionaries, which are slow to read. */
function rowReader(names: readonly string[]): (values: unknown[]) => Row {
  const fields = names.map((name, at) => `[${JSON.stringify(name)}]: values[${at}]`);
  return new Function('values', `return { ${fields.join(', ')} };`) as (values: unknown[]) => Row;
}

class NodeStatement {
  private readonly made: StatementSync;
  private givesBigInts = false;
  private isFinal = false;
  private columns = 0;
  private toRow: ((values: unknown[]) => Row) | null = null;

  constructor(made: StatementSync) {
    this.made = made;
    made.setReturnArrays(true);
  }

  get(...params: SqlValue[]): Row | null {
    const values = guarded(() => this.reading().get(...params.map(bound))) as unknown[] | undefined;
    return values === undefined ? null : this.rowsOf(values)(values);
  }

  all(...params: SqlValue[]): Row[] {
    const rows = this.values(...params);
    const [first] = rows;
    return first === undefined ? [] : rows.map(this.rowsOf(first));
  }

  values(...params: SqlValue[]): unknown[][] {
    return guarded(() => this.reading().all(...params.map(bound))) as unknown[] as unknown[][];
  }

  run(...params: SqlValue[]) {
    // The number of the last row of a full-text index does not fit a number, and Node would refuse it.
    if (!this.givesBigInts) this.made.setReadBigInts(true);
    this.givesBigInts = true;
    const { changes, lastInsertRowid } = guarded(() => this.made.run(...params.map(bound)));
    return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
  }

  finalize(): void {
    if (this.isFinal) return;
    this.isFinal = true;
    // Node 24 finalizes statements when they are collected, and when their database is closed.
    if ('close' in this.made) (this.made as { close(): void }).close();
  }

  private reading(): StatementSync {
    if (this.givesBigInts) this.made.setReadBigInts(false);
    this.givesBigInts = false;
    return this.made;
  }

  private rowsOf({ length }: unknown[]): (values: unknown[]) => Row {
    if (this.toRow === null || this.columns !== length) {
      this.toRow = rowReader(this.made.columns().map(({ name }) => name));
      this.columns = length;
    }
    return this.toRow;
  }
}

class NodeDatabase {
  readonly filename: string;
  private readonly opened: DatabaseSync;
  private readonly kept = new Map<string, Statement>();

  constructor(path: string, mode: OpenMode) {
    this.filename = path;
    // Node creates what is missing unless the address says otherwise.
    const address =
      mode === 'file only' || mode === 'read only'
        ? readOnlyAddress(path, mode)
        : fileAddress(path, mode === 'create' ? 'mode=rwc' : 'mode=rw');
    this.opened = guarded(
      () => new DatabaseSync(address, { readOnly: mode.endsWith('only'), enableForeignKeyConstraints: false }),
    );
  }

  get inTransaction(): boolean {
    return this.opened.isOpen && this.opened.isTransaction;
  }

  prepare(text: string): Statement {
    return guarded(() => new NodeStatement(this.opened.prepare(text))) as unknown as Statement;
  }

  query(text: string): Statement {
    const found = this.kept.get(text) ?? this.prepare(text);
    this.kept.set(text, found);
    return found;
  }

  run(text: string, params?: readonly SqlValue[]): void {
    if (params === undefined) {
      guarded(() => this.opened.exec(text));
      return;
    }
    const once = this.prepare(text);
    try {
      once.run(...params);
    } finally {
      once.finalize();
    }
  }

  close(): void {
    this.kept.clear();
    if (this.opened.isOpen) guarded(() => this.opened.close());
  }
}

export function openDatabase(path: string, mode: OpenMode): Database {
  return new NodeDatabase(path, mode) as unknown as Database;
}
