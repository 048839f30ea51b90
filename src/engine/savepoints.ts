// A part of a step that undoes only itself when it fails.

import type { Tx } from './database.ts';
import { sqliteCode } from './sqlite-errors.ts';

/** Passes on what failed, with nothing of `act` left. A fault of the storage is the whole step's. */
export function inSavepoint<T>(tx: Tx, act: () => T): { value: T } | { error: unknown } {
  tx.client.run('SAVEPOINT part');
  try {
    const value = act();
    tx.client.run('RELEASE part');
    return { value };
  } catch (error) {
    if (!tx.client.inTransaction || isOfStorage(error)) throw error;
    tx.client.run('ROLLBACK TO part');
    tx.client.run('RELEASE part');
    return { error };
  }
}

function isOfStorage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && code !== null && !code.startsWith('SQLITE_CONSTRAINT');
}
