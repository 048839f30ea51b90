// Opens the list of the address, and keeps the one that is open while the address leads back to it.

import { computed, type ReadonlySignal } from '@preact/signals';
import { now } from '../../shared/clock.ts';
import { lastListPath } from '../route.ts';
import { searchNames } from '../search/names.ts';
import { chosenSite, me } from '../session.ts';
import { views } from '../views/views.ts';
import { type ListSource, listQuery, sourceOf } from './source.ts';
import { createList, openList, type TicketList } from './ticket-list.ts';

export type Opened =
  | { kind: 'loading' }
  | { kind: 'unknown' }
  | { kind: 'problems'; source: Extract<ListSource, { kind: 'search' }> }
  | { kind: 'list'; list: TicketList };

const startedAt = now();

const source: ReadonlySignal<ListSource | 'loading' | null> = computed(() => {
  const path = lastListPath.value;
  const isSearch = path.startsWith('/search');
  const known = isSearch ? [] : views.value;
  const names = isSearch ? searchNames.value : noNames;
  if (known === null || names === null || me.value === null) return 'loading';
  return sourceOf(path, known, names, startedAt);
});

const noNames = { agents: [], categories: [], priorities: [], sites: [] };

export const opened: ReadonlySignal<Opened> = computed(() => {
  const found = source.value;
  if (found === 'loading') return { kind: 'loading' };
  if (found === null) return { kind: 'unknown' };
  const isEmpty = found.kind === 'search' && Object.keys(found.filter).length === 0;
  if (found.kind === 'search' && (found.problems.length > 0 || isEmpty)) return { kind: 'problems', source: found };
  const query = listQuery(found, chosenSite.value).toString();
  const current = openList.peek();
  if (current !== null && current.query === query && isSameSource(current.source, found))
    return { kind: 'list', list: current };
  return { kind: 'list', list: createList(found, query, me.peek()?.id ?? 0) };
});

function isSameSource(one: ListSource, other: ListSource): boolean {
  if (one.kind === 'view' && other.kind === 'view')
    return one.view.key === other.view.key && JSON.stringify(one.base) === JSON.stringify(other.base);
  return one.kind === 'search' && other.kind === 'search' && one.text === other.text;
}
