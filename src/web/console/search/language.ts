// The query language of search: text to a filter of a ticket list, with a problem for each part that it cannot follow.

import type { FilterKey, ListFilter } from '../../../domain/tickets/filters.ts';
import { type SlaFilter, type TicketStatus, tagPattern, ticketStatuses } from '../../../domain/tickets/ticket.ts';
import { longestSearch } from './address.ts';
import { momentOf } from './moment.ts';
import { closest, folded } from './nearest.ts';
import { type FilterTerm, type SearchKey, searchKeys, type Term, termsOf } from './terms.ts';

interface Named {
  id: number;
  name: string;
}

/** What the values of filters can name. */
export interface SearchNames {
  agents: readonly (Named & { email: string })[];
  teams: readonly Named[];
  categories: readonly (Named & { slug: string })[];
  priorities: readonly (Named & { slug: string })[];
  sites: readonly (Named & { slug: string })[];
}

type ProblemCode =
  | 'value_missing'
  | 'value_unknown'
  | 'several_match'
  | 'not_a_date'
  | 'not_a_tag'
  | 'not_an_address'
  | 'only_once'
  | 'assignee_and_none'
  | 'no_exclusion'
  | 'key_unknown'
  | 'only_excluded'
  | 'too_long';

export interface SearchProblem {
  code: ProblemCode;
  from: number;
  to: number;
  key: string;
  value: string;
  /** What may have been meant; empty if nothing is close. */
  meant: string;
  /** What would be right, as far as it can be listed. */
  good: readonly string[];
}

export interface ParsedSearch {
  filter: ListFilter;
  problems: SearchProblem[];
}

export const hasValues = ['attachment'] as const;
const slaValues: Record<string, SlaFilter> = {
  breached: 'breached',
  warned: 'warned',
  paused: 'paused',
  'due-soon': 'due_soon',
};
const flagValues: Record<string, FilterKey> = {
  unread: 'unread',
  snoozed: 'snoozed',
  spam: 'is_spam',
  unassigned: 'unassigned',
};
export const isValues = [...Object.keys(slaValues), ...Object.keys(flagValues)];
export const noAssignee = 'none';

interface Reading {
  term: FilterTerm;
  names: SearchNames;
  now: number;
  filter: ListFilter;
  refuse: (
    code: ProblemCode,
    value?: { text: string; from: number; to: number },
    meant?: string,
    good?: readonly string[],
  ) => void;
}

/** @param now for dates such as `7d` and `today` */
export function parseSearch(text: string, names: SearchNames, now: number): ParsedSearch {
  const filter: ListFilter = {};
  const problems: SearchProblem[] = [];
  const words: string[] = [];
  if (text.length > longestSearch)
    problems.push({ code: 'too_long', from: longestSearch, to: text.length, key: '', value: '', meant: '', good: [] });
  for (const term of termsOf(text.slice(0, longestSearch))) {
    if (term.kind !== 'filter') {
      const problem = likelyFilter(term);
      if (problem !== null) problems.push(problem);
      else if (term.text !== '') words.push(term.kind === 'phrase' ? `"${term.text}"` : term.text);
      continue;
    }
    const refuse: Reading['refuse'] = (code, value = { ...term, text: '' }, meant = '', good = []) => {
      problems.push({ code, from: value.from, to: value.to, key: term.key, value: value.text, meant, good });
    };
    if (term.isExcluded) refuse('no_exclusion');
    else if (term.values.every((value) => value.text === '')) refuse('value_missing');
    else readers[term.key]({ term, names, now, filter, refuse });
  }
  if (words.length > 0) filter.q = words.join(' ');
  if (words.length > 0 && words.every((word) => word.startsWith('-')))
    problems.push({ code: 'only_excluded', from: 0, to: text.length, key: '', value: '', meant: '', good: [] });
  return { filter, problems };
}

/** `staus:open` is a mistake; `https://…`, `Re:` and `"error:404"` are words. */
function likelyFilter(term: Exclude<Term, FilterTerm>): SearchProblem | null {
  const [, name = '', value = ''] = (term.kind === 'word' && /^-?([a-z]{2,12}):(.+)$/i.exec(term.text)) || [];
  if (name === '' || value.startsWith('//') || /^(?:re|aw|wg|fwd?|tr|rv|antw|sv)$/i.test(name)) return null;
  const from = term.from + term.text.indexOf(name);
  const meant = closest(name.toLowerCase(), searchKeys);
  return { code: 'key_unknown', from, to: from + name.length, key: name, value, meant, good: searchKeys };
}

const readers: Record<SearchKey, (reading: Reading) => void> = {
  status: (reading) => {
    const found = namedIn(
      reading,
      ticketStatuses.map((one) => ({ id: one, words: [one] })),
    );
    add(reading.filter, 'status', found as TicketStatus[]);
  },
  assignee: readAssignees,
  team: (reading) => {
    const found = namedIn(
      reading,
      reading.names.teams.map(({ id, name }) => ({ id, words: [name] })),
    );
    add(reading.filter, 'team_id', found as number[]);
  },
  tag: ({ term, filter, refuse }) => {
    const tags: string[] = [];
    for (const value of filled(term)) {
      const tag = value.text.replace(/^#/, '').toLowerCase();
      if (tagPattern.test(tag)) tags.push(tag);
      else refuse('not_a_tag', value);
    }
    add(filter, 'tag', tags);
  },
  priority: (reading) => add(reading.filter, 'priority_id', idsIn(reading, reading.names.priorities)),
  category: (reading) => add(reading.filter, 'category_id', idsIn(reading, reading.names.categories)),
  site: readSite,
  from: (reading) => readAddress(reading, 'email'),
  cc: (reading) => readAddress(reading, 'participant'),
  before: (reading) => readMoment(reading, 'created_to'),
  after: (reading) => readMoment(reading, 'created_from'),
  has: ({ term, filter, refuse }) => {
    for (const value of filled(term)) {
      if (/^attachments?$/i.test(value.text)) filter.has_attachment = true;
      else refuse('value_unknown', value, closest(value.text.toLowerCase(), hasValues), hasValues);
    }
  },
  is: readStates,
};

function filled(term: FilterTerm) {
  return term.values.filter(({ text }) => text !== '');
}

/** A filter that occurs again widens the first one, except for tags: a ticket must have all of them. */
function add<Key extends 'status' | 'priority_id' | 'category_id' | 'assigned_to' | 'team_id' | 'tag' | 'sla'>(
  filter: ListFilter,
  key: Key,
  values: NonNullable<ListFilter[Key]>,
): void {
  const all = [...new Set([...(filter[key] ?? []), ...values])];
  if (all.length > 0) filter[key] = all as ListFilter[Key];
}

interface Choice {
  id: string | number;
  words: readonly string[];
}

/** Takes a whole name first, and what begins with the text otherwise. */
function choicesFor(text: string, choices: readonly Choice[]): Choice[] {
  const wanted = folded(text);
  const whole = choices.filter(({ words }) => words.some((word) => folded(word) === wanted));
  if (whole.length > 0) return whole;
  const starts = (word: string) => folded(word).startsWith(wanted) || folded(word).includes(` ${wanted}`);
  return choices.filter(({ words }) => words.some(starts));
}

function namedIn({ term, refuse }: Reading, choices: readonly Choice[]): (string | number)[] {
  return filled(term).flatMap((value) => {
    const found = choicesFor(value.text, choices);
    if (found.length === 0) refuse('value_unknown', value, closestChoice(value.text, choices), namesOf(choices));
    return found.map(({ id }) => id);
  });
}

function namesOf(choices: readonly Choice[]): string[] {
  return [...new Set(choices.map(({ words }) => words[0] ?? ''))];
}

function closestChoice(text: string, choices: readonly Choice[]): string {
  const names = choices.map(({ words }) => words[0] ?? '');
  const folds = names.map(folded);
  return names[folds.indexOf(closest(folded(text), folds))] ?? '';
}

function idsIn(reading: Reading, rows: readonly (Named & { slug: string })[]): number[] {
  return namedIn(
    reading,
    rows.map(({ id, name, slug }) => ({ id, words: [name, slug] })),
  ) as number[];
}

function readAssignees(reading: Reading): void {
  const { term, names, filter, refuse } = reading;
  const people = names.agents.map(({ id, name, email }): Choice => ({ id, words: [name, email] }));
  const found = namedIn(reading, [{ id: 'me', words: ['me'] }, { id: noAssignee, words: [noAssignee] }, ...people]);
  if (found.includes(noAssignee)) filter.unassigned = true;
  add(filter, 'assigned_to', found.filter((one) => one !== noAssignee) as (number | 'me')[]);
  if (filter.unassigned && filter.assigned_to !== undefined) refuse('assignee_and_none', { ...term, text: '' });
}

function readSite({ term, names, filter, refuse }: Reading): void {
  const [value, ...more] = filled(term);
  if (value === undefined) return;
  const choices = names.sites.map(({ id, name, slug }) => ({ id, words: [name, slug] }));
  const found = choicesFor(value.text, choices);
  if (filter.site_id !== undefined || more.length > 0) refuse('only_once');
  else if (found.length === 0) refuse('value_unknown', value, closestChoice(value.text, choices), namesOf(choices));
  else if (found.length > 1) refuse('several_match', value);
  else filter.site_id = Number(found[0]?.id);
}

function readAddress({ term, filter, refuse }: Reading, key: 'email' | 'participant'): void {
  const [value, ...more] = filled(term);
  if (value === undefined) return;
  if (filter[key] !== undefined || more.length > 0) refuse('only_once');
  else if (/^[^\s@]*@[^\s@]+$/.test(value.text)) filter[key] = value.text;
  else refuse('not_an_address', value);
}

function readMoment({ term, now, filter, refuse }: Reading, key: 'created_from' | 'created_to'): void {
  const [value, ...more] = filled(term);
  if (value === undefined) return;
  const start = momentOf(value.text, now);
  if (filter[key] !== undefined || more.length > 0) refuse('only_once');
  else if (start === null) refuse('not_a_date', value);
  else filter[key] = new Date(key === 'created_to' ? start - 1 : start).toISOString();
}

function readStates({ term, filter, refuse }: Reading): void {
  for (const value of filled(term)) {
    const word = value.text.toLowerCase().replaceAll('_', '-');
    const sla = Object.hasOwn(slaValues, word) ? slaValues[word] : undefined;
    const flag = Object.hasOwn(flagValues, word) ? flagValues[word] : undefined;
    const status = ticketStatuses.find((one) => one === word);
    if (sla !== undefined) add(filter, 'sla', [sla]);
    else if (flag !== undefined) Object.assign(filter, { [flag]: true });
    else if (status !== undefined) add(filter, 'status', [status]);
    else refuse('value_unknown', value, closest(word, isValues), [...isValues, ...ticketStatuses]);
  }
  if (filter.unassigned && filter.assigned_to !== undefined) refuse('assignee_and_none', { ...term, text: '' });
}
