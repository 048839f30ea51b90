// What could be typed next in a search: filters, and the values of the filter at the caret.

import { ticketStatuses } from '../../../domain/tickets/ticket.ts';
import { hasValues, isValues, noAssignee, type SearchNames } from './language.ts';
import { folded } from './nearest.ts';
import { type FilterTerm, type SearchKey, searchKeys, termsOf } from './terms.ts';

export interface Completion {
  /** What takes the place of the text between `from` and `to`. */
  insert: string;
  from: number;
  to: number;
  kind: 'key' | 'value';
  key: SearchKey;
  value: string;
}

const most = 8;

export function completionsAt(text: string, caret: number, names: SearchNames): Completion[] {
  const term = termsOf(text).find(({ from, to }) => from < caret && caret <= to);
  if (term === undefined) return caret === 0 || /\s/.test(text[caret - 1] ?? '') ? keys('', caret, caret) : [];
  if (term.kind === 'word') return keys(text.slice(term.from, caret), term.from, term.to);
  return term.kind === 'filter' && !term.isExcluded ? valuesAt(term, caret, names) : [];
}

/** @returns the text and where the caret is then */
export function completed(text: string, { insert, from, to }: Completion): { text: string; caret: number } {
  const isSpaced = insert.endsWith(' ') && text[to] === ' ';
  return { text: text.slice(0, from) + insert + text.slice(isSpaced ? to + 1 : to), caret: from + insert.length };
}

function keys(prefix: string, from: number, to: number): Completion[] {
  const wanted = prefix.toLowerCase();
  return searchKeys
    .filter((key) => key.startsWith(wanted))
    .map((key) => ({ insert: `${key}:`, from, to, kind: 'key', key, value: '' }));
}

function valuesAt(term: FilterTerm, caret: number, names: SearchNames): Completion[] {
  const value = term.values.find(({ from, to }) => from <= caret && caret <= to);
  if (value === undefined) return [];
  const chosen = new Set(term.values.filter((other) => other !== value).map((other) => folded(other.text)));
  const wanted = folded(value.text);
  const known = knownValues(term.key, names).filter((one) => !chosen.has(folded(one)));
  const starts = known.filter((one) => folded(one).startsWith(wanted));
  const contains = known.filter((one) => !starts.includes(one) && folded(one).includes(wanted));
  return [...starts, ...contains].slice(0, most).map((one) => ({
    insert: `${quoted(one)} `,
    from: value.from,
    to: value.to,
    kind: 'value',
    key: term.key,
    value: one,
  }));
}

function knownValues(key: SearchKey, { agents, teams, categories, priorities, sites }: SearchNames): string[] {
  switch (key) {
    case 'status':
      return [...ticketStatuses];
    case 'assignee':
      return ['me', noAssignee, ...unique(agents)];
    case 'team':
      return unique(teams);
    case 'category':
      return unique(categories);
    case 'priority':
      return unique(priorities);
    case 'site':
      return unique(sites);
    case 'has':
      return [...hasValues];
    case 'is':
      return isValues;
    case 'before':
    case 'after':
      return ['today', 'yesterday', '7d', '4w', '3m'];
    case 'tag':
    case 'from':
    case 'cc':
      return [];
  }
}

function unique(rows: readonly { name: string }[]): string[] {
  return [...new Set(rows.map(({ name }) => name))];
}

function quoted(value: string): string {
  return /[\s,]/.test(value) ? `"${value}"` : value;
}
