// Filters and order live in the address: changing them goes somewhere else, and Back takes it back.

import { signal } from '@preact/signals';
import type { ListFilter } from '../../../../domain/tickets/filters.ts';
import type { Direction, TicketSort } from '../../../../domain/tickets/ticket.ts';
import { go, lastListPath, route } from '../../route.ts';
import { orderParams } from '../source.ts';
import { openList } from '../ticket-list.ts';
import { changesOf } from './filter.ts';
import type { ChoiceKey } from './filter-fields.ts';

/** A filter that was chosen in the menu and has no value yet. */
export const adding = signal<ChoiceKey | null>(null);

/** The address of the open list with another filter or order. */
function address(filter: ListFilter, order: { sort: TicketSort; direction: Direction }): string | null {
  const source = openList.peek()?.source;
  if (source === undefined) return null;
  const [path = ''] = lastListPath.peek().split('?');
  const params = source.kind === 'view' ? changesOf(source.base, filter) : new URLSearchParams({ q: source.text });
  const base = source.kind === 'view' ? source.baseOrder : ({ sort: 'created_at', direction: 'desc' } as const);
  for (const [name, value] of orderParams(order, base)) params.set(name, value);
  const query = String(params).replaceAll('%2C', ',');
  return query === '' ? path : `${path}?${query}`;
}

export function chooseFilter(change: Partial<Record<keyof ListFilter, unknown>>): void {
  const source = openList.peek()?.source;
  if (source === undefined) return;
  const filter = Object.fromEntries(
    Object.entries({ ...source.filter, ...change }).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  ) as ListFilter;
  const wanted = address(filter, source.order);
  if (wanted !== null) go(wanted, { replace: route.peek().name === 'ticket' });
}

export function chooseOrder(sort: TicketSort, direction: Direction): void {
  const source = openList.peek()?.source;
  const wanted = source === undefined ? null : address(source.filter, { sort, direction });
  if (wanted !== null) go(wanted);
}
