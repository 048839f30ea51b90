// The parameters in an operation's path.

import { notFound } from '../../domain/errors.ts';
import type { Call } from '../operation.ts';

/** The id, ulid or slug of the site in the path. */
export const siteName = (call: Call) => call.params.site ?? '';

/** The ulid or id of the ticket in the path. */
export const ticketName = (call: Call) => call.params.ticket ?? '';

/** An id as text; null where it is not one. */
export function parseId(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** The `{id}` of the path; 404 for the noun where it cannot be one. */
export function idOf(call: Call, noun: string): number {
  const id = parseId(call.params.id ?? '');
  if (id === null) throw notFound(noun);
  return id;
}
