// SQLite's errors by name. Node gives only their numbers.

const primary =
  'OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB'.split(
    ' ',
  );

const extended: Readonly<Record<string, readonly string[]>> = {
  ERROR: ['MISSING_COLLSEQ', 'RETRY', 'SNAPSHOT'],
  ABORT: ['', 'ROLLBACK'],
  BUSY: ['RECOVERY', 'SNAPSHOT', 'TIMEOUT'],
  LOCKED: ['SHAREDCACHE', 'VTAB'],
  READONLY: ['RECOVERY', 'CANTLOCK', 'ROLLBACK', 'DBMOVED', 'CANTINIT', 'DIRECTORY'],
  IOERR:
    'READ SHORT_READ WRITE FSYNC DIR_FSYNC TRUNCATE FSTAT UNLOCK RDLOCK DELETE BLOCKED NOMEM ACCESS CHECKRESERVEDLOCK LOCK CLOSE DIR_CLOSE SHMOPEN SHMSIZE SHMLOCK SHMMAP SEEK DELETE_NOENT MMAP GETTEMPPATH CONVPATH VNODE AUTH BEGIN_ATOMIC COMMIT_ATOMIC ROLLBACK_ATOMIC DATA CORRUPTFS IN_PAGE'.split(
      ' ',
    ),
  CORRUPT: ['VTAB', 'SEQUENCE', 'INDEX'],
  CANTOPEN: ['NOTEMPDIR', 'ISDIR', 'FULLPATH', 'CONVPATH', 'DIRTYWAL', 'SYMLINK'],
  CONSTRAINT: 'CHECK COMMITHOOK FOREIGNKEY FUNCTION NOTNULL PRIMARYKEY TRIGGER UNIQUE VTAB ROWID PINNED DATATYPE'.split(
    ' ',
  ),
  AUTH: ['USER'],
};

export function sqliteErrorName(number: number): string {
  const name = primary[number & 255] ?? 'ERROR';
  const more = extended[name]?.[(number >> 8) - 1];
  return more ? `SQLITE_${name}_${more}` : `SQLITE_${name}`;
}

class SQLiteError extends Error {
  override name = 'SQLiteError';
  readonly code: string;
  readonly errno: number;

  constructor(message: string, errno: number, cause: unknown) {
    super(message, { cause });
    this.code = sqliteErrorName(errno);
    this.errno = errno;
  }
}

export function asSqliteError(error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return error;
  return new SQLiteError(error.message, error.errcode, error);
}
