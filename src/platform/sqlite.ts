// The small interface to SQLite that every runtime has.

import { existsSync } from 'node:fs';

export type SqlValue = string | number | bigint | boolean | null | Uint8Array;

export interface Statement<Row = unknown, Params extends unknown[] = SqlValue[]> {
  get(...params: Params): Row | null;
  all(...params: Params): Row[];
  values(...params: Params): unknown[][];
  run(...params: Params): { changes: number; lastInsertRowid: number | bigint };
  /** A statement that is not finalized can keep a closed database open. */
  finalize(): void;
}

export interface Database {
  readonly filename: string;
  readonly inTransaction: boolean;
  prepare<Row = unknown, Params extends unknown[] = SqlValue[]>(text: string): Statement<Row, Params>;
  /** As `prepare`, but the same text gives the same statement. */
  query<Row = unknown, Params extends unknown[] = SqlValue[]>(text: string): Statement<Row, Params>;
  /** Without parameters, the text may have several statements. Keeps nothing prepared. */
  run(text: string, params?: readonly SqlValue[]): void;
  close(): void;
}

/** `read only` leaves the log and its index as they are; `file only` reads neither. */
export type OpenMode = 'create' | 'existing' | 'read only' | 'file only';

export function readOnlyAddress(path: string, mode: 'read only' | 'file only'): string {
  if (mode === 'file only') return fileAddress(path, 'immutable=1');
  // Where there is no index, SQLite has to make one.
  return fileAddress(path, existsSync(`${path}-shm`) ? 'mode=ro&readonly_shm=1' : 'mode=ro');
}

export function fileAddress(path: string, parameters: string): string {
  return `file:${path.split('/').map(encodeURIComponent).join('/')}?${parameters}`;
}
