// Structured logs. Callers decide what to log: never a token, an address or a body.

import { type Logger, pino } from 'pino';

export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

// Of lines that cannot be written; further ones are dropped.
const mostWaiting = 1024 * 1024;

export async function createLog(level: LogLevel, format: 'json' | 'pretty'): Promise<Log> {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const destination = pino.destination({ dest: 2, sync: true, maxLength: mostWaiting });
  // The lines wait until their disk has room again; a request is answered without them.
  destination.on('error', () => undefined);
  if (format === 'json') return plain(pino(options, destination));
  const { default: pretty } = await import('pino-pretty');
  return plain(
    pino(
      options,
      pretty({ colorize: process.env.NO_COLOR === undefined, destination, sync: true, ignore: 'pid,hostname' }),
    ),
  );
}

function plain(logger: Logger): Log {
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
  };
}

export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export function errorFields(error: unknown): { error: string; stack?: string } {
  if (!(error instanceof Error)) return { error: typeof error };
  // SQLite and zod quote values in their messages, perhaps a customer's words; the frames of a stack do not.
  const stack = error.stack ?? '';
  const after = error.message === '' ? 0 : stack.indexOf(error.message) + error.message.length;
  const frames = stack
    .slice(after)
    .split('\n')
    .filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line));
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';
  return { error: `${error.name}${code}`, stack: frames.slice(0, 20).join('\n') };
}
