// The filter of a ticket list: as part of a view, in the URL, and in a query to the desk. All three have the same names.

import {
  type FilterKey,
  type FilterKind,
  type ListFilter,
  takesSeveral,
  ticketFilters,
} from '../../../../domain/tickets/filters.ts';
import {
  type Direction,
  directions,
  type TicketSort,
  tagPattern,
  ticketSorts,
} from '../../../../domain/tickets/ticket.ts';

/** What the age of a row is counted from: the time that the list is sorted by, or else when the ticket was opened. */
export type AgeSort = Extract<TicketSort, 'created_at' | 'updated_at'>;

export function ageSort(sort: TicketSort): AgeSort {
  return sort === 'updated_at' ? sort : 'created_at';
}

export interface ListOrder {
  sort: TicketSort;
  direction: Direction;
}

/** Reads one value; undefined if it is none of this kind. */
type Read = (text: string) => unknown;

const mostValues = 100;
const longestText = 500;

const id: Read = (value) => (/^[1-9]\d{0,14}$/.test(value) ? Number(value) : undefined);
const text: Read = (value) => (value !== '' && value.length <= longestText ? value : undefined);
const time: Read = (value) => (value.length <= 40 && !Number.isNaN(Date.parse(value)) ? value : undefined);

const readers: Record<FilterKind, Read> = {
  flag: (value) => (['1', 'true'].includes(value) ? true : ['0', 'false'].includes(value) ? false : undefined),
  ids: id,
  agents: (value) => (value === 'me' ? value : id(value)),
  tags: (value) => (tagPattern.test(value) ? value : undefined),
  site: id,
  text,
  address: text,
  search: text,
  from: time,
  to: time,
};

function readerOf(key: FilterKey): Read {
  const taken: FilterKind | readonly string[] = ticketFilters[key];
  return typeof taken === 'string' ? readers[taken] : (value) => (taken.includes(value) ? value : undefined);
}

export const filterKeys = Object.keys(ticketFilters) as FilterKey[];

/** What it does not understand it leaves out. */
function readFilter(valuesOf: (key: FilterKey) => readonly string[]): ListFilter {
  const filter: Record<string, unknown> = {};
  for (const key of filterKeys) {
    const known = [...new Set(valuesOf(key).map(readerOf(key)))].filter((value) => value !== undefined);
    if (known.length > 0) filter[key] = takesSeveral(key) ? known.slice(0, mostValues) : known[0];
  }
  return filter;
}

export function filterOfParams(params: URLSearchParams): ListFilter {
  return readFilter((key) => {
    const values = params.getAll(key);
    return takesSeveral(key) ? values.flatMap((value) => value.split(',')) : values;
  });
}

/** @param stored as the desk keeps it in a view */
export function filterOfView(stored: object | null): ListFilter {
  return readFilter((key) => {
    const value = (stored as Record<string, unknown> | null)?.[key];
    if (value === undefined || value === null) return [];
    return (Array.isArray(value) ? value : [value]).map(String);
  });
}

/** The filter of a view with what the URL says otherwise. A key without a value, as in `?status=`, takes that filter away. */
export function changedFilter(view: ListFilter, params: URLSearchParams): ListFilter {
  const filter: ListFilter = { ...view, ...filterOfParams(params) };
  for (const key of filterKeys) if (params.get(key) === '') delete filter[key];
  return filter;
}

/** The parameters that make `changedFilter` turn the view into this filter. */
export function changesOf(view: ListFilter, filter: ListFilter): URLSearchParams {
  const params = new URLSearchParams();
  for (const key of filterKeys) {
    const wanted = textOf(filter[key]);
    if (wanted !== textOf(view[key])) params.set(key, wanted);
  }
  return params;
}

export function queryOf(filter: ListFilter): URLSearchParams {
  return changesOf({}, filter);
}

function textOf(value: ListFilter[FilterKey]): string {
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? '1' : '0';
  return String(value);
}

export function orderOf(params: URLSearchParams, otherwise: ListOrder): ListOrder {
  const sort = ticketSorts.find((one) => one === params.get('sort')) ?? otherwise.sort;
  const asked = directions.find((one) => one === params.get('direction'));
  const usual = sort === otherwise.sort ? otherwise.direction : usualDirection(sort);
  return { sort, direction: asked ?? usual };
}

/** Of deadlines the nearest come first; of everything else the newest or most urgent. */
export function usualDirection(sort: TicketSort): Direction {
  return sort.endsWith('due_at') ? 'asc' : 'desc';
}
