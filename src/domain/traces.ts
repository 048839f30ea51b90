// What a person is recognised by in other people's texts, and the same texts without it.

import { anonymisedName } from './author.ts';

/** Everything that an author was known by. */
export interface Known {
  emails: readonly string[];
  names: readonly string[];
  externalIds: readonly string[];
}

export interface Traces {
  text(text: string): string;
  /** Strings, and numbers that are an external id, at any depth; keys stay. */
  json<Value>(value: Value): Value;
  /** Whether anything of them is in it. */
  isIn(value: unknown): boolean;
}

// Scripts that put no spaces between words: there is no boundary to look for.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
// Between the words of a name: wrapped lines, file names, addresses made of it.
const between = String.raw`(?:\s|&nbsp;|%20|[._+-])*`;
/** An external id of two digits is too common a number to be taken out of sentences. */
const shortestId = 3;
const longestTrace = 400;

function escaped(text: string): string {
  return Array.from(text, (letter) => {
    const plain = letter.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    const entity = entities[letter];
    return entity === undefined ? plain : `(?:${plain}|${entity})`;
  }).join('');
}

/** The text, or the form that it takes in the address of a page. */
function written(text: string): string {
  const encoded = encodeURIComponent(text);
  return encoded === text ? escaped(text) : `(?:${escaped(text)}|${escaped(encoded)})`;
}

function whole(pattern: string, text: string): string {
  return unspaced.test(text) ? pattern : String.raw`(?<![\p{L}\p{M}\p{N}])${pattern}(?![\p{L}\p{M}\p{N}])`;
}

const tidy = (texts: readonly string[]) => [
  ...new Set(
    texts.map((text) => text.normalize('NFC').trim()).filter((text) => text !== '' && text.length <= longestTrace),
  ),
];
const wordsOf = (name: string) => name.split(/[\s.,;()"]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));

/** Longest first, so that a whole name goes as one. */
function anyOf(patterns: readonly string[], flags: string): RegExp | null {
  const sorted = [...new Set(patterns)].sort((a, b) => b.length - a.length);
  return sorted.length === 0 ? null : new RegExp(sorted.join('|'), flags);
}

/**
 * @param isWide also each word of a name alone: on the person's own tickets. Elsewhere another may be called so
 */
export function tracesOf(known: Known, isWide: boolean): Traces {
  const emails = tidy(known.emails);
  const names = tidy(known.names).filter((name) => name.toLowerCase() !== anonymisedName.toLowerCase());
  const ids = tidy(known.externalIds);
  const anyCase = [
    ...emails.map(written),
    ...ids.filter((id) => id.length >= shortestId).map((id) => whole(written(id), id)),
  ];
  const asWritten: string[] = [];
  for (const name of names) {
    const words = wordsOf(name);
    const isOne = words.length < 2;
    if (!isOne) anyCase.push(whole(words.map(written).join(between), name));
    // A particle such as "van" is a word of every sentence.
    for (const word of isOne || isWide ? words : []) {
      if (!isOne && !/\p{Lu}|\p{Lo}/u.test(word) && word.length < 5) continue;
      // Short names are words in other languages: Jan, Al, May.
      if (Array.from(word).length > 3) anyCase.push(whole(written(word), word));
      else if (isWide) for (const form of [word, word.toUpperCase()]) asWritten.push(whole(written(form), form));
    }
  }
  const patterns = [anyOf(anyCase, 'giu'), anyOf(asWritten, 'gu')].filter((pattern) => pattern !== null);
  const exact = new Set([...emails, ...names, ...ids].map((text) => text.toLowerCase()));

  function text(value: string): string {
    const normal = value.normalize('NFC');
    if (exact.has(normal.trim().toLowerCase())) return anonymisedName;
    const without = patterns.reduce((rest, pattern) => rest.replace(pattern, anonymisedName), normal);
    return without === normal ? value : without;
  }
  function json<Value>(value: Value): Value {
    if (typeof value === 'string') return text(value) as Value;
    if (typeof value === 'number') return (exact.has(String(value)) ? null : value) as Value;
    if (Array.isArray(value)) return value.map(json) as Value;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, json(inner)])) as Value;
  }
  return { text, json, isIn: (value) => JSON.stringify(json(value)) !== JSON.stringify(value) };
}
