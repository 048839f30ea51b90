// Paths to return to: no spelling of another server is one.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { returnPath } from '../../../src/domain/people/return-path.ts';
import { caseCount } from '../../support/case-count.ts';

test.each([
  '/',
  '/profile',
  '/tickets/41?q=a%20b&x=//evil#top',
  '/%2f%2fevil.example',
  '/%5cevil.example',
  '/a//b',
  '/@evil.example',
  '/https:evil',
  '/ü',
])('%p is a path of the desk', (path) => {
  const kept = returnPath(path);
  expect(new URL(kept, 'https://desk.example.org').host).toBe('desk.example.org');
  expect(kept).toBe(path === '/ü' ? '/%C3%BC' : path);
});

test.each([
  '',
  null,
  undefined,
  'profile',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/x/..//evil.example',
  '/%2e//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\u0000/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/ /evil.example',
  'https:evil.example',
  'https:/evil.example',
  'https://evil.example',
  'http://desk.invalid/x',
  'javascript:alert(1)',
  'data:text/html,x',
  '/x\r\nSet-Cookie: a=b',
  '/\u202e//evil',
  '/\u2028/evil',
  `/${'x'.repeat(2000)}`,
])('%p leads to the first page', (path) => {
  expect(returnPath(path)).toBe('/');
});

test('nothing leads to another server, read once or twice', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '%2e',
    '%2f',
    '@',
    ':',
    'evil.example',
    '?',
    '#',
    '\t',
    '\n',
    'https:',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
        fc.webUrl(),
        fc.string(),
      ),
      (text) => {
        const once = new URL(returnPath(text), 'https://desk.example.org');
        expect(once.origin).toBe('https://desk.example.org');
        const twice = new URL(once.pathname + once.search + once.hash, 'https://desk.example.org');
        expect(twice.origin).toBe('https://desk.example.org');
      },
    ),
    { numRuns: caseCount(200, 3000) },
  );
});
