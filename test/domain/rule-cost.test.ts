// What a rule costs: more for larger expressions, larger fields and more of them, without compiling anything.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { mostRuleCost } from '../../src/domain/limits.ts';
import { costOfRule, excessOfRules, refusalOfCost } from '../../src/domain/rules/cost.ts';
import { patternSize } from '../../src/domain/rules/pattern-size.ts';
import type { RuleAction, RuleCondition } from '../../src/domain/rules/rule.ts';
import { caseCount } from '../support/case-count.ts';

const condition = (field: string, operator: RuleCondition['operator'], value: RuleCondition['value']) => ({
  field,
  operator,
  value,
  negate: false,
});
const actions: RuleAction[] = [{ type: 'discard', value: null }];
const costOf = (...conditions: RuleCondition[]) => costOfRule({ conditions, actions });

describe('the size of an expression', () => {
  test.each<[string, number]>([
    ['abc', 5],
    ['a{100}', 102],
    ['(ab){100}', 402],
    ['((a{10}){10}){10}', 1222],
    ['a{0,400}b', 803],
    ['[a-z]{3}\\d{2}', 7],
    ['\\x{10}', 3],
    ['\\p{Greek}{4}', 6],
    ['\\Qa{500}\\E', 8],
    ['[]{9}]', 3],
    ['[[:alpha:]{9}]', 3],
    ['a{,5}', 7],
    ['(?i:a)', 5],
    ['(?P<name>a)', 5],
    ['(?i)a', 3],
  ])('%s has about %d steps', (pattern, size) => expect(patternSize(pattern)).toBe(size));

  test('is never far below what it compiles to', () => {
    const atom = fc.constantFrom('a', 'xyz', '\\d', '[^a-c]', '.', '(a|bc)', '\\pL', '(?:x)', '\\b', '(?P<n>q)');
    const count = fc.constantFrom('', '*', '+', '?', '{3}', '{2,5}', '{4,}', '{0,9}', '+?');
    const pattern = fc
      .array(fc.tuple(atom, count, fc.constantFrom('', '|')), { minLength: 1, maxLength: 8 })
      .map((parts) => parts.map(([one, often, bar], at) => `${one.replace('<n>', `<n${at}>`)}${often}${bar}`).join(''))
      .chain((inner) => fc.constantFrom(inner, `(${inner}){3}`, `(?:(${inner.replaceAll('P<', 'P<z')}){2}){2}`));
    fc.assert(
      fc.property(pattern, (text) => {
        let steps = 0;
        try {
          steps = RE2JS.compile(text, RE2JS.CASE_INSENSITIVE).programSize();
        } catch {
          return;
        }
        expect(patternSize(text) * 1.5 + 5, text).toBeGreaterThanOrEqual(steps);
      }),
      { numRuns: caseCount(200, 2000) },
    );
  });

  test('of any text is a number, soon', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 500, unit: fc.constantFrom(...'a(){}[]|\\*+?,19Q:') }), (text) => {
        expect(patternSize(text)).toBeWithin(2, 1_000_000_003);
      }),
    );
    expect(patternSize('(((((a{999}){999}){999}){999}){999})')).toBeGreaterThan(1_000_000);
  });
});

test('a rule costs more with the size of its expressions, the field and the number of conditions', () => {
  const plain = costOf(condition('subject', 'contains', 'x'));
  expect(costOf(condition('body', 'contains', 'x'))).toBeGreaterThan(plain);
  expect(costOf(condition('subject', 'matches', 'a{100}'))).toBeGreaterThan(plain + 99);
  expect(costOf(condition('body', 'matches', 'a{100}'))).toBeGreaterThan(plain + 999);
  expect(costOf(condition('body', 'matches', '(a{10}){100}'))).toBeGreaterThan(plain + 9999);
  expect(costOf(condition('header:x', 'matches', 'a{100}'))).toBeGreaterThan(plain + 499);
  expect(
    costOf(
      condition(
        'subject',
        'in',
        Array.from({ length: 500 }, () => 'x'.repeat(1000)),
      ),
    ),
  ).toBeGreaterThan(125_000);
  expect(costOf(...Array.from({ length: 50 }, () => condition('body', 'matches', 'a{0,400}b')))).toBeGreaterThan(
    400_000,
  );
  const named = (action: RuleAction) => costOfRule({ conditions: [], actions: [action] });
  expect(named({ type: 'add_tags', value: ['a', 'b'] })).toBeGreaterThan(named({ type: 'add_tags', value: ['ab'] }));
  expect(named({ type: 'note', value: 'x'.repeat(10_000) })).toBeGreaterThan(2500);
});

test('five hundred ordinary rules are far within the limit', () => {
  const rule = {
    isActive: true,
    conditions: [
      condition('subject', 'contains', 'invoice'),
      condition('body', 'matches', '(invoice|bill|receipt) (no|number)\\.? ?\\d{4,8}'),
      condition('from_domain', 'in', ['example.org', 'example.com']),
    ],
    actions: [
      { type: 'add_tags', value: ['billing'] },
      { type: 'assign', value: 'round_robin' },
    ] as RuleAction[],
  };
  expect(excessOfRules(Array.from({ length: 500 }, () => rule))).toBeNull();
  expect(excessOfRules(Array.from({ length: 501 }, () => rule))).toBe(
    'A site can have at most 500 inbound rules; this one has 501.',
  );
});

test('what is off costs nothing; what becomes cheaper is let through; the sentence says the numbers', () => {
  const costly = {
    isActive: true,
    conditions: Array.from({ length: 50 }, () => condition('body', 'matches', 'a{0,400}b')),
    actions,
  };
  const cost = costOfRule(costly);
  expect(cost).toBeLessThan(mostRuleCost);
  expect(refusalOfCost(costly, null, [])).toBeNull();
  expect(refusalOfCost({ ...costly, isActive: false }, null, [costly])).toBeNull();
  expect(refusalOfCost(costly, null, [{ ...costly, isActive: false }])).toBeNull();
  const shown = cost.toLocaleString('en');
  expect(refusalOfCost(costly, null, [costly])).toContain(
    `must cost at most 500,000 in total: this one costs ${shown}, the others ${shown}.`,
  );
  // Two of them, from an older version: each can become cheaper, but not dearer.
  const cheaper = { ...costly, conditions: costly.conditions.slice(1) };
  expect(refusalOfCost(cheaper, costly, [costly])).toBeNull();
  expect(refusalOfCost(costly, cheaper, [costly])).not.toBeNull();
});

test('what a rule holds counts while it is off too', () => {
  const wordy = {
    isActive: false,
    conditions: [
      condition(
        'subject',
        'in',
        Array.from({ length: 500 }, () => 'x'.repeat(1000)),
      ),
    ],
    actions,
  };
  expect(refusalOfCost(wordy, null, [wordy, wordy])).toBeNull();
  expect(refusalOfCost(wordy, null, [wordy, wordy, wordy])).toMatch(
    /active or not, must take at most 500,000 units .*: this one takes 125,\d{3}, the others 37\d,\d{3}\./,
  );
  expect(excessOfRules([wordy, wordy, wordy, wordy])).toContain('active or not');
  expect(refusalOfCost({ ...wordy, conditions: [] }, wordy, [wordy, wordy, wordy, wordy])).toBeNull();
});
