// Parts of query schemas.

import * as z from 'zod';
import { dayMs, isDate, parseTime } from '../../domain/instant.ts';
import { mostPerPage, type Page } from './respond.ts';

/** A key that can occur several times; decode.ts recognises lists by their type. */
export function list<Item extends z.ZodType>(item: Item) {
  return z.array(item).max(100);
}

export function number() {
  return z
    .string()
    .regex(/^\d{1,15}$/, { error: 'must be a whole number.' })
    .transform(Number)
    .meta({ type: 'integer' });
}

export function numberOr<Word extends string>(word: Word) {
  return z
    .string()
    .regex(new RegExp(`^(?:${word}|\\d{1,15})$`), { error: `must be a whole number or "${word}".` })
    .transform((text): number | Word => (text === word ? word : Number(text)));
}

export function boolean() {
  return z
    .enum(['1', 'true', '0', 'false'], { error: 'must be 1, true, 0 or false.' })
    .transform((text) => text === '1' || text === 'true')
    .meta({ type: 'boolean' });
}

/** By any of its names; documented as what answers call `site_id`. */
export function site() {
  return z.string().min(1).max(64).meta({ override: siteIdSchema });
}

const siteIdSchema = { type: 'integer', minimum: 1, description: 'Its ulid or slug is taken too.' } as const;

export function name() {
  return z.string().min(1).max(64);
}

/** RFC 3339, in UTC without a zone. @param ofDate the moment of the day for a date without a time */
export function time(ofDate: 'first' | 'last') {
  return z
    .string()
    .max(40)
    .transform((text, check) => {
      const at = isDate(text) && ofDate === 'last' ? endOfDate(text) : (parseTime(text) ?? parseTime(`${text}Z`));
      if (at === null) {
        check.addIssue({ code: 'custom', message: 'must be a time such as 2026-09-11T09:30:00Z.' });
        return z.NEVER;
      }
      return at;
    })
    .meta({
      type: 'string',
      description: `RFC 3339; UTC when it has no zone. A date without a time is the ${ofDate} moment of that day.`,
      examples: ['2026-09-11T09:30:00Z'],
    });
}

function endOfDate(date: string): number | null {
  const from = parseTime(date);
  return from === null ? null : from + dayMs - 1;
}

const positive = (max: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, { error: 'must be a whole number from 1.' })
    .transform((text) => Math.min(Number(text), max))
    .meta({ type: 'integer', minimum: 1 });

/** `page` from 1 and `per_page` (default 15; more than 100 becomes 100). */
export const paging = { page: positive(1_000_000_000).optional(), per_page: positive(mostPerPage).optional() };
export const pagingQuery = z.object(paging);

interface AskedPage {
  page?: number | undefined;
  per_page?: number | undefined;
}

export function pageOf(query: AskedPage): Page {
  return { page: query.page ?? 1, perPage: query.per_page ?? 15 };
}

export const wholeListRows = 1000;

/** The whole list when neither `page` nor `per_page` is sent (docs/spec/api.md#conventions). */
export function pageOrWhole(query: AskedPage): Page {
  if (query.page !== undefined || query.per_page !== undefined) return pageOf(query);
  return { page: 1, perPage: wholeListRows, isWhole: true };
}
