// Opens the SQLite file.

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { monotonicMs } from '../base/clock.ts';
import { collectGarbage } from '../platform/bun/runtime.ts';
import { Database, readOnlyByUri, type Statement } from '../platform/bun/sqlite.ts';
import { type QueryBuilder, queryBuilderOn } from './query-builder.ts';
import { createWalArchive, type WalArchive, type WalPosition } from './wal/archive.ts';

export interface Tx {
  readonly db: QueryBuilder;
  readonly client: Database;
}

export type Synchronous = 'FULL' | 'NORMAL' | 'OFF' | 'EXTRA';

export interface Store {
  /** `tend` may replace it, so do not keep it. Only for the writer. */
  readonly writing: Tx;
  /** Sees only committed data. `tend` may replace it, so do not keep it. */
  readonly reading: Tx;
  readonly archive: WalArchive | null;
  dataVersion(): number;
  /**
   * Copies some of the write-ahead log into the database file, and starts a new log when this one has grown long. Call
   * it between transactions; most calls find nothing to do. With an archive, nothing else does this.
   */
  tend(): void;
  /** Starts a new log now if no other process has the database open. Returns whether it did. */
  rotate(): boolean;
  /**
   * Removes what follows the last commit in the log, such as a transaction whose fsync failed: after a crash it would
   * count as committed. Throws if the removal cannot be synced to disk; false if no archive knows what is committed.
   */
  cutTail(): boolean;
  /** The current position in the history. Needs an archive; throws SQLITE_BUSY while another process writes. */
  position(): WalPosition;
  /** Keeps the current state for copying while writes go on. Needs an archive. */
  pin(): PinnedDatabase;
  copyInto(path: string): void;
  /**
   * Closes the database until it is used again, so that its log can end. Call it between transactions. Returns whether
   * the log has ended.
   */
  rest(): boolean;
  close(): void;
}

export interface PinnedDatabase {
  position: WalPosition;
  pages: number;
  pageSize: number;
  /** A descriptor on the database file; readers must not close it. */
  file: number;
  overlay: { path: string; frames: number } | null;
  release(): void;
}

// Statements that are not finalized keep a closed database open, and its write-ahead log with it.
interface Opened extends Tx {
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
    db: queryBuilderOn(client),
    finalizeAll() {
      for (const held of alive) held.deref()?.finalize();
      alive.clear();
    },
  };
}

const busyTimeoutMs = 10_000;

/**
 * Begins a transaction, or throws SQLITE_BUSY at once if another process writes: waiting in SQLite would block this
 * whole process.
 */
export function beginAtOnce(client: Database, begin: () => void): void {
  // This pragma takes effect when it is compiled, so a prepared one would act too early.
  client.run('PRAGMA busy_timeout = 0');
  try {
    begin();
  } finally {
    client.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  }
}

function open(path: string, synchronous: Synchronous, hasArchive: boolean): Opened {
  const opened = tracked(new Database(path, { create: true, readwrite: true, strict: true }));
  const { client } = opened;
  client.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  // The mode is set once in the life of the file: on a replica that pragma would be a write.
  const mode = client.prepare<{ journal_mode: string }, []>('PRAGMA journal_mode');
  if (mode.get()?.journal_mode !== 'wal') client.run('PRAGMA journal_mode = WAL');
  mode.finalize();
  client.run(`PRAGMA synchronous = ${synchronous}`);
  client.run('PRAGMA foreign_keys = ON');
  client.run('PRAGMA secure_delete = FAST');
  client.run('PRAGMA cache_size = -16000');
  client.run('PRAGMA temp_store = MEMORY');
  // With an archive SQLite must not restart a log in place: `tend` copies it into the file, a part at a time.
  client.run(`PRAGMA wal_autocheckpoint = ${hasArchive ? 0 : autoCheckpointFrames}`);
  client.run('PRAGMA journal_size_limit = 67108864');
  return opened;
}

/** Reads the file without its log, index or locks, for when it cannot be opened normally. */
function openFileOnly(path: string): Opened {
  const address = `file:${path.split('/').map(encodeURIComponent).join('/')}?immutable=1`;
  const opened = tracked(new Database(address, readOnlyByUri));
  opened.client.run('PRAGMA temp_store = MEMORY');
  return opened;
}

// Copying the log stalls commits for some tens of milliseconds; often and little delays one request in a hundred,
// seldom and more one in two hundred.
const tendFrames = 60_000;
// More free space than reopening the database and copying its old log can need.
export const roomToOpen = 64 * 1024 * 1024;
const reopenEveryMs = 1000;
// Without an archive: 16 MiB, which takes a few milliseconds.
const autoCheckpointFrames = 4000;
/** At this length the log ends and the database is reopened. */
export const rotateBytes = 240 * 1000 * 1000;
// The delay before a retry if another process has the database open or the disk is full. Each try stalls commits.
const rotateAgainMs = 5000;

/**
 * @param path the database file; created if missing, but its folder must exist
 * @param archiveFolder where the write-ahead logs are kept, on the same file system; null keeps none
 */
export function openStore(path: string, synchronous: Synchronous = 'FULL', archiveFolder: string | null = null): Store {
  const archive = archiveFolder === null ? null : createWalArchive(path, archiveFolder);
  let writing: Opened;
  let reading: Opened;
  let version: Statement<{ data_version: number }, []>;
  // Its open transaction keeps SQLite from copying the whole log, after which it would restart the log in place.
  let guard: { handle: Opened; frames: number } | null = null;
  let pinning: Opened | null = null;
  let rotateNotBefore = 0;
  let reopenings = 0;
  let isOpen = true;
  // Used for reads while the database cannot be reopened.
  let fileOnly: Opened | null = null;
  let reopenAt = 0;

  function openHandles(): void {
    const first = open(path, synchronous, archive !== null);
    try {
      reading = open(path, synchronous, archive !== null);
      reading.client.run('PRAGMA query_only = ON');
      version = reading.client.prepare<{ data_version: number }, []>('PRAGMA data_version');
    } catch (error) {
      letGo(first);
      throw error;
    }
    writing = first;
    archive?.adopt();
  }

  /** Returns whether no other process has the database open, as far as an archive can tell. */
  function closeHandles(): boolean {
    for (const handle of [guard?.handle, reading, writing]) {
      handle?.finalizeAll();
      handle?.client.close();
    }
    guard = null;
    // A statement that is unused but not collected yet also holds the file open.
    if (archive !== null && existsSync(`${path}-wal`)) collectGarbage();
    return archive?.closed() ?? true;
  }

  function locked<T>(act: () => T, begin = (_: Database, run: () => void) => run()): T {
    const { client } = writable();
    begin(client, () => client.run('BEGIN IMMEDIATE'));
    try {
      return act();
    } finally {
      client.run('ROLLBACK');
    }
  }

  function hold(): Opened {
    const handle = tracked(new Database(path, { readwrite: true, strict: true }));
    handle.client.run('PRAGMA query_only = ON');
    handle.client.run('BEGIN');
    handle.client.run('SELECT 1 FROM sqlite_schema LIMIT 1');
    return handle;
  }

  function letGo(handle: Opened): void {
    handle.finalizeAll();
    handle.client.close();
  }

  const framesNow = () => archive?.index()?.frames ?? 0;

  function moveGuard(): void {
    const frames = framesNow();
    const next = hold();
    if (guard !== null) letGo(guard.handle);
    guard = { handle: next, frames };
  }

  /** Whether a closed database can surely be reopened: on a full or read-only disk it is better not to close it. */
  function mayReopen(): boolean {
    const folder = dirname(path);
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
      accessSync(folder, constants.W_OK | constants.X_OK);
      const { bavail, bsize } = statfsSync(folder);
      if (bavail * bsize <= roomToOpen) return false;
      tryFile(join(folder, '.try.partial'));
      return takeIn();
    } catch {
      return false;
    }
  }

  /**
   * Copies the log into the file except for a last, empty commit: the file alone is then complete, and SQLite still
   * cannot restart the log in place. False if another process reads an older state.
   */
  function takeIn(): boolean {
    if (framesNow() === 0) return true;
    moveGuard();
    const wanted = guard?.frames ?? 0;
    beginAtOnce(writing.client, () => writing.client.run('BEGIN IMMEDIATE'));
    try {
      archive?.enter();
      touch(writing);
      writing.client.run('COMMIT');
    } catch (error) {
      if (writing.client.inTransaction) writing.client.run('ROLLBACK');
      archive?.cutTail();
      throw error;
    }
    const taken = reading.client
      .query<{ busy: number; checkpointed: number }, []>('PRAGMA wal_checkpoint(PASSIVE)')
      .get();
    return taken !== null && taken.busy === 0 && taken.checkpointed >= wanted;
  }

  function rotate(): boolean {
    if (archive === null || pinning !== null || !isOpen) return false;
    rotateNotBefore = monotonicMs() + rotateAgainMs;
    if (!mayReopen()) return false;
    fileOnly = openFileOnly(path);
    isOpen = false;
    const wasLast = closeHandles();
    try {
      reopen();
    } catch {
      // The disk has failed in between: reads use the file alone, and the next caller tries again.
      return wasLast;
    }
    return wasLast;
  }

  function reopen(): void {
    openHandles();
    reopenings += 1;
    isOpen = true;
    if (fileOnly !== null) letGo(fileOnly);
    fileOnly = null;
  }

  function readable(): Opened {
    if (isOpen) return reading;
    const now = monotonicMs();
    if (fileOnly !== null && now < reopenAt) return fileOnly;
    reopenAt = now + reopenEveryMs;
    try {
      reopen();
    } catch (error) {
      if (fileOnly === null) throw error;
      return fileOnly;
    }
    return reading;
  }

  function writable(): Opened {
    if (!isOpen) reopen();
    return writing;
  }

  openHandles();
  return {
    get writing() {
      return writable();
    },
    get reading() {
      return readable();
    },
    archive,
    dataVersion: () => reopenings * 2 ** 32 + (isOpen ? (version.get()?.data_version ?? 0) : 0),
    tend() {
      if (archive === null || !isOpen) return;
      const frames = framesNow();
      if (archive.unsupported !== null) {
        if (frames >= autoCheckpointFrames) reading.client.run('PRAGMA wal_checkpoint(PASSIVE)');
        return;
      }
      if (guard === null) {
        if (frames > 0) moveGuard();
        return;
      }
      if (pinning === null && archive.logBytes() >= rotateBytes && monotonicMs() >= rotateNotBefore) {
        rotate();
        return;
      }
      if (frames - guard.frames < tendFrames) return;
      // Another process keeps the log from ending, or a copy is being made: copy as much as possible.
      reading.client.run('PRAGMA wal_checkpoint(PASSIVE)');
      moveGuard();
    },
    rotate,
    cutTail: () => (archive === null ? false : locked(() => archive.cutTail())),
    position() {
      if (archive === null) throw new Error('A database without an archive has no position.');
      return locked(() => archive.position(), beginAtOnce);
    },
    pin() {
      if (archive === null) throw new Error('A database without an archive cannot be held for copying.');
      if (pinning !== null) throw new Error('The database is held for copying already.');
      return locked(() => {
        archive.enter();
        const handle = hold();
        const { client } = handle;
        const now = archive.index();
        const path = archive.segmentPath();
        const pages = client.query<{ page_count: number }, []>('PRAGMA page_count').get()?.page_count ?? 0;
        const pageSize = client.query<{ page_size: number }, []>('PRAGMA page_size').get()?.page_size ?? 4096;
        pinning = handle;
        return {
          position: archive.position(),
          pages,
          pageSize,
          file: archive.databaseFile(),
          overlay: path !== null && now !== null && now.frames > 0 ? { path, frames: now.frames } : null,
          release() {
            letGo(handle);
            pinning = null;
          },
        };
      });
    },
    copyInto(target) {
      writing.client.run('VACUUM INTO ?', [target]);
    },
    rest() {
      if (!isOpen || pinning !== null) return false;
      isOpen = false;
      return closeHandles();
    },
    close() {
      if (isOpen) closeHandles();
      if (fileOnly !== null) letGo(fileOnly);
    },
  };
}

/** Rewrites the first page unchanged, to find out whether writes succeed. */
export function touch({ client }: Tx): void {
  const asked = client.prepare<{ user_version: number }, []>('PRAGMA user_version');
  const version = asked.get()?.user_version ?? 0;
  asked.finalize();
  client.run(`PRAGMA user_version = ${version}`);
}

function tryFile(path: string): void {
  const file = openSync(path, 'w', 0o600);
  try {
    writeSync(file, 'x');
    fsyncSync(file);
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}

/** A read-only handle for a file that may be damaged, have another schema or not be a database. */
export function openForInspection(path: string): Tx & { close(): void } {
  const opened = tracked(new Database(path, { create: false, readwrite: true, strict: true }));
  opened.client.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  opened.client.run('PRAGMA query_only = ON');
  return {
    ...opened,
    close() {
      opened.finalizeAll();
      opened.client.close();
    },
  };
}

/**
 * A statement that is prepared once for each handle, because preparing costs several times as much as running. `build`
 * gets drizzle and returns a prepared query.
 */
export function statement<Prepared>(build: (db: QueryBuilder) => Prepared): (tx: Tx) => Prepared {
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

/** The prepared statement of an SQL text composed at run time; the least recently used ones are dropped. */
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

export function sqliteCode(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at.name === 'SQLiteError' && 'code' in at && typeof at.code === 'string') return at.code;
  }
  return undefined;
}

export function isBusy(error: unknown): boolean {
  return sqliteCode(error)?.startsWith('SQLITE_BUSY') ?? false;
}
