// What backup and restore refuse with.

/** A backup cannot be made or used; the message says why and what to do. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/**
 * The file system's own words, as a sentence that says what to do; any other error as it is.
 * @param consequence what became of what was begun
 */
export function asBackupError(error: unknown, path: string, consequence: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const sentences: Record<string, string> = {
    ENOSPC: 'has no room left',
    EDQUOT: 'has no room left',
    SQLITE_FULL: 'has no room left',
    EROFS: 'lies on a read-only disk',
    EACCES: 'may not be written by this user',
    EPERM: 'may not be written by this user',
    EIO: 'lies on a disk that fails',
  };
  const sentence = sentences[code];
  return sentence === undefined ? error : new BackupError(`${path} ${sentence}; ${consequence}.`);
}
