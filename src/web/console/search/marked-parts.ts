// Finds the words of a search in a text, to mark them.

import { searchForm, searchPieces } from '../../../domain/lists/search-form.ts';

interface Part {
  text: string;
  isMarked: boolean;
}

const tokens = /[\p{L}\p{N}\p{M}]+/gu;
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const between = '[^\\p{L}\\p{N}\\p{M}]{1,20}';

// As the desk reads `q`.
const terms = /(-?)(?:"([^"]*)"|([^\s-]\S*|\S+))/g;

function patternOf(search: string): RegExp | null {
  const wanted = Array.from(searchForm(search).matchAll(terms)).flatMap(([, sign, phrase, word = '']) => {
    const text = phrase ?? word;
    const words = (text.match(tokens) ?? []).join(between);
    if (sign === '-' || words === '') return [];
    return [unspaced.test(text) ? words : `(?<![\\p{L}\\p{N}\\p{M}])${words}(?![\\p{L}\\p{N}\\p{M}])`];
  });
  return wanted.length === 0 ? null : new RegExp(wanted.join('|'), 'gu');
}

/** Words as the desk finds them: whole, and compared in the form for searches. */
export function markedParts(text: string, search: string): Part[] {
  const pattern = patternOf(search);
  if (pattern === null) return [{ text, isMarked: false }];
  // Where in the text each unit of its form comes from.
  const places: number[] = [];
  let plain = '';
  let at = 0;
  for (const { written, form } of searchPieces(text)) {
    for (let index = 0; index < form.length; index += 1) places.push(at);
    plain += form;
    at += written.length;
  }
  places.push(at);
  const parts: Part[] = [];
  const add = (from: number, to: number, isMarked: boolean) => {
    if (to > from) parts.push({ text: text.slice(from, to), isMarked });
  };
  let end = 0;
  for (const { 0: found, index } of plain.matchAll(pattern)) {
    const from = places[index] ?? 0;
    const to = places[index + found.length] ?? at;
    add(end, from, false);
    add(from, to, true);
    end = to;
  }
  add(end, at, false);
  return parts;
}
