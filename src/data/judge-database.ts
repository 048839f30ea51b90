// Refuses a database that a restore must not put in place.

import { rmSync } from 'node:fs';
import { checkDatabase } from '../store/check-database.ts';
import { openForInspection } from '../store/database.ts';
import { rowsOfEachTable, schemaVersion } from '../store/row-figures.ts';
import type { Description } from './backup-format.ts';
import { BackupError } from './errors.ts';

export function judgeDatabase(path: string, newestSchema: number, expected: Description | null = null): void {
  const fault = checkDatabase(path);
  if (fault !== null) throw new BackupError(`Its database is damaged: ${fault}. Nothing was changed.`);
  const tx = openForInspection(path);
  try {
    const schema = schemaVersion(tx);
    if (schema === 0) throw new BackupError('Its database does not belong to a helpdesk. Nothing was changed.');
    if (schema > newestSchema)
      throw new BackupError(
        `It has schema ${schema}, but this executable only knows schemas up to ${newestSchema}. Restore it with the newer helpdesk that made it.`,
      );
    if (expected === null) return;
    const rows = rowsOfEachTable(tx);
    const wrong = Object.keys(expected.rows).find((name) => rows[name] !== expected.rows[name]);
    if (schema !== expected.schema || wrong !== undefined)
      throw new BackupError(`Its database does not match its description (${wrong ?? 'schema'}). Nothing was changed.`);
  } finally {
    tx.close();
    for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  }
}
