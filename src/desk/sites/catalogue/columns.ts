// What rows of a catalogue have in common: their columns, order and slugs.

import { columnName } from '../../../domain/column-names.ts';
import { conflict } from '../../../domain/errors.ts';
import { firstFreeSlug, slugify } from '../../../domain/text.ts';

/** What the input says of the columns that a row has under the same name. */
export function columnsOf<Row extends object>(input: object, row: Row): Partial<Row> {
  const given = Object.entries(input).filter(([field, value]) => value !== undefined && columnName(field) in row);
  return Object.fromEntries(given.map(([field, value]) => [columnName(field), value])) as Partial<Row>;
}

export function nextOrder(rows: readonly { sortOrder: number }[]): number {
  return rows.reduce((highest, { sortOrder }) => Math.max(highest, sortOrder), 0) + 1;
}

export function freeSlug(
  rows: readonly { id: number; slug: string }[],
  wished: string | null | undefined,
  name: string,
  own: number | null,
): string {
  const taken = new Set(rows.filter(({ id }) => id !== own).map(({ slug }) => slug));
  if (wished != null) {
    if (taken.has(wished)) throw conflict(`The slug "${wished}" is taken.`, 'slug_taken');
    return wished;
  }
  return firstFreeSlug(slugify(name) || 'unnamed', (slug) => taken.has(slug));
}

export const defaultColor = '#64748b';
