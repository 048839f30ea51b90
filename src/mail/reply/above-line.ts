// What an agent wrote above the line by which the desk's mails ask for it. Only agents see what those mails quote, so nothing is left to likelihood.

import { foldReply } from './body.ts';
import { isReplyAbove } from './folding.ts';
import { isBlank, isQuoted, unquoted } from './lines.ts';

export interface AboveLine {
  words: string;
  isCut: boolean;
}

/** Of a text with the line; null without it. */
export function wordsAboveLine(text: string): AboveLine | null {
  const lines = text.split('\n');
  let end = lines.findIndex((line) => line.length < 300 && isReplyAbove(unquoted(line)));
  if (end < 0) return null;
  while (end > 0 && (isBlank(lines[end - 1]) || isQuoted(lines[end - 1]!))) end -= 1;
  end -= introductionBefore(lines, end);
  const { body, isCut } = foldReply(lines.slice(0, end).join('\n').slice(0, 50_000));
  return { words: body, isCut };
}

/** How many lines say when, or else who, wrote the quoted text. Mail programs write up to three. */
function introductionBefore(lines: readonly string[], end: number): number {
  if (!/[:：]\s{0,5}$/.test(lines[end - 1]?.slice(-10) ?? '')) return 0;
  const counts = [1, 2, 3].filter((count) => count <= end);
  const lastly = (count: number) =>
    lines
      .slice(end - count, end)
      .join(' ')
      .slice(0, 500);
  const withTime = counts.find((count) => /\d{1,2}[:.h]\d{2}/.test(lastly(count)));
  return withTime ?? counts.find((count) => /<[^<>\s]{1,64}@/.test(lastly(count))) ?? 0;
}
