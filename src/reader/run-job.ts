// Runs one job in the reader process. Code is loaded with the first job that needs it.

import { errorFields } from '../base/log.ts';
import { DeskError, type ErrorCode, type FieldErrors } from '../domain/errors.ts';
import type { JobKind, Jobs } from './jobs.ts';

type Work = { [Kind in JobKind]: (input: Jobs[Kind]['input']) => Promise<Jobs[Kind]['output']> };

const work: Work = {
  'read mail': async (input) => (await import('./read-mail.ts')).readMail(input),
  'check sender': async (input) => (await import('./check-sender.ts')).checkStored(input),
  'show mail': async (input) => (await import('./show-mail.ts')).showMail(input),
  'original message': async (input) => (await import('./original-message.ts')).writeOriginal(input),
  'judge rules': async (input) => (await import('./judge-rules.ts')).judge(input),
  'settings file': async ({ yaml }) => (await import('../domain/input/settings-yaml.ts')).fromYaml(yaml),
};

export type Answer =
  | { done: unknown }
  | {
      refused: {
        code: ErrorCode;
        message: string;
        reason?: string | undefined;
        errors?: FieldErrors | undefined;
        retryAfterSeconds?: number | undefined;
      };
    }
  /** For the log: never any data of the message. */
  | { failed: { error: string; stack?: string } };

export async function doJob<Kind extends JobKind>(kind: Kind, input: Jobs[Kind]['input']): Promise<Answer> {
  try {
    return { done: await work[kind](input) };
  } catch (error) {
    if (!(error instanceof DeskError)) return { failed: errorFields(error) };
    const { code, message, reason, errors, retryAfterSeconds } = error;
    return { refused: { code, message, reason, errors, retryAfterSeconds } };
  }
}

export function outcomeOf<T>(answer: Answer): T {
  if ('done' in answer) return answer.done as T;
  if ('failed' in answer) {
    const error = new Error('a reader job failed');
    error.name = answer.failed.error;
    error.stack = answer.failed.stack ?? '';
    throw error;
  }
  const { code, message, reason, errors, retryAfterSeconds } = answer.refused;
  throw new DeskError(code, message, {
    ...(reason === undefined ? {} : { reason }),
    ...(errors === undefined ? {} : { errors }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
