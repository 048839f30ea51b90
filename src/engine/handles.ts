// Handles on the SQLite file.

import { openDatabase } from '#platform/sqlite.ts';
import type { Database, Statement } from '../platform/sqlite.ts';

export interface Tx {
  readonly client: Database;
}

export type Synchronous = 'FULL' | 'NORMAL' | 'OFF' | 'EXTRA';

// Statements that are not finalized keep a closed database open, and its write-ahead log with it.
export interface Opened extends Tx {
  finalizeAll(): void;
}

function tracked(client: Database): Opened {
  const alive = new Set<WeakRef<Statement>>();
  const gone = new FinalizationRegistry<WeakRef<Statement>>((held) => alive.delete(held));
  const prepare = client.prepare.bind(client);
  client.prepare = ((...given: Parameters<typeof prepare>) => {
    const made = prepare(...given);
    const held = new WeakRef<Statement>(made);
    alive.add(held);
    gone.register(made, held);
    return made;
  }) as typeof client.prepare;
  return {
    client,
    finalizeAll() {
      for (const held of alive) held.deref()?.finalize();
      alive.clear();
    },
  };
}

const busyTimeoutMs = 10_000;
/** Without an archive: 8 MiB of a new file, which takes a few milliseconds. */
export const autoCheckpointFrames = 4000;
// On LiteFS the log must stay well below the 4062 frames of one block of its index (shared-index.ts).
const replicatedCheckpointFrames = 1000;

type LogKeeping = 'plain' | 'archived' | 'replicated';

// SQLite must not restart a log in place that is kept: `tend` has it copied into the file, a part at a time.
const checkpointFrames: Record<LogKeeping, number> = {
  plain: autoCheckpointFrames,
  archived: 0,
  replicated: replicatedCheckpointFrames,
};

// A commit writes every page that it touches. A new ticket touches about 40 and puts a few hundred bytes into each, so half the size
// is half the log. LiteFS is left with SQLite's usual size.
const newPageBytes: Record<LogKeeping, number> = { plain: 2048, archived: 2048, replicated: 4096 };

/** Throws SQLITE_BUSY at once if another process writes: waiting in SQLite would block this process. */
export function beginAtOnce(client: Database, begin: () => void): void {
  // This pragma takes effect when it is compiled, so a prepared one would act too early.
  client.run('PRAGMA busy_timeout = 0');
  try {
    begin();
  } finally {
    client.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  }
}

export function open(path: string, synchronous: Synchronous, keeping: LogKeeping): Opened {
  const opened = tracked(openDatabase(path, 'create'));
  const { client } = opened;
  client.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  // Both are set once in the life of the file: on a replica the mode would be a write.
  const mode = client.prepare<{ journal_mode: string }, []>('PRAGMA journal_mode');
  if (mode.get()?.journal_mode !== 'wal') {
    client.run(`PRAGMA page_size = ${newPageBytes[keeping]}`);
    client.run('PRAGMA journal_mode = WAL');
  }
  mode.finalize();
  client.run(`PRAGMA synchronous = ${synchronous}`);
  client.run('PRAGMA foreign_keys = ON');
  client.run('PRAGMA secure_delete = FAST');
  client.run('PRAGMA cache_size = -16000');
  client.run('PRAGMA temp_store = MEMORY');
  client.run(`PRAGMA wal_autocheckpoint = ${checkpointFrames[keeping]}`);
  client.run('PRAGMA journal_size_limit = 67108864');
  return opened;
}

/** Reads the file without its log, index or locks, for when it cannot be opened normally. */
export function openFileOnly(path: string): Opened {
  const opened = tracked(openDatabase(path, 'file only'));
  opened.client.run('PRAGMA temp_store = MEMORY');
  return opened;
}

/** @param mode 'read only' leaves the log as it is also where this is the last handle to close */
export function openToRead(path: string, mode: 'existing' | 'read only' = 'existing'): Opened {
  const opened = tracked(openDatabase(path, mode));
  opened.client.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  opened.client.run('PRAGMA query_only = ON');
  return opened;
}

export function holdNow({ client }: Opened): void {
  client.run('BEGIN');
  client.run('SELECT 1 FROM sqlite_schema LIMIT 1');
}

export function touch({ client }: Tx): void {
  const asked = client.prepare<{ user_version: number }, []>('PRAGMA user_version');
  const version = asked.get()?.user_version ?? 0;
  asked.finalize();
  client.run(`PRAGMA user_version = ${version}`);
}

export function letGo(handle: Opened): void {
  handle.finalizeAll();
  handle.client.close();
}
