// Whether a database file is sound, judged on a handle of its own.

import { openForChecking } from './database.ts';

/** What is wrong with a database that nobody has open, or null: its pages, its indexes, and that its rows refer to rows that are there. */
export function checkDatabase(path: string): string | null {
  let client: ReturnType<typeof openForChecking> | null = null;
  try {
    client = openForChecking(path);
    const rows = client.query<{ integrity_check: string }, []>('PRAGMA integrity_check(3)').all();
    const faults = rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
    if (faults.length > 0) return faults.join('; ');
    const broken = client.query<{ table: string }, []>('PRAGMA foreign_key_check').all();
    return broken.length === 0 ? null : `${broken.length} rows of ${broken[0]?.table} refer to rows that are not there`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    client?.close();
  }
}
