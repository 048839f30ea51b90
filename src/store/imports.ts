// Imports: which ones ran, and what became of each row.

import { query, type Tx } from './database.ts';

export interface Import {
  id: number;
  siteId: number | null;
  run: number;
  finishedAt: number | null;
}

export function importByName(tx: Tx, name: string): Import | null {
  return query<Import>(
    tx,
    'SELECT id, site_id AS siteId, run, finished_at AS finishedAt FROM imports WHERE name = ?',
  ).get(name);
}

/** Starts an import, or continues one that was interrupted: its earlier process loses it. */
export function beginImport(tx: Tx, name: string, now: number): Import {
  query(
    tx,
    'INSERT INTO imports (name, run, created_at) VALUES (?, 1, ?) ON CONFLICT (name) DO UPDATE SET run = run + 1',
  ).run(name, now);
  const begun = importByName(tx, name);
  if (!begun) throw new Error('an import vanished inside its own transaction');
  return begun;
}

export function setImportSite(tx: Tx, importId: number, siteId: number): void {
  query(tx, 'UPDATE imports SET site_id = ? WHERE id = ?').run(siteId, importId);
}

/** `forgetImportedRows` removes its rows. */
export function finishImport(tx: Tx, importId: number, now: number): void {
  query(tx, 'UPDATE imports SET finished_at = ? WHERE id = ?').run(now, importId);
}

export function hasImportUnderWay(tx: Tx): boolean {
  return query(tx, 'SELECT 1 FROM imports WHERE finished_at IS NULL LIMIT 1').get() !== null;
}

const rowsAtOnce = 500;

const finishedWithRows = `SELECT id FROM imports WHERE finished_at IS NOT NULL
  AND EXISTS (SELECT 1 FROM import_rows WHERE import_id = imports.id) LIMIT 1`;

export function hasImportedRows(tx: Tx): boolean {
  return query(tx, finishedWithRows).get() !== null;
}

export function forgetImportedRows(tx: Tx): null {
  query(
    tx,
    `DELETE FROM import_rows WHERE (import_id, kind, old) IN
       (SELECT import_id, kind, old FROM import_rows WHERE import_id = (${finishedWithRows}) LIMIT ?)`,
  ).run(rowsAtOnce);
  return null;
}

interface ImportedRow {
  newId: number;
  newUlid: string | null;
  run: number;
}

export function importedRow(tx: Tx, importId: number, kind: string, old: string): ImportedRow | null {
  return query<ImportedRow>(
    tx,
    'SELECT new_id AS newId, new_ulid AS newUlid, run FROM import_rows WHERE import_id = ? AND kind = ? AND old = ?',
  ).get(importId, kind, old);
}

export function keepImportedRow(
  tx: Tx,
  { id, run }: Import,
  kind: string,
  old: string,
  newId: number,
  newUlid: string | null = null,
): void {
  query(
    tx,
    `INSERT INTO import_rows (import_id, kind, old, new_id, new_ulid, run) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (import_id, kind, old) DO UPDATE SET run = excluded.run`,
  ).run(id, kind, old, newId, newUlid, run);
}
