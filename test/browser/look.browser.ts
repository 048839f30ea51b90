// Every page in each language of `languages.ts`, at every width, in both themes and in both directions: nothing cut off, nothing that axe finds.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { violations } from './axe.ts';
import { type Chromium, startChromium, startedTogether, type Visitor } from './browser.ts';
import { cutOff } from './cut-off.ts';
import { type BrowserDesk, startDesk } from './desk.ts';
import { languages } from './languages.ts';
import { makeOwner, openProfile, setUp, setupLink, signInAs } from './owner.ts';
import { t } from './texts.ts';
import { waitUntil } from './wait.ts';

let chromium: Chromium;
let desk: BrowserDesk;
let setup: string;
let invitation: string;
beforeAll(async () => {
  [chromium, desk] = await startedTogether(startChromium(), startDesk());
  setup = setupLink(desk);
  await makeOwner(desk);
  await desk.command('site', 'create', '--name', 'Web shop');
  const invited = await desk.command(
    'agent',
    'invite',
    '--email',
    'kim@demo-shop.example',
    '--name',
    'Kim',
    '--role',
    'viewer',
  );
  invitation = invited.invitation_url;
});
afterAll(async () => {
  await chromium.close();
  await desk.close();
});

// No two with the same path in a row: the browser would only change what stands after the #.
const pages: [name: string, path: () => string][] = [
  ['sign-in', () => `${desk.url}/sign-in`],
  ['a new password', () => `${desk.url}/reset#token`],
  ['setup', () => setup],
  ['invitation', () => invitation],
  ['asking for a new password', () => `${desk.url}/reset`],
  ['a dead link', () => `${desk.url}/invitation`],
  ['a given consent', () => `${desk.url}/mailbox-consent?result=connected&mailbox=1&site_id=1`],
  ['a refused consent', () => `${desk.url}/mailbox-consent?result=refused`],
  ['a new ticket', () => `${desk.url}/tickets/new`],
  ['settings', () => `${desk.url}/settings/mailboxes`],
  ['a new mailbox', () => `${desk.url}/settings/mailboxes/new`],
  ['blocked and allowed senders', () => `${desk.url}/settings/senders`],
  ['people', () => `${desk.url}/settings/people`],
  ['an invitation for someone', () => `${desk.url}/settings/people/new`],
  ['a person', () => `${desk.url}/settings/people/1`],
  ['tokens', () => `${desk.url}/settings/tokens`],
  ['teams', () => `${desk.url}/settings/teams/new`],
  ['a new token', () => `${desk.url}/settings/tokens/new`],
  ['the desk and sign-in', () => `${desk.url}/settings/sign-in`],
  ['notifications of the desk', () => `${desk.url}/settings/notifications`],
  ['the system', () => `${desk.url}/settings/system`],
  ['the environment', () => `${desk.url}/settings/environment`],
  ['audit', () => `${desk.url}/settings/audit`],
  ['a mail app', () => `${desk.url}/settings/mail-apps/microsoft`],
  ['a report without numbers', () => `${desk.url}/reports`],
  ['profile', () => `${desk.url}/profile`],
];

async function signedIn(visitor: Visitor): Promise<void> {
  await signInAs(visitor, desk);
  await openProfile(visitor, desk);
}

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test('axe finds nothing on any page, nor in any dialog', async () => {
    const visitor = await chromium.visitor({ theme });
    await signedIn(visitor);
    for (const [name, path] of pages) {
      await visitor.open(path());
      await visitor.find('heading', await visitor.page.$eval('h1', (heading) => heading.textContent ?? ''));
      await visitor.page.waitForSelector(`html[data-theme=${theme}]`);
      expect(await violations(visitor), name).toEqual([]);
    }
    await visitor.press('button', t.changePassword);
    await visitor.press('button', t.savePassword);
    await visitor.see(t.required);
    expect(await violations(visitor), 'a dialog with errors').toEqual([]);
    expect(visitor.faults()).toEqual([]);
    await visitor.close();
  });
});

describe.each(languages)('in %s', (language) => {
  test('nothing is cut off on a phone, at 200 % zoom and on a desktop', async () => {
    const visitor = await chromium.visitor({ language });
    await signedIn(visitor);
    for (const [name, path] of pages) {
      await visitor.open(path());
      await visitor.page.waitForSelector('h1');
      expect(await visitor.page.$eval('html', ({ lang }) => lang)).toBe(language.slice(0, 2));
      for (const width of [360, 720, 1440]) {
        const look = (side: string) =>
          waitUntil(
            `nothing is cut off: ${name}, ${width} px, ${side}`,
            () => visitor.page.evaluate(cutOff),
            ({ length }) => length === 0,
          );
        await visitor.page.setViewport({ width, height: 800 });
        await look('ltr');
        await visitor.page.$eval('html', (html) => html.setAttribute('dir', 'rtl'));
        await look('rtl');
        await visitor.page.$eval('html', (html) => html.removeAttribute('dir'));
      }
    }
    expect(visitor.faults()).toEqual([]);
    await visitor.close();
  });
});

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
