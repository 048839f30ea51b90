// Which of SQLite's errors an error is.

export function sqliteCode(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at.name === 'SQLiteError' && 'code' in at && typeof at.code === 'string') return at.code;
  }
  return undefined;
}

export function isBusy(error: unknown): boolean {
  return sqliteCode(error)?.startsWith('SQLITE_BUSY') ?? false;
}
