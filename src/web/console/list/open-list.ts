// Opens the list of the address, and keeps the one that is open while the address leads back to it.

import { computed, effect, type ReadonlySignal } from '@preact/signals';
import { now } from '../../shared/clock.ts';
import { lastListPath } from '../route.ts';
import type { ParsedSearch } from '../search/language.ts';
import { searchPart } from '../search/load-language.ts';
import { chosenSite, me } from '../session.ts';
import { views } from '../views/views.ts';
import { type ListSource, listQuery, sourceOf } from './source.ts';
import { createList, openList, type TicketList } from './ticket-list.ts';

export type Opened =
  | { kind: 'loading' }
  /** The language of searches could not be loaded. */
  | { kind: 'unreadable' }
  | { kind: 'unknown' }
  | { kind: 'problems'; source: Extract<ListSource, { kind: 'search' }> }
  | { kind: 'list'; list: TicketList };

const startedAt = now();

const isSearch = computed(() => lastListPath.value.startsWith('/search'));
effect(() => {
  if (isSearch.value) void searchPart.begin();
});

const readSearch: ReadonlySignal<((text: string) => ParsedSearch) | 'failed' | null> = computed(() => {
  const { value: loaded } = searchPart.state;
  if (loaded === null || loaded === 'failed') return loaded;
  const { parseSearch, searchNames } = loaded.part;
  const { value: names } = searchNames;
  return names && ((text) => parseSearch(text, names, startedAt));
});
const noSearch = () => ({ filter: {}, problems: [] });

const source: ReadonlySignal<ListSource | 'loading' | 'unreadable' | null> = computed(() => {
  const known = isSearch.value ? [] : views.value;
  const read = isSearch.value ? readSearch.value : noSearch;
  if (read === 'failed') return 'unreadable';
  if (known === null || read === null || me.value === null) return 'loading';
  return sourceOf(lastListPath.value, known, read);
});

export const opened: ReadonlySignal<Opened> = computed(() => {
  const found = source.value;
  if (found === 'loading' || found === 'unreadable') return { kind: found };
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
