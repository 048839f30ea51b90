// Opens the SQLite file.

import { whenEnding } from '../base/process.ts';
import type { SqlValue, Statement } from '../platform/sqlite.ts';
import {
  beginAtOnce,
  holdNow,
  letGo,
  type Opened,
  openFileOnly,
  openToRead,
  type Synchronous,
  type Tx,
} from './handles.ts';
import { createViews } from './read-views.ts';
import { openHandles } from './reopening.ts';
import { createSharedIndex, type SharedIndex } from './shared-index.ts';
import { isBusy, sqliteCode } from './sqlite-errors.ts';
import { createWalArchive, type WalArchive, type WalPosition } from './wal/archive.ts';
import { createLogGuard } from './wal/guard.ts';
import { createLogUpkeep, type LogPace, usualPace } from './wal/upkeep.ts';

export type { Synchronous, Tx };
export { isBusy, sqliteCode };

export interface Store {
  /** `tend` may replace it, so do not keep it. Only for the writer. */
  readonly writing: Tx;
  /** Sees only committed data. `tend` may replace it, so do not keep it. */
  readonly reading: Tx;
  readonly archive: WalArchive | null;
  /** Null unless LiteFS replicates the database. */
  readonly sharedIndex: SharedIndex | null;
  /** To read from, in a transaction of its own. On LiteFS, the reads of one turn of the event loop share it. */
  view<T>(read: (tx: Tx) => T): T;
  /** Before each transaction, which later reads must see. */
  endView(): void;
  dataVersion(): number;
  /** Copies and renews the log on another thread, between transactions. Throws the last copy's error, once. */
  tend(): void;
  /** Has the other thread copy most of the log, so that ending the log takes little time. */
  copyMostOfLog(): Promise<void>;
  /** Settles when the other thread copies nothing: closing before that blocks. */
  settled(): Promise<void>;
  /** Starts a new log now if no other process has the database open. Returns whether it did. */
  rotate(): boolean;
  /** Removes what follows the last commit, such as a failed transaction. Throws if that cannot be synced to disk. */
  cutTail(): boolean;
  /** The current position in the history. Needs an archive; throws SQLITE_BUSY while another process writes. */
  position(): WalPosition;
  /** Keeps the current state for copying while writes go on. Needs an archive. */
  pin(): PinnedDatabase;
  copyInto(path: string): void;
  /** Closes the database until its next use, between transactions. Returns whether the log has ended. */
  rest(): boolean;
  close(): void;
}

export interface PinnedDatabase {
  position: WalPosition;
  pages: number;
  pageSize: number;
  file: number;
  /** The committed frames after those that are already in the file. */
  overlay: { path: string; after: number; frames: number } | null;
  release(): void;
}

/**
 * @param path its folder must exist
 * @param archiveFolder on the same file system; null keeps no logs
 * @param isReplicated whether the file is in a LiteFS mount
 */
export function openStore(
  path: string,
  synchronous: Synchronous = 'FULL',
  archiveFolder: string | null = null,
  pace: LogPace = usualPace,
  isReplicated = false,
): Store {
  const archive = archiveFolder === null ? null : createWalArchive(path, archiveFolder);
  const guard = createLogGuard(
    () => openToRead(path),
    () => archive?.index()?.frames ?? 0,
  );
  const upkeep = archive && createLogUpkeep(path, synchronous, archive, guard, pace, tend);
  const sharedIndex = isReplicated ? createSharedIndex(path) : null;
  const views = createViews(isReplicated);
  const handles = openHandles(path, synchronous, archive, sharedIndex, () => {
    views.end();
    upkeep?.finish();
    guard.close();
  });
  // A process that ends in the middle, as when the reader of its output has gone, has SQLite end the log. That must be known as a clean end.
  const stayOpen = archive === null ? () => undefined : whenEnding(close);
  let pinning: Opened | null = null;

  function close(): void {
    stayOpen();
    handles.close();
  }

  function locked<T>(act: () => T, begin = (_: Tx['client'], run: () => void) => run()): T {
    const { client } = handles.writing();
    begin(client, () => client.run('BEGIN IMMEDIATE'));
    try {
      return act();
    } finally {
      client.run('ROLLBACK');
    }
  }

  function rotate(): boolean {
    if (upkeep === null || pinning !== null || !handles.isOpen()) return false;
    return upkeep.mayEnd(handles.writing(), handles.reading()) && handles.renew();
  }

  function tend(): void {
    if (handles.isOpen() && upkeep?.tend(pinning === null, handles.writing)) rotate();
  }

  return {
    get writing() {
      return handles.writing();
    },
    get reading() {
      return handles.reading();
    },
    archive,
    sharedIndex,
    view: (read) => views.read(handles.reading(), read),
    endView: views.end,
    dataVersion: handles.dataVersion,
    tend,
    copyMostOfLog: () => (handles.isOpen() && upkeep?.copyMost(handles.writing)) || Promise.resolve(),
    settled: () => upkeep?.ended() ?? Promise.resolve(),
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
        const handle = openToRead(path);
        holdNow(handle);
        const { client } = handle;
        const now = archive.index();
        const log = archive.segmentPath();
        const pages = client.query<{ page_count: number }, []>('PRAGMA page_count').get()?.page_count ?? 0;
        const pageSize = client.query<{ page_size: number }, []>('PRAGMA page_size').get()?.page_size ?? 4096;
        pinning = handle;
        return {
          position: archive.position(),
          pages,
          pageSize,
          file: archive.databaseFile(),
          overlay:
            log !== null && now !== null && now.frames > now.backfilled
              ? { path: log, after: now.backfilled, frames: now.frames }
              : null,
          release() {
            letGo(handle);
            pinning = null;
          },
        };
      });
    },
    copyInto(target) {
      handles.writing().client.run('VACUUM INTO ?', [target]);
    },
    rest: () => handles.isOpen() && pinning === null && handles.rest(),
    close,
  };
}

/**
 * A read-only handle for a file that may be damaged, have another schema or not be a database.
 * @param archiveFolder where the logs of a desk's own database are kept: closing it can end the log of a desk that crashed
 */
export function openForInspection(path: string, archiveFolder: string | null = null): Tx & { close(): void } {
  const archive = archiveFolder === null ? null : createWalArchive(path, archiveFolder);
  archive?.adopt();
  const opened = openToRead(path);
  return {
    ...opened,
    close() {
      letGo(opened);
      archive?.closed();
    },
  };
}

/** For a database that may be damaged: reads it with its log, and leaves both as they are. */
export function openLeftAsIs(path: string): Tx & { close(): void } {
  const opened = openToRead(path, 'read only');
  return { ...opened, close: () => letGo(opened) };
}

/** For a file that has all of its log, and changes nothing beside it. */
export function openFileToRead(path: string): Tx & { close(): void } {
  const opened = openFileOnly(path);
  return { ...opened, close: () => letGo(opened) };
}

const maxCachedTexts = 400;
const textCaches = new WeakMap<Tx, Map<string, Statement>>();

// SQLite plans a statement that has an order or a limit again whenever a bare parameter is bound, which can take five times as long
// as running it. A plus in front changes no value, and the plan stays.
function withLastingPlan(text: string): string {
  return text.replace(/'[^']*'|"[^"]*"|\?\d*/g, (part) => (part.startsWith('?') ? `+${part}` : part));
}

/** The prepared statement of an SQL text, because preparing costs several times as much as running; the least recently used ones are dropped. */
export function query<Row>(tx: Tx, text: string): Statement<Row, SqlValue[]> {
  let cache = textCaches.get(tx);
  if (!cache) {
    cache = new Map();
    textCaches.set(tx, cache);
  }
  let prepared = cache.get(text);
  if (prepared) {
    // As long as there is room, it does not matter which was used last.
    if (cache.size < maxCachedTexts) return prepared as Statement<Row, SqlValue[]>;
    cache.delete(text);
  } else {
    prepared = tx.client.prepare(withLastingPlan(text));
    if (cache.size >= maxCachedTexts) {
      for (const [oldest, unused] of cache) {
        unused.finalize();
        cache.delete(oldest);
        break;
      }
    }
  }
  cache.set(text, prepared);
  return prepared as Statement<Row, SqlValue[]>;
}
