// Keeps every write-ahead log that the database ever had, under a name of its own: with a snapshot they make any plain
// copy of the directory whole again (docs/backups.md says why that is certain).

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
import { syncFolderNow } from '../../base/folder.ts';
import {
  frameHeaderBytes,
  isSteadyIndex,
  readWalIndex,
  type WalIndex,
  walHeaderBytes,
  walIndexBytes,
} from './format.ts';
import { type TimesWriter, timesPath, writeTimes } from './times.ts';

/** A moment in the history of the database: so many frames of that segment are in it. */
export interface WalPosition {
  segment: number;
  frames: number;
}

/** One log from its first frame to its last; the newest one is still being written. */
export interface Segment {
  ordinal: number;
  /** The length of the segment that this one follows without a gap; null when it follows none. */
  after: number | null;
  path: string;
}

export interface WalArchive {
  /**
   * Gives the present log its name in the archive, before anything is written to it. The caller holds the write lock.
   * Once for each log is enough; again costs nothing.
   */
  enter(): void;
  /** Where the database is; the caller holds the write lock. */
  position(): WalPosition;
  /** Finds the present log in the archive, so that its end is noted although nothing more is written to it. */
  adopt(): void;
  /** Removes what lies in the log behind its committed frames; the caller holds the write lock. */
  cutTail(): boolean;
  /** Notes when what is committed now was committed. After a commit, without the write lock. */
  noteCommit(at: Instant): void;
  /** What the shared index says now; null while it is not made up. */
  index(): WalIndex | null;
  /** The name of the present log in the archive, if it has one. */
  segmentPath(): string | null;
  /** The length of the present log in bytes. */
  logBytes(): number;
  /** Why no archive can be kept here, as on a file system without hard links; null when it is kept. */
  readonly unsupported: string | null;
  /** A descriptor on the database file, for copying it. */
  databaseFile(): number;
  /**
   * To be called when SQLite has closed the file: closing a descriptor of it before would drop SQLite's locks.
   * Answers whether nobody else has it open.
   */
  closed(): boolean;
}

const markerName = 'last.txt';
const segmentName = /^(\d{8})\.(\d{1,15}|new)\.wal$/;

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** The segments of an archive, oldest first. */
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

/** Removes the segments before `ordinal`, which no kept snapshot needs. */
export function removeSegmentsBefore(folder: string, ordinal: number): void {
  for (const segment of listSegments(folder)) {
    if (segment.ordinal >= ordinal) continue;
    rmSync(segment.path, { force: true });
    rmSync(timesPath(folder, segment.ordinal), { force: true });
  }
}

/** The last segment that was taken into the database as a whole, as far as that was noted. */
export function endedSegment(folder: string): number | null {
  let text: string;
  try {
    text = readFileSync(join(folder, markerName), 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  return Number(text.split(' ')[0]) || null;
}

/** Says that the last segment has nothing to do with the database that lies there now. */
export function endHistory(folder: string): void {
  const last = listSegments(folder).at(-1);
  if (last !== undefined) writeFileSync(join(folder, markerName), `${last.ordinal} 0 other\n`, { mode: 0o600 });
}

// What file systems without hard links say.
const noLinks = ['EPERM', 'EXDEV', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/**
 * @param database the database file, open in this process
 * @param folder where the segments lie, on the same file system; it is made when absent
 */
export function createWalArchive(database: string, folder: string): WalArchive {
  const log = `${database}-wal`;
  const marker = join(folder, markerName);
  // Neither is closed before SQLite has closed the file.
  const opened = new Map<string, number>();
  let current: Segment | null = null;
  let times: TimesWriter | null = null;
  let unsupported: string | null = null;
  const bytes = new Uint8Array(walIndexBytes);

  function descriptor(path: string): number {
    let file = opened.get(path);
    if (file === undefined) {
      file = openSync(path, 'r');
      opened.set(path, file);
    }
    return file;
  }

  function index(): WalIndex | null {
    return readSync(descriptor(`${database}-shm`), bytes, 0, walIndexBytes, 0) === walIndexBytes
      ? readWalIndex(bytes)
      : null;
  }

  const stampOf = () => {
    const found = statSync(database, { bigint: true });
    return `${found.size} ${found.mtimeNs}`;
  };

  /** The last segment, if the database file is still as it was when that segment had been taken into it. */
  function unbroken(segments: readonly Segment[]): { segment: Segment; size: number } | null {
    const segment = segments.at(-1);
    if (segment === undefined) return null;
    let text: string;
    try {
      text = readFileSync(marker, 'utf8').trim();
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
    const { size } = statSync(segment.path);
    return text === `${segment.ordinal} ${size} ${stampOf()}` ? { segment, size } : null;
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
    cutTail() {
      const now = index();
      if (now === null) return false;
      const frameBytes = frameHeaderBytes + now.pageSize;
      const file = openSync(log, 'r+');
      try {
        ftruncateSync(file, now.frames === 0 ? 0 : walHeaderBytes + now.frames * frameBytes);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      return true;
    },
    noteCommit(at) {
      if (current === null) return;
      try {
        const now = index();
        // Another process may be writing the index; it or the next commit notes the time then.
        if (now === null || !isSteadyIndex(bytes)) return;
        times ??= writeTimes(folder, current.ordinal);
        times.note({ frames: now.frames, at });
      } catch {
        // The commit is on the disk and counts, whatever becomes of this note of it: the next one covers it.
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
      // All of the last one, or nothing yet of the one to come.
      return whole === null
        ? { segment: last.ordinal + 1, frames: 0 }
        : { segment: last.ordinal, frames: Number.MAX_SAFE_INTEGER };
    },
    segmentPath: () => current?.path ?? null,
    logBytes: () => statSync(log).size,
    databaseFile: () => descriptor(database),
    closed() {
      for (const file of opened.values()) closeSync(file);
      opened.clear();
      times?.close();
      times = null;
      const last = current;
      current = null;
      // SQLite removes the log when the last one closes the database, after it has taken all of it in.
      if (existsSync(log)) return false;
      if (last === null) return true;
      const next = `${marker}.new`;
      try {
        writeFileSync(next, `${last.ordinal} ${statSync(last.path).size} ${stampOf()}\n`, { mode: 0o600 });
        renameSync(next, marker);
      } catch {
        // Without the note the next log is taken for a new beginning, and a snapshot for it is taken at the next start.
        rmSync(next, { force: true });
      }
      return true;
    },
  };
}
