// SQLite, as Bun has it built in.

export { Database, type Statement } from 'bun:sqlite';

import { constants } from 'bun:sqlite';

/** Flags that open a file by URI for reading only. */
export const readOnlyByUri = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
