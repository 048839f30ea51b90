// The building blocks of query strings.

import * as z from 'zod';
import { parseTime } from '../domain/instant.ts';
import type { Page } from './respond.ts';

/** A key that may occur several times: decode.ts knows lists by their type. */
export function list<Item extends z.ZodType>(item: Item) {
  return z.array(item).max(100);
}

export function number() {
  return z
    .string()
    .regex(/^\d{1,15}$/, { error: 'a whole number.' })
    .transform(Number)
    .meta({ type: 'integer' });
}

export function boolean() {
  return z
    .enum(['1', 'true', '0', 'false'], { error: '1, true, 0 or false.' })
    .transform((text) => text === '1' || text === 'true')
    .meta({ type: 'boolean' });
}

/** id, ulid or slug. */
export function name() {
  return z.string().min(1).max(64);
}

/** RFC 3339, or a date alone, which is its first moment in UTC. */
export function time() {
  return z
    .string()
    .max(40)
    .transform((text, check) => {
      const at = parseTime(text);
      if (at === null) {
        check.addIssue({ code: 'custom', message: 'a time as 2026-09-11T09:30:00Z.' });
        return z.NEVER;
      }
      return at;
    })
    .meta({ type: 'string', format: 'date-time' });
}

const positive = (max: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, { error: 'a whole number from 1.' })
    .transform((text) => Math.min(Number(text), max))
    .meta({ type: 'integer', minimum: 1 });

/** `page` from 1 and `per_page` (default 15; more than 100 is taken as 100). */
export const paging = { page: positive(1_000_000_000).optional(), per_page: positive(100).optional() };
export const pagingQuery = z.object(paging);

export function pageOf(query: { page?: number | undefined; per_page?: number | undefined }): Page {
  return { page: query.page ?? 1, perPage: query.per_page ?? 15 };
}
