// Characters, cutting and cleaning.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { cleanLine, cleanText, countCharacters, slugify, truncate } from '../../src/domain/text.ts';

const anyText = fc.string({ unit: 'binary' });

describe('text', () => {
  test('is counted in characters', () => {
    fc.assert(fc.property(anyText, (text) => countCharacters(text) === Array.from(text).length));
    expect(countCharacters('a😀b')).toBe(3);
  });

  test('is cut after whole characters', () => {
    fc.assert(
      fc.property(anyText, fc.nat(20), (text, max) => {
        expect(truncate(text, max)).toBe(Array.from(text).slice(0, max).join(''));
      }),
    );
  });

  test('is kept well formed and without NUL', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\0', '\ud800', '\udc00', '😀') }),
        (text) => cleanText(text).isWellFormed() && !cleanText(text).includes('\0'),
      ),
    );
  });

  test('of one line is one line', () => {
    fc.assert(fc.property(anyText, (text) => !/[\p{Cc}\u2028\u2029]/u.test(cleanLine(text))));
    expect(cleanLine('  a\r\nBcc: b\t c\u2028 ')).toBe('a Bcc: b  c');
    // A name that no one sees is none.
    expect(['\u200b', '\u00a0\u2060', '\u3164', '\u200ba'].map(cleanLine)).toEqual(['', '', '', '\u200ba']);
  });

  test('becomes a slug, or nothing', () => {
    fc.assert(fc.property(anyText, (text) => /^$|^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/.test(slugify(text))));
    expect(['Café & Bar', '  ', '日本', 'A--B', 'ﬁne'].map(slugify)).toEqual(['cafe-bar', '', '', 'a-b', 'fine']);
  });
});
