// What the desk had on each day, and which versions wrote to it.

import type { Instant } from '../base/clock.ts';
import type { StorageDay } from '../domain/growth.ts';
import { query, type Tx } from '../engine/database.ts';
import { statement } from '../engine/statements.ts';

const keptDays = 400;
const filesAtOnce = 5000;

export const hasStorageDay = statement('SELECT 1 FROM storage_days WHERE day = ?').has<[day: number]>;

/** Oldest first. */
export const storageDays =
  statement(`SELECT day, database_bytes AS databaseBytes, file_bytes AS fileBytes, free_bytes AS freeBytes
  FROM storage_days WHERE day >= ? ORDER BY day`).all<StorageDay, [since: number]>;

export function insertStorageDay(tx: Tx, { day, databaseBytes, fileBytes, freeBytes }: StorageDay): null {
  query(
    tx,
    'INSERT OR REPLACE INTO storage_days (day, database_bytes, file_bytes, free_bytes) VALUES (?, ?, ?, ?)',
  ).run(...[day, databaseBytes, fileBytes, freeBytes]);
  query(tx, 'DELETE FROM storage_days WHERE day < ?').run(day - keptDays);
  return null;
}

/** Of the next files. `after` is null at the end. */
export function fileBytesAfter(tx: Tx, id: number): { bytes: number; after: number | null } {
  const some = query<{ bytes: number | null; last: number | null; total: number }>(
    tx,
    `SELECT sum(size) AS bytes, max(id) AS last, count(*) AS total
     FROM (SELECT id, size FROM attachments WHERE id > ? ORDER BY id LIMIT ${filesAtOnce})`,
  ).get(id);
  return { bytes: some?.bytes ?? 0, after: some?.total === filesAtOnce ? some.last : null };
}

interface VersionRun {
  version: string;
  beganAt: Instant;
}

/** The one that wrote last, and the one before it. */
export const versionsRun = statement('SELECT version, began_at AS beganAt FROM versions_run ORDER BY id DESC LIMIT 2')
  .all<VersionRun, []>;

export function noteVersion(tx: Tx, version: string, now: Instant): null {
  query(tx, 'INSERT INTO versions_run (version, began_at) VALUES (?, ?)').run(version, now);
  return null;
}
