// Cuts the text of a search into words, phrases and filters such as `status:open`.

export const searchKeys = [
  'status',
  'assignee',
  'team',
  'tag',
  'priority',
  'category',
  'site',
  'from',
  'cc',
  'before',
  'after',
  'has',
  'is',
] as const;
export type SearchKey = (typeof searchKeys)[number];

interface Stretch {
  from: number;
  to: number;
}

interface TermValue extends Stretch {
  text: string;
}

interface WordTerm extends Stretch {
  kind: 'word' | 'phrase';
  text: string;
}

export interface FilterTerm extends Stretch {
  kind: 'filter';
  key: SearchKey;
  isExcluded: boolean;
  values: TermValue[];
}

export type Term = WordTerm | FilterTerm;

// Phones and word processors type curly quotes.
const quotes = '"“”„«»';
const filterStart = /(-?)([a-z]+):/iy;
const bare = /[^\s,"“”„«»]+/y;
const anything = /\S+/y;
const space = /\s+/y;

function isSearchKey(text: string): text is SearchKey {
  return (searchKeys as readonly string[]).includes(text);
}

/** Never refuses: a quote without its end reaches to the end of the text, and what is not a filter is a word. */
export function termsOf(text: string): Term[] {
  const terms: Term[] = [];
  let at = after(space, text, 0);
  while (at < text.length) {
    const term = filterAt(text, at) ?? wordAt(text, at);
    terms.push(term);
    at = after(space, text, term.to);
  }
  return terms;
}

function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function filterAt(text: string, from: number): FilterTerm | null {
  filterStart.lastIndex = from;
  const [start = '', sign, name = ''] = filterStart.exec(text) ?? [];
  const key = name.toLowerCase();
  if (!isSearchKey(key)) return null;
  const values: TermValue[] = [];
  let at = from + start.length;
  for (;;) {
    const value = valueAt(text, at);
    values.push(value);
    at = value.to;
    if (text[at] !== ',') break;
    at += 1;
  }
  return { kind: 'filter', key, isExcluded: sign === '-', values, from, to: at };
}

function valueAt(text: string, from: number): TermValue {
  if (isQuote(text[from])) return quotedAt(text, from);
  const to = after(bare, text, from);
  return { text: text.slice(from, to), from, to };
}

function wordAt(text: string, from: number): WordTerm {
  if (isQuote(text[from])) return { kind: 'phrase', ...quotedAt(text, from) };
  const to = after(anything, text, from);
  return { kind: 'word', text: text.slice(from, to), from, to };
}

function quotedAt(text: string, from: number): TermValue {
  let end = from + 1;
  while (end < text.length && !isQuote(text[end])) end += 1;
  return { text: text.slice(from + 1, end).trim(), from, to: Math.min(end + 1, text.length) };
}

function isQuote(character: string | undefined): boolean {
  return character !== undefined && quotes.includes(character);
}
