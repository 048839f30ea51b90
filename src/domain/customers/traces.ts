// Finds and removes the names, addresses and ids of a person in text.

import { isAddress } from '../mail/address.ts';
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
const letter = String.raw`\p{L}\p{M}\p{N}`;
const apostrophes = "'\u2018\u2019\u02bc";
// Everything else separates the words of a name.
const ofWord = String.raw`${letter}${apostrophes}\p{Pd}&`;
// The same in text: plain, as an entity, in a URL, and where a quoted line is wrapped. Never what ends a tag or an attribute of HTML, nor the "@"
// inside another address. Each looks back only from its own character, so that long texts take no square of their length.
const apart = String.raw`[^${letter}<>="@&%]|"(?<!="[^"]*")|&(?:#?[\da-zA-Z]+;)?|%(?:0[adAD]|2[\da-fA-F]|3[a-fA-F]|5[b-fB-F])?|>(?<=\n[> ]{0,9}>)|@(?<![${letter}]@)`;
const between = `(?:${apart}){0,40}`;
// Only a comma turns a name in a sentence: "Smith will call" is not about Will Smith.
const turn = String.raw`(?:\s{0,9}(?:[,\u060c\u3001\uff0c]|%2C)${between}|[._+-])`;
const mostTurned = 8;
// An external id of two digits is too common a number to remove from sentences.
const shortestId = 3;
const longestTrace = 400;
// Phones type a curved apostrophe, forms often a straight one.
const apostrophe = `(?:[${apostrophes}]|&#39;|&apos;|&[lr]squo;|%27|%E2%80%9[89])`;

function escaped(text: string): string {
  return Array.from(text, (character) => {
    if (apostrophes.includes(character)) return apostrophe;
    const plain = character.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    const entity = entities[character];
    return entity === undefined ? plain : `(?:${plain}|${entity})`;
  }).join('');
}

function written(text: string): string {
  const encoded = encodeURIComponent(text);
  return encoded === text ? escaped(text) : `(?:${escaped(text)}|${escaped(encoded)})`;
}

function whole(pattern: string, text: string): string {
  return unspaced.test(text) ? pattern : `(?<![${letter}])${pattern}(?![${letter}])`;
}

/** File names and addresses often have no hyphen or apostrophe. */
function writtenWord(word: string): string {
  const parts = word.split(/\p{Pd}+/u).map((part) => part.split(new RegExp(`[${apostrophes}]+`)).map(written));
  return parts.map((part) => part.join(`${apostrophe}?`)).join(between);
}

const inOrder = (words: readonly string[]) => words.map(writtenWord).join(between);

/** The same name with the family name last, or first: "Gaukeley, Gundel" is Gundel Gaukeley. */
function turned(name: string): string[] {
  const [family = '', given] = name.split(/[,\u060c\u3001\uff0c](.*)/su);
  if (given !== undefined) return [inOrder([...wordsOf(given), ...wordsOf(family)])];
  const words = wordsOf(name);
  if (words.length > mostTurned || unspaced.test(name)) return [];
  return words.slice(1).map((_, at) => inOrder(words.slice(at + 1)) + turn + inOrder(words.slice(0, at + 1)));
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
const wordsOf = (name: string) =>
  name
    .split(new RegExp(`[^${ofWord}]+`, 'u'))
    .map((word) => word.replace(new RegExp(`^[^${letter}]+|[^${letter}]+$`, 'gu'), ''))
    .filter((word) => word !== '');
/** Some mail programs write an address into the name, and what stands beside it is a name by itself. */
const inNames = /[<>=]|[^\s<>()",;]+@[^\s<>()",;]+/;

function anyOf(first: readonly string[], rest: readonly string[], flags: string): RegExp | null {
  const longestFirst = (patterns: readonly string[]) => [...new Set(patterns)].sort((a, b) => b.length - a.length);
  const sorted = [...longestFirst(first), ...longestFirst(rest)];
  return sorted.length === 0 ? null : new RegExp(sorted.join('|'), flags);
}

/** @param isWide also removes each word of a name: right for the person's own tickets, where no one else is likely to share it */
export function tracesOf(known: Known, isWide: boolean): Traces {
  const names = tidy(known.names).filter((name) => name.toLowerCase() !== anonymisedName.toLowerCase());
  const emails = tidy([...known.emails, ...names.filter(isAddress)]);
  const ids = tidy(known.externalIds);
  const anyCase = ids.filter((id) => id.length >= shortestId).map((id) => whole(written(id), id));
  const asWritten: string[] = [];
  for (const name of names.flatMap((text) => text.split(inNames))) {
    const words = wordsOf(name);
    const isOne = words.length < 2;
    if (!isOne) anyCase.push(...[inOrder(words), ...turned(name)].map((pattern) => whole(pattern, name)));
    // A particle such as "van" occurs in any sentence.
    for (const word of isOne || isWide ? words : []) {
      if (!isOne && !/\p{Lu}|\p{Lo}/u.test(word) && word.length < 5) continue;
      // An initial does too.
      if (!isOne && /^\p{Lu}$/u.test(word)) continue;
      // Short names are words in other languages: Jan, Al, May.
      if (Array.from(word).length > 3) anyCase.push(whole(writtenWord(word), word));
      else if (isWide) for (const form of [word, word.toUpperCase()]) asWritten.push(whole(writtenWord(form), form));
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
