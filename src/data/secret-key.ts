// The key that encrypts the desk's secrets: read, created, and checked against the database.

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../base/config.ts';
import { createSeal, randomKey, type Seal } from '../base/crypto.ts';
import { syncFolderNow } from '../base/sync-folder.ts';
import { sqliteCode, type Tx } from '../engine/database.ts';
import { someSealedSecrets } from '../store/sealed-secrets.ts';
import { DataDirectoryError } from './errors.ts';
import { databaseName, keyName } from './layout.ts';

/** @param hasDatabase false if the database is in another directory */
export function readOrCreateKey(path: string, configured: string | null, hasDatabase = true): Seal {
  if (configured !== null) return createSeal(Buffer.from(configured, 'base64'));
  const file = join(path, keyName);
  if (existsSync(file)) {
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
    if (key.length < 32) throw new DataDirectoryError(`${file} is damaged; restore it from a backup of this desk.`);
    return createSeal(key);
  }
  const database = join(path, databaseName);
  if ((statSync(database, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new DataDirectoryError(
      `${file} is missing, and stored secrets cannot be read without it. Put it back or set HELPDESK_SECRET_KEY.`,
    );
  }
  // Before the key: a key without a database is what is left of a desk.
  if (hasDatabase) closeSync(openSync(database, 'a', 0o600));
  const key = randomKey();
  const handle = openSync(file, 'wx', 0o600);
  try {
    writeSync(handle, `${key.toString('base64')}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  syncFolderNow(path);
  return createSeal(key);
}

/** Notices a wrong key before it encrypts anything. */
export function requireOwnKey(tx: Tx, seal: Seal, path: string, config: Config): void {
  let sealed: string[];
  try {
    sealed = someSealedSecrets(tx);
  } catch (error) {
    // Damage is reported by whatever reads the damaged page.
    if (sqliteCode(error) !== undefined) return;
    throw error;
  }
  const opens = (text: string) => {
    try {
      seal.open(text);
      return true;
    } catch {
      // Another key or a changed text. If none of several can be read, it is the key.
      return false;
    }
  };
  if (sealed.length === 0 || sealed.some(opens)) return;
  const key = config.HELPDESK_SECRET_KEY === null ? join(path, keyName) : 'HELPDESK_SECRET_KEY';
  throw new DataDirectoryError(
    `${key} is not the key of this desk: none of the secrets in its database can be read with it. Put back the key of this desk; a backup has it as secret.key.`,
  );
}
