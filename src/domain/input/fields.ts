// The building blocks of what comes in: texts with their limits in characters, cleaned on the way.

import * as z from 'zod';
import { canonicalAddress, maxAddressLength } from '../address.ts';
import { cleanLine, cleanText, countCharacters } from '../text.ts';

function atMost(max: number) {
  return (text: string) => countCharacters(text) <= max;
}

/** One line of at most `max` characters, with at least one that is no space. */
export function line(max: number) {
  return z
    .string()
    .transform(cleanLine)
    .refine((text) => text.length > 0, { error: 'is required.', abort: true })
    .refine(atMost(max), { error: `may have at most ${max} characters.` })
    .meta({ type: 'string', minLength: 1, maxLength: max });
}

/** One line of at most `max` characters that may be empty. */
export function optionalLine(max: number) {
  return z
    .string()
    .transform(cleanLine)
    .refine(atMost(max), { error: `may have at most ${max} characters.` })
    .meta({ type: 'string', maxLength: max });
}

/** Text of several lines, 1 to `max` characters, not only spaces. */
export function paragraph(max: number) {
  return z
    .string()
    .transform(cleanText)
    .refine((text) => text.trim().length > 0, { error: 'is required.', abort: true })
    .refine(atMost(max), { error: `may have at most ${max} characters.` })
    .meta({ type: 'string', minLength: 1, maxLength: max });
}

export function optionalParagraph(max: number) {
  return z
    .string()
    .transform(cleanText)
    .refine(atMost(max), { error: `may have at most ${max} characters.` })
    .meta({ type: 'string', maxLength: max });
}

/** An address, in the one form in which it is kept. */
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

/** The id of a resource: a positive whole number. */
export function resourceId() {
  return z
    .int()
    .positive()
    .max(Number.MAX_SAFE_INTEGER)
    .meta({ examples: [1] });
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
      error: 'may have small letters, digits and hyphens, 64 at most.',
    })
    .refine((text) => !/^\d+$/.test(text), { error: 'may not be only digits: it would be read as an id.' })
    .meta({ examples: ['web-shop'] });
}
