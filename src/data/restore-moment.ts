// helpdesk restore --at: the database as it was at a moment, from a snapshot and the logs kept since.

import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Instant, systemClock } from '../base/clock.ts';
import { openForInspection } from '../engine/database.ts';
import { namesBucket } from '../store/desk-settings.ts';
import { storedFiles } from '../store/integrity.ts';
import { newestNumbers, rowsAfter } from '../store/row-figures.ts';
import { descriptionFile } from './backup-format.ts';
import { BackupError } from './errors.ts';
import { syncFile } from './finish-restore.ts';
import { databaseName, erasuresName, keyName } from './layout.ts';
import { bringForward, buildMoment, type History, historyOf, type Moment, momentBefore } from './moments.ts';
import type { Snapshot } from './snapshots.ts';

export interface Target extends Moment {
  snapshots: Snapshot[];
  history: History;
}

export interface RestoredMoment {
  at: Instant;
  snapshot: string;
  lost: { commits: number; tickets: number; messages: number; events: number } | null;
  missing: string[];
}

export function findTarget(source: string, at: Instant): Target {
  if (!statSync(source).isDirectory() || existsSync(join(source, descriptionFile)))
    throw new BackupError(
      `${source} contains a single moment and no logs. Restore it without --at, or name a data directory or a copy of one.`,
    );
  const history = historyOf(source);
  return { history, ...momentBefore(history, at, systemClock.now()) };
}

export function restoreMoment(
  source: string,
  fresh: string,
  target: Target,
  settings: { isInPlace: boolean; mayLink: boolean; hasBucket: boolean },
): RestoredMoment {
  const { history, at } = target;
  const database = join(fresh, databaseName);
  const { path: snapshot } = buildMoment(target, history.archive, database);
  syncFile(database);
  // What another restore moved out of the way has no files; those in the data directory stay.
  for (const name of ['attachments', 'mail'])
    if (existsSync(join(source, name))) copyTree(join(source, name), join(fresh, name), settings.mayLink);
  for (const name of settings.isInPlace ? [] : [erasuresName, keyName])
    if (existsSync(join(source, name))) copyFileSync(join(source, name), join(fresh, name));
  return {
    at,
    snapshot,
    lost: lostSince(database, target),
    missing: settings.hasBucket || reading(database, namesBucket) ? [] : missingFiles(database, fresh),
  };
}

function lostSince(database: string, { history, position }: Target): RestoredMoment['lost'] {
  const later = `${database}.later`;
  try {
    copyFileSync(database, later);
    const { commits } = bringForward(later, history.archive, position);
    const numbers = reading(database, newestNumbers);
    return { commits, ...reading(later, (tx) => rowsAfter(tx, numbers)) };
  } catch {
    // The later logs are damaged, or the copy does not fit on the disk; the restore needs neither.
    return null;
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(`${later}${end}`, { force: true });
  }
}

function reading<T>(database: string, read: (tx: ReturnType<typeof openForInspection>) => T): T {
  const tx = openForInspection(database);
  try {
    return read(tx);
  } finally {
    tx.close();
    for (const end of ['-wal', '-shm']) rmSync(`${database}${end}`, { force: true });
  }
}

function missingFiles(database: string, fresh: string): string[] {
  const missing: string[] = [];
  reading(database, (tx) => {
    for (const [table, folder] of [
      ['attachments', 'attachments'],
      ['inbound_mail', 'mail/inbound'],
    ] as const) {
      if (!existsSync(join(fresh, folder))) continue;
      for (let after = 0; ; ) {
        const files = storedFiles(tx, table, after, 500);
        for (const { ulid } of files) {
          const path = `${folder}/${ulid.slice(-2)}/${ulid}`;
          if (!existsSync(join(fresh, path))) missing.push(path);
        }
        const last = files.at(-1);
        if (last === undefined) break;
        after = last.id;
      }
    }
  });
  return missing;
}

/** The files never change. @param isLinked whether to hard-link them, within one data directory */
function copyTree(from: string, to: string, isLinked: boolean): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [one, other] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyTree(one, other, isLinked);
    else if (entry.isFile()) copyOne(one, other, isLinked);
  }
}

function copyOne(from: string, to: string, isLinked: boolean): void {
  if (isLinked) {
    try {
      linkSync(from, to);
      return;
    } catch {
      // No hard links here, or the file has too many: copy it.
    }
  }
  copyFileSync(from, to);
}
