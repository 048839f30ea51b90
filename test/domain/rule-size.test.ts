// How much the rules of a site may be together, in number and in characters.

import { expect, test } from 'bun:test';
import { excessOfRules } from '../../src/domain/rules/size.ts';

const rule = (value: string | string[]) => ({
  conditions: [{ field: 'subject', operator: 'in' as const, value, negate: false }],
  actions: [{ type: 'note' as const, value: 'A note.' }],
});

test('five hundred ordinary rules are far within the limit, and one more is not', () => {
  const ordinary = rule(['example.org', 'example.com']);
  expect(excessOfRules(Array.from({ length: 500 }, () => ordinary))).toBeNull();
  expect(excessOfRules(Array.from({ length: 501 }, () => ordinary))).toBe(
    'A site can have at most 500 inbound rules; this one has 501.',
  );
});

test('two million characters are the most, and the sentence says how many there are', () => {
  const half = rule('x'.repeat(999_989));
  expect(excessOfRules([half, half])).toBeNull();
  expect(excessOfRules([half, half, rule('x')])).toBe(
    'The values in all rules of a site must have at most 2,000,000 characters in total; these have 2,000,012.',
  );
});
