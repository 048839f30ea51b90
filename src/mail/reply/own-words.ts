// Answers that quote the desk's mail and name no one: nothing but its words tells whose they are.

import { isBlank, isQuoted, unquoted } from './lines.ts';

/** Fewer letters can be the same by chance, unless they are a whole line. */
const fewLetters = 20;

const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '');

/** Without a quotation at its beginning or end that only repeats one of these texts. */
export function withoutWordsOf(texts: readonly string[], answer: string): string {
  const lines = answer.split('\n');
  const start = lines.findIndex(isQuoted);
  if (start < 0) return answer;
  const end = lines.findLastIndex(isQuoted) + 1;
  const quotation = lines.slice(start, end);
  if (!quotation.every((line) => isQuoted(line) || isBlank(line))) return answer;
  const [above, below] = [lines.slice(0, start), lines.slice(end)];
  // Where it answers nothing, or stands in the middle, it says what is meant.
  if (above.every(isBlank) === below.every(isBlank)) return answer;
  const words = lettersOf(quotation.map(unquoted).join('\n'));
  const isIn = (text: string) =>
    text.split('\n').some((line) => lettersOf(line) === words) ||
    (words.length >= fewLetters && lettersOf(text).includes(words));
  return texts.some(isIn) ? [...above, ...below].join('\n').trim() : answer;
}
