// SQLite, as Bun has it built in.

export { Database, type Statement } from 'bun:sqlite';

import { constants } from 'bun:sqlite';

export const readOnlyByUri = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
