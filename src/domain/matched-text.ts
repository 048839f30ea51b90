// The piece of a text in which the words of a search stand.

const tokens = /[\p{L}\p{N}\p{M}]+/gu;
// Written without spaces: the index has each character as a word.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const between = '[^\\p{L}\\p{N}]{1,20}';
const shownBefore = 24;

/** As the index compares words: without case and accents. */
function folded(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
}

/** @param terms words and phrases of a search @returns what finds each of them in folded text */
export function patternsOf(terms: readonly string[]): RegExp[] {
  return terms.flatMap((term) => {
    const words = folded(term).match(tokens) ?? [];
    if (words.length === 0) return [];
    if (unspaced.test(term)) return [new RegExp(words.join(between), 'u')];
    return [new RegExp(`(?<![\\p{L}\\p{N}])${words.join(between)}(?![\\p{L}\\p{N}])`, 'u')];
  });
}

/** How many characters of the text these of its folded form are. */
function lengthOf(text: string, foldedLength: number): number {
  let left = foldedLength;
  let at = 0;
  for (const character of text) {
    if (left <= 0) break;
    left -= folded(character).length;
    at += character.length;
  }
  return at;
}

/** Of these lines, the beginning or a later piece of the first one that has the most terms; null if none has any. */
export function matchedPiece(lines: Iterable<string>, patterns: readonly RegExp[]): string | null {
  let best: { line: string; at: number; terms: number } | null = null;
  for (const line of lines) {
    const text = folded(line);
    const found = patterns.map((pattern) => text.search(pattern)).filter((at) => at >= 0);
    if (found.length > (best?.terms ?? 0)) best = { line, at: Math.min(...found), terms: found.length };
    if (found.length === patterns.length) break;
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
