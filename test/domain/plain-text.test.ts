// Lines, limits and cutting for untrusted text.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { firstLines, fit, lines, oneLine, withoutMarks } from '../../src/domain/plain-text.ts';

test('one line has no break, no control and nothing that turns what follows', () => {
  expect(oneLine(' a\r\nBcc: b\u2028c\td\u0000e\u001b[31m ')).toBe('a Bcc: b c d e [31m');
  expect(oneLine('\u202eabc\u2066d\u200f')).toBe('abcd\u200f');
  expect(oneLine('\ud83dx')).toBe('\ufffdx');
});

test('lines keep their breaks and indentation, and no more than one empty line', () => {
  expect(lines('\n\na\r\n\tb  \r\r\r\n\n c\u2029d\u0007\n\n')).toBe('a\n\tb\n\n c\nd');
  expect(firstLines('a\nb\nc', 2)).toBe('a\nb\n…');
  expect(firstLines('a\nb', 2)).toBe('a\nb');
});

test('what fits stays whole, the rest is cut between characters', () => {
  expect(fit('abc', 3)).toBe('abc');
  expect(fit('abcd', 3)).toBe('ab…');
  expect(fit('👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 12)).toBe('👩‍👩‍👧‍👦…');
  expect(fit('👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 11)).toBe('…');
  expect(fit('e\u0301e\u0301', 3)).toBe('e\u0301…');
  expect(fit('&&', 9, (part) => part.replaceAll('&', '&amp;'))).toBe('&amp;…');
  expect(fit(`e${'\u0301'.repeat(1000)}`, 100)).toHaveLength(100);
});

test('nothing is ever longer than its limit, ill-formed, or cut though it would have fitted', () => {
  const encode = (part: string) => part.replaceAll('<', '&lt;');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), fc.integer({ min: 1, max: 60 }), (text, maxLength) => {
      const cut = fit(text, maxLength, encode);
      return (
        cut.length <= maxLength &&
        cut.isWellFormed() &&
        (encode(text).length <= maxLength ? cut === encode(text) : encode(text).startsWith(cut.slice(0, -1)))
      );
    }),
  );
});

test('a long run of anything takes no longer than its length', () => {
  for (const run of [' ', '\t', '\n', '\r', '\u2028', '\u0000', ' \n']) {
    const long = run.repeat(300_000 / run.length);
    // Either would take minutes in quadratic time.
    expect(lines(`x${long}y`).length).toBeLessThan(400_000);
    expect(oneLine(`x${long}y`).replace(/ /g, '')).toBe('xy');
  }
});

test('spaces at the end of a line go, those before it stay', () => {
  expect(lines('  a  b \t\n\u00a0\n  c\ufeff')).toBe('  a  b\n\n  c');
});

test.each([
  ['**Bold** and _soft_, `code` and ~~gone~~', 'Bold and soft, code and gone'],
  ['# Title\n\n> - [x] one\n> 2. two', 'Title\n\none\ntwo'],
  ['See [the docs](https://a.example/x) ![](https://a.example/p.png)', 'See the docs '],
  ['```ts\nsnake_case * 2\n```', '\nsnake_case * 2\n'],
  ['2 * 3 = 6, a*b, __dunder__', '2 * 3 = 6, a*b, dunder'],
])('the marks of %p are left out', (markdown, plain) => {
  expect(withoutMarks(markdown)).toBe(plain);
});
