// Regular expressions of rules: linear, and bounded before they are compiled.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { patternProblem, patternTest } from '../../../src/domain/rules/pattern.ts';
import { caseCount } from '../../support/case-count.ts';

describe('a pattern', () => {
  test.each(['(', '[a', 'a**', '(?=a)', '\\1', 'a{1001}', '(?P<n', ''])('%p is refused with a reason', (pattern) => {
    expect(patternProblem(pattern)).toMatch(/^The expression is .{3,}\.$/);
    expect(patternTest(pattern)).toBeNull();
  });

  test('too long or too large is refused', () => {
    expect(patternProblem('a'.repeat(501))).toContain('longer than 500');
    expect(patternProblem('(abcdefghij){900}')).toContain('too large');
  });

  test.each([
    '.{1000}',
    '\\pL{999}',
    '[\\pL\\pN]{999}',
    '(a{31}){31}',
    '((.{9}){10}){11}',
    '(?:a|b){0,999}',
    '(?i:.{100}){9}',
    '(|a){1000}',
    '(a{0,30}){0,30}?',
    '(?P<nAT>a>b{900})',
    '\\Qabc\\E{900}',
    '[]{]{900}',
    '[[:alpha:]{9}]{900}',
  ])('%s, as often as it fits, is refused as too large', (piece) => {
    const times = Math.floor(500 / (piece.length + 2));
    const pattern = Array.from({ length: times }, (_, at) => piece.replace('AT', String(at))).join('');
    expect(patternProblem(pattern)).toContain('too large');
  });

  test('the names of classes, quotes and groups are no repeats', () => {
    for (const pattern of ['[a{900}]{9}', '\\Qa{900}\\E{9}', '\\x{900}{9}', '(?P<n>a{9}){9}', '[]{900}]', 'a{,900}'])
      expect(patternProblem(pattern)).toBeNull();
  });

  test.each(['(a+)+$', '(a|aa)+$', '(.*)*x', '([a-z]+)*\\d', 'a{0,400}b'])(
    '%p has an end on a hostile text',
    (pattern) => {
      const text = `${'a'.repeat(10_000)}!`;
      expect(patternTest(pattern)?.(text)).toBeBoolean();
    },
  );
});

test('a text is judged as RE2 judges it, also with the watch on its time', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    'ab',
    'K',
    's',
    '\\d',
    '.',
    '[ab]',
    '(a|b)',
    '(ab)?',
    '(ab|b1)',
    '(?:a|ab)',
    '(?P<x>b|ab)',
    '(',
    ')',
    '{',
    '{1,2}',
    '+',
    '*',
    '?',
    '{2}',
    '^',
    '$',
    '|',
    '\\.',
    ' ',
    '(?i)',
    '\\Q',
    'é',
    'ſ',
    '-',
    '}',
    '1',
  );
  const text = fc
    .array(fc.constantFrom('a', 'b', 'AB', 'k', '\u212a', 's', 'ſ', '1', '.', ' ', 'é', '\n', '-', '}'), {
      maxLength: 12,
    })
    .map((each) => each.join(''));
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), text, (pieces, subject) => {
      const pattern = pieces.join('');
      const matches = patternTest(pattern);
      if (matches === null) return;
      expect(matches(subject)).toBe(RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE).test(subject));
    }),
    { numRuns: caseCount(500, 10_000) },
  );
});

test('many patterns are forgotten again and still work', () => {
  for (let at = 0; at < 2500; at++) expect(patternTest(`word${at}$`)?.(`x word${at}`)).toBe(true);
});
