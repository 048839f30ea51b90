// The parameters in an operation's path.

import { notFound } from '../../domain/errors.ts';
import type { Call } from '../operation.ts';

export const siteName = (call: Call) => call.params.site ?? '';

export const ticketName = (call: Call) => call.params.ticket ?? '';

export const messageName = (call: Call) => call.params.message ?? '';

export function parseId(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

export function idOf(call: Call, noun: string): number {
  const id = parseId(call.params.id ?? '');
  if (id === null) throw notFound(noun);
  return id;
}
