// The list of tickets: keys, filters, search, changes of many, and what others do meanwhile.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { violations } from './axe.ts';
import { type Chromium, startChromium, startedTogether, type Visitor } from './browser.ts';
import { type BrowserDesk, startDesk } from './desk.ts';
import { keepNotes } from './journey.ts';
import { makeOwner, owner, signInAs } from './owner.ts';
import { t } from './texts.ts';
import { waitUntil } from './wait.ts';

let chromium: Chromium;
let desk: BrowserDesk;
let siteToken = '';
let visitor: Visitor;
beforeAll(async () => {
  [chromium, desk] = await startedTogether(
    startChromium(),
    startDesk('localhost', { HELPDESK_RATE_INGEST_CALLER: '0', HELPDESK_RATE_INGEST_SITE: '0' }),
  );
  await makeOwner(desk);
  siteToken = (await desk.command('site', 'create', '--name', 'Demo shop')).site_token;
  await desk.command('macro', 'create', '--name', 'Waiting for parts', '--body', '', '--add-tags', 'parts');
  for (let number = 1; number <= 60; number += 1) await open(`Story ${number}`, number % 3 === 0 ? ['vip'] : []);
});
beforeEach(async () => {
  visitor = await chromium.visitor();
  await signInAs(visitor, desk);
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

async function open(subject: string, tags: string[] = [], email = 'mia@example.org'): Promise<string> {
  const response = await fetch(`${desk.url}/api/v1/public/tickets`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Site-Token': siteToken },
    body: JSON.stringify({ email, name: 'Mia Jansen', subject, message: `Words about ${subject}.`, tags }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { ulid: string }).ulid;
}

const goTo = async (path: string) => {
  await visitor.page.goto(desk.url + path, { waitUntil: 'load' });
  await visitor.page.waitForSelector('#content');
};
const press = async (...keys: string[]) => {
  for (const key of keys) await visitor.page.keyboard.press(key as 'a');
};
const subjects = () =>
  visitor.page.$$eval('.ticket-row .row-subject', (all) => all.map((element) => element.textContent ?? ''));
const until = (what: string, look: (given: string) => boolean, given = '') =>
  waitUntil(what, () => visitor.page.evaluate(look, given));
const seeRow = (subject: string) =>
  until(
    `there is a row "${subject}"`,
    (wanted) => [...document.querySelectorAll('.ticket-row')].some((row) => row.ariaLabel?.startsWith(`${wanted},`)),
    subject,
  );
const seeCount = (count: string) =>
  until(
    `the list counts ${count}`,
    (wanted) => document.querySelector('.list-count')?.firstChild?.textContent === wanted,
    count,
  );
const seeActive = (subject: string) =>
  waitUntil(
    `"${subject}" is the row of the keys`,
    () => visitor.page.$eval('.ticket-row.is-active .row-subject', (element) => element.textContent),
    (found) => found === subject,
  );

describe('the keyboard', () => {
  test('moves through the list, opens a ticket and comes back to the same place', async () => {
    await goTo('/inbox/all');
    await seeRow('Story 60');
    await press('j', 'j', 'k');
    await seeActive('Story 59');
    await press('End');
    await seeRow('Story 1');
    await seeActive('Story 1');
    await press('Home', 'j', 'Enter');
    await until('the ticket is open', () => location.pathname.startsWith('/tickets/'));
    await visitor.page.goBack();
    await seeRow('Story 59');
    await seeActive('Story 59');
  });

  test('finds people, statuses and priorities in the palette', async () => {
    await goTo('/inbox/all');
    await seeRow('Story 60');
    await press('j', 'j', 'j');
    await seeActive('Story 57');
    await visitor.page.keyboard.down('Control');
    await press('k');
    await visitor.page.keyboard.up('Control');
    await visitor.focusOn('role', 'combobox');
    await visitor.page.keyboard.type('urgent');
    await visitor.page.waitForSelector('.palette-entry[aria-selected="true"] ::-p-text(Set priority: Urgent)');
    await press('Enter');
    await until('urgent at the row', () =>
      [...document.querySelectorAll('.ticket-row')].some(
        (row) => row.textContent?.includes('Story 57') && row.textContent.includes('Urgent'),
      ),
    );
    await press('Enter');
    await visitor.find('heading', 'Story 57');
    await visitor.page.keyboard.down('Control');
    await press('k');
    await visitor.page.keyboard.up('Control');
    await visitor.focusOn('role', 'combobox');
    await visitor.page.keyboard.type('low');
    await visitor.page.waitForSelector('.palette-entry[aria-selected="true"] ::-p-text(Set priority: Low)');
    await press('Enter');
    await until('low at the open ticket', () =>
      /\bLow\b/.test(document.querySelector<HTMLElement>('.details')?.innerText ?? ''),
    );
  });

  test('asks for what it rests on, not for what a held key passes', async () => {
    await goTo('/inbox/all');
    await seeRow('Story 60');
    await press('Enter');
    await visitor.find('heading', 'Story 60');
    const asked: string[] = [];
    visitor.page.on('request', (request) => {
      if (request.url().includes('/api/v1/')) asked.push(`${request.method()} ${new URL(request.url()).pathname}`);
    });
    const steps = 40;
    await visitor.page.evaluate(async (count) => {
      for (let step = 0; step < count; step += 1) {
        dispatchEvent(new KeyboardEvent('keydown', { key: 'j', repeat: step > 0 }));
        // The page draws the step.
        await new Promise((resolve) => setTimeout(resolve));
      }
    }, steps);
    await visitor.find('heading', `Story ${60 - steps}`);
    await visitor.see(`Words about Story ${60 - steps}.`);
    expect(asked.length).toBeLessThan(steps);
    await seeActive(`Story ${60 - steps}`);
  });

  test('selects rows, and resolves them with a way back', async () => {
    await keepNotes(visitor);
    await goTo('/inbox/open?sort=created_at');
    await seeRow('Story 60');
    await press('x');
    await visitor.page.keyboard.down('Shift');
    await press('j', 'j');
    await visitor.page.keyboard.up('Shift');
    await visitor.see(t.someSelected('3'));
    await press('e');
    await visitor.see(t.didResolve(3));
    await seeCount('57');
    await waitUntil('it is gone', async () => !(await subjects()).includes('Story 60'));
    await visitor.press('button', t.undo);
    await seeCount('60');
    await seeRow('Story 60');
  });

  test('asks to whom tickets are assigned', async () => {
    await goTo('/inbox/unassigned?sort=created_at');
    await seeRow('Story 60');
    await press('j', 'a');
    await visitor.find('dialog', t.pickAssign(1));
    await visitor.page.keyboard.type(t.me);
    await press('Enter');
    await visitor.see(t.listDidAssign(1, owner.name));
    await seeCount('59');
    await goTo('/inbox/mine');
    await seeRow('Story 59');
  });

  test('changes the tags of several tickets from the bar, and takes it back', async () => {
    await keepNotes(visitor);
    await goTo('/inbox/open?sort=created_at');
    await seeRow('Story 60');
    await press('x', 'j', 'x');
    await visitor.see(t.someSelected('2'));
    await visitor.press('button', t.actionTags);
    await visitor.find('dialog', t.pickTags(2));
    await visitor.page.keyboard.type('Big Order');
    await visitor.find('option', t.createOption('Big Order'));
    await press('Enter');
    await visitor.press('button', t.apply);
    await visitor.see(t.didTags(2));
    const tagged = async () => (await desk.command('ticket', 'list', '--tag', 'big-order')).meta.total;
    await waitUntil('both have it', tagged, (count) => count === 2);
    await visitor.press('button', t.undo);
    await waitUntil('it is taken back', tagged, (count) => count === 0);
  });

  test('runs a macro on several tickets from the bar', async () => {
    await goTo('/inbox/open?sort=created_at');
    await seeRow('Story 60');
    await press('j', 'j', 'j', 'x', 'j', 'x');
    await visitor.see(t.someSelected('2'));
    await visitor.press('button', t.listMoreActions);
    await visitor.press('menuitem', t.actionMacro);
    await visitor.find('dialog', t.pickMacro(2));
    await visitor.page.keyboard.type('wait');
    await visitor.find('option', 'Waiting for parts');
    await press('Enter');
    await visitor.see(t.didMacro(2, 'Waiting for parts'));
    const waiting = async () => (await desk.command('ticket', 'list', '--tag', 'parts')).meta.total;
    await waitUntil('both are tagged', waiting, (count) => count === 2);
  });

  test('does nothing to the list while one types', async () => {
    await goTo('/inbox/all');
    await seeRow('Story 60');
    await press('/');
    await visitor.page.keyboard.type('jex');
    await seeActive('Story 60');
    expect(await visitor.page.$eval('[aria-label="Search"]', (field) => (field as HTMLInputElement).value)).toBe('jex');
  });
});

describe('filters and views', () => {
  test('are in the address, can be taken away, and Back works', async () => {
    await goTo('/inbox/all');
    await visitor.press('button', t.addFilter);
    await visitor.press('menuitem', t.status);
    await visitor.press('option', t.statusPending);
    await until('the address has the filter', () => location.search === '?status=pending');
    await visitor.see(t.emptyFiltered);
    await visitor.page.goBack();
    await seeCount('60');
    await goTo('/inbox/all?tag=vip&sort=created_at&direction=asc');
    await seeCount('20');
    await waitUntil('the oldest is first', async () => (await subjects())[0] === 'Story 3');
    await visitor.press('button', t.removeFilter(t.tags));
    await seeCount('60');
  });

  test('of an order show the age that the list is sorted by, under its name', async () => {
    desk.sql("UPDATE tickets SET created_at = created_at - 40 * 86400000 WHERE subject = 'Story 1'");
    const ages = () =>
      visitor.page.evaluate(() => ({
        head: document.querySelector('[role=columnheader].of-age')?.textContent,
        age: document.querySelector('[aria-label^="Story 1,"] .age')?.textContent,
        title: document.querySelector<HTMLElement>('[aria-label^="Story 1,"] .age')?.title.split(' · ')[0],
      }));
    const expected = { head: t.sortCreated, age: '40d', title: t.sortCreated };
    await goTo('/inbox/all?sort=created_at&direction=asc');
    await waitUntil('since it was opened', ages, (seen) => Bun.deepEquals(seen, expected));
    await goTo('/inbox/all?sort=updated_at&direction=asc');
    await waitUntil('since it changed', ages, (seen) => seen.head === t.sortUpdated && seen.age !== undefined);
    const { age, title } = await ages();
    expect(age).toMatch(/^\d+[mh]$/);
    expect(title).toBe(t.sortUpdated);
    await visitor.page.setViewport({ width: 390, height: 800 });
    await until('a narrow row says it, too', () => document.querySelector('.two-lines .age') !== null);
    expect((await ages()).title).toBe(t.sortUpdated);
    desk.sql("UPDATE tickets SET created_at = created_at + 40 * 86400000 WHERE subject = 'Story 1'");
  });

  test('become a view under a name', async () => {
    await goTo('/inbox/all?tag=vip');
    await seeCount('20');
    await visitor.press('button', t.saveAsView);
    await visitor.fill(t.name, 'Important people');
    await visitor.press('button', t.save);
    await visitor.find('link', 'Important people');
    await until('the view is open', () => /^\/inbox\/\d+$/.test(location.pathname) && location.search === '');
    await seeCount('20');
  });

  test('of a name that there is not say so', async () => {
    await goTo('/inbox/nothing');
    await visitor.see(t.notFoundText);
  });
});

describe('search', () => {
  test('completes filters, finds tickets, and is in the address', async () => {
    await goTo('/inbox/all');
    await press('/');
    await visitor.page.keyboard.type('sta');
    await visitor.find('option', 'status: Status');
    await press('ArrowDown', 'Enter');
    await visitor.page.keyboard.type('o');
    await press('ArrowDown', 'Enter');
    await visitor.page.keyboard.type('tag:vip "Story 3"');
    await press('Enter');
    await until('the search is in the address', () => location.search === '?q=status%3Aopen+tag%3Avip+%22Story+3%22');
    await seeRow('Story 3');
  });

  test('leaves out what has a minus, and lists what would be right', async () => {
    await goTo('/search?q=story -refund');
    await seeRow('Story 60');
    await goTo(`/search?q=${encodeURIComponent('"words about" -60')}`);
    await seeRow('Story 59');
    expect(await subjects()).not.toContain('Story 60');
    await goTo('/search?q=colour:red');
    await visitor.see('“colour:” is not a search term. Use status, assignee, team');
    await goTo('/search?q=priority:red');
    await visitor.see('Use Low, ');
    await goTo('/search?q=-story');
    await visitor.see(t.searchOnlyExcluded);
  });

  test('marks the words that it found, in subjects and where they stand in messages', async () => {
    await goTo('/search?q=story "words about"');
    await seeRow('Story 60');
    const marked = () =>
      visitor.page.evaluate(() => [...document.querySelectorAll('.ticket-row mark')].map((one) => one.textContent));
    await until('the words are marked', () => document.querySelectorAll('.row-subject mark').length > 0);
    expect(new Set((await marked()).map((text) => text?.toLowerCase()))).toEqual(new Set(['story', 'words about']));
    await goTo('/inbox/all');
    await seeRow('Story 60');
    expect(await marked()).toEqual([]);
  });

  test('finds what is unread, and a domain', async () => {
    await goTo('/search?q=is:unread from:@nowhere.example');
    await visitor.see(t.noMatches);
    await goTo('/search?q=is:unread "Story 2"');
    await seeRow('Story 2');
  });

  test('says where it cannot follow, and offers what was meant', async () => {
    await goTo('/search?q=status:opne tag:vip');
    await visitor.see(t.searchValueUnknown('opne', 'status', 'open, pending, resolved, closed'));
    await visitor.press('button', t.searchUse('open'));
    await seeCount('20');
    await goTo('/search');
    await visitor.see(t.searchHelp);
  });

  test('says so of very long words, too, within the page', async () => {
    await goTo(`/search?q=${encodeURIComponent(`status:${'x'.repeat(200)} tag:${'Ü'.repeat(150)}`)}`);
    await visitor.see('open, pending, resolved, closed');
    const wide = () => {
      const within = document.querySelector('.search-problems')!;
      return [within, ...within.querySelectorAll('*')]
        .filter((element) => element.getBoundingClientRect().right > innerWidth || element.scrollWidth > innerWidth)
        .map(({ tagName }) => tagName);
    };
    expect(await visitor.page.evaluate(wide)).toEqual([]);
  });

  test('counts one ticket as one', async () => {
    await goTo('/search?q="Story 17"');
    await seeRow('Story 17');
    await until(
      'its count',
      () => document.querySelector('.list-count')?.lastChild?.textContent?.trim() === '1 ticket',
    );
  });
});

describe('what others do meanwhile', () => {
  test('changes rows in place, and announces new tickets without moving the list', async () => {
    await goTo('/inbox/all');
    await seeRow('Story 60');
    await until('the page is live', () => !document.body.innerText.includes('Connecting'));
    const before = await subjects();
    await open('Fresh one');
    await visitor.find('button', t.newTickets(1));
    expect(await subjects()).toEqual(before);
    const ulid = await visitor.page.$eval('.ticket-row .row-link', (link) => link.getAttribute('href')?.slice(9) ?? '');
    await desk.command('ticket', 'set', ulid, '--subject', 'Story sixty');
    await seeRow('Story sixty');
    await visitor.press('button', t.newTickets(1));
    await waitUntil('it is first', async () => (await subjects())[0] === 'Fresh one');
  });
});

describe('everything in a view', () => {
  test('is changed in slices, and taken back', async () => {
    await keepNotes(visitor);
    for (let number = 0; number < 210; number += 1) await open(`Many ${number}`, ['many']);
    const resolveAll = async () => {
      await goTo('/inbox/all?tag=many');
      await seeCount('210');
      await visitor.press('checkbox', t.selectAll);
      await visitor.see(t.allSelected('210'));
      await press('e');
      await visitor.see(t.didResolve(210));
    };
    await resolveAll();
    const openAgain = async (): Promise<number> =>
      (await desk.command('ticket', 'list', '--tag', 'many', '--status', 'open')).meta.total;
    expect(await openAgain()).toBe(0);
    await visitor.press('button', t.undo);
    await waitUntil('all are open', openAgain, (count) => count === 210);
    // The other tests have a list of their own.
    await resolveAll();
  });
});

describe('every state', () => {
  const states: [name: string, path: string, text: string][] = [
    ['rows', '/inbox/open?sort=created_at', 'Story 5'],
    ['no rows', '/inbox/breached', t.emptyBreached],
    ['filters', '/inbox/all?tag=vip&status=open,pending', t.clearFilters],
    ['a search', '/search?q=story status:open', 'Mia Jansen'],
    ['a wrong search', '/search?q=status:opne', t.searchHelp],
  ];

  test.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 360],
    ['dark', 360],
  ] as const)('has nothing that axe finds in the %s theme at %d px', async (theme, width) => {
    await visitor.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    await visitor.page.setViewport({ width, height: 800 });
    for (const [name, path, text] of states) {
      await goTo(path);
      await visitor.see(text);
      expect(await violations(visitor), name).toEqual([]);
      const beyond = () => visitor.page.$eval('html', (html) => html.scrollWidth - html.clientWidth);
      await waitUntil(`nothing is beyond the page: ${name}`, beyond, (wide) => wide === 0);
    }
    await goTo('/inbox/open?sort=created_at');
    await seeRow('Story 58');
    await press('x', 's');
    await visitor.find('dialog', t.pickStatus(1));
    expect(await violations(visitor), 'a choice').toEqual([]);
  });

  test('reads from right to left', async () => {
    await goTo('/inbox/open?sort=created_at');
    await visitor.page.$eval('html', (html) => html.setAttribute('dir', 'rtl'));
    await seeRow('Story 58');
    const [check, due] = await visitor.page.$eval('.ticket-row', (row) =>
      ['.check', '.of-age'].map((cell) => row.querySelector(cell)?.getBoundingClientRect().left ?? 0),
    );
    expect(check).toBeGreaterThan(due ?? Number.POSITIVE_INFINITY);
    expect(await violations(visitor)).toEqual([]);
  });

  test('survives a desk that is away, and goes on when it is back', async () => {
    visitor.expectStatus(503);
    await goTo('/inbox/open?sort=created_at');
    await seeRow('Story 58');
    await desk.stop();
    await press('g', 'o');
    await visitor.see(t.listFailed);
    await desk.start();
    await visitor.press('button', t.tryAgain);
    await until('rows are back', () => document.querySelectorAll('.ticket-row:not(.is-loading)').length > 5);
    const faults = visitor.faults().filter((fault) => !/ERR_(?:CONNECTION|EMPTY|INCOMPLETE)/.test(fault));
    expect(faults).toEqual([]);
  });
});
