// The filter of a ticket list: as part of a view, in the URL, and in a query to the desk. All three have the same names.

import type { Rating } from '../../../../domain/tickets/satisfaction.ts';
import {
  type Direction,
  directions,
  type SlaFilter,
  slaFilters,
  type TicketSort,
  type TicketStatus,
  tagPattern,
  ticketSorts,
  ticketStatuses,
} from '../../../../domain/tickets/ticket.ts';

/** What the age of a row is counted from: the time that the list is sorted by, or else when the ticket was opened. */
export type AgeSort = Extract<TicketSort, 'created_at' | 'updated_at'>;

export function ageSort(sort: TicketSort): AgeSort {
  return sort === 'updated_at' ? sort : 'created_at';
}

/** Of an id, or of the agent who asks. */
type AgentChoice = number | 'me';

export interface ListFilter {
  status?: TicketStatus[];
  category_id?: number[];
  priority_id?: number[];
  assigned_to?: AgentChoice[];
  team_id?: number[];
  unassigned?: boolean;
  tag?: string[];
  sla?: SlaFilter[];
  site_id?: number;
  email?: string;
  participant?: string;
  external_id?: string;
  q?: string;
  created_from?: string;
  created_to?: string;
  updated_from?: string;
  updated_to?: string;
  snoozed?: boolean;
  has_attachment?: boolean;
  is_spam?: boolean;
  include_test?: boolean;
  mentions?: AgentChoice[];
  satisfaction?: Rating[];
  has_draft?: boolean;
  unread?: boolean;
}
export type FilterKey = keyof ListFilter;

export interface ListOrder {
  sort: TicketSort;
  direction: Direction;
}

/** Reads one value; undefined if it is none of this kind. */
type Read = (text: string) => unknown;

const mostValues = 100;
const longestText = 500;

const id: Read = (text) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined);
const agent: Read = (value) => (value === 'me' ? value : id(value));
const oneOf =
  (known: readonly string[]): Read =>
  (text) =>
    known.includes(text) ? text : undefined;
const text: Read = (value) => (value !== '' && value.length <= longestText ? value : undefined);
const flag: Read = (value) =>
  ['1', 'true'].includes(value) ? true : ['0', 'false'].includes(value) ? false : undefined;
const time: Read = (value) => (value.length <= 40 && !Number.isNaN(Date.parse(value)) ? value : undefined);

const lists: Partial<Record<FilterKey, Read>> = {
  status: oneOf(ticketStatuses),
  category_id: id,
  priority_id: id,
  team_id: id,
  assigned_to: agent,
  tag: (value) => (tagPattern.test(value) ? value : undefined),
  sla: oneOf(slaFilters),
  mentions: agent,
  satisfaction: oneOf(['good', 'bad'] satisfies Rating[]),
};
const singles: Partial<Record<FilterKey, Read>> = {
  unassigned: flag,
  site_id: id,
  email: text,
  participant: text,
  external_id: text,
  q: text,
  created_from: time,
  created_to: time,
  updated_from: time,
  updated_to: time,
  snoozed: flag,
  has_attachment: flag,
  is_spam: flag,
  include_test: flag,
  has_draft: flag,
  unread: flag,
};

export const filterKeys = [...Object.keys(lists), ...Object.keys(singles)] as FilterKey[];

/** What it does not understand it leaves out. */
function readFilter(valuesOf: (key: FilterKey) => readonly string[]): ListFilter {
  const filter: Record<string, unknown> = {};
  for (const key of filterKeys) {
    const values = valuesOf(key);
    const read = lists[key];
    if (read === undefined) {
      const value = singles[key]?.(values[0] ?? '');
      if (value !== undefined) filter[key] = value;
      continue;
    }
    const known = [...new Set(values.map(read).filter((value) => value !== undefined))].slice(0, mostValues);
    if (known.length > 0) filter[key] = known;
  }
  return filter;
}

export function filterOfParams(params: URLSearchParams): ListFilter {
  return readFilter((key) => {
    const values = params.getAll(key);
    return lists[key] === undefined ? values : values.flatMap((value) => value.split(','));
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
