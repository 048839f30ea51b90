// The browser files: bundled the same each time, whole for every page, and readable where the executable keeps them.

import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBrowserFiles } from '../../src/server/browser/build.ts';
import { storedFiles } from '../../src/server/browser/stored-files.ts';

const root = new URL('../../src/web', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'helpdesk-browser-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const built = await buildBrowserFiles(root);

test('the same sources give the same names', async () => {
  const again = await buildBrowserFiles(root);
  expect(again.files.map(({ name }) => name)).toEqual(built.files.map(({ name }) => name));
  expect(again.pages).toEqual(built.pages);
});

test('every file carries a hash in its name and names only files that there are', () => {
  const names = built.files.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, variants } of built.files) {
    expect(name).toMatch(/^[\w-]+-[0-9a-z]{8}\.(?:js|css|svg|png)$/);
    const text = new TextDecoder().decode(variants.identity);
    for (const [, other = ''] of text.matchAll(/["'(]\.\/([\w-]+\.(?:js|css))["')]/g)) expect(names).toContain(other);
  }
});

test('each page and each language has its own script', () => {
  const scripts = Object.values(built.pages).map(({ script }) => script);
  const messages = Object.values(built.pages).flatMap((page) => Object.values(page.messages).flat());
  expect(new Set([...scripts, ...messages]).size).toBe(scripts.length + 6 * 5);
  for (const { script, preloads } of Object.values(built.pages)) expect(preloads).not.toContain(script);
});

test('the stylesheet is one file, which still reads from right to left', () => {
  const style = built.files.find(({ name }) => name === built.pages.console?.style);
  const text = new TextDecoder().decode(style?.variants.identity);
  expect(text).not.toMatch(/@import|\/\*|\n/);
  expect(text).toContain(':dir(rtl)');
  expect(text).toContain('margin-inline-start');
  expect(text).not.toMatch(/:lang\(|margin-left|padding-right/);
  expect(text.split('{').length).toBe(text.split('}').length);
});

test('the sign-in pages load none of the messages of the console', () => {
  const { 'sign-in': door, console: inside } = built.pages;
  for (const language of built.languages) {
    const [every, ...others] = inside?.messages[language] ?? [];
    expect(others).toHaveLength(2);
    expect(door?.messages[language]?.[0]).toBe(every);
    for (const other of others) expect(door?.messages[language]).not.toContain(other);
  }
});

test.each([
  ['sign-in', 26_000],
  ['console', 52_000],
  ['customer', 41_000],
])('the page %s needs at most %d bytes before it can be used', (entry, limit) => {
  const sizes = new Map(built.files.map(({ name, variants }) => [name, (variants.br ?? variants.identity).length]));
  const { script, preloads, messages, style } = built.pages[entry]!;
  const needed = [script, ...preloads, built.themeScript, ...(entry === 'customer' ? [style] : [])];
  for (const language of built.languages) {
    const all = [...needed, ...(messages[language] ?? [])];
    expect(all.reduce((sum, name) => sum + (sizes.get(name) ?? Number.NaN), 0)).toBeLessThanOrEqual(limit);
  }
});

test('stored files are read when they are asked for', async () => {
  const path = join(folder, 'a.js');
  const { files: _, ...rest } = built;
  const source = storedFiles(rest, { 'a-1.js': { type: 'text/javascript', paths: { identity: path, br: path } } });
  writeFileSync(path, 'let a;');
  const file = (await source.current()).files.get('a-1.js');
  expect(new TextDecoder().decode(await file?.variants.br?.())).toBe('let a;');
  expect(file?.variants.gzip).toBeUndefined();
  expect(source.changes).toBeNull();
});
