// How well a title fits what was typed.

const accents = /\p{M}/gu;

function plain(text: string): string {
  return text.normalize('NFKD').replace(accents, '').toLocaleLowerCase();
}

/** 0 for no match. The start of the title beats the start of a word, a part of a word, and first letters of words. */
export function fitOf(title: string, typed: string): number {
  const text = plain(title);
  const wanted = plain(typed.trim());
  if (wanted === '') return 1;
  if (text.startsWith(wanted)) return 5;
  const words = wanted.split(/\s+/);
  const titleWords = text.split(/[^\p{L}\p{N}#]+/u);
  if (words.every((word) => titleWords.some((one) => one.startsWith(word)))) return 4;
  if (words.every((word) => text.includes(word))) return 3;
  const initials = titleWords.map((word) => word.slice(0, 1)).join('');
  return wanted.length > 1 && initials.includes(words.join('')) ? 2 : 0;
}

interface Titled {
  title: string;
  /** What the entry is also found by. */
  otherName?: string;
}

/** The best first; equals in their own order. */
export function ranked<Entry extends Titled>(entries: readonly Entry[], typed: string): Entry[] {
  return entries
    .map((entry) => ({ entry, fit: Math.max(fitOf(entry.title, typed), fitOf(entry.otherName ?? '', typed)) }))
    .filter(({ fit }) => fit > 0)
    .sort((one, other) => other.fit - one.fit)
    .map(({ entry }) => entry);
}
