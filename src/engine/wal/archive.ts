// Keeps every write-ahead log under its own name: with a snapshot they complete any plain copy (docs/backups.md).

import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Instant } from '../../base/clock.ts';
import { openFile } from '../../base/open-file.ts';
import { syncFolderNow } from '../../base/sync-folder.ts';
import type { Database } from '../../platform/sqlite.ts';
import {
  frameHeaderBytes,
  isSteadyIndex,
  readWalIndex,
  type WalIndex,
  walHeaderBytes,
  walIndexBytes,
} from './format.ts';
import { writeLastCommit } from './last-commit.ts';
import { noteNeededLog, noteWhole } from './needed-log.ts';
import { type TimesWriter, timesPath, writeTimes } from './times.ts';

/** A moment in the history of the database: this many frames of that segment are in it. */
export interface WalPosition {
  segment: number;
  frames: number;
}

export interface Segment {
  ordinal: number;
  /** The length of the segment before it, if it continues that one without a gap. */
  after: number | null;
  path: string;
}

export interface WalArchive {
  /** Gives the current log its name in the archive; must run before anything is written to it, under the write lock. */
  enter(): void;
  /** Call it in a transaction that has changed something: with its commit, the database says which log it needs. */
  noteLog(client: Pick<Database, 'run'>): void;
  /** The caller holds the write lock. */
  position(): WalPosition;
  /** Finds the current log in the archive, so that its end is recorded even if nothing more is written to it. */
  adopt(): void;
  /** Removes what follows the committed frames in the log; the caller holds the write lock. */
  cutTail(): boolean;
  /** Records the time of a commit. Call it after the commit, without the write lock. */
  noteCommit(at: Instant): void;
  index(): WalIndex | null;
  segmentPath(): string | null;
  logBytes(): number;
  /** Why no archive can be kept here, for example without hard links; null if it is kept. */
  readonly unsupported: string | null;
  databaseFile(): number;
  /** Call it after SQLite has closed the file: closing a descriptor earlier would drop SQLite's locks. */
  closed(): boolean;
}

const markerName = 'last.txt';
const segmentName = /^(\d{8})\.(\d{1,15}|new)\.wal$/;

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

export function listSegments(folder: string): Segment[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
  return names
    .map((name) => ({ name, match: segmentName.exec(name) }))
    .flatMap(({ name, match }) =>
      match === null
        ? []
        : [
            {
              ordinal: Number(match[1]),
              after: match[2] === 'new' ? null : Number(match[2]),
              path: join(folder, name),
            },
          ],
    )
    .sort((a, b) => a.ordinal - b.ordinal);
}

/** The paths of the segments before that one, and of their times. */
export function filesBefore(folder: string, ordinal: number): string[] {
  return listSegments(folder)
    .filter((segment) => segment.ordinal < ordinal)
    .flatMap((segment) => [segment.path, timesPath(folder, segment.ordinal)]);
}

function readMarker(folder: string): string | null {
  try {
    return readFileSync(join(folder, markerName), 'utf8').trim();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

export function endedSegment(folder: string): number | null {
  return Number(readMarker(folder)?.split(' ')[0]) || null;
}

function stampOf(database: string): string {
  const { size, mtimeNs } = statSync(database, { bigint: true });
  return `${size} ${mtimeNs}`;
}

export function hasChangedSince(folder: string, database: string): boolean {
  const [, , ...stamp] = (readMarker(folder) ?? '').split(' ');
  return stamp.length === 2 && stamp.join(' ') !== stampOf(database);
}

/** Records that the current database does not continue the last segment. */
export function endHistory(folder: string): void {
  const last = listSegments(folder).at(-1);
  if (last !== undefined) writeFileSync(join(folder, markerName), `${last.ordinal} 0 other\n`, { mode: 0o600 });
}

const noLinks = ['EPERM', 'EXDEV', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** @param folder where the segments are, on the same file system; created if missing */
export function createWalArchive(database: string, folder: string): WalArchive {
  const log = `${database}-wal`;
  const marker = join(folder, markerName);
  const files = createOpenFiles();
  let current: Segment | null = null;
  let times: TimesWriter | null = null;
  const lastCommit = writeLastCommit(database);
  let unsupported: string | null = null;
  // Of the log that this transaction names, and of the one that the file is known to name.
  let naming: Segment | null = null;
  let named: Segment | null = null;
  const bytes = new Uint8Array(walIndexBytes);

  function index(): WalIndex | null {
    return readSync(files.descriptor(`${database}-shm`), bytes, 0, walIndexBytes, 0) === walIndexBytes
      ? readWalIndex(bytes)
      : null;
  }

  /** The last segment, if the database file is unchanged since that segment was copied into it. */
  function unbroken(segments: readonly Segment[]): { segment: Segment; size: number } | null {
    const segment = segments.at(-1);
    if (segment === undefined) return null;
    const { size } = statSync(segment.path);
    return readMarker(folder) === `${segment.ordinal} ${size} ${stampOf(database)}` ? { segment, size } : null;
  }

  function isPresentLog(segment: Segment): boolean {
    const [a, b] = [statSync(segment.path, { bigint: true }), statSync(log, { bigint: true })];
    return a.ino === b.ino && a.dev === b.dev;
  }

  return {
    index,
    get unsupported() {
      return unsupported;
    },
    enter() {
      naming = null;
      if (current !== null || unsupported !== null) return;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const segments = listSegments(folder);
      const last = segments.at(-1);
      if (last !== undefined && isPresentLog(last)) {
        current = last;
        return;
      }
      const before = statSync(log).size === 0 ? unbroken(segments) : null;
      const ordinal = (last?.ordinal ?? 0) + 1;
      const after = before?.size ?? null;
      const path = join(folder, `${String(ordinal).padStart(8, '0')}.${after ?? 'new'}.wal`);
      try {
        linkSync(log, path);
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : '';
        if (!noLinks.includes(code)) throw error;
        unsupported = code;
        return;
      }
      syncFolderNow(folder);
      current = { ordinal, after, path };
    },
    adopt() {
      if (current !== null || !existsSync(log)) return;
      const last = listSegments(folder).at(-1);
      if (last !== undefined && isPresentLog(last)) current = last;
    },
    noteLog(client) {
      if (current === null || named === current) return;
      client.run(`PRAGMA user_version = ${current.ordinal}`);
      naming = current;
    },
    cutTail: () => cutTailOf(log, index()),
    noteCommit(at) {
      if (current === null) return;
      try {
        if (naming !== null) {
          // In the file too, where a checkpoint would put it much later. A page of the log has it, so none takes it back.
          noteNeededLog(files.descriptor(database), naming.ordinal);
          named = naming;
        }
        const now = index();
        // Another process may be writing the index; it or the next commit records the time then.
        if (now === null || !isSteadyIndex(bytes)) return;
        lastCommit.note({ ordinal: current.ordinal, frames: now.frames, salts: now.salts });
        times ??= writeTimes(folder, current.ordinal);
        times.note({ frames: now.frames, at });
      } catch {
        // The commit counts even without its recorded time; the next one covers it.
      }
    },
    position() {
      const now = index();
      if (current !== null) return { segment: current.ordinal, frames: now?.frames ?? 0 };
      const segments = listSegments(folder);
      const last = segments.at(-1);
      if (last === undefined) return { segment: 1, frames: 0 };
      if (isPresentLog(last)) return { segment: last.ordinal, frames: now?.frames ?? 0 };
      const whole = (now?.frames ?? 0) === 0 ? unbroken(segments) : null;
      // The whole last segment, or nothing yet of the next one.
      return whole === null
        ? { segment: last.ordinal + 1, frames: 0 }
        : { segment: last.ordinal, frames: Number.MAX_SAFE_INTEGER };
    },
    segmentPath: () => current?.path ?? null,
    logBytes: () => statSync(log).size,
    databaseFile: () => files.descriptor(database),
    closed() {
      files.close();
      times?.close();
      times = null;
      const last = current;
      current = null;
      // The last process to close the database copies the log into it and removes it.
      const hasEnded = !existsSync(log);
      named = null;
      if (hasEnded) noteEnd(database);
      if (hasEnded && last !== null)
        markEnd(marker, () => `${last.ordinal} ${statSync(last.path).size} ${stampOf(database)}\n`);
      lastCommit.close(hasEnded);
      return hasEnded;
    },
  };
}

/** Descriptors that stay open until SQLite has closed the database. */
function createOpenFiles() {
  const opened = new Map<string, number>();
  return {
    descriptor(path: string): number {
      let file = opened.get(path);
      if (file === undefined) {
        // Windows cannot sync a file that is open only for reading.
        file = openSync(path, 'r+');
        opened.set(path, file);
      }
      return file;
    },
    close(): void {
      for (const file of opened.values()) closeSync(file);
      opened.clear();
    },
  };
}

function cutTailOf(log: string, now: WalIndex | null): boolean {
  if (now === null) return false;
  const frameBytes = frameHeaderBytes + now.pageSize;
  using file = openFile(log, 'r+');
  ftruncateSync(file.fd, now.frames === 0 ? 0 : walHeaderBytes + now.frames * frameBytes);
  fsyncSync(file.fd);
  return true;
}

function noteEnd(database: string): void {
  try {
    noteWhole(database);
  } catch {
    // The next start finds all of the log in the database.
  }
}

function markEnd(marker: string, text: () => string): void {
  const next = `${marker}.new`;
  try {
    writeFileSync(next, text(), { mode: 0o600 });
    renameSync(next, marker);
  } catch {
    // Without this record the next log looks like a new start, and the next start takes a snapshot.
    rmSync(next, { force: true });
  }
}
