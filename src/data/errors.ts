// What backup and restore refuse with.

import { diskFault } from '../base/disk.ts';

/** A backup cannot be made or used; the message says why and what to do. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/**
 * The file system's own words, as a sentence that says what to do; any other error as it is.
 * @param consequence what became of what was begun
 */
export function asBackupError(error: unknown, path: string, consequence: string): unknown {
  const sentence = diskFault(error, path);
  return sentence === null ? error : new BackupError(`${path} ${sentence}; ${consequence}.`);
}
