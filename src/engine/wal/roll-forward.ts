// Brings a snapshot of the database forward with the write-ahead logs kept since.

import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { syncInPartsNow } from '../../base/large-file.ts';
import { openFile } from '../../base/open-file.ts';
import { listSegments, type Segment, type WalPosition } from './archive.ts';
import { frameHeaderBytes, frameReader, readWalHeader, walHeaderBytes } from './format.ts';
import { neededLogBytes, neededLogPlace } from './needed-log.ts';
import { type Damage, scanLog } from './scan.ts';

export interface RolledForward {
  commits: number;
  segments: number;
  reached: WalPosition;
  /** Why it stopped before the end of the last log, or null. */
  brokenAt: string | null;
  /** If it stopped there: the first log that could not be applied. */
  stoppedBefore: number | null;
  damage: (Damage & { path: string }) | null;
}

interface SegmentContents {
  pageSize: number;
  /** The position in the file of each page's newest committed state. */
  pages: Map<number, number>;
  databasePages: number;
  commits: number;
  frames: number;
  size: number;
}

function readAll(file: number, into: Uint8Array, at: number): boolean {
  for (let done = 0; done < into.length; ) {
    const read = readSync(file, into, done, into.length - done, at + done);
    if (read === 0) return false;
    done += read;
  }
  return true;
}

/** The commits of a log after its first `skip` frames, up to frame `last`; null if it is empty. */
function committed(
  segment: Segment,
  file: number,
  skip: number,
  last: number,
): SegmentContents | { fault: string } | null {
  const { size } = fstatSync(file);
  if (size === 0) return null;
  const first = new Uint8Array(walHeaderBytes);
  const header = readAll(file, first, 0) ? readWalHeader(first) : null;
  if (header === null) return size <= walHeaderBytes ? null : { fault: `${segment.path} is damaged at its start` };
  if (header.sequence !== 0) return { fault: `${segment.path} was started again by another program` };
  const read = frameReader(header);
  const frame = new Uint8Array(frameHeaderBytes + header.pageSize);
  const found: SegmentContents = {
    pageSize: header.pageSize,
    pages: new Map(),
    databasePages: 0,
    commits: 0,
    frames: 0,
    size,
  };
  let open: [number, number][] = [];
  for (let index = 1, at = walHeaderBytes; index <= last && at + frame.length <= size; index += 1, at += frame.length) {
    if (!readAll(file, frame, at)) break;
    const judged = read(frame);
    if (judged === null) break;
    open.push([judged.page, at + frameHeaderBytes]);
    if (judged.pagesAfterCommit === 0) continue;
    if (index > skip) {
      for (const [page, place] of open) found.pages.set(page, place);
      found.databasePages = judged.pagesAfterCommit;
      found.frames = index;
      found.commits += 1;
    }
    open = [];
  }
  return found;
}

/** How many of the newest pages of a log are not in the database. @param except pages that a later log has changed again */
export function pagesUnlike(
  database: string,
  log: string,
  except: (page: number) => boolean = () => false,
  most = Number.MAX_SAFE_INTEGER,
): number {
  const [file, from] = [openSync(database, 'r'), openSync(log, 'r')];
  try {
    const found = committed({ ordinal: 0, after: null, path: log }, from, 0, Number.MAX_SAFE_INTEGER);
    if (found === null || 'fault' in found || found.commits === 0) return 0;
    const [there, wanted] = [new Uint8Array(found.pageSize), new Uint8Array(found.pageSize)];
    let unlike = 0;
    for (const [page, place] of found.pages) {
      if (unlike >= most) break;
      if (page > found.databasePages || except(page)) continue;
      const isRead = readAll(file, there, (page - 1) * found.pageSize) && readAll(from, wanted, place);
      // Which log the file needs is not part of what a log has put there.
      if (page === 1) for (const one of [there, wanted]) one.fill(0, neededLogPlace, neededLogPlace + neededLogBytes);
      if (!isRead || Buffer.compare(there, wanted) !== 0) unlike += 1;
    }
    return unlike;
  } finally {
    closeSync(from);
    closeSync(file);
  }
}

/** Whether the database lacks the newest pages of a log. */
export function differsFrom(database: string, log: string): boolean {
  return pagesUnlike(database, log, undefined, 1) > 0;
}

/** Applies commits after `from`, up to `until` or a gap. The last part of the file is not synced. */
export function rollForward(
  database: number,
  archive: string,
  from: WalPosition,
  until: WalPosition = { segment: Number.MAX_SAFE_INTEGER, frames: Number.MAX_SAFE_INTEGER },
): RolledForward {
  const segments = new Map(listSegments(archive).map((segment) => [segment.ordinal, segment]));
  const done: RolledForward = {
    commits: 0,
    segments: 0,
    reached: from,
    brokenAt: null,
    stoppedBefore: null,
    damage: null,
  };
  let before: number | null = null;
  const sync = syncInPartsNow(database);
  for (let ordinal = from.segment; ; ordinal += 1) {
    const segment = segments.get(ordinal);
    if (ordinal > until.segment) return done;
    if (segment === undefined) {
      if ([...segments.keys()].some((other) => other > ordinal)) {
        done.brokenAt = `log ${ordinal} is missing`;
        done.stoppedBefore = ordinal;
      }
      return done;
    }
    if (before !== null && segment.after !== before) {
      done.brokenAt = `log ${ordinal} does not continue the one before it`;
      done.stoppedBefore = ordinal;
      return done;
    }
    using file = openFile(segment.path, 'r');
    before = fstatSync(file.fd).size;
    const skip = ordinal === from.segment ? from.frames : 0;
    if (skip === Number.MAX_SAFE_INTEGER) continue;
    const last = ordinal === until.segment ? until.frames : Number.MAX_SAFE_INTEGER;
    const scanned = scanLog(segment.path, segments.has(ordinal + 1))?.damage ?? null;
    const damage = scanned !== null && scanned.frame <= last ? scanned : null;
    if (damage !== null) {
      done.damage = { ...damage, path: segment.path };
      done.brokenAt = `${segment.path} is damaged at frame ${damage.frame}`;
    }
    const found = committed(segment, file.fd, skip, last);
    if (found !== null && 'fault' in found) {
      done.brokenAt ??= found.fault;
      done.stoppedBefore = ordinal;
      return done;
    }
    if (found === null || found.commits === 0) {
      if (damage !== null) return done;
      continue;
    }
    const page = new Uint8Array(found.pageSize);
    for (const [number, place] of found.pages) {
      if (!readAll(file.fd, page, place)) throw new Error(`${segment.path} has shrunk while it was read.`);
      for (let at = 0; at < page.length; ) {
        at += writeSync(database, page, at, page.length - at, (number - 1) * found.pageSize + at);
      }
      sync(page.length);
    }
    ftruncateSync(database, found.databasePages * found.pageSize);
    done.commits += found.commits;
    done.segments += 1;
    done.reached = { segment: ordinal, frames: found.frames };
    if (damage !== null) return done;
  }
}
