// The shared comboboxes, menus and tabs by keyboard and mouse, under the policy of the desk's pages.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pageHeaders } from '../../src/http/pages/page.ts';
import { buildBrowserFiles } from '../../src/server/browser/build.ts';
import { violations } from './axe.ts';
import { type Chromium, startChromium, type Visitor } from './browser.ts';

const source = new URL('../../src/web/', import.meta.url).pathname;
const html = `<!doctype html><html lang="en"><head><title>Controls</title>
<link rel="stylesheet" href="/style.css"><link rel="icon" href="/icon.svg">
<script type="module" src="/controls-page.js"></script></head><body><div id="app"></div></body></html>`;

let chromium: Chromium;
let server: ReturnType<typeof Bun.serve>;
const folder = mkdtempSync(join(tmpdir(), 'helpdesk-controls-'));
beforeAll(async () => {
  const page = new URL('./controls-page.tsx', import.meta.url).pathname;
  const built = await Bun.build({ entrypoints: [page], outdir: folder, target: 'browser', splitting: true });
  if (!built.success) throw new Error(built.logs.join('\n'));
  const files = await buildBrowserFiles(source);
  const style = files.files.find(({ name }) => name === files.style)!.variants.identity.slice().buffer;
  server = Bun.serve({
    port: 0,
    fetch({ url }) {
      const { pathname } = new URL(url);
      if (pathname === '/') return new Response(html, { headers: pageHeaders });
      if (pathname === '/style.css') return new Response(style, { headers: { 'Content-Type': 'text/css' } });
      return new Response(Bun.file(pathname === '/icon.svg' ? join(source, 'shared/icon.svg') : folder + pathname));
    },
  });
  chromium = await startChromium();
});
afterAll(async () => {
  await chromium.close();
  await server.stop(true);
  rmSync(folder, { recursive: true, force: true });
});

async function onThePage(act: (visitor: Visitor) => Promise<void>): Promise<void> {
  const visitor = await chromium.visitor();
  await visitor.open(server.url.href);
  await visitor.find('heading', 'Controls');
  await act(visitor);
  expect(visitor.faults()).toEqual([]);
  await visitor.close();
}

const state = ({ page }: Visitor) => page.$eval('#state', (output) => JSON.parse(output.textContent ?? ''));
const focused = ({ page }: Visitor) =>
  page.evaluate(() => {
    const element = document.activeElement;
    const active = document.getElementById(element?.getAttribute('aria-activedescendant') ?? '');
    const name = element?.getAttribute('aria-label') ?? element?.textContent;
    return active === null ? name : `${name} > ${active.querySelector('.option-text')?.textContent}`;
  });
async function keys({ page }: Visitor, ...pressed: string[]): Promise<void> {
  for (const key of pressed) await page.keyboard.press(key as 'Enter');
  // What hears them draws again in a later task.
  await page.evaluate(() => new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve), 20)));
}

describe('a combobox', () => {
  test('is chosen from with arrows, letters, Enter and Space, and keeps the focus', async () => {
    await onThePage(async (visitor) => {
      await (await visitor.find('combobox', 'Status')).focus();
      await keys(visitor, 'ArrowDown');
      expect(await focused(visitor)).toBe('Status > open');
      await keys(visitor, 'End', 'ArrowUp');
      expect(await focused(visitor)).toBe('Status > resolved');
      expect(await violations(visitor)).toEqual([]);
      await keys(visitor, 'Enter');
      expect((await state(visitor))[0]).toBe('resolved');
      expect(await focused(visitor)).toBe('Status');
      await keys(visitor, 'Enter');
      await visitor.page.keyboard.type('p');
      await keys(visitor, 'ArrowUp', 'ArrowDown', 'Space');
      expect((await state(visitor))[0]).toBe('pending');
    });
  });

  test('is left unchanged with Escape and Tab, and keeps its keys from the page', async () => {
    await onThePage(async (visitor) => {
      await (await visitor.find('combobox', 'Status')).focus();
      await keys(visitor, 'ArrowDown', 'ArrowDown', 'Escape');
      expect(await focused(visitor)).toBe('Status');
      expect(await visitor.page.$(':popover-open')).toBeNull();
      await keys(visitor, 'ArrowDown', 'ArrowDown', 'Tab');
      expect(await focused(visitor)).toBe('Assignee');
      expect(await visitor.page.$(':popover-open')).toBeNull();
      expect((await state(visitor))[0]).toBe('open');
      expect(await visitor.page.evaluate(() => (window as unknown as { heard: string[] }).heard)).toEqual([]);
    });
  });

  test('opens from a command and by mouse, and closes by its own button', async () => {
    await onThePage(async (visitor) => {
      await visitor.press('button', 'Open the status');
      expect(await focused(visitor)).toBe('Status > open');
      await visitor.press('option', 'closed');
      expect((await state(visitor))[0]).toBe('closed');
      expect(await focused(visitor)).toBe('Open the status');
      await visitor.press('combobox', 'Status');
      await visitor.find('listbox', 'Status');
      await visitor.press('combobox', 'Status');
      expect(await visitor.page.$(':popover-open')).toBeNull();
    });
  });

  test('with a search is filtered by typing, also on the closed control', async () => {
    await onThePage(async (visitor) => {
      await (await visitor.find('combobox', 'Assignee')).focus();
      await visitor.page.keyboard.type('demo-shop');
      await keys(visitor);
      expect(await focused(visitor)).toBe('Search: Assignee > Ana Ruiz');
      expect(await violations(visitor)).toEqual([]);
      await keys(visitor, 'Enter');
      expect((await state(visitor))[1]).toBe(1);
      expect(await focused(visitor)).toBe('Assignee');
      await visitor.page.keyboard.type('zzz');
      await visitor.see('Nothing found.');
      await keys(visitor, 'Enter', 'Escape');
      expect((await state(visitor))[1]).toBe(1);
    });
  });

  test('with several choices stays open, unchooses, and makes new ones', async () => {
    await onThePage(async (visitor) => {
      await visitor.press('combobox', 'Tags');
      expect(await focused(visitor)).toBe('Search: Tags > vip');
      await keys(visitor, 'Enter', 'ArrowDown', 'Enter');
      expect((await state(visitor))[2]).toEqual(['refund']);
      await visitor.page.keyboard.type('CREME');
      await keys(visitor, 'Enter');
      expect((await state(visitor))[2]).toEqual(['refund', 'crème']);
      await visitor.page.keyboard.down('Control');
      await visitor.page.keyboard.press('KeyA');
      await visitor.page.keyboard.up('Control');
      await visitor.page.keyboard.type('new one');
      await keys(visitor, 'Enter');
      expect((await state(visitor))[2]).toEqual(['refund', 'crème', 'new one']);
      await keys(visitor, 'Escape');
      expect((await state(visitor))[4]).toEqual(['closed tags']);
    });
  });
});

test('a menu is walked round, searched by letter, run and left', async () => {
  await onThePage(async (visitor) => {
    await (await visitor.find('button', 'More')).focus();
    await keys(visitor, 'Enter');
    expect(await focused(visitor)).toContain('Merge');
    await keys(visitor, 'ArrowUp');
    expect(await focused(visitor)).toBe('Erase');
    await keys(visitor, 'ArrowDown', 's');
    expect(await focused(visitor)).toBe('Split');
    expect(await violations(visitor)).toEqual([]);
    await keys(visitor, 'Enter');
    expect((await state(visitor))[4]).toEqual([]);
    await keys(visitor, 'ArrowDown', 'Enter');
    expect((await state(visitor))[4]).toEqual(['erase']);
    expect(await focused(visitor)).toBe('More');
    await keys(visitor, 'ArrowDown', 'Escape');
    expect(await focused(visitor)).toBe('More');
    expect(await visitor.page.$(':popover-open')).toBeNull();
  });
});

test('tabs follow the arrows, also from right to left', async () => {
  await onThePage(async (visitor) => {
    await visitor.press('tab', 'One');
    await keys(visitor, 'ArrowRight', 'ArrowRight');
    expect((await state(visitor))[3]).toBe('three');
    await visitor.page.$eval('html', (root) => root.setAttribute('dir', 'rtl'));
    await keys(visitor, 'ArrowRight');
    expect((await state(visitor))[3]).toBe('two');
    expect(await focused(visitor)).toBe('Two');
    await visitor.see('Panel two');
    expect(await violations(visitor)).toEqual([]);
  });
});

test.each([360, 1440])('at %d px a panel stays on the screen, next to its control', async (width) => {
  const visitor = await chromium.visitor({ width, height: 500 });
  await visitor.open(server.url.href);
  for (const name of ['Status', 'Assignee', 'Tags']) {
    await visitor.press('combobox', name);
    const [panel, control] = await visitor.page.evaluate((label) => {
      const box = (element: Element | null) => element?.getBoundingClientRect().toJSON() as DOMRect;
      return [
        box(document.querySelector(':popover-open')),
        box(document.querySelector(`button[aria-label="${label}"]`)),
      ] as const;
    }, name);
    expect(panel.left).toBeGreaterThanOrEqual(0);
    expect(panel.right).toBeLessThanOrEqual(width);
    expect(Math.abs(panel.top - control.bottom - 4)).toBeLessThan(2);
    await visitor.page.keyboard.press('Escape');
  }
  await visitor.close();
});
