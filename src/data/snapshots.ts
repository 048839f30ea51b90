// Snapshots of the database under backups/, to which the write-ahead logs in wal/ can be applied (docs/backups.md).

import { fstatSync, mkdirSync, readdirSync, read as readFile, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Instant, monotonicMs, toWire } from '../base/clock.ts';
import { syncInParts, writeAll } from '../base/large-file.ts';
import { openFile } from '../base/open-file.ts';
import { syncFolder } from '../base/sync-folder.ts';
import { isBusy, type PinnedDatabase, type Store } from '../engine/database.ts';
import { filesBefore, listSegments, type WalPosition } from '../engine/wal/archive.ts';
import { frameHeaderBytes, readWalHeader, walHeaderBytes } from '../engine/wal/format.ts';
import { noteNeededLog } from '../engine/wal/needed-log.ts';

export interface Snapshot {
  path: string;
  takenAt: Instant;
  position: WalPosition;
  bytes: number;
}

const snapshotName = /^snapshot-(\d{8}T\d{9}Z)-(\d{8})-(\d{1,10}|all)\.db$/;

function nameOf(at: Instant, { segment, frames }: WalPosition): string {
  const time = toWire(at).replaceAll(/[-:.]/g, '');
  const place = frames === Number.MAX_SAFE_INTEGER ? 'all' : String(frames);
  return `snapshot-${time}-${String(segment).padStart(8, '0')}-${place}.db`;
}

function instantOf(text: string): Instant {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/, '$1-$2-$3T$4:$5:$6.$7Z'));
}

export function listSnapshots(folder: string): Snapshot[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  return names.sort().flatMap((name) => {
    const match = snapshotName.exec(name);
    if (match === null) return [];
    const path = join(folder, name);
    const [, time = '', segment, place] = match;
    return [
      {
        path,
        takenAt: instantOf(time),
        position: { segment: Number(segment), frames: place === 'all' ? Number.MAX_SAFE_INTEGER : Number(place) },
        bytes: statSync(path).size,
      },
    ];
  });
}

const readAt = promisify(readFile);
const chunkBytes = 1 << 20;

interface Copying {
  onProgress?: (share: number) => void;
  signal?: AbortSignal | undefined;
  /** False for a temporary copy, which need not survive a crash. */
  isKept?: boolean;
}

export async function copyPinned(
  pinned: PinnedDatabase,
  to: FileHandle,
  { onProgress = () => undefined, signal, isKept = true }: Copying = {},
): Promise<void> {
  const buffer = Buffer.alloc(chunkBytes);
  const end = pinned.pages * pinned.pageSize;
  const sync = syncInParts(to);
  for (let at = 0; at < end; ) {
    signal?.throwIfAborted();
    const { bytesRead } = await readAt(pinned.file, buffer, 0, Math.min(chunkBytes, end - at), at);
    if (bytesRead === 0) break;
    await writeAll(to, buffer.subarray(0, bytesRead), at);
    at += bytesRead;
    onProgress(at / end);
    await sync(bytesRead);
  }
  if (pinned.overlay !== null) await layOver(pinned.overlay, pinned, to, signal);
  await to.truncate(end);
  noteNeededLog(to.fd, 0);
  if (isKept) await to.sync();
}

async function layOver(
  overlay: { path: string; after: number; frames: number },
  { pages, pageSize }: { pages: number; pageSize: number },
  to: FileHandle,
  signal: AbortSignal | undefined,
): Promise<void> {
  const frameBytes = frameHeaderBytes + pageSize;
  const atOnce = Math.max(1, Math.floor(chunkBytes / frameBytes));
  const buffer = Buffer.alloc(atOnce * frameBytes);
  const log = await open(overlay.path, 'r');
  const sync = syncInParts(to);
  let written = 0;
  async function eachFrame(act: (page: number, index: number, content: Uint8Array) => void): Promise<void> {
    for (let first = overlay.after; first < overlay.frames; first += atOnce) {
      signal?.throwIfAborted();
      const count = Math.min(atOnce, overlay.frames - first);
      const { bytesRead } = await log.read(buffer, 0, count * frameBytes, walHeaderBytes + first * frameBytes);
      if (bytesRead < count * frameBytes) throw new Error('The write-ahead log is shorter than its index says.');
      for (let at = 0; at < count; at += 1) {
        const start = at * frameBytes;
        act(buffer.readUInt32BE(start), first + at, buffer.subarray(start + frameHeaderBytes, start + frameBytes));
      }
      await sync(written);
      written = 0;
    }
  }
  try {
    // By page; a log may hold a page of a database that has shrunk since.
    const newest = new Uint32Array(pages + 1);
    await eachFrame((page, index) => {
      newest[page] = index;
    });
    await eachFrame((page, index, content) => {
      if (newest[page] !== index) return;
      // Goes to the system's cache: a MiB of log between two turns of the event loop takes a millisecond or two.
      for (let at = 0; at < pageSize; ) at += writeSync(to.fd, content, at, pageSize - at, (page - 1) * pageSize + at);
      written += pageSize;
    });
  } finally {
    await log.close();
  }
}

/** Writes go on meanwhile. The name appears only when all of it is synced to disk. */
export async function takeSnapshot(
  store: Store,
  folder: string,
  now: Instant,
  signal?: AbortSignal,
): Promise<Snapshot> {
  // No wait before the pin: the snapshot must not contain commits from after the moment in its name.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    if (name.startsWith('.snapshot-')) rmSync(join(folder, name), { force: true });
  }
  // A short log makes the copy quick; another process may keep the log from ending.
  store.rotate();
  const pinned = store.pin();
  const partial = join(folder, `.snapshot-${process.pid}.partial`);
  try {
    const file = await open(partial, 'wx', 0o600);
    try {
      await copyPinned(pinned, file, { signal });
      signal?.throwIfAborted();
    } finally {
      await file.close();
    }
    const path = join(folder, nameOf(now, pinned.position));
    await rename(partial, path);
    await syncFolder(folder);
    return { path, takenAt: now, position: pinned.position, bytes: pinned.pages * pinned.pageSize };
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  } finally {
    pinned.release();
  }
}

const leastSnapshotBytes = 4 * 1024 ** 3;
const snapshotBytesFor = (databaseBytes: number) => Math.max(leastSnapshotBytes, 2 * databaseBytes);

/** Also removes logs that only snapshots older than the last two need. @param keep at least two */
export async function pruneSnapshots(
  folder: string,
  archive: string,
  keep: number,
  maxBytes = snapshotBytesFor,
): Promise<void> {
  const all = listSnapshots(folder);
  const budget = maxBytes(all.at(-1)?.bytes ?? 0);
  let bytes = 0;
  for (const [index, snapshot] of all.toReversed().entries()) {
    bytes += snapshot.bytes;
    if (index >= 2 && (index >= keep || bytes > budget)) await rm(snapshot.path, { force: true });
  }
  const needed = all.at(-2) ?? all.at(-1);
  if (needed === undefined) return;
  // One after the other, and not on the event loop: freeing a log takes the file system up to 30 ms.
  for (const path of filesBefore(archive, needed.position.segment)) await rm(path, { force: true });
}

export function isAnchored(folder: string, archive: string, now: WalPosition): boolean {
  const newest = listSnapshots(folder).at(-1);
  if (newest === undefined) return false;
  const segments = new Map(listSegments(archive).map((segment) => [segment.ordinal, segment]));
  for (let ordinal = newest.position.segment + 1; ordinal <= now.segment; ordinal += 1) {
    const [before, segment] = [segments.get(ordinal - 1), segments.get(ordinal)];
    if (segment === undefined) return ordinal === now.segment && now.frames === 0 && before === undefined;
    if (before === undefined || segment.after !== statSync(before.path).size) return false;
  }
  return newest.position.segment <= now.segment;
}

export function archivedBytes(folder: string, archive: string): number {
  const newest = listSnapshots(folder).at(-1);
  const { segment: from, frames } = newest?.position ?? { segment: 0, frames: 0 };
  return listSegments(archive)
    .filter(({ ordinal }) => ordinal >= from)
    .reduce((sum, { ordinal, path }) => sum + bytesAfter(path, ordinal === from ? frames : 0), 0);
}

function bytesAfter(path: string, frames: number): number {
  const start = new Uint8Array(walHeaderBytes);
  using file = openFile(path, 'r');
  const { size } = fstatSync(file.fd);
  const header = readSync(file.fd, start, 0, walHeaderBytes, 0) === walHeaderBytes ? readWalHeader(start) : null;
  if (header === null) return size;
  return Math.max(0, size - walHeaderBytes - frames * (frameHeaderBytes + header.pageSize));
}

// A command beside a running desk runs into its commits, which take some milliseconds each.
const busyAgainMs = 20;
const longestBusyMs = 10_000;

export async function patientPosition(store: Pick<Store, 'position'>): Promise<WalPosition> {
  for (const until = monotonicMs() + longestBusyMs; ; ) {
    try {
      return store.position();
    } catch (error) {
      if (!isBusy(error) || monotonicMs() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, busyAgainMs));
    }
  }
}
