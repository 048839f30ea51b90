// Turns SQLite's errors about the disk into refusals that a client understands.

import { DeskError } from '../domain/errors.ts';
import { sqliteCode } from './database.ts';

const writeFaults = /^SQLITE_(FULL|IOERR|READONLY|BUSY|LOCKED|PROTOCOL|CANTOPEN|NOMEM)/;
const readFaults = /^SQLITE_(IOERR|CANTOPEN|PROTOCOL|NOMEM|BUSY|LOCKED)/;
const damage = /^SQLITE_(CORRUPT|NOTADB)/;

function damaged(): DeskError {
  return new DeskError(
    'unavailable',
    'Part of the database is damaged; its administrator should run `helpdesk doctor`.',
    {
      reason: 'storage_damaged',
      retryAfterSeconds: 60,
    },
  );
}

export function notStored(isFull: boolean): DeskError {
  const sentence = isFull
    ? 'The disk is full; nothing was stored.'
    : 'The database cannot be written at the moment; nothing was stored.';
  return new DeskError('unavailable', sentence, { reason: 'storage_unavailable', retryAfterSeconds: 5 });
}

/** @param why a clause that begins the sentence, such as a disk that failed at the commit and again when its transaction was to be removed */
export function outcomeUnknown(why = 'The disk failed during this write'): DeskError {
  return new DeskError(
    'unavailable',
    `${why}, so it may or may not have been stored. Check before you send it again, or repeat it with the same Idempotency-Key.`,
    { reason: 'outcome_unknown', retryAfterSeconds: 30 },
  );
}

/** Whether a row may exist although the write was refused: then nothing that the row needs may be removed. */
export function mayBeStored(error: unknown): boolean {
  return error instanceof DeskError && error.reason === 'outcome_unknown';
}

export function isStorageRefusal(error: unknown): error is DeskError {
  const reasons = ['storage_unavailable', 'storage_damaged', 'outcome_unknown'];
  return error instanceof DeskError && reasons.includes(error.reason ?? '');
}

export function asUnavailable(error: unknown): unknown {
  const code = sqliteCode(error);
  if (code === undefined) return error;
  if (damage.test(code)) return damaged();
  return writeFaults.test(code) ? notStored(code.startsWith('SQLITE_FULL')) : error;
}

export function asUnreadable(error: unknown): unknown {
  const code = sqliteCode(error);
  if (code === undefined) return error;
  if (damage.test(code)) return damaged();
  if (!readFaults.test(code)) return error;
  return new DeskError('unavailable', 'The database cannot be read at the moment.', {
    reason: 'storage_unavailable',
    retryAfterSeconds: 5,
  });
}
