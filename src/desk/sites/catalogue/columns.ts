// What rows of a catalogue have in common: their columns, order and slugs.

import { conflict } from '../../../domain/errors.ts';
import { firstFreeSlug, slugify } from '../../../domain/text.ts';

export function columnsOf<Column extends string>(
  input: object,
  names: Record<string, Column>,
): Partial<Record<Column, unknown>> {
  const columns: Partial<Record<Column, unknown>> = {};
  for (const [wire, column] of Object.entries(names)) {
    const value = (input as Record<string, unknown>)[wire];
    if (value !== undefined) columns[column] = value;
  }
  return columns;
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

export const commonColumns = { name: 'name', color: 'color', sort_order: 'sortOrder', is_active: 'isActive' } as const;
export const defaultColor = '#64748b';
