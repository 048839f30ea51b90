// Regular expressions of rules: linear, bounded, and the same with and without the shortcut.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { mayMatch, patternProblem, patternTest, requiredWords } from '../../src/domain/rules/pattern.ts';
import { caseCount } from '../support/case-count.ts';

describe('a pattern', () => {
  test.each(['(', '[a', 'a**', '(?=a)', '\\1', 'a{1001}', '(?P<n', ''])('%p is refused with a reason', (pattern) => {
    expect(patternProblem(pattern)).toMatch(/^The expression is .{3,}\.$/);
    expect(patternTest(pattern)).toBeNull();
  });

  test('too long or too large is refused', () => {
    expect(patternProblem('a'.repeat(501))).toContain('longer than 500');
    expect(patternProblem('(abcdefghij){900}')).toContain('too large');
  });

  test.each(['(a+)+$', '(a|aa)+$', '(.*)*x', '([a-z]+)*\\d', 'a{0,400}b'])(
    '%p takes no time on a hostile text',
    (pattern) => {
      const text = `${'a'.repeat(10_000)}!`;
      patternTest(pattern)?.('a');
      const began = performance.now();
      patternTest(pattern)?.(text);
      expect(performance.now() - began).toBeLessThan(3000);
    },
  );
});

describe('the shortcut', () => {
  test.each<[string, string[] | null]>([
    ['invoice \\d+', ['invoice ']],
    ['order number', ['order number']],
    ['(a|b) order', [' order']],
    ['(a|b)+|order', null],
    ['a|b', null],
    ['x*', null],
    ['colou?r', ['colo']],
    ['[abc]+ing', ['ing']],
    ['a\\.bc', ['a.bc']],
    ['\\Qa\\E', null],
    ['needs', ['need']],
    ['[[:alpha:]]ab', null],
    ['refund|chargeback', ['refund', 'chargebac']],
    ['(refund|chargeback|dispute)', ['refund', 'chargebac', 'pute']],
    ['^(re|fwd|aw): (?:an )?order', ['order']],
    ['(?P<what>invoice|(bill|note) no) ?', ['invoice', 'bill', 'note']],
    ['(invoice|order)?', null],
    ['(invoice|order){0,2}', null],
    ['(invoice|order)* paid', [' paid']],
    ['(invoice|)', null],
    ['ab{|cd}', null],
    ['ab(?iiiiiiiiiiiiii)cd', null],
    ['(?=ab)', null],
    ['(ab', null],
  ])('of %p needs one of %p', (pattern, words) => expect(requiredWords(pattern)).toEqual(words));

  test('never changes the answer', () => {
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
        const shortened = patternTest(pattern);
        if (shortened === null) return;
        const isMatch = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE).test(subject);
        expect(shortened(subject)).toBe(isMatch);
        if (isMatch) expect(mayMatch(pattern)(subject.toLowerCase())).toBe(true);
      }),
      { numRuns: caseCount(500, 10_000) },
    );
  });
});

test('many patterns are forgotten again and still work', () => {
  for (let at = 0; at < 2500; at++) expect(patternTest(`word${at}$`)?.(`x word${at}`)).toBe(true);
});
