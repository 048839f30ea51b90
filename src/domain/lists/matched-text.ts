// The piece of a text in which the words of a search stand.

import { isAscii, searchForm, searchPieces } from './search-form.ts';

const tokens = /[\p{L}\p{N}\p{M}]+/gu;
// Written without spaces: the index has each character as a word.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const between = '[^\\p{L}\\p{N}\\p{M}]{1,20}';
const shownBefore = 24;
const inWord = '[\\p{L}\\p{N}\\p{M}]';
const endsInWord = new RegExp(`${inWord}$`, 'u');

/** Where a word or phrase stands in a text in its form for searches; -1 where it does not. */
type Finder = (text: string) => number;

/** Looks for the first word as a plain text: a regular expression that looks behind takes ten times as long. */
function finderOf(words: readonly string[], isWhole: boolean): Finder {
  const [first = ''] = words;
  const here = new RegExp(`${words.join(between)}${isWhole ? `(?!${inWord})` : ''}`, 'uy');
  return (text) => {
    for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
      if (isWhole && at > 0 && endsInWord.test(text.slice(Math.max(0, at - 2), at))) continue;
      here.lastIndex = at;
      if (here.test(text)) return at;
    }
    return -1;
  };
}

/** @param terms words and phrases of a search @returns what finds each of them in a text in its form for searches */
export function findersOf(terms: readonly string[]): Finder[] {
  return terms.flatMap((term) => {
    const form = searchForm(term);
    const words = form.match(tokens) ?? [];
    return words.length === 0 ? [] : [finderOf(words, !unspaced.test(form))];
  });
}

/** How many characters of the text these of its form are. */
function lengthOf(text: string, formLength: number): number {
  if (isAscii(text)) return formLength;
  let left = formLength;
  let at = 0;
  for (const { written, form } of searchPieces(text)) {
    if (left <= 0) break;
    left -= form.length;
    at += written.length;
  }
  return at;
}

/** A piece of the line in which most of the words stand, of the first such line; null if no line has any. */
export function matchedPiece(lines: Iterable<string>, finders: readonly Finder[]): string | null {
  let best: { line: string; at: number; terms: number } | null = null;
  for (const line of lines) {
    const text = searchForm(line);
    const found = finders.map((find) => find(text)).filter((at) => at >= 0);
    if (found.length > (best?.terms ?? 0)) best = { line, at: Math.min(...found), terms: found.length };
    if (found.length === finders.length) break;
  }
  if (best === null) return null;
  const { line, at } = best;
  if (at <= 2 * shownBefore) return line;
  const start = lengthOf(line, at);
  const cut = line.lastIndexOf(' ', start - shownBefore);
  // A long word, or a text without spaces, is cut anywhere but within a character.
  const from = cut > start - 2 * shownBefore ? cut + 1 : start - shownBefore;
  return `…${line.slice(from).replace(/^[\udc00-\udfff\p{M}]+/u, '')}`;
}
