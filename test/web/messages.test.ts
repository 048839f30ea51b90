// The messages: every language has each of them, the code uses each of them, and shows no other text.

import { describe, expect, test } from 'bun:test';
import { messages as de } from '../../src/web/messages/de.ts';
import { messages as en, type Messages } from '../../src/web/messages/en.ts';
import { messages as es } from '../../src/web/messages/es.ts';
import { messages as fr } from '../../src/web/messages/fr.ts';
import { messages as nl } from '../../src/web/messages/nl.ts';

const root = new URL('../../src/web/', import.meta.url).pathname;
const sources = await Promise.all(
  [...new Bun.Glob('**/*.{ts,tsx}').scanSync(root)]
    .filter((path) => !path.startsWith('messages/'))
    .map(async (path) => ({ path, text: await Bun.file(root + path).text() })),
);
const names = Object.keys(en) as (keyof Messages)[];

/** A message with its parameters filled in. */
function shown(message: Messages[keyof Messages]): string {
  return typeof message === 'string' ? message : (message as (...given: string[]) => string)('‹given›', '‹other›');
}

describe.each(Object.entries({ en, nl, de, fr, es }))('in %s', (language, messages) => {
  test('there is each message and no other', () => {
    expect(Object.keys(messages).sort()).toEqual([...names].sort());
  });

  test.each(names)('%s says something, with the same parameters', (name) => {
    const text = shown(messages[name]);
    expect(text.trim()).toBe(text);
    expect(text).not.toBe('');
    expect(text).not.toMatch(/ {2}|undefined|\[object|[a-z]'[a-z]|"|\.\.\./i);
    expect(text.includes('‹given›')).toBe(shown(en[name]).includes('‹given›'));
    // A sentence must be a sentence in every language.
    expect(/[.!?]$/.test(text)).toBe(/[.!?]$/.test(shown(en[name])) || text.endsWith('?'));
  });

  test('few messages are the English ones', () => {
    if (language === 'en') return;
    const same = names.filter((name) => shown(messages[name]) === shown(en[name]));
    expect(same.length).toBeLessThan(10);
  });
});

test('the code uses every message', () => {
  const used = new Set(
    sources.flatMap(({ text }) => [...text.matchAll(/\b(?:t|text)\.(\w+)/g)].map(([, name]) => name)),
  );
  expect(names.filter((name) => !used.has(name))).toEqual([]);
});

test('components show messages, not text of their own', () => {
  const own = sources
    .filter(({ path }) => path.endsWith('.tsx'))
    .flatMap(({ path, text }) => [
      ...[...text.matchAll(/(?<!=)>\s*([^<>{}()=;]*[A-Za-z]{2}[^<>{}()=;]*)\s*</g)].map(
        ([, words = '']) => `${path}: ${words}`,
      ),
      ...[...text.matchAll(/\s(?:aria-label|title|placeholder|label|lead|hint)="([^"]+)"/g)].map(
        ([, words = '']) => `${path}: ${words}`,
      ),
    ]);
  // The product's name.
  expect(own.filter((found) => !found.endsWith(': Helpdesk'))).toEqual([]);
});
