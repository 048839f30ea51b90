// What was probably meant by a word that is not known.

/** Without case and accents. */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

/** The word that differs in at most two letters; in one if it is short. */
export function closest(text: string, words: readonly string[]): string {
  const most = text.length < 4 ? 1 : 2;
  let best = { word: '', distance: most + 1 };
  for (const word of words) {
    if (Math.abs(word.length - text.length) > most) continue;
    const distance = distanceBetween(text, word);
    if (distance < best.distance) best = { word, distance };
  }
  return best.word;
}

function distanceBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
