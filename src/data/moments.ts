// Finds the past moments that can be restored: snapshots, the logs kept since, and the times of their commits.

import { copyFileSync, fsyncSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Instant, toWire } from '../base/clock.ts';
import { openFile } from '../base/open-file.ts';
import { checkDatabase } from '../engine/check-database.ts';
import { listSegments, type Segment, type WalPosition } from '../engine/wal/archive.ts';
import { frameHeaderBytes, readWalHeader, walHeaderBytes } from '../engine/wal/format.ts';
import { noteNeededLog } from '../engine/wal/needed-log.ts';
import { type RolledForward, rollForward } from '../engine/wal/roll-forward.ts';
import { scanLog } from '../engine/wal/scan.ts';
import { readTimes } from '../engine/wal/times.ts';
import { BackupError } from './errors.ts';
import { listSnapshots, type Snapshot } from './snapshots.ts';

export interface Moment {
  at: Instant;
  position: WalPosition;
}

interface Span {
  moments: Moment[];
  snapshots: Snapshot[];
}

export interface History {
  snapshots: string;
  archive: string;
}

export function historyOf(source: string): History {
  const folder = join(source, 'backups');
  return {
    snapshots: listSnapshots(folder).length === 0 && listSnapshots(source).length > 0 ? source : folder,
    archive: join(source, 'wal'),
  };
}

const everything = Number.MAX_SAFE_INTEGER;

function comparePositions(one: WalPosition, other: WalPosition): number {
  return one.segment - other.segment || one.frames - other.frames;
}

function framesOf(segment: Segment): number {
  const { size } = statSync(segment.path);
  const start = new Uint8Array(walHeaderBytes);
  using file = openFile(segment.path, 'r');
  const header = readSync(file.fd, start, 0, walHeaderBytes, 0) === walHeaderBytes ? readWalHeader(start) : null;
  return header === null ? 0 : Math.floor((size - walHeaderBytes) / (frameHeaderBytes + header.pageSize));
}

// The kernel dates files by its last tick, up to this long ago.
const coarseMs = 10;

/** The commits of a log after its first `skip` frames. Without a recorded time, the last has the file's. */
function momentsIn(archive: string, segment: Segment, skip: number): Moment[] {
  const noted = readTimes(archive, segment.ordinal);
  const frames = framesOf(segment);
  const position = (upTo: number) => ({ segment: segment.ordinal, frames: upTo });
  const moments = noted
    .filter((time) => time.frames > skip)
    .map(({ at, frames }) => ({ at, position: position(frames) }));
  if (frames > Math.max(skip, noted.at(-1)?.frames ?? 0))
    moments.push({
      at: Math.max(noted.at(-1)?.at ?? 0, Math.floor(statSync(segment.path).mtimeMs) + coarseMs),
      position: position(everything),
    });
  return moments;
}

function reachedAt(archive: string, { position, takenAt }: Snapshot): Instant {
  const noted = readTimes(archive, position.segment).findLast(({ frames }) => frames <= position.frames);
  if (noted?.frames === position.frames) return noted.at;
  const before = noted ?? readTimes(archive, position.segment - 1).at(-1);
  return Math.max(takenAt, before?.at ?? 0);
}

function keptSpans({ snapshots: folder, archive }: History): Span[] {
  const segments = new Map(listSegments(archive).map((segment) => [segment.ordinal, segment]));
  const spans: (Span & { last: number })[] = [];
  const snapshots = listSnapshots(folder).sort((a, b) => comparePositions(a.position, b.position));
  for (const snapshot of snapshots) {
    const { segment: first, frames } = snapshot.position;
    const own = { at: reachedAt(archive, snapshot), position: snapshot.position };
    const span = spans.at(-1);
    if (span !== undefined && first <= span.last) {
      span.snapshots.push(snapshot);
      span.moments.push(own);
      continue;
    }
    const moments = [own];
    let last = first - 1;
    for (let segment = segments.get(first); segment !== undefined; segment = segments.get(last + 1)) {
      const before = segments.get(last);
      if (last >= first && (before === undefined || segment.after !== statSync(before.path).size)) break;
      for (const moment of momentsIn(archive, segment, segment.ordinal === first ? frames : 0)) moments.push(moment);
      last = segment.ordinal;
    }
    spans.push({ moments, snapshots: [snapshot], last });
  }
  for (const { moments } of spans) moments.sort((a, b) => comparePositions(a.position, b.position));
  return spans;
}

const startOf = ({ moments }: Span) => moments.reduce((least, { at }) => Math.min(least, at), everything);
const endOf = ({ moments }: Span) => moments.reduce((most, { at }) => Math.max(most, at), 0);

function rangesOf(spans: readonly Span[]): string {
  return spans
    .map((span, index) => {
      const [from, to] = [toWire(startOf(span)), toWire(endOf(span))];
      return index === spans.length - 1 ? `from ${from} on` : from === to ? from : `from ${from} to ${to}`;
    })
    .join(', ');
}

function momentIn(spans: readonly Span[], time: Instant): { moment: Moment; span: Span } | null {
  const span = spans.findLast((one) => startOf(one) <= time);
  if (span === undefined || (span !== spans.at(-1) && endOf(span) < time)) return null;
  return { moment: span.moments.findLast(({ at }) => at <= time)!, span };
}

/** Also the snapshots to start from, newest first. @throws BackupError that lists the possible times */
export function momentBefore(history: History, time: Instant, now: Instant): Moment & { snapshots: Snapshot[] } {
  const spans = keptSpans(history);
  if (spans.length === 0)
    throw new BackupError(
      `${history.snapshots} has no snapshot to start from. --at needs a data directory, or a copy of one.`,
    );
  const possible = `You can go back to times ${rangesOf(spans)}.`;
  if (time > now) throw new BackupError(`${toWire(time)} is in the future. ${possible}`);
  const found = momentIn(spans, time);
  if (found === null) throw new BackupError(`The desk no longer keeps its state at ${toWire(time)}. ${possible}`);
  const { moment, span } = found;
  return {
    ...moment,
    snapshots: span.snapshots.filter(({ position }) => comparePositions(position, moment.position) <= 0).toReversed(),
  };
}

/** The newest position that can be rebuilt from a snapshot: the logs since, up to the first damage or gap. */
function readableUntil(archive: string, from: WalPosition): WalPosition {
  const segments = new Map(listSegments(archive).map((segment) => [segment.ordinal, segment]));
  let reached = from;
  for (let segment = segments.get(from.segment); segment !== undefined; ) {
    const { ordinal, path } = segment;
    const next = segments.get(ordinal + 1);
    const scanned = scanLog(path, next !== undefined);
    const frames = scanned?.frames ?? 0;
    if (ordinal > from.segment || frames > from.frames) reached = { segment: ordinal, frames };
    if (next === undefined || scanned?.damage != null || next.after !== statSync(path).size) break;
    segment = next;
  }
  return reached;
}

// Commits may share a millisecond, and the clock may go back: some of these times lead too far.
const timesTried = 100;

/** The newest time for which `restore --at` works and finds more than the snapshot, which must be sound; null if there is none. */
export function newestReadableTime(history: History, snapshot: Snapshot, now: Instant): Instant | null {
  const reached = readableUntil(history.archive, snapshot.position);
  const spans = keptSpans(history);
  const span = spans.find(({ snapshots }) => snapshots.some(({ path }) => path === snapshot.path));
  const isReadable = ({ position }: Moment) =>
    comparePositions(position, snapshot.position) > 0 &&
    (position.frames === everything
      ? position.segment < reached.segment || isWhole(history.archive, position.segment, reached)
      : comparePositions(position, reached) <= 0);
  const times = (span?.moments ?? []).filter(isReadable).map(({ at }) => at);
  return (
    [...times.slice(-timesTried).flatMap((at) => [at - 1, at]), now].findLast((time) => {
      const found = momentIn(spans, time);
      return found !== null && isReadable(found.moment);
    }) ?? null
  );
}

function isWhole(archive: string, ordinal: number, reached: WalPosition): boolean {
  const segment = listSegments(archive).find((one) => one.ordinal === ordinal);
  return segment !== undefined && ordinal === reached.segment && scanLog(segment.path, false)?.damage === null;
}

/** The last part of the file is not synced. */
export function applyLogs(
  database: string,
  archive: string,
  from: WalPosition,
  until?: WalPosition,
  afterwards: (file: number) => void = () => undefined,
): RolledForward {
  using file = openFile(database, 'r+');
  const result = rollForward(file.fd, archive, from, until);
  noteNeededLog(file.fd, 0);
  afterwards(file.fd);
  return result;
}

export function bringForward(database: string, archive: string, from: WalPosition, until?: WalPosition): RolledForward {
  return applyLogs(database, archive, from, until, fsyncSync);
}

/** Skips damaged snapshots. @throws BackupError if the snapshots or the logs are too damaged */
export function buildMoment(moment: Moment & { snapshots: Snapshot[] }, archive: string, to: string): Snapshot {
  const faults: string[] = [];
  for (const snapshot of moment.snapshots) {
    copyFileSync(snapshot.path, to);
    const { reached, brokenAt } = bringForward(to, archive, snapshot.position, moment.position);
    const isThere = moment.position.frames === everything || comparePositions(reached, moment.position) === 0;
    const fault =
      brokenAt ?? (isThere ? checkDatabase(to) : `log ${reached.segment} is damaged after frame ${reached.frames}`);
    if (fault === null) return snapshot;
    faults.push(`${snapshot.path}: ${fault}`);
  }
  throw new BackupError(`The database cannot be rebuilt as it was at ${toWire(moment.at)}. ${faults.join('; ')}.`);
}
