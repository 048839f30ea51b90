// Building blocks of the lines of an export.

import * as z from 'zod';
import { ulidPattern } from '../ulid.ts';
import { priorityInput } from './sites.ts';

export const id = z.int().positive();
export const ulid = z.string().regex(ulidPattern, { error: 'must be a ULID.' });
export const instant = z.int().min(0).max(253_402_300_799_999);
export const count = z.int().min(0).max(1_000_000_000);
export const flag = z.boolean();
export const hash = z.string().regex(/^[\w-]{43}$/, { error: 'must be a hash.' });
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, { error: 'must be a SHA-256 in hexadecimal.' });
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.isWellFormed(), { error: 'has invalid characters.' });
const maxDepth = 32;
const isTooDeep = (value: unknown, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth >= maxDepth || Object.values(value).some((inner) => isTooDeep(inner, depth + 1)));
export const bounded = <Value>(schema: z.ZodType<Value>, maxCharacters: number) =>
  schema.refine((value) => !isTooDeep(value) && JSON.stringify(value).length <= maxCharacters, {
    error: 'is too long or nested too deep.',
  });
export const object = (maxCharacters: number) => bounded(z.record(z.string(), z.unknown()), maxCharacters);

export const target = priorityInput.shape.first_response_minutes.unwrap();
