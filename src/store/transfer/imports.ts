// Imports: which ones ran, and what became of each row.

import { query, type Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';

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

export const setImportSite = statement('UPDATE imports SET site_id = ?2 WHERE id = ?1').run<
  [importId: number, siteId: number]
>;

/** `forgetImportedRows` removes its rows. */
export const finishImport = statement('UPDATE imports SET finished_at = ?2 WHERE id = ?1').run<
  [importId: number, now: number]
>;

export const hasImportUnderWay = statement('SELECT 1 FROM imports WHERE finished_at IS NULL LIMIT 1').has<[]>;

const rowsAtOnce = 500;

const finishedWithRows = `SELECT id FROM imports WHERE finished_at IS NOT NULL
  AND EXISTS (SELECT 1 FROM import_rows WHERE import_id = imports.id) LIMIT 1`;

export const hasImportedRows = statement(finishedWithRows).has<[]>;

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
