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
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite';
import { monotonicMs } from '../base/clock.ts';
import { collectGarbage } from '../platform/bun/runtime.ts';
import { Database, readOnlyByUri, type Statement } from '../platform/bun/sqlite.ts';
import { createWalArchive, type WalArchive, type WalPosition } from './wal/archive.ts';

/** A handle on the database: what the functions of this room take, inside a transaction or, for reads, outside. */
export interface Tx {
  readonly db: BunSQLiteDatabase;
  readonly client: Database;
}

export type Synchronous = 'FULL' | 'NORMAL' | 'OFF' | 'EXTRA';

export interface Store {
  /** For the writer alone. Another handle after `tend`: not to be kept. */
  readonly writing: Tx;
  /** Sees committed data only. Another handle after `tend`: not to be kept. */
  readonly reading: Tx;
  /** Every write-ahead log that there was; null where none is kept. */
  readonly archive: WalArchive | null;
  /** Rises whenever anybody, also another process, has committed. */
  dataVersion(): number;
  /**
   * Takes some of the write-ahead log into the database file, and begins a new log when this one has grown long.
   * To be called between transactions; most calls find nothing to do. With an archive, nobody else does it.
   */
  tend(): void;
  /** Begins a new log now, if no other process has the database open. Answers whether it did. */
  rotate(): boolean;
  /**
   * Removes from the log what lies behind its last commit, such as a transaction whose fsync failed: after a crash it
   * would be taken for committed. Throws when that is not on the disk; false where no archive tells what is committed.
   */
  cutTail(): boolean;
  /** Where the history of the database is now. Needs an archive; SQLITE_BUSY while another process writes. */
  position(): WalPosition;
  /** Holds the database as it is now for copying, while writes go on. Needs an archive. */
  pin(): PinnedDatabase;
  /** Writes a compact copy of the database to a file that is not there yet; nothing else runs meanwhile. */
  copyInto(path: string): void;
  /**
   * Lets go of the database until it is used again, so that its log can end meanwhile. To be called between
   * transactions. Answers whether the log has ended with it.
   */
  rest(): boolean;
  close(): void;
}

/** A state of the database that stays readable until it is released. */
export interface PinnedDatabase {
  position: WalPosition;
  pages: number;
  pageSize: number;
  /** A descriptor on the database file; never to be closed by the one who reads. */
  file: number;
  /** The frames that lie over the file, where it does not have them all yet. */
  overlay: { path: string; frames: number } | null;
  release(): void;
}

// Statements that nobody finalizes keep a closed database open, and its write-ahead log with it.
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
    db: drizzle({ client }),
    finalizeAll() {
      for (const held of alive) held.deref()?.finalize();
      alive.clear();
    },
  };
}

const busyTimeoutMs = 10_000;

/**
 * Begins a transaction, or throws SQLITE_BUSY at once where another process writes: SQLite would wait in its place, and
 * with it everybody whom this process serves.
 */
export function beginAtOnce(client: Database, begin: () => void): void {
  // This pragma takes effect where it is compiled, so that a prepared one would come too early.
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
  // Once for the life of the file: on a replica that pragma would be a write.
  const mode = client.prepare<{ journal_mode: string }, []>('PRAGMA journal_mode');
  if (mode.get()?.journal_mode !== 'wal') client.run('PRAGMA journal_mode = WAL');
  mode.finalize();
  client.run(`PRAGMA synchronous = ${synchronous}`);
  client.run('PRAGMA foreign_keys = ON');
  client.run('PRAGMA secure_delete = FAST');
  client.run('PRAGMA cache_size = -16000');
  client.run('PRAGMA temp_store = MEMORY');
  // With an archive no log may be begun anew in its place: `tend` takes it in, a part at a time.
  client.run(`PRAGMA wal_autocheckpoint = ${hasArchive ? 0 : autoCheckpointFrames}`);
  client.run('PRAGMA journal_size_limit = 67108864');
  return opened;
}

/** Reads the file as it is, without its log, an index or a lock: for when nothing else can be opened. */
function openAlone(path: string): Opened {
  const address = `file:${path.split('/').map(encodeURIComponent).join('/')}?immutable=1`;
  const opened = tracked(new Database(address, readOnlyByUri));
  opened.client.run('PRAGMA temp_store = MEMORY');
  return opened;
}

// Taking a log in stalls the commits meanwhile, by some tens of milliseconds; often and little delays one request in a
// hundred, seldom and more one in two hundred.
const tendFrames = 60_000;
// Room that opening anew, and taking in what the old log had, is sure to find enough.
export const roomToOpen = 64 * 1024 * 1024;
// How often reads try to open again what could not be opened.
const reopenEveryMs = 1000;
// Without an archive: 16 MiB, a few milliseconds.
const autoCheckpointFrames = 4000;
/** At that length the log ends, and the database is opened anew. */
export const rotateBytes = 240 * 1000 * 1000;
// How soon that is tried again where another process has the database open, or the disk has no room. A try stalls commits.
const rotateAgainMs = 5000;

/**
 * @param path the database file; it is created when absent, its folder is not
 * @param archiveFolder where the write-ahead logs are kept, on the same file system; null keeps none
 */
export function openStore(path: string, synchronous: Synchronous = 'FULL', archiveFolder: string | null = null): Store {
  const archive = archiveFolder === null ? null : createWalArchive(path, archiveFolder);
  let writing: Opened;
  let reading: Opened;
  let version: Statement<{ data_version: number }, []>;
  // Its open transaction keeps the log from being taken in as a whole, after which it would begin anew in its place.
  let guard: { handle: Opened; frames: number } | null = null;
  let pinning: Opened | null = null;
  let rotateNotBefore = 0;
  let reopenings = 0;
  let isOpen = true;
  // What is read while the database could not be opened again after a log had ended.
  let alone: Opened | null = null;
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

  /** Answers whether nobody else has the database open, as far as an archive can tell. */
  function closeHandles(): boolean {
    for (const handle of [guard?.handle, reading, writing]) {
      handle?.finalizeAll();
      handle?.client.close();
    }
    guard = null;
    // A statement that nobody refers to any more, and that was not swept yet, holds the file open too.
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

  /** A handle inside a read transaction that begins now. */
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

  /** Whether what was closed could surely be opened again: on a full or forbidden disk the desk had better go on as it is. */
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
   * Takes the log in, but for a last commit that changes nothing: the file alone then tells everything, and the log
   * still cannot begin anew in its place. False where another process reads what is older.
   */
  function takeIn(): boolean {
    if (framesNow() === 0) return true;
    moveGuard();
    const wanted = guard?.frames ?? 0;
    // Where another process writes just now, it is tried again later.
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
    alone = openAlone(path);
    isOpen = false;
    const wasLast = closeHandles();
    try {
      reopen();
    } catch {
      // The disk has failed in between: reads go to the file alone, and whoever comes next tries again.
      return wasLast;
    }
    return wasLast;
  }

  function reopen(): void {
    openHandles();
    reopenings += 1;
    isOpen = true;
    if (alone !== null) letGo(alone);
    alone = null;
  }

  function readable(): Opened {
    if (isOpen) return reading;
    const now = monotonicMs();
    if (alone !== null && now < reopenAt) return alone;
    reopenAt = now + reopenEveryMs;
    try {
      reopen();
    } catch (error) {
      if (alone === null) throw error;
      return alone;
    }
    return reading;
  }

  /** For the writer; when it cannot be opened, that is said to whoever asks. */
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
    // What is counted by one handle means nothing to the next.
    dataVersion: () => reopenings * 2 ** 32 + (isOpen ? (version.get()?.data_version ?? 0) : 0),
    tend() {
      if (archive === null || !isOpen) return;
      const frames = framesNow();
      if (archive.unsupported !== null) {
        // No log is kept, so this one may begin anew in its place.
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
      // Another process keeps the log from ending, or a copy is being made: it is taken in as far as may be.
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
      if (alone !== null) letGo(alone);
    },
  };
}

/** Writes the first page and changes nothing: whether that goes well tells whether anything can be written. */
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

/** A handle that changes nothing, for looking at a file that may be damaged, of another schema or no database at all. */
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

/** Whether another process, or another handle, was writing. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error)?.startsWith('SQLITE_BUSY') ?? false;
}
