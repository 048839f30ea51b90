// Errors of the command line, and what each one prints and exits with (docs/spec/cli.md#exit-codes).

import { CommanderError } from 'commander';
import { ConfigError } from '../src/base/config.ts';
import { diskFault, isForWantOfRoom } from '../src/base/disk.ts';
import { DeskError } from '../src/domain/errors.ts';

const exitCodes = { done: 0, failed: 1, usage: 2, notFound: 3, tryAgain: 75 } as const;

/** The command was used wrongly. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The command has already printed what is wrong. */
export class UnsoundError extends Error {
  override name = 'UnsoundError';
}

/** Nothing was stored, and a later attempt may succeed. Mail servers know this exit code as EX_TEMPFAIL. */
export class TryAgainError extends Error {
  override name = 'TryAgainError';
  constructor(cause: unknown) {
    super('Nothing was stored.', { cause });
  }
}

interface Explanation {
  /** One sentence for standard error; empty for nothing. */
  sentence: string;
  code: number;
}

const failed = (sentence: string): Explanation => ({ sentence, code: exitCodes.failed });

// Their messages are written for the person at the terminal.
const selfExplaining = ['UnreadableRow', 'DataDirectoryError', 'BackupError', 'SchemaError', 'ListenError'];

export function explain(error: unknown): Explanation {
  // Commander has printed its own message.
  if (error instanceof CommanderError)
    return { sentence: '', code: error.exitCode === 0 ? exitCodes.done : exitCodes.usage };
  if (error instanceof TryAgainError) return { sentence: explain(error.cause).sentence, code: exitCodes.tryAgain };
  if (error instanceof UnsoundError) return failed('');
  if (error instanceof UsageError) return { sentence: error.message, code: exitCodes.usage };
  if (error instanceof ConfigError) return failed(error.message);
  if (error instanceof DeskError) return explainDeskError(error);
  if (error instanceof Error && selfExplaining.includes(error.name)) return failed(error.message);
  const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : null;
  const fault = diskFault(error, path ?? '.');
  if (fault !== null && path !== null) return failed(`${path} ${fault}.`);
  if (isForWantOfRoom(error, '.')) return failed('A disk is full. Free some space and try again.');
  return failed(`Unexpected error: ${error instanceof Error ? error.message : String(error)}`);
}

function explainDeskError({ code, message, errors = {} }: DeskError): Explanation {
  const details = Object.entries(errors).map(([path, messages]) => `${path}: ${messages.join(' ')}`);
  // When one field is refused, the general message often repeats the field's own.
  const general = Object.values(errors).some(([only]) => only === message) ? [] : [message];
  return {
    sentence: [...general, ...details].join(' '),
    code: code === 'not_found' ? exitCodes.notFound : exitCodes.failed,
  };
}
