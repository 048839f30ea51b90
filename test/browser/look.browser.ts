// The profile by keyboard, the theme that someone chose, and pages over plain http.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Chromium, startChromium, startedTogether, type Visitor } from './browser.ts';
import { type BrowserDesk, startDesk } from './desk.ts';
import { makeOwner, openProfile, setUp, signInAs } from './owner.ts';
import { t } from './texts.ts';

let chromium: Chromium;
let desk: BrowserDesk;
beforeAll(async () => {
  [chromium, desk] = await startedTogether(startChromium(), startDesk());
  await makeOwner(desk);
});
afterAll(async () => {
  await chromium.close();
  await desk.close();
});

async function signedIn(visitor: Visitor): Promise<void> {
  await signInAs(visitor, desk);
  await openProfile(visitor, desk);
}

test('every control of the profile is reached with Tab, in order, and shows its focus', async () => {
  const visitor = await chromium.visitor();
  await signedIn(visitor);
  const reached: string[] = [];
  for (let presses = 0; presses < 200; presses += 1) {
    await visitor.page.keyboard.press('Tab');
    const focused = await visitor.page.evaluate(() => {
      const element = document.activeElement;
      if (element === null || element === document.body) return null;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
      return {
        name: `${element.tagName} ${element.id} ${name.slice(0, 40)}`,
        isSeen: outlineStyle !== 'none' && outlineWidth !== '0px',
      };
    });
    if (focused === null) break;
    expect(focused.isSeen, focused.name).toBe(true);
    reached.push(focused.name);
  }
  const controls = await visitor.page.$$eval(
    'a, button, input:not([hidden]), select, textarea',
    (all) => all.filter((control) => control.checkVisibility()).length,
  );
  expect(reached.length).toBe(controls);
  expect(reached[0]).toContain('Skip to the content');
  await visitor.close();
});

test('a theme is chosen once, for every page and without a flash', async () => {
  const visitor = await chromium.visitor({ theme: 'light' });
  await signedIn(visitor);
  await visitor.page.select(await selectorOfField(visitor, t.theme), 'dark');
  await visitor.see(t.saved);
  expect(await visitor.page.$eval('html', (html) => html.dataset.theme)).toBe('dark');
  await visitor.page.goto(`${desk.url}/sign-in`, { waitUntil: 'domcontentloaded' });
  expect(await visitor.page.$eval('html', (html) => html.dataset.theme)).toBe('dark');
  await visitor.page.goto(`${desk.url}/profile`);
  await visitor.page.select(await selectorOfField(visitor, t.theme), 'system');
  await visitor.see(t.saved);
  await visitor.close();
});

async function selectorOfField(visitor: Visitor, name: string): Promise<string> {
  const field = await visitor.find('combobox', name);
  return `#${await field.evaluate(({ id }) => id)}`;
}

test('over plain http in a network, the pages say what browsers do not allow there', async () => {
  const lan = await startDesk('desk.test');
  const local = await startChromium({ 'desk.test': '127.0.0.1' });
  const visitor = await local.visitor();
  await setUp(visitor, lan);
  await visitor.see(t.insecurePasskeys);
  expect(await visitor.isThere('button', t.addPasskey)).toBe(false);
  expect(visitor.faults()).toEqual([]);
  await local.close();
  await lan.close();
});
