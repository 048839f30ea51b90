// What a saved view or report asks for: its names and values, read as the query of an operation.

import type * as z from 'zod';
import { invalid, invalidFields } from '../../../domain/errors.ts';
import { fieldErrors } from '../../../domain/input/issues.ts';
import type { ViewFilter, ViewValue } from '../../../domain/lists/view.ts';

const asText = (value: string | number | boolean): string =>
  typeof value === 'boolean' ? (value ? '1' : '0') : String(value);

const isMany = (value: ViewValue): value is readonly (string | number)[] => Array.isArray(value);

/** 422 naming the part that the operation does not take. @param field what holds it in the input */
export function queryOfSaved<Query extends z.ZodObject>(
  query: Query,
  saved: ViewFilter,
  field: string,
  unknown: string,
): z.output<Query> {
  for (const name of Object.keys(saved))
    if (!Object.hasOwn(query.shape, name)) throw invalid(`${field}.${name}`, unknown);
  const raw = Object.fromEntries(
    Object.entries(saved).map(([name, value]) => [name, isMany(value) ? value.map(asText) : asText(value)]),
  );
  const parsed = query.safeParse(raw);
  if (parsed.success) return parsed.data;
  const errors = Object.entries(fieldErrors(parsed.error.issues, raw, ''));
  throw invalidFields(Object.fromEntries(errors.map(([path, said]) => [`${field}.${path}`, said])));
}
