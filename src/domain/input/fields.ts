// Building blocks of input: texts with a limit in characters, cleaned.

import * as z from 'zod';
import { parseTime } from '../instant.ts';
import { canonicalAddress, maxAddressLength } from '../mail/address.ts';
import { isNumber, slugPattern } from '../sites/slug.ts';
import { isTimezone, wallMinutes } from '../sla/calendar.ts';
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

export function timeOfDay() {
  return z
    .string()
    .refine((text) => text !== '24:00' && wallMinutes(text) !== null, {
      error: 'must be a time of the day, such as 22:00.',
    })
    .meta({ examples: ['22:00'] });
}

export function timeZone() {
  return z
    .string()
    .max(64)
    .refine(isTimezone, { error: 'must be an IANA time zone, such as Europe/Amsterdam.' })
    .meta({ examples: ['Europe/Amsterdam'] });
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
    .regex(slugPattern, { error: 'must have at most 64 lower-case letters, digits and hyphens.' })
    .refine((text) => !isNumber(text), { error: 'must not be only digits, or it would look like an id.' })
    .meta({ examples: ['web-shop'] });
}

type Loose<Shape extends z.ZodRawShape> = { [Key in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Key]>> };

/** What a new row takes: each field can be left out or null, which is the same. A change is the shape itself, partial. */
export function loosely<Shape extends z.ZodRawShape>(shape: Shape): Loose<Shape> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, (field as z.ZodType).nullish()]),
  ) as never;
}
