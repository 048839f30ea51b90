// Every section of the settings is found by other words too.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { words } from '../../src/web/console/settings/words.ts';

// Its own code needs a browser.
const sections = readFileSync(new URL('../../src/web/console/settings/sections.ts', import.meta.url), 'utf8');

test('every section of the settings has other words, and each word is of a section', () => {
  const ids = [...sections.matchAll(/\bid: '([\w-]+)'/g)].map(([, id = '']) => id);
  expect(ids.length).toBeGreaterThan(20);
  expect(Object.keys(words).sort()).toEqual([...ids].sort());
  expect(new Set(ids).size).toBe(ids.length);
});
