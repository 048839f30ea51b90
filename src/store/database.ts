// Opens the SQLite file. The only file that touches bun:sqlite.

import { Database, type Statement } from 'bun:sqlite';
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite';

/** A handle on the database: what the functions of this room take, inside a transaction or, for reads, outside. */
export interface Tx {
  readonly db: BunSQLiteDatabase;
  readonly client: Database;
}

export type Synchronous = 'FULL' | 'NORMAL' | 'OFF' | 'EXTRA';

export interface Store {
  /** For the writer alone. */
  readonly writing: Tx;
  /** Sees committed data only. */
  readonly reading: Tx;
  /** Rises whenever anybody, also another process, has committed. */
  dataVersion(): number;
  close(): void;
}

function open(path: string, synchronous: Synchronous): Tx {
  const client = new Database(path, { create: true, readwrite: true, strict: true });
  client.run('PRAGMA busy_timeout = 10000');
  client.run('PRAGMA journal_mode = WAL');
  client.run(`PRAGMA synchronous = ${synchronous}`);
  client.run('PRAGMA foreign_keys = ON');
  client.run('PRAGMA secure_delete = FAST');
  client.run('PRAGMA cache_size = -16000');
  client.run('PRAGMA temp_store = MEMORY');
  // A checkpoint stalls the commit that triggers it: 16 MiB at most, a few milliseconds.
  client.run('PRAGMA wal_autocheckpoint = 4000');
  client.run('PRAGMA journal_size_limit = 67108864');
  return { client, db: drizzle({ client }) };
}

/** @param path the database file; it is created when absent, its folder is not. */
export function openStore(path: string, synchronous: Synchronous = 'FULL'): Store {
  const writing = open(path, synchronous);
  const reading = open(path, synchronous);
  reading.client.run('PRAGMA query_only = ON');
  const version = reading.client.prepare<{ data_version: number }, []>('PRAGMA data_version');
  return {
    writing,
    reading,
    dataVersion: () => version.get()?.data_version ?? 0,
    close() {
      version.finalize();
      reading.client.close();
      writing.client.close();
    },
  };
}

/** A handle that changes nothing, for looking at a file that may be damaged, of another schema or no database at all. */
export function openForInspection(path: string): Tx & { close(): void } {
  const client = new Database(path, { create: false, readwrite: true, strict: true });
  client.run('PRAGMA busy_timeout = 10000');
  client.run('PRAGMA query_only = ON');
  return { client, db: drizzle({ client }), close: () => client.close() };
}

/**
 * A statement that is prepared once for each handle, since preparing costs several times what running does.
 * `build` gets drizzle and returns a prepared query.
 */
export function statement<Prepared>(build: (db: BunSQLiteDatabase) => Prepared): (tx: Tx) => Prepared {
  const prepared = new WeakMap<Tx, Prepared>();
  return (tx) => {
    let query = prepared.get(tx);
    if (query === undefined) {
      query = build(tx.db);
      prepared.set(tx, query);
    }
    return query;
  };
}

type Value = string | number | bigint | boolean | null | Uint8Array;

const maxCachedTexts = 400;
const textCaches = new WeakMap<Tx, Map<string, Statement>>();

/** The prepared statement of an SQL text that is composed at run time; the least lately used ones are let go. */
export function query<Row>(tx: Tx, text: string): Statement<Row, Value[]> {
  let cache = textCaches.get(tx);
  if (!cache) {
    cache = new Map();
    textCaches.set(tx, cache);
  }
  let prepared = cache.get(text);
  if (prepared) cache.delete(text);
  else {
    prepared = tx.client.prepare(text);
    if (cache.size >= maxCachedTexts) {
      for (const [oldest, unused] of cache) {
        unused.finalize();
        cache.delete(oldest);
        break;
      }
    }
  }
  cache.set(text, prepared);
  return prepared as Statement<Row, Value[]>;
}

/** Whether an error is SQLite's, and which: `SQLITE_FULL`, `SQLITE_CONSTRAINT_UNIQUE` … */
export function sqliteCode(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at.name === 'SQLiteError' && 'code' in at && typeof at.code === 'string') return at.code;
  }
  return undefined;
}
