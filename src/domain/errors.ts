// The errors a verb can answer with; http maps each to a status, cli to an exit code.

const errorCodes = [
  'invalid',
  'malformed',
  'not_found',
  'unauthenticated',
  'forbidden',
  'conflict',
  'gone',
  'precondition_failed',
  'too_large',
  'unsupported',
  'rate_limited',
  'unavailable',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** Messages by dotted path, such as `{"context.console.0.level": ["..."]}` (docs/spec/api.md#errors). */
export type FieldErrors = Record<string, string[]>;

export const mostFaults = 100;

function named(errors: FieldErrors): FieldErrors {
  const entries = Object.entries(errors).slice(0, mostFaults);
  return Object.fromEntries(
    entries.map(([path, messages]) => [path, messages.map((message) => fieldMessage(path, message))]),
  );
}

/** An expected refusal: `code` decides the status, `reason` is the wire's narrower `code`. */
export class DeskError extends Error {
  readonly code: ErrorCode;
  readonly reason: string | undefined;
  readonly errors: FieldErrors | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { reason?: string; errors?: FieldErrors; retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.name = 'DeskError';
    this.code = code;
    this.reason = options.reason;
    this.errors = options.errors && named(options.errors);
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** 422 for one field; `message` starts with its verb, see `fieldMessage`. */
export function invalid(path: string, message: string, reason?: string): DeskError {
  return invalidFields({ [path]: [message] }, reason);
}

export function invalidFields(errors: FieldErrors, reason?: string): DeskError {
  const [first, ...others] = Object.entries(errors);
  if (first === undefined) throw new Error('a refusal of fields names one');
  const [path, messages] = first;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return new DeskError('invalid', `${fieldMessage(path, messages[0] ?? '')}${more}`, { errors, reason });
}

/** 404, also for what is outside the caller's scope, so that the two look the same (docs/spec/api.md#errors). */
export function notFound(what: string): DeskError {
  return new DeskError('not_found', `No such ${what}.`);
}

export function conflict(message: string, reason?: string): DeskError {
  return new DeskError('conflict', message, reason === undefined ? {} : { reason });
}

// Error messages about one field, such as "The subject field is required."
const verbs = /^(?:must|may|can|cannot|does|is|has|names|needs|leaves|overlaps|takes)\b/i;
const maxLabelCharacters = 64;

function labelOf(path: string): string {
  const name = path.split('.').findLast((part) => !/^\d*$/.test(part)) ?? 'value';
  return Array.from(name.replaceAll(/[_-]+/g, ' ').trim() || 'value')
    .slice(0, maxLabelCharacters)
    .join('');
}

/** @param message starts with its verb, such as "must be a text."; any other sentence follows the name of the field */
export function fieldMessage(path: string, message: string): string {
  const field = `The ${labelOf(path)} field`;
  if (message.startsWith(`${field} `)) return message;
  const said = message.charAt(0).toLowerCase() + message.slice(1);
  if (verbs.test(said)) return `${field} ${said}`;
  if (said.startsWith('at most ')) return `${field} must have ${said}`;
  if (said.startsWith('at least ')) return `${field} must have ${said}`;
  return `${field} is refused: ${message}`;
}
