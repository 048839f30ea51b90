// The one form in which the index, a search and the marks in its results compare texts (docs/spec/console.md#search).

// So that a text of nothing but marks is not sorted for minutes (UAX 15, 13).
const longRun = /(\p{M}{30})\p{M}+/gu;

/** What is not a symbol: ™ and № would become letters of the word beside them. */
const written = /(?:[^\p{S}]|[\0-\x7f])+/gu;

/** Soft hyphens, joiners, marks of direction, variants of a picture. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu;

const range = (...ends: [from: number, to: number][]) =>
  ends.map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join('');

// Marks without which people write and search too. Vowel signs, tones and what else belongs to the word are not here.
const accents = range(
  // Latin, Greek and Cyrillic
  [0x300, 0x36f],
  [0x483, 0x487],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x20d0, 0x20ff],
  [0xfe20, 0xfe2f],
);
const points = range(
  // Hebrew
  [0x591, 0x5bd],
  [0x5bf, 0x5bf],
  [0x5c1, 0x5c2],
  [0x5c4, 0x5c5],
  [0x5c7, 0x5c7],
  // Arabic, with the line that only makes a word longer. Hamza and madda are letters.
  [0x610, 0x61a],
  [0x640, 0x640],
  [0x64b, 0x652],
  [0x656, 0x65f],
  [0x670, 0x670],
  [0x6d6, 0x6dc],
  [0x6df, 0x6e4],
  [0x6e7, 0x6e8],
  [0x6ea, 0x6ed],
  [0x898, 0x89f],
  [0x8ca, 0x8e1],
  [0x8e3, 0x8ff],
);
const optional = new RegExp(`[${accents}${points}]`, 'gu');

/** Letters of their own, although Unicode takes them apart: й is not и. */
const ownLetters: Readonly<Record<string, string>> = {
  'и\u0306': 'й',
  'у\u0306': 'ў',
  'і\u0308': 'ї',
  'г\u0301': 'ѓ',
  'к\u0301': 'ќ',
};
const ownLetter = /[иу]\u0306|і\u0308|[гк]\u0301/gu;

/** Of one letter, what people type for each other and Unicode does not tell together. */
const alike: Readonly<Record<string, string>> = {
  ß: 'ss',
  ς: 'σ',
  ı: 'i',
  đ: 'd',
  ł: 'l',
  ø: 'o',
  ħ: 'h',
  ŧ: 't',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
};
const hasAlike = new RegExp(`[${Object.keys(alike).join('')}]|\u0627[\u0653-\u0655]`, 'gu');

export const isAscii = (text: string) => !/[\u0080-\uffff]/.test(text);

/** Without case, what is not seen and what is optional in its script; equal for texts that are canonically equal, or look the same. */
export function searchForm(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .replace(longRun, '$1')
    .replace(written, (part) => part.normalize('NFKD'))
    .normalize('NFD')
    .toLowerCase()
    .replace(unseen, '')
    .replace(ownLetter, (letter) => ownLetters[letter] ?? letter)
    .replace(optional, '')
    .replace(hasAlike, (letter) => alike[letter] ?? '\u0627')
    .normalize('NFC');
}

// A character with all that can become one with it: marks, vowels and ends of Korean syllables.
const piece =
  /[\u3131-\u318e\uffa0-\uffdc]+|.[\p{M}\p{Default_Ignorable_Code_Point}\uff9e\uff9f\u1160-\u11ff\ud7b0-\ud7fb]*/gsu;

/** The form of a text in pieces, with the part of the text that each is made of. */
export function* searchPieces(text: string): Generator<{ written: string; form: string }> {
  for (const [part] of text.matchAll(piece)) yield { written: part, form: searchForm(part) };
}
