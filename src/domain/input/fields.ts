// Building blocks of input: texts with a limit in characters, cleaned.

import * as z from 'zod';
import { canonicalAddress, maxAddressLength } from '../address.ts';
import { parseTime } from '../instant.ts';
import { cleanLine, cleanText, countCharacters } from '../text.ts';

function atMost(max: number) {
  return (text: string) => countCharacters(text) <= max;
}

export function line(max: number) {
  return z
    .string()
    .transform(cleanLine)
    .refine((text) => text.length > 0, { error: 'is required.', abort: true })
    .refine(atMost(max), { error: `must have at most ${max} characters.` })
    .meta({ type: 'string', minLength: 1, maxLength: max });
}

export function optionalLine(max: number) {
  return z
    .string()
    .transform(cleanLine)
    .refine(atMost(max), { error: `must have at most ${max} characters.` })
    .meta({ type: 'string', maxLength: max });
}

export function paragraph(max: number) {
  return z
    .string()
    .transform(cleanText)
    .refine((text) => text.trim().length > 0, { error: 'is required.', abort: true })
    .refine(atMost(max), { error: `must have at most ${max} characters.` })
    .meta({ type: 'string', minLength: 1, maxLength: max });
}

export function optionalParagraph(max: number) {
  return z
    .string()
    .transform(cleanText)
    .refine(atMost(max), { error: `must have at most ${max} characters.` })
    .meta({ type: 'string', maxLength: max });
}

export function email() {
  return z
    .string()
    .transform((text, check) => {
      const address = canonicalAddress(text);
      if (address !== null) return address;
      check.addIssue({ code: 'custom', message: 'must be an e-mail address.' });
      return z.NEVER;
    })
    .meta({ type: 'string', format: 'email', maxLength: maxAddressLength, examples: ['mia@example.org'] });
}

export function resourceId() {
  return z
    .int()
    .positive()
    .max(Number.MAX_SAFE_INTEGER)
    .meta({ examples: [1] });
}

/** RFC 3339, or a date, which means its first moment in UTC. Becomes a moment. */
export function moment() {
  return z
    .string()
    .max(40)
    .transform((text, check) => {
      const at = parseTime(text) ?? parseTime(`${text}Z`);
      if (at !== null) return at;
      check.addIssue({ code: 'custom', message: 'must be a time such as 2026-09-11T09:30:00Z.' });
      return z.NEVER;
    })
    .meta({ type: 'string', format: 'date-time', examples: ['2126-09-11T09:30:00Z'] });
}

export function color() {
  return z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, { error: 'must be a colour such as #2563eb.' })
    .meta({ examples: ['#2563eb'] });
}

export function slug() {
  return z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, {
      error: 'must have at most 64 lower-case letters, digits and hyphens.',
    })
    .refine((text) => !/^\d+$/.test(text), { error: 'must not be only digits, or it would look like an id.' })
    .meta({ examples: ['web-shop'] });
}
