// Finds and removes the names, addresses and ids of a person in text.

import { anonymisedName } from './author.ts';

export interface Known {
  emails: readonly string[];
  names: readonly string[];
  externalIds: readonly string[];
}

export interface Traces {
  text(text: string): string;
  json<Value>(value: Value): Value;
  isIn(value: unknown): boolean;
}

// Scripts without spaces between words have no word boundary to look for.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
// Between the words of a name: wrapped lines, file names, addresses made from it.
const between = String.raw`(?:\s|&nbsp;|%20|[._+-])*`;
// An external id of two digits is too common a number to remove from sentences.
const shortestId = 3;
const longestTrace = 400;
// Phones type a curved apostrophe, forms often a straight one.
const apostrophe = "(?:['\u2018\u2019\u02bc]|&#39;|&apos;|&[lr]squo;|%27|%E2%80%9[89])";

function escaped(text: string): string {
  return Array.from(text, (letter) => {
    if (/['\u2018\u2019\u02bc]/.test(letter)) return apostrophe;
    const plain = letter.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    const entity = entities[letter];
    return entity === undefined ? plain : `(?:${plain}|${entity})`;
  }).join('');
}

function written(text: string): string {
  const encoded = encodeURIComponent(text);
  return encoded === text ? escaped(text) : `(?:${escaped(text)}|${escaped(encoded)})`;
}

function whole(pattern: string, text: string): string {
  return unspaced.test(text) ? pattern : String.raw`(?<![\p{L}\p{M}\p{N}])${pattern}(?![\p{L}\p{M}\p{N}])`;
}

/** An address by itself, not the end of a longer one: erasing ann@example.org leaves joann@example.org alone. */
function wholeAddress(address: string): string {
  const start = String.raw`(?:(?<=%[\da-f]{2})|(?<![\p{L}\p{M}\p{N}._+-]))`;
  return String.raw`${start}${written(address)}(?![\p{L}\p{M}\p{N}-]|\.[\p{L}\p{N}])`;
}

const tidy = (texts: readonly string[]) => [
  ...new Set(
    texts.map((text) => text.normalize('NFC').trim()).filter((text) => text !== '' && text.length <= longestTrace),
  ),
];
const wordsOf = (name: string) => name.split(/[\s.,;()"]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));

function anyOf(first: readonly string[], rest: readonly string[], flags: string): RegExp | null {
  const longestFirst = (patterns: readonly string[]) => [...new Set(patterns)].sort((a, b) => b.length - a.length);
  const sorted = [...longestFirst(first), ...longestFirst(rest)];
  return sorted.length === 0 ? null : new RegExp(sorted.join('|'), flags);
}

/** @param isWide also removes each word of a name: right for the person's own tickets, where no one else is likely to share it */
export function tracesOf(known: Known, isWide: boolean): Traces {
  const emails = tidy(known.emails);
  const names = tidy(known.names).filter((name) => name.toLowerCase() !== anonymisedName.toLowerCase());
  const ids = tidy(known.externalIds);
  const anyCase = ids.filter((id) => id.length >= shortestId).map((id) => whole(written(id), id));
  const asWritten: string[] = [];
  for (const name of names) {
    const words = wordsOf(name);
    const isOne = words.length < 2;
    if (!isOne) anyCase.push(whole(words.map(written).join(between), name));
    // A particle such as "van" occurs in any sentence.
    for (const word of isOne || isWide ? words : []) {
      if (!isOne && !/\p{Lu}|\p{Lo}/u.test(word) && word.length < 5) continue;
      // Short names are words in other languages: Jan, Al, May.
      if (Array.from(word).length > 3) anyCase.push(whole(written(word), word));
      else if (isWide) for (const form of [word, word.toUpperCase()]) asWritten.push(whole(written(form), form));
    }
  }
  // Whole addresses first: the domain of an address made from the name may belong only to that person.
  const patterns = [anyOf(emails.map(wholeAddress), anyCase, 'giu'), anyOf([], asWritten, 'gu')].filter(
    (pattern) => pattern !== null,
  );
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
