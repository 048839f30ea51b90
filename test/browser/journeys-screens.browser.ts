// Every screen of the console with the demo data: in each language of `languages.ts`, from a phone to a desktop, in both directions and themes, and by keyboard alone.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { violations } from './axe.ts';
import { type Chromium, drawn, startChromium, type Visitor } from './browser.ts';
import { cutOff } from './cut-off.ts';
import { type BrowserDesk, startDesk } from './desk.ts';
import { keys, seeWritten, textOf } from './journey.ts';
import { languages } from './languages.ts';
import { signInAs } from './owner.ts';
import { t } from './texts.ts';
import { waitUntil } from './wait.ts';

let chromium: Chromium;
let desk: BrowserDesk;
let visitor: Visitor;
/** The longest conversation of the demo, and who began it. */
let ticket = '';
let customer = 0;

beforeAll(async () => {
  chromium = await startChromium();
  desk = await startDesk('localhost', {}, ['--demo']);
  const { data } = await desk.command('ticket', 'list');
  const [longest] = data.sort((one: Row, other: Row) => other.message_count - one.message_count);
  ticket = longest.ulid;
  customer = longest.author.id;
});
afterEach(async () => {
  const faults = visitor.faults();
  await visitor.close();
  expect(faults).toEqual([]);
});
afterAll(async () => {
  await chromium.close();
  await desk.close();
});

interface Row {
  ulid: string;
  message_count: number;
  author: { id: number };
}

async function signIn(options: Parameters<Chromium['visitor']>[0] = {}): Promise<void> {
  visitor = await chromium.visitor(options);
  await signInAs(visitor, desk);
}

/** Each screen with what is on it when it is complete. */
const screens: [name: string, path: () => string, complete: string][] = [
  ['a list', () => '/inbox/all', '.ticket-row .row-subject'],
  ['an empty list', () => '/inbox/all?tag=nothing-has-this', '.list-page h2, .page-note, .empty'],
  ['a search', () => '/search?q=the', '.ticket-row .row-subject'],
  ['a wrong search', () => '/search?q=status:opne', '.search-problems, .search-problem'],
  ['a ticket', () => `/tickets/${ticket}`, '.thread .message'],
  ['held mail', () => '/inbox/held-mail', 'main h1'],
  ['customers', () => '/customers', 'main a[href^="/customers/"]'],
  ['a customer', () => `/customers/${customer}`, 'main a[href^="/tickets/"]'],
  ['the profile', () => '/profile', 'main h2'],
  ['nothing', () => '/settings/nothing', 'main h1'],
];

async function show(path: string, complete: string): Promise<void> {
  await visitor.page.goto(desk.url + path);
  await visitor.page.waitForSelector(complete);
}

/** What stands over a screen, and the key or the button that opens it. */
const overlays: [name: string, path: () => string, complete: string, open: () => Promise<void>, isOpen: string][] = [
  ['selected rows', () => '/inbox/all', '.ticket-row .row-subject', () => keys(visitor, 'x'), '.bulk-bar'],
  [
    'tags of rows',
    () => '/inbox/all',
    '.ticket-row .row-subject',
    () => keys(visitor, 't'),
    'dialog[open] .ticket-picker',
  ],
  ['shortcuts', () => '/inbox/all', '.ticket-row .row-subject', () => keys(visitor, '?'), 'dialog[open] h2'],
  [
    'ways to send',
    () => `/tickets/${ticket}`,
    '.composer-text',
    async () => {
      // The composer shows its buttons when it is used.
      await visitor.page.focus('.composer-text');
      await visitor.page.waitForSelector('.split-more', { visible: true });
      await visitor.page.click('.split-more');
    },
    ':popover-open',
  ],
  ['snooze', () => `/tickets/${ticket}`, '.composer-text', () => keys(visitor, 'z'), ':popover-open'],
];

const sides = [360, 720, 1440].flatMap((width) => (['ltr', 'rtl'] as const).map((direction) => ({ width, direction })));

async function turn({ width, direction }: (typeof sides)[number]): Promise<void> {
  await visitor.page.setViewport({ width, height: 800 });
  await visitor.page.$eval('html', (html, value) => html.setAttribute('dir', value), direction);
  // The page may show other parts at this width.
  await drawn(visitor);
}

describe.each(languages)('in %s', (language) => {
  test('nothing is cut off on any screen, on a phone, at 200 % zoom and on a desktop, from either side', async () => {
    await signIn({ language });
    const look = (name: string, { width, direction }: (typeof sides)[number]) => {
      const find = () => visitor.page.evaluate(cutOff);
      return waitUntil(`nothing is cut off: ${name}, ${width} px, ${direction}`, find, ({ length }) => length === 0);
    };
    for (const [name, path, complete] of screens) {
      await show(path(), complete);
      expect(await visitor.page.$eval('html', ({ lang }) => lang)).toBe(language.slice(0, 2));
      for (const side of sides) {
        await turn(side);
        await look(name, side);
      }
    }
    for (const [name, path, complete, open, isOpen] of overlays)
      for (const side of sides.filter(({ width }) => width === 360)) {
        await turn(side);
        await show(path(), complete);
        await turn(side);
        await open();
        await visitor.page.waitForSelector(isOpen, { visible: true });
        await look(name, side);
      }
  });
});

describe.each([
  ['light', 1440],
  ['dark', 1440],
  ['light', 360],
  ['dark', 360],
] as const)('in the %s theme at %d px', (theme, width) => {
  test('axe finds nothing on any screen, nor in what opens over it', async () => {
    await signIn({ theme, width, height: 800 });
    const found: string[] = [];
    const look = async (name: string) => {
      for (const what of await violations(visitor)) found.push(`${name}: ${what}`);
    };
    for (const [name, path, complete] of screens) {
      await show(path(), complete);
      expect(await visitor.page.$eval('html', (html) => html.dataset.theme)).toBe(theme);
      await look(name);
    }
    await show('/inbox/all', '.ticket-row .row-subject');
    await keys(visitor, 'x');
    await visitor.see(t.someSelected('1'));
    await look('selected rows');
    await keys(visitor, 'Control+k');
    await visitor.find('dialog', t.commandPalette);
    await look('the palette');
    await keys(visitor, 'Escape');
    await visitor.page.waitForFunction(() => document.querySelector('dialog[open]') === null);
    // The browser tells the page later that a dialog was closed.
    await visitor.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
    await keys(visitor, '?');
    await visitor.find('dialog', t.keyboardShortcuts);
    await look('the shortcuts');
    expect(found).toEqual([]);
  });
});

test('what is cut off is found', async () => {
  await signIn({ width: 360, height: 800 });
  await show('/customers', 'main a[href^="/customers/"]');
  await visitor.page.$eval('main', (main) => {
    const button = document.createElement('button');
    button.textContent = 'narrowDonaudampfschifffahrt';
    button.style.width = '30px';
    button.style.overflow = 'hidden';
    main.append(button);
  });
  const found = (await visitor.page.evaluate(cutOff)).join('\n');
  expect(found).toContain('narrowDonaudampfschifffahrt: ');
});

test('without a mouse: from the rail into a ticket, an answer, a status, and back out', async () => {
  await signIn();
  /** Tab until the element with the focus fits. */
  const tabTo = async (selector: string) => {
    for (let presses = 0; presses < 120; presses += 1) {
      const isThere = (wanted: string) => document.activeElement?.matches(wanted) === true;
      if (await visitor.page.evaluate(isThere, selector)) return;
      await keys(visitor, 'Tab');
    }
    throw new Error(`Tab does not reach ${selector}.`);
  };
  const isFocusSeen = () =>
    visitor.page.evaluate(() => {
      const element = document.activeElement ?? document.body;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return element.matches(':focus-visible') && outlineStyle !== 'none' && outlineWidth !== '0px';
    });
  await tabTo('.rail a[href="/inbox/all"]');
  expect(await isFocusSeen()).toBe(true);
  await keys(visitor, 'Enter');
  await visitor.at('/inbox/all');
  await visitor.page.waitForSelector('.ticket-row .row-subject');
  await tabTo('[role="grid"], [role="grid"] *');
  await keys(visitor, 'ArrowDown', 'Enter');
  await visitor.find('log', t.conversation);
  await visitor.find('textbox', t.reply);
  await tabTo('.composer-text');
  await visitor.page.keyboard.type('Written without a mouse');
  await seeWritten(visitor, 'Written without a mouse');
  await keys(visitor, 'Escape');
  await keys(visitor, 's');
  await visitor.page.waitForSelector('[role="listbox"] [role="option"]');
  await visitor.page.keyboard.type(t.statusPending);
  await keys(visitor, 'Enter');
  await waitUntil('it is pending', async () =>
    (await textOf(visitor, '[role=combobox][aria-label=Status]')).includes(t.statusPending),
  );
  await visitor.see(t.draftSaved);
  await keys(visitor, 'u');
  await visitor.at('/inbox/all');
  await keys(visitor, 'Control+k');
  await visitor.focusOn('role', 'combobox');
  await visitor.page.keyboard.type(t.profile);
  await visitor.page.waitForSelector('.palette-entry[aria-selected="true"]');
  await keys(visitor, 'Enter');
  await visitor.at('/profile');
});
