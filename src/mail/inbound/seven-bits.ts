// Reads Japanese, Korean and Chinese that was sent in seven bits, where escapes say what the ASCII after them means.
// biome-ignore-all lint/suspicious/noControlCharactersInRegex: escapes and shifts are what is looked for

import { decodeBase64, decodeQuotedPrintable } from './transfer-encoding.ts';

type Letters = 'japanese' | 'rare japanese' | 'kana' | 'korean' | 'chinese';

/** RFC 1468, 1554 and 2237 (Japanese), 1557 (Korean), 1922 (Chinese). Null is ASCII. */
const byEscape: Readonly<Record<string, Letters | null>> = {
  '(B': null,
  '(H': null,
  '(J': null,
  '(I': 'kana',
  '$@': 'japanese',
  $B: 'japanese',
  '$(@': 'japanese',
  '$(B': 'japanese',
  '$(D': 'rare japanese',
  $A: 'chinese',
  '$(A': 'chinese',
  '$(C': 'korean',
};
/** What follows a shift-out, up to the shift-in. */
const byShift: Readonly<Record<string, Letters>> = { '$)C': 'korean', '$)A': 'chinese' };
const shiftOut = '\x0e';
const shiftIn = '\x0f';
const pieces = /\x1b(\$\)[AC]|\$\(?[@ABCD]|\([BHIJ])|[\x0e\x0f\n]|[^\x1b\x0e\x0f\n]+|\x1b/g;

/** Each has the same letters, with the eighth bit set. */
const decoders: Readonly<Record<Letters, TextDecoder>> = {
  japanese: new TextDecoder('euc-jp'),
  'rare japanese': new TextDecoder('euc-jp'),
  kana: new TextDecoder('euc-jp'),
  korean: new TextDecoder('euc-kr'),
  chinese: new TextDecoder('gbk'),
};

const labelOfHz = /^(hz|hz-gb-?2312|cshzgb2312)$/i;
const labelOfKorean = /^(cs)?iso-?2022-?kr$/i;
/** In these an escape is not a letter, or the parser reads it well itself. */
const otherLabels = /^(utf-?(7|16|32).*|ucs-?[24].*|iso-?2022-?jp)$/i;

/** What a text in seven bits says; null for one that is what it seems to be. `charset` is what its label claims. */
export function textInSevenBits(text: string, charset: string | null): string | null {
  const label = charset?.trim() ?? '';
  if (otherLabels.test(label)) return null;
  if (text.includes('~{') && (labelOfHz.test(label) || isHz(text))) return textInHz(text);
  return textWithEscapes(text, labelOfKorean.test(label) ? 'korean' : null);
}

/** @param shifted what a shift-out means where no escape says it */
function textWithEscapes(text: string, shifted: Letters | null): string | null {
  const hasShift = shifted !== null && text.includes(shiftOut);
  if (!hasShift && !text.includes('\x1b$') && !text.includes('\x1b(I')) return null;
  let letters: Letters | null = null;
  let isShifted = false;
  let afterShift = shifted;
  let isRead = false;
  const read = text.replace(pieces, (piece: string, sign: string | undefined) => {
    if (sign !== undefined) {
      const shift = byShift[sign];
      if (shift === undefined) letters = byEscape[sign] ?? null;
      else afterShift = shift;
      isRead ||= sign !== '(B' && sign !== '(H' && sign !== '(J';
      return '';
    }
    if (piece === '\n') {
      // A line begins in ASCII, also behind one that forgot to return to it.
      letters = null;
      isShifted = false;
      return piece;
    }
    if (afterShift !== null && (piece === shiftOut || piece === shiftIn)) {
      isShifted = piece === shiftOut;
      isRead = true;
      return '';
    }
    const current = isShifted ? afterShift : letters;
    return current === null ? piece : piece.replace(/[\x21-\x7e]+/g, (run) => decoded(run, current));
  });
  return isRead ? read : null;
}

function decoded(run: string, letters: Letters): string {
  const bytes: number[] = [];
  for (let at = 0; at < run.length; at++) {
    // EUC announces each half-width letter, and each pair of the rare ones.
    if (letters === 'kana') bytes.push(0x8e);
    if (letters === 'rare japanese' && at % 2 === 0) bytes.push(0x8f);
    bytes.push(run.charCodeAt(at) | 0x80);
  }
  return decoders[letters].decode(Uint8Array.from(bytes));
}

/** RFC 1843. No run can hold the beginning of another, so a long text is read once. */
const hz = /~\{((?:[\x21-\x77][\x21-\x7e])+)(?:~\}|(?=\r?$))|~~|~\r?\n/gm;
/** The first bytes of the characters of everyday texts. */
const everyday = /[\x30-\x57]/;

function textInHz(text: string): string {
  return text.replace(hz, (found: string, run: string | undefined) => {
    if (run !== undefined) return decoded(run, 'chinese');
    return found === '~~' ? '~' : '';
  });
}

/** Tildes and braces stand in programs too: without a label, each pair of them must hold Chinese as people write it. */
function isHz(text: string): boolean {
  if (!/^[\x00-\x7f]*$/.test(text)) return false;
  let characters = 0;
  let usual = 0;
  let runs = 0;
  for (const [found, run] of text.matchAll(hz)) {
    if (run === undefined) continue;
    if (!found.endsWith('~}')) return false;
    runs += 1;
    for (let at = 0; at < run.length; at += 2) {
      characters += 1;
      if (everyday.test(run.charAt(at))) usual += 1;
    }
  }
  return runs > 0 && runs === text.split('~{').length - 1 && usual * 2 >= characters;
}

const encodedWord = /=\?([\w.:-]{1,40})(?:\*[\w-]{0,20})?\?([bq])\?([^?\s]{0,2000})\?=/gi;
const escaped = String.raw`(?:\x1b\$\)[AC][ \t]*)?(?:\x1b\$\(?[@ABCD]|\x1b\(I|\x0e)[^\r\n\x0f]*?(?:\x1b\([BHJ]|\x0f|(?=[\r\n])|$)`;
/** Runs with nothing but blanks between them are one. */
const escapedRuns = new RegExp(String.raw`${escaped}(?:[ \t]*${escaped})*|\x1b\$\)[AC]`, 'g');
const hzRun = /~\{(?:[\x21-\x77][\x21-\x7e])+~\}/g;

/**
 * A header field, a byte to a character, in which what is written in seven bits is an encoded word: so no byte of a
 * letter is taken for a quote or a bracket. Null when nothing is. HZ is looked for where people write only.
 */
export function fieldInWords(field: string, isWritten: boolean): string | null {
  let words = field;
  if (field.includes('=?')) {
    words = words.replace(encodedWord, (word: string, charset: string, encoding: string, text: string) => {
      const coded = Buffer.from(/b/i.test(encoding) ? text : text.replaceAll('_', ' '), 'latin1');
      const bytes = /b/i.test(encoding) ? decodeBase64(coded) : decodeQuotedPrintable(coded);
      if (bytes.some((byte) => byte > 0x7f)) return word;
      return asWord(textInSevenBits(bytes.toString('latin1'), charset)) ?? word;
    });
  }
  if (/[\x1b\x0e]/.test(field)) {
    const shifted = field.includes('\x1b$)A') ? 'chinese' : 'korean';
    words = words.replace(escapedRuns, (run) => {
      const text = textWithEscapes(run, shifted);
      // A shift with nothing after it may be dirt.
      const isDirt = !run.includes('\x1b') && (!run.endsWith(shiftIn) || text?.includes('\ufffd'));
      return isDirt ? run : (asWord(text) ?? run);
    });
  }
  if (isWritten && field.includes('~{') && isHz(field))
    words = words.replace(hzRun, (run) => asWord(textInHz(run)) ?? run);
  return words === field ? null : words;
}

/** In this encoding a parser may join words without harm. */
function asWord(text: string | null): string | null {
  if (text === null || text === '') return text;
  return `=?utf-8?Q?${Buffer.from(text).toString('hex').toUpperCase().replace(/../g, '=$&')}?=`;
}
