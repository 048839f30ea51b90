// The names and paths in a data directory.

import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../base/config.ts';
import { lastCommitName } from '../engine/wal/last-commit.ts';
import { DataDirectoryError } from './errors.ts';

export const databaseName = 'helpdesk.db';
export const keyName = 'secret.key';
export const addressName = 'address.txt';
export const erasuresName = 'erasures.jsonl';

export const ownNames = [keyName, 'attachments', 'mail', 'backups', 'wal', erasuresName, addressName, lastCommitName];

export function databasePathOf(config: Pick<Config, 'HELPDESK_DATA' | 'HELPDESK_LITEFS_DIR'>): string {
  return join(resolve(config.HELPDESK_LITEFS_DIR ?? config.HELPDESK_DATA), databaseName);
}

/** Whether the file exists; throws if this user cannot read its directory. */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    throw new DataDirectoryError(
      `${dirname(path)} cannot be read by this user. Run this as the user that the desk runs as, or check who owns the directory.`,
    );
  }
}
