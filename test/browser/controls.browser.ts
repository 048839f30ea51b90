// The shared comboboxes, menus and tabs by keyboard and mouse, under the policy of the desk's pages.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pageHeaders } from '../../src/http/pages/page.tsx';
import { buildBrowserFiles } from '../../src/server/browser/build.ts';
import { violations } from './axe.ts';
import { type Chromium, drawn, startChromium, type Visitor } from './browser.ts';
import { waitUntil } from './wait.ts';

const source = new URL('../../src/web/', import.meta.url).pathname;
const html = `<!doctype html><html lang="en"><head><title>Controls</title>
<link rel="stylesheet" href="/style.css"><link rel="icon" href="/icon.svg">
<script type="module" src="/controls-page.js"></script></head><body><div id="app"></div></body></html>`;

const anchorRules = /@supports\s*\(anchor-name:\s*--a\)/g;

let chromium: Chromium;
let server: ReturnType<typeof Bun.serve>;
const folder = mkdtempSync(join(tmpdir(), 'helpdesk-controls-'));
beforeAll(async () => {
  const page = new URL('./controls-page.tsx', import.meta.url).pathname;
  const built = await Bun.build({ entrypoints: [page], outdir: folder, target: 'browser', splitting: true });
  if (!built.success) throw new Error(built.logs.join('\n'));
  const files = await buildBrowserFiles(source);
  const style = files.files.find(({ name }) => name === files.pages.console?.style)!.variants.identity.slice().buffer;
  const plainStyle = new TextDecoder().decode(style).replace(anchorRules, '@supports (anchor-name: nowhere at all)');
  server = Bun.serve({
    port: 0,
    fetch({ url }) {
      const { pathname } = new URL(url);
      if (pathname === '/') return new Response(html, { headers: pageHeaders });
      if (pathname === '/without-anchors')
        return new Response(html.replace('style.css', 'plain-style.css'), { headers: pageHeaders });
      if (pathname === '/plain-style.css') return new Response(plainStyle, { headers: { 'Content-Type': 'text/css' } });
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
  await drawn({ page });
}

const seeFocus = (visitor: Visitor, name: string) =>
  waitUntil(
    `“${name}” has the focus`,
    () => focused(visitor),
    (found) => found === name,
  );
const seeState = (visitor: Visitor, at: number, value: unknown) =>
  waitUntil(
    `${at} is ${JSON.stringify(value)}`,
    async () => (await state(visitor))[at],
    (found) => Bun.deepEquals(found, value),
  );
const seeNoPanel = ({ page }: Visitor) =>
  waitUntil('nothing is open', async () => (await page.$(':popover-open')) === null);

describe('a combobox', () => {
  test('is chosen from with arrows, letters, Enter and Space, and keeps the focus', async () => {
    await onThePage(async (visitor) => {
      await (await visitor.find('combobox', 'Status')).focus();
      await keys(visitor, 'ArrowDown');
      await seeFocus(visitor, 'Status > open');
      await keys(visitor, 'End', 'ArrowUp');
      await seeFocus(visitor, 'Status > resolved');
      expect(await violations(visitor)).toEqual([]);
      await keys(visitor, 'Enter');
      await seeState(visitor, 0, 'resolved');
      await seeFocus(visitor, 'Status');
      await keys(visitor, 'Enter');
      await visitor.page.keyboard.type('p');
      await keys(visitor, 'ArrowUp', 'ArrowDown', 'Space');
      await seeState(visitor, 0, 'pending');
    });
  });

  test('is left unchanged with Escape and Tab, and keeps its keys from the page', async () => {
    await onThePage(async (visitor) => {
      await (await visitor.find('combobox', 'Status')).focus();
      await keys(visitor, 'ArrowDown', 'ArrowDown', 'Escape');
      await seeFocus(visitor, 'Status');
      await seeNoPanel(visitor);
      await keys(visitor, 'ArrowDown', 'ArrowDown', 'Tab');
      await seeFocus(visitor, 'Assignee');
      await seeNoPanel(visitor);
      await seeState(visitor, 0, 'open');
      expect(await visitor.page.evaluate(() => (window as unknown as { heard: string[] }).heard)).toEqual([]);
    });
  });

  test('opens from a command and by mouse, and closes by its own button', async () => {
    await onThePage(async (visitor) => {
      await visitor.press('button', 'Open the status');
      await seeFocus(visitor, 'Status > open');
      await visitor.press('option', 'closed');
      await seeState(visitor, 0, 'closed');
      await seeFocus(visitor, 'Open the status');
      await visitor.press('combobox', 'Status');
      await visitor.find('listbox', 'Status');
      await visitor.press('combobox', 'Status');
      await seeNoPanel(visitor);
    });
  });

  test('with a search is filtered by typing, also on the closed control', async () => {
    await onThePage(async (visitor) => {
      await (await visitor.find('combobox', 'Assignee')).focus();
      await visitor.page.keyboard.type('demo-shop');
      await keys(visitor);
      await seeFocus(visitor, 'Search: Assignee > Ana Ruiz');
      expect(await violations(visitor)).toEqual([]);
      await keys(visitor, 'Enter');
      await seeState(visitor, 1, 1);
      await seeFocus(visitor, 'Assignee');
      await visitor.page.keyboard.type('zzz');
      await visitor.see('Nothing found.');
      await keys(visitor, 'Enter', 'Escape');
      await seeState(visitor, 1, 1);
    });
  });

  test('with several choices stays open, unchooses, and makes new ones', async () => {
    await onThePage(async (visitor) => {
      await visitor.press('combobox', 'Tags');
      await seeFocus(visitor, 'Search: Tags');
      // No key has led to a choice yet.
      await keys(visitor, 'Enter', 'ArrowDown');
      await seeFocus(visitor, 'Search: Tags > vip');
      await seeState(visitor, 2, ['vip']);
      await keys(visitor, 'Enter', 'ArrowDown', 'Enter');
      await seeState(visitor, 2, ['refund']);
      await visitor.page.keyboard.type('CREME');
      await keys(visitor, 'Enter');
      await seeState(visitor, 2, ['refund', 'crème']);
      await visitor.page.keyboard.down('Control');
      await visitor.page.keyboard.press('KeyA');
      await visitor.page.keyboard.up('Control');
      await visitor.page.keyboard.type('new one');
      await keys(visitor, 'Enter');
      await seeState(visitor, 2, ['refund', 'crème', 'new one']);
      await keys(visitor, 'Escape');
      await seeState(visitor, 4, ['closed tags']);
    });
  });
});

test('a menu is walked round, searched by letter, run and left', async () => {
  await onThePage(async (visitor) => {
    await (await visitor.find('button', 'More')).focus();
    await keys(visitor, 'Enter');
    await waitUntil('the menu is open', async () => (await focused(visitor))?.includes('Merge'));
    await keys(visitor, 'ArrowUp');
    await seeFocus(visitor, 'Erase');
    await keys(visitor, 'ArrowDown', 's');
    await seeFocus(visitor, 'Split');
    expect(await violations(visitor)).toEqual([]);
    await keys(visitor, 'Enter');
    await seeState(visitor, 4, []);
    await keys(visitor, 'ArrowDown', 'Enter');
    await seeState(visitor, 4, ['erase']);
    await seeFocus(visitor, 'More');
    await keys(visitor, 'ArrowDown', 'Escape');
    await seeFocus(visitor, 'More');
    await seeNoPanel(visitor);
  });
});

test('tabs follow the arrows, also from right to left', async () => {
  await onThePage(async (visitor) => {
    await visitor.press('tab', 'One');
    await keys(visitor, 'ArrowRight', 'ArrowRight');
    await seeState(visitor, 3, 'three');
    await visitor.page.$eval('html', (root) => root.setAttribute('dir', 'rtl'));
    await keys(visitor, 'ArrowRight');
    await seeState(visitor, 3, 'two');
    await seeFocus(visitor, 'Two');
    await visitor.see('Panel two');
    expect(await violations(visitor)).toEqual([]);
  });
});

const boxesOf = ({ page }: Visitor, name: string) =>
  page.evaluate((label) => {
    const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().toJSON() as DOMRect;
    return { panel: box(':popover-open'), control: box(`button[aria-label="${label}"]`) };
  }, name);
type Boxes = Awaited<ReturnType<typeof boxesOf>>;
const isBelow = ({ panel, control }: Boxes) => Math.abs(panel.top - control.bottom - 4) < 2;
const isAbove = ({ panel, control }: Boxes) => Math.abs(control.top - panel.bottom - 4) < 2;
const isOnScreen = ({ panel }: Boxes, width: number) => panel.left >= 0 && panel.right <= width;

test.each([360, 1440])('at %d px a panel stays on the screen, next to its control', async (width) => {
  const visitor = await chromium.visitor({ width, height: 500 });
  await visitor.open(server.url.href);
  for (const name of ['Status', 'Assignee', 'Tags']) {
    await visitor.press('combobox', name);
    await waitUntil(
      `the panel of ${name} is in its place`,
      () => boxesOf(visitor, name),
      (boxes) => isOnScreen(boxes, width) && isBelow(boxes),
    );
    await visitor.page.keyboard.press('Escape');
    await seeNoPanel(visitor);
  }
  await visitor.close();
});

describe('in a browser without anchors', () => {
  async function plainVisitor(width: number): Promise<Visitor> {
    const visitor = await chromium.visitor({ width, height: 500 });
    await visitor.page.evaluateOnNewDocument(() => {
      const supports = CSS.supports.bind(CSS);
      CSS.supports = (...asked: [string, string?]) =>
        !asked[0].includes('anchor-name') && supports(...(asked as [string]));
    });
    await visitor.open(new URL('/without-anchors', server.url).href);
    await visitor.find('heading', 'Controls');
    // Otherwise the browser would place the panels by itself, and this would test nothing.
    expect(
      await visitor.page.$eval('[popover]', (panel) => getComputedStyle(panel).getPropertyValue('position-area')),
    ).toBe('none');
    return visitor;
  }

  test.each([
    [360, 'ltr'],
    [1440, 'ltr'],
    [360, 'rtl'],
    [1440, 'rtl'],
  ] as const)('at %d px (%s) a panel stays on the screen, next to its control', async (width, direction) => {
    const visitor = await plainVisitor(width);
    await visitor.page.$eval('html', (root, dir) => root.setAttribute('dir', dir), direction);
    for (const name of ['Status', 'Assignee', 'Tags']) {
      await visitor.press('combobox', name);
      await waitUntil(
        `the panel of ${name} begins where its control begins`,
        () => boxesOf(visitor, name),
        (boxes) => {
          const { panel, control } = boxes;
          const away = direction === 'ltr' ? panel.left - control.left : panel.right - control.right;
          // Where there is no room, it moves back onto the screen.
          const isMoved =
            direction === 'ltr'
              ? panel.right > width - 12 || control.left < 8
              : panel.left < 12 || control.right > width - 8;
          return isOnScreen(boxes, width) && isBelow(boxes) && (Math.abs(away) < 2 || isMoved);
        },
      );
      await visitor.page.keyboard.press('Escape');
      await seeNoPanel(visitor);
    }
    expect(visitor.faults()).toEqual([]);
    await visitor.close();
  });

  test('a panel opens above where there is no room below, and stays with its control when either changes', async () => {
    const visitor = await plainVisitor(1440);
    await visitor.page.$eval('main', (main) => {
      main.style.paddingBlock = '420px 800px';
    });
    await visitor.press('combobox', 'Tags');
    const seeAbove = (what: string, also: (boxes: Boxes) => boolean = () => true) =>
      waitUntil(
        what,
        () => boxesOf(visitor, 'Tags'),
        (boxes) => isAbove(boxes) && also(boxes),
      );
    const { panel: whole, control } = await seeAbove('the panel is above');
    await visitor.page.keyboard.type('refund');
    await seeAbove('a shorter panel is next to its control', ({ panel }) => panel.height < whole.height);
    await visitor.page.evaluate(() => scrollBy(0, 40));
    await seeAbove('it has followed its control', (boxes) => boxes.control.top === control.top - 40);
    await visitor.page.evaluate(() => scrollBy(0, 300));
    await waitUntil('it has gone below', () => boxesOf(visitor, 'Tags'), isBelow);
    await visitor.close();
  });
});

describe('a sortable list', () => {
  const shown = ({ page }: Visitor) =>
    page.$$eval('.sortable > li > span:not([class])', (all) => all.map((one) => one.textContent));
  const seeOrder = async (visitor: Visitor, ...names: string[]) => {
    await seeState(visitor, 5, names);
    expect(await shown(visitor)).toEqual(names);
  };
  const handle = (name: string) => `Order of ${name}`;

  test('is ordered with Alt and the arrows, keeps the focus, and takes it back', async () => {
    await onThePage(async (visitor) => {
      await (await visitor.find('button', handle('Returns'))).focus();
      expect(await violations(visitor)).toEqual([]);
      await visitor.page.keyboard.down('Alt');
      await keys(visitor, 'ArrowUp', 'ArrowUp', 'ArrowUp');
      await visitor.page.keyboard.up('Alt');
      await seeOrder(visitor, 'Returns', 'Billing', 'Shipping');
      await seeFocus(visitor, handle('Returns'));
      await visitor.press('button', 'Take back');
      await seeOrder(visitor, 'Billing', 'Shipping', 'Returns');
    });
  });

  test('is ordered step by step', async () => {
    await onThePage(async (visitor) => {
      await (await visitor.find('button', handle('Billing'))).focus();
      await visitor.press('button', 'Move Billing down');
      await seeOrder(visitor, 'Shipping', 'Billing', 'Returns');
      await seeFocus(visitor, handle('Billing'));
    });
  });

  test('is ordered by drag, as it is shown', async () => {
    await onThePage(async (visitor) => {
      const place = async (name: string) => {
        const found = await (await visitor.find('button', handle(name))).boundingBox();
        return { x: found!.x + found!.width / 2, y: found!.y + found!.height / 2 };
      };
      const [from, to] = [await place('Billing'), await place('Returns')];
      await visitor.page.mouse.move(from.x, from.y);
      await visitor.page.mouse.down();
      await visitor.page.mouse.move(to.x, to.y + 10, { steps: 5 });
      await drawn(visitor);
      expect(await shown(visitor)).toEqual(['Shipping', 'Returns', 'Billing']);
      await seeState(visitor, 5, ['Billing', 'Shipping', 'Returns']);
      await visitor.page.mouse.up();
      await seeOrder(visitor, 'Shipping', 'Returns', 'Billing');
    });
  });
});
