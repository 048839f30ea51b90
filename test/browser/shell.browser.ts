// The frame of the console: rail and views, palette, shortcuts, undo, sites, customers, and pages that there are not.

import { describe, expect, test } from 'bun:test';
import { isolated } from '../../src/web/shared/bidi.ts';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import { intercept, type Visitor } from './browser.ts';
import { type BrowserDesk, startDesk } from './desk.ts';
import { makeOwner, owner, signInAs } from './owner.ts';
import { t } from './texts.ts';
import { waitUntil } from './wait.ts';

let desk: BrowserDesk;
let visitor: Visitor;
let siteToken = '';
visitForEachTest({
  async open() {
    desk = await startDesk();
    await makeOwner(desk);
    siteToken = (await desk.command('site', 'create', '--name', 'Demo shop')).site_token;
    await desk.command('site', 'create', '--name', 'Other shop');
    await openTicket('Where is my parcel?', 'Mia Jansen', 'mia@example.org');
    await openTicket('A second question', 'Tom Whitaker', 'tom@example.org');
    return desk;
  },
  async come(each) {
    visitor = each;
    await signInAs(visitor, desk);
  },
});

async function openTicket(subject: string, name: string, email: string): Promise<string> {
  const response = await fetch(`${desk.url}/api/v1/public/tickets`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Site-Token': siteToken },
    body: JSON.stringify({ subject, message: 'Please help.', name, email }),
  });
  const answer = (await response.json()) as { ticket: { ulid: string } };
  if (response.status !== 201) throw new Error(JSON.stringify(answer));
  return answer.ticket.ulid;
}

/** A call of the page itself, with its session. */
const call = (method: string, path: string, body?: object): Promise<number> =>
  visitor.page.evaluate(
    async (how, where, what) => {
      const init =
        what === undefined ? {} : { body: JSON.stringify(what), headers: { 'Content-Type': 'application/json' } };
      return (await fetch(`/api/v1${where}`, { method: how, ...init })).status;
    },
    method,
    path,
    body,
  );

const keys = async (...pressed: string[]) => {
  for (const key of pressed) await visitor.page.keyboard.press(key as 'a');
};

async function withControl(key: string): Promise<void> {
  await visitor.page.keyboard.down('Control');
  await visitor.page.keyboard.press(key as 'k');
  await visitor.page.keyboard.up('Control');
}

describe('the rail', () => {
  test('leads to each view, marks the open one, and Back goes back', async () => {
    await visitor.press('link', t.viewAll);
    await visitor.at('/inbox/all');
    const current = () => visitor.page.$eval('.rail [aria-current="page"]', (link) => link.textContent);
    await waitUntil('All is marked', async () => (await current())?.includes(t.viewAll));
    await visitor.page.goBack();
    await visitor.at('/inbox/mine');
    await waitUntil('Mine is marked', async () => (await current())?.includes(t.viewMine));
  });

  test('counts a new ticket without a reload', async () => {
    const countOf = () =>
      visitor.page.$eval('a[href="/inbox/all"] .rail-count', (element) => Number(element.textContent));
    await visitor.page.waitForSelector('a[href="/inbox/all"] .rail-count');
    const before = await countOf();
    await openTicket('One more', 'Ada Lund', 'ada@example.org');
    await visitor.page.waitForFunction(
      (least) => Number(document.querySelector('a[href="/inbox/all"] .rail-count')?.textContent) > least,
      {},
      before,
    );
  });

  test('has saved views that are renamed, shared, moved, deleted and taken back', async () => {
    for (const name of ['First', 'Second'])
      expect(await call('POST', '/views', { name, filter: { status: ['open'] } })).toBe(201);
    await visitor.page.reload();
    const names = () =>
      visitor.page.$$eval('.saved-view .rail-name', (all) => all.map((name) => name.textContent ?? ''));
    await visitor.press('button', t.viewMenu('First'));
    await visitor.press('menuitem', t.renameView);
    await visitor.fill(t.name, 'Parcels');
    await visitor.press('button', t.save);
    await visitor.find('link', 'Parcels');
    await visitor.press('button', t.viewMenu('Parcels'));
    await visitor.press('menuitem', t.moveDown);
    await visitor.page.waitForFunction(
      () => document.querySelectorAll('.saved-view .rail-name')[1]?.textContent === 'Parcels',
    );
    await visitor.press('button', t.viewMenu('Parcels'));
    await visitor.press('menuitem', t.shareView);
    await visitor.see(t.viewIsShared('Parcels'));
    await visitor.press('button', t.viewMenu('Second'));
    await visitor.press('menuitem', t.deleteView);
    await visitor.see(t.viewDeleted('Second'));
    await waitUntil('one is left', names, (left) => left.join() === 'Parcels');
    await withControl('z');
    await visitor.find('link', 'Second');
    await visitor.page.waitForFunction(
      () => document.querySelectorAll('.saved-view .rail-name')[0]?.textContent === 'Second',
    );
    await visitor.page.reload();
    await waitUntil('both are back', names, (all) => all.join() === 'Second,Parcels');
  });

  test('remembers the chosen site', async () => {
    await visitor.press('button', t.siteIs(t.allSites));
    await visitor.press('menuitemradio', 'Other shop');
    await visitor.find('button', t.siteIs('Other shop'));
    await visitor.page.reload();
    await visitor.find('button', t.siteIs('Other shop'));
    await visitor.page.waitForFunction(() => document.querySelector('a[href="/inbox/all"] .rail-count') === null);
  });

  test('tells saved views apart where there is no room for their names', async () => {
    for (const name of ['Refunds', 'Important people'])
      expect(await call('POST', '/views', { name, filter: { status: ['open'] } })).toBe(201);
    await visitor.page.setViewport({ width: 768, height: 900 });
    await visitor.page.reload();
    await visitor.find('link', 'Refunds');
    const marks = () =>
      visitor.page.$$eval('.saved-view .view-mark', (all) =>
        all
          .filter((mark) => mark.getBoundingClientRect().width > 0)
          .map((mark) => getComputedStyle(mark, '::before').content),
      );
    await waitUntil('both are marked', async () => {
      const shown = await marks();
      return shown.includes('"Re"') && shown.includes('"IP"');
    });
    expect(await violations(visitor)).toEqual([]);
  });

  test('comes in from the side on a phone', async () => {
    await visitor.page.setViewport({ width: 360, height: 740 });
    await visitor.press('button', t.openMenu);
    await visitor.press('link', t.customersPage);
    await visitor.at('/customers');
    await visitor.page.waitForFunction(() => document.querySelector('dialog[open]') === null);
  });
});

describe('by keyboard', () => {
  test('g and a letter go to a view, and a letter in a field is only a letter', async () => {
    await keys('g', 'a');
    await visitor.at('/inbox/all');
    await keys('/');
    await visitor.focusOn('type', 'search');
    await keys('g', 'u', '?');
    expect(await visitor.page.$eval('input[type=search]', (input) => (input as HTMLInputElement).value)).toBe('gu?');
    await visitor.at('/inbox/all');
    await keys('Escape', 'Escape', 'g', 'u');
    await visitor.at('/inbox/unassigned');
    for (const [key, path] of [
      ['i', '/inbox/mentions'],
      ['f', '/inbox/drafts'],
      ['z', '/inbox/snoozed'],
      ['e', '/inbox/resolved'],
      ['h', '/inbox/held-mail'],
      ['c', '/customers'],
      ['r', '/reports'],
    ] as const) {
      await keys('g', key);
      await visitor.at(path);
    }
    // Also of a page whose code has to be loaded, the content has the focus: Tab goes on from there.
    await visitor.page.waitForSelector('main.reports');
    await visitor.focusOn('id', 'content');
  });

  test('? lists the shortcuts, Escape closes the list, and the profile turns them off', async () => {
    await keys('?');
    await visitor.find('dialog', t.keyboardShortcuts);
    await visitor.see(t.keysAnywhere);
    expect(await violations(visitor)).toEqual([]);
    await keys('Escape');
    await visitor.page.waitForFunction(() => document.querySelector('dialog[open]') === null);
    await visitor.open(`${desk.url}/profile`);
    await visitor.press('checkbox', t.shortcuts);
    await visitor.see(t.saved);
    await visitor.page.$eval('h1', (heading) => heading.click());
    await keys('g', 'a', '?');
    expect(await visitor.isThere('dialog', t.keyboardShortcuts)).toBe(false);
    await visitor.at('/profile');
    await withControl('k');
    await visitor.find('dialog', t.commandPalette);
    await keys('Escape');
    await visitor.press('checkbox', t.shortcuts);
    await visitor.page.waitForFunction(() => document.querySelector<HTMLInputElement>('.switch-field input')?.checked);
  });

  test('the palette finds commands, tickets by number, words and address', async () => {
    const ulid = await openTicket('A very unusual bicycle', 'Zoe Quist', 'zoe@example.org');
    await withControl('k');
    await visitor.find('dialog', t.commandPalette);
    await visitor.focusOn('role', 'combobox');
    expect(await violations(visitor)).toEqual([]);
    await visitor.page.keyboard.type('breach');
    await visitor.find('option', `${t.goTo(t.viewBreached)} G then B`);
    await keys('Enter');
    await visitor.at('/inbox/breached');
    for (const words of ['unusual bicycle', 'zoe@example.org']) {
      await withControl('k');
      await visitor.focusOn('role', 'combobox');
      await visitor.page.keyboard.type(words);
      await visitor.page.waitForSelector('.palette-entry[aria-selected="true"] ::-p-text(A very unusual bicycle)');
      await keys('Enter');
      await visitor.at(`/tickets/${ulid}`);
      await visitor.open(`${desk.url}/inbox/all`);
    }
    await withControl('k');
    await visitor.focusOn('role', 'combobox');
    await visitor.page.keyboard.type('Zoe Quist');
    const person = await visitor.page.waitForSelector(
      '.palette-entry[aria-selected="true"] ::-p-text(zoe@example.org)',
    );
    await person?.click();
    await visitor.find('heading', 'Zoe Quist');
    expect(new URL(visitor.page.url()).pathname).toStartWith('/customers/');
    await visitor.open(`${desk.url}/inbox/all`);
    await withControl('k');
    await visitor.focusOn('role', 'combobox');
    await visitor.page.keyboard.type('#1');
    await visitor.page.waitForSelector('.palette-entry ::-p-text(Where is my parcel?)');
    await visitor.page.keyboard.type('99999');
    await visitor.see(t.paletteNothing(isolated('#199999')));
    await keys('Escape');
  });
});

test('the palette runs a macro in the open ticket', async () => {
  const ulid = await openTicket('Please confirm', 'Ivo Brand', 'ivo@example.org');
  expect(await call('POST', '/macros', { name: 'Thanks', body: 'Thank you, {{author.name}}.' })).toBe(201);
  await visitor.open(`${desk.url}/tickets/${ulid}`);
  await visitor.find('textbox', 'Reply');
  await withControl('k');
  await visitor.focusOn('role', 'combobox');
  await visitor.page.keyboard.type('thanks');
  await visitor.page.waitForSelector('.palette-entry[aria-selected="true"] ::-p-text(Thanks)');
  await keys('Enter');
  await visitor.page.waitForFunction(
    () => document.querySelector<HTMLTextAreaElement>('.composer-text')?.value === 'Thank you, Ivo Brand.',
  );
});

test('an agent who must add a second factor sees only the profile, and can leave', async () => {
  // 401: the stream may connect again while the agent leaves.
  visitor.expectStatus(401, 403);
  expect(await call('PATCH', '/desk', { require_second_factor: 'everyone' })).toBe(200);
  try {
    await visitor.open(`${desk.url}/inbox/all`);
    await visitor.find('heading', t.profile);
    await visitor.see(t.mustAddFactor);
    expect(await visitor.isThere('navigation', t.views)).toBe(false);
    expect(await violations(visitor)).toEqual([]);
    await visitor.press('button', t.signOut);
    await visitor.at('/sign-in');
  } finally {
    desk.sql("UPDATE desk_settings SET require_second_factor = 'off'");
  }
});

test('an address without a page says so inside the shell, as does a ticket that is not there', async () => {
  visitor.expectStatus(404);
  for (const path of ['/settings/nothing', '/tickets/01K4VJ8Q4N7RM2ZC6B0T3XWYDE', '/customers/999', '/inbox/mine']) {
    await visitor.open(desk.url + path);
    await visitor.find('navigation', t.views);
    if (path === '/inbox/mine') expect(await visitor.isThere('heading', t.notFound)).toBe(false);
    else await visitor.find('heading', t.notFound);
  }
});

test('a console that asks too much is told to wait, and not that the desk is silent', async () => {
  const { page } = visitor;
  visitor.expectStatus(429);
  await intercept(page, (request) =>
    new URL(request.url()).pathname === '/api/v1/session'
      ? void request.respond({
          status: 429,
          headers: { 'Retry-After': '24' },
          contentType: 'application/json',
          body: '{"message":"Too many requests.","code":"rate_limited","request_id":"r"}',
        })
      : void request.continue(),
  );
  await page.goto(`${desk.url}/inbox/open`);
  await visitor.find('heading', t.partMissing);
  expect(await page.evaluate(() => document.body.innerText)).not.toContain(t.deskUnavailable);
});

test('before the list, Chromium fetches at most 52,000 bytes of scripts', async () => {
  const { page } = visitor;
  await openTicket('The first row', 'Ida Berg', 'ida@example.org');
  await page.evaluateOnNewDocument(() => {
    const look = new MutationObserver(() => {
      if (document.querySelector('.ticket-row a') === null) return;
      look.disconnect();
      performance.mark('first-row');
    });
    look.observe(document, { childList: true, subtree: true });
  });
  await page.goto(`${desk.url}/inbox/all`);
  // It comes after the list.
  await page.waitForSelector('.agent-menu');
  const { before, after } = await page.evaluate(() => {
    const [row] = performance.getEntriesByName('first-row');
    const scripts = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(({ name }) =>
      name.endsWith('.js'),
    );
    const sizeOf = (some: PerformanceResourceTiming[]) => some.reduce((sum, one) => sum + one.encodedBodySize, 0);
    const isBefore = ({ startTime }: PerformanceResourceTiming) => startTime < (row?.startTime ?? 0);
    return { before: sizeOf(scripts.filter(isBefore)), after: sizeOf(scripts.filter((one) => !isBefore(one))) };
  });
  expect(before).toBeGreaterThan(20_000);
  expect(before).toBeLessThanOrEqual(52_000);
  expect(after).toBeGreaterThan(0);
});

test('a page that breaks leaves the rail, and names a request', async () => {
  await intercept(visitor.page, (request) => {
    if (!request.url().includes('/api/v1/customers?')) return void request.continue();
    return void request.respond({
      status: 200,
      contentType: 'application/json',
      headers: { 'X-Request-Id': 'made-up-request' },
      body: JSON.stringify({ data: 'no list', meta: { total: 1, current_page: 1, last_page: 1 } }),
    });
  });
  await visitor.press('link', t.customersPage);
  await visitor.find('heading', t.brokenTitle);
  await visitor.see('made-up-request');
  expect(visitor.faults().length).toBeGreaterThan(0);
  await visitor.press('link', t.viewAll);
  await visitor.at('/inbox/all');
  expect(await visitor.isThere('heading', t.brokenTitle)).toBe(false);
});

test('customers are found, and shown with their tickets', async () => {
  await visitor.press('link', t.customersPage);
  await visitor.find('link', 'Tom Whitaker');
  await visitor.fill(t.findCustomer, 'mia');
  await visitor.page.waitForFunction(() => !document.body.innerText.includes('Tom Whitaker'));
  expect(new URL(visitor.page.url()).search).toBe('?q=mia');
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('link', 'Mia Jansen');
  await visitor.find('heading', 'Mia Jansen');
  await visitor.see('Where is my parcel?');
  expect(await violations(visitor)).toEqual([]);
  await visitor.page.goBack();
  await visitor.see(t.customerCount('1'));
  await visitor.fill(t.findCustomer, 'unknown person');
  await visitor.see(t.noCustomerFits);
});

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test('the shell has no faults on a phone, a desktop and a very wide screen', async () => {
    await visitor.press('button', t.agentMenu(owner.name));
    await visitor.press('menuitemradio', theme === 'dark' ? t.useDarkTheme : t.useLightTheme);
    await visitor.page.waitForFunction((wanted) => document.documentElement.dataset.theme === wanted, {}, theme);
    for (const path of ['/customers', '/profile', '/inbox/held-mail']) {
      await visitor.open(desk.url + path);
      await visitor.find('heading', await visitor.page.$eval('h1', (heading) => heading.textContent ?? ''));
      for (const width of [360, 900, 1440, 3840]) {
        await visitor.page.setViewport({ width, height: 900 });
        const beyond = () => visitor.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        await waitUntil(`nothing is beyond ${width} px on ${path}`, beyond, (wide) => wide <= 0);
        expect(await violations(visitor), `${path} at ${width} px`).toEqual([]);
      }
    }
  });
});
