// How well a title fits what was typed.

const accents = /\p{M}/gu;

function plain(text: string): string {
  return text.normalize('NFKD').replace(accents, '').toLocaleLowerCase();
}

/** 0 for no match. The start of the title beats the start of a word, a part of a word, and letters in their order. */
export function fitOf(title: string, typed: string): number {
  const text = plain(title);
  const wanted = plain(typed.trim());
  if (wanted === '') return 1;
  if (text.startsWith(wanted)) return 5;
  const words = wanted.split(/\s+/);
  const titleWords = text.split(/[^\p{L}\p{N}#]+/u);
  if (words.every((word) => titleWords.some((one) => one.startsWith(word)))) return 4;
  if (words.every((word) => text.includes(word))) return 3;
  return wanted.length > 1 && hasInOrder(text, wanted.replaceAll(/\s+/g, '')) ? 2 : 0;
}

function hasInOrder(text: string, letters: string): boolean {
  let at = -1;
  for (const letter of letters) {
    at = text.indexOf(letter, at + 1);
    if (at === -1) return false;
  }
  return true;
}

/** The best first; equals in their own order. */
export function ranked<Entry extends { title: string }>(entries: readonly Entry[], typed: string): Entry[] {
  return entries
    .map((entry) => ({ entry, fit: fitOf(entry.title, typed) }))
    .filter(({ fit }) => fit > 0)
    .sort((one, other) => other.fit - one.fit)
    .map(({ entry }) => entry);
}
