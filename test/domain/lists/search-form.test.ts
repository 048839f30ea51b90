// The form in which searches compare texts: what is equal in it, and what must stay apart.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { searchForm, searchPieces } from '../../../src/domain/lists/search-form.ts';

describe('one text', () => {
  test.each<string[]>([
    ['Greek with and without accents', 'Πρόβλημα', 'προβλημα', 'ΠΡΟΒΛΗΜΑ', 'ΠΡΌΒΛΗΜΑ'],
    ['Greek with a final sigma', 'Εκτυπωτής', 'ΕΚΤΥΠΩΤΗΣ'],
    ['Greek of old', 'ἀρχή', 'αρχη'],
    ['Cyrillic with stress, and ё', 'за́мок ещё', 'ЗАМОК ЕЩЕ'],
    ['Cyrillic й in one piece and in two', 'мой', 'мои\u0306', 'МОЙ'],
    ['Ukrainian ї', 'їжак', 'і\u0308жак'],
    ['Korean in syllables and in letters', '프린터 오류', '프린터 오류'.normalize('NFD')],
    ['kana in two pieces, and of half width', 'ガラス', 'ガラス'.normalize('NFD'), 'ｶﾞﾗｽ'],
    ['a soft hyphen', 'Rechnungsnummer', 'Rech\u00adnungs\u00adnummer'],
    [
      'characters without width',
      'Kundennummer',
      'Kunden\u200bnummer',
      '\ufeffKunden\u2060nummer',
      'Kunden\u200d\u200cnummer',
    ],
    ['marks of direction', 'invoice', '\u202ain\u200evoice\u202c', '\u2066invoice\u2069'],
    ['Arabic with vowels', 'محمد', 'مُحَمَّد', 'محـــمد'],
    ['Arabic letters in the shapes of a line', 'سلام', 'ﺳﻼﻡ'],
    ['Arabic alef with and without hamza', 'احمد', 'أحمد', 'ٱحمد'],
    ['Persian on an Arabic keyboard', 'کی', 'كي'],
    ['Hebrew with points', 'שלום', 'שָׁלוֹם', '\ufb2aלום'],
    ['Latin with accents', 'creme brulee', 'Crème BRÛLÉE', 'Crème brûlée'.normalize('NFD')],
    ['Vietnamese, and its base letters', 'tiếng Việt Đường', 'tieng viet duong', 'tiếng Việt Đường'.normalize('NFD')],
    ['letters with a stroke', 'Łódź Ørsted', 'lodz orsted'],
    ['German capitals', 'Straße', 'STRASSE', 'STRAẞE'],
    ['Turkish capitals', 'ışık istanbul', 'IŞIK İSTANBUL'],
    ['ligatures and full width', 'file 41', 'ﬁle ４１'],
    ['an angstrom and a letter', 'Å', 'Å', 'Å'],
  ])('is %s', (_, ...texts) => {
    expect([...new Set(texts.map(searchForm))]).toHaveLength(1);
  });
});

describe('two words stay two', () => {
  test.each([
    ['kana with and without a sound mark', 'ガラス', 'カラス'],
    ['Devanagari with other vowel signs', 'की', 'का'],
    ['Devanagari with and without nasal', 'में', 'मे'],
    ['Devanagari with and without nukta', 'ज़रा', 'जरा'],
    ['Thai with other tones', 'ข้าว', 'ขาว'],
    ['Thai with other vowels', 'ที่', 'ทุ่'],
    ['Lao tones', 'ໜ້າ', 'ໜາ'],
    ['Burmese vowels', 'ကို', 'ကု'],
    ['Tamil vowels', 'கா', 'கி'],
    ['Khmer vowels', 'កា', 'កិ'],
    ['Cyrillic й and и', 'мой', 'мои'],
    ['Arabic hamza within a word', 'سؤال', 'سوال'],
    ['Korean syllables', '프린터', '프린트'],
    ['a trade mark and its letters', 'Helpdesk™', 'HelpdeskTM'],
  ])('%s', (_, one, other) => {
    expect(searchForm(one)).not.toBe(searchForm(other));
    expect(searchForm(one.normalize('NFD'))).toBe(searchForm(one));
  });
});

// No more marks in a row than any word has.
const someText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 6 }),
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom(
        'İ',
        'ς',
        'Σ',
        'ガ',
        'ｶ',
        'ﾞ',
        '가',
        'ᆨ',
        'ㄱ',
        'й',
        '\u0306',
        'ا',
        '\u0654',
        '\u00ad',
        '\u200d',
        'é',
        '\u0301',
      ),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join('').toWellFormed());

test('equivalent texts have one form, whatever they are', () => {
  fc.assert(
    fc.property(someText, (text) => {
      const form = searchForm(text);
      for (const kind of ['NFC', 'NFD'] as const) expect(searchForm(text.normalize(kind))).toBe(form);
      const words = text.replace(/\p{S}/gu, '');
      for (const kind of ['NFKC', 'NFKD'] as const) expect(searchForm(words.normalize(kind))).toBe(searchForm(words));
    }),
  );
});

test('the pieces of a text make its form, and lose nothing of it', () => {
  fc.assert(
    fc.property(someText, (text) => {
      const pieces = [...searchPieces(text)];
      expect(pieces.map(({ written }) => written).join('')).toBe(text);
      expect(pieces.map(({ form }) => form).join('')).toBe(searchForm(text));
    }),
  );
});

test('keeps thirty marks on one letter, so that none can be made to sort thousands', () => {
  const marks = '\u093c\u094d'.repeat(20_000);
  expect(searchForm(`क${marks}`)).toHaveLength(31);
});
