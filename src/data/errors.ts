// Errors of the data directory, of backup and restore.

import { diskFault } from '../base/disk.ts';

export class DataDirectoryError extends Error {
  override name = 'DataDirectoryError';
}

export class BackupError extends Error {
  override name = 'BackupError';
}

export function asBackupError(error: unknown, path: string, consequence: string): unknown {
  const sentence = diskFault(error, path);
  return sentence === null ? error : new BackupError(`${path} ${sentence}; ${consequence}.`);
}
