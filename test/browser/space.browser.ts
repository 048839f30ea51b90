// What agents do with their own notes and drafts, and how the console uses its space.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { violations } from './axe.ts';
import { type Chromium, startChromium, type Visitor } from './browser.ts';
import { t } from './texts.ts';
import { startTicketDesk, type TicketDesk } from './ticket-desk.ts';
import { waitUntil } from './wait.ts';

let chromium: Chromium;
let desk: TicketDesk;
let visitor: Visitor;
beforeAll(async () => {
  chromium = await startChromium();
  desk = await startTicketDesk(chromium);
});
beforeEach(async () => {
  visitor = await chromium.visitor();
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

const read = async (ulid: string) => (await desk.api('GET', `/tickets/${ulid}`)).data;
const until = (what: string, look: (given: string) => boolean, given = '') =>
  waitUntil(what, () => visitor.page.evaluate(look, given));
const chord = async (modifier: 'Control' | 'Shift', key: 'a' | 'Enter') => {
  await visitor.page.keyboard.down(modifier);
  await visitor.page.keyboard.press(key);
  await visitor.page.keyboard.up(modifier);
};
const begin = async (key: 'n' | 'r', label: string, text: string) => {
  await visitor.page.keyboard.press(key);
  await visitor.focusOn('aria-label', label);
  await visitor.page.keyboard.type(text);
};
const seeCount = (view: string, count: string) =>
  until(
    `${view} has ${count}`,
    (wanted) => {
      const [name, number] = wanted.split('|');
      const link = [...document.querySelectorAll('.rail-link')].find(
        (one) => one.querySelector('.rail-name')?.textContent === name,
      );
      return (link?.querySelector('.rail-count')?.textContent ?? '') === number;
    },
    `${view}|${count}`,
  );

describe('a note', () => {
  test('is changed and deleted by its writer, and the history says so', async () => {
    const { ulid } = await desk.openTicket('A note to change', 'Hello.');
    await desk.api('POST', `/tickets/${ulid}/notes`, { body: 'Written by a program.' });
    await desk.signIn(visitor, `/tickets/${ulid}`);
    await begin('n', t.note, 'The walrus did it');
    await chord('Control', 'Enter');
    await visitor.see('The walrus did it');
    const menus = await visitor.page.$$('.message header .icon-button');
    await menus.at(-2)?.click();
    await visitor.see(t.copyMessageLink);
    expect(await visitor.isThere('menuitem', t.changeNote)).toBe(false);
    await visitor.page.keyboard.press('Escape');
    const choose = async (item: string) => {
      await (await visitor.page.$$('.message header .icon-button')).at(-1)?.click();
      await visitor.press('menuitem', item);
    };
    await choose(t.changeNote);
    await visitor.focusOn('aria-label', t.changeNote);
    expect(await violations(visitor, ['.thread'])).toEqual([]);
    await chord('Control', 'a');
    await visitor.page.keyboard.type('The carpenter, says @kim');
    await visitor.page.reload();
    await until(
      'the new text is still there',
      (wanted) => document.querySelector<HTMLTextAreaElement>('.note-editor textarea')?.value === wanted,
      'The carpenter, says @kim',
    );
    await visitor.press('button', t.save);
    await visitor.see(t.editedBadge);
    expect((await read(ulid)).messages.at(-1)).toMatchObject({ body: 'The carpenter, says @kim', is_internal: true });
    await choose(t.deleteNote);
    await visitor.see(t.deleteNoteLead);
    await visitor.press('button', t.deleteNote);
    await until(
      'a line says that it is gone',
      (wanted) => [...document.querySelectorAll('.event-line')].some((line) => line.textContent?.includes(wanted)),
      'deleted a note',
    );
    expect((await read(ulid)).messages).toHaveLength(2);
  });
});

describe('a draft', () => {
  test('is marked in the list, found in its view, and discarded with a way back', async () => {
    const { ulid } = await desk.openTicket('A draft to discard', 'Hello.');
    await desk.signIn(visitor, `/tickets/${ulid}`);
    await begin('r', t.reply, 'Dear Mia');
    await seeCount(t.viewDrafts, '1');
    await visitor.press('link', t.viewDrafts);
    await visitor.at('/inbox/drafts');
    await until(
      'the row has a mark',
      () =>
        [...document.querySelectorAll('.ticket-row')].map((row) => row.querySelector('.draft-mark') !== null).join() ===
        'true',
    );
    expect(await violations(visitor, ['.list-pane'])).toEqual([]);
    await visitor.page.keyboard.press('o');
    await visitor.press('button', t.discardDraft);
    await seeCount(t.viewDrafts, '');
    await visitor.press('button', 'Undo');
    await seeCount(t.viewDrafts, '1');
    await until(
      'the text is back',
      (text) => document.querySelector<HTMLTextAreaElement>('.composer-text')?.value === text,
      'Dear Mia',
    );
  });
});

describe('the list', () => {
  test('gives its room to what differs: no column that the view implies, two lines when narrow, counts in the rail', async () => {
    await desk.openTicket('Room for a subject', 'Hello.');
    await desk.signIn(visitor, '/inbox/unassigned');
    const heads = () => visitor.page.$$eval('.heads-row .cell', (all) => all.map(({ textContent: text }) => text));
    await waitUntil('there are heads', heads, (found) => found.includes(t.columnSubject));
    expect(await heads()).not.toContain(t.columnAssignee);
    await visitor.page.goto(`${desk.url}/inbox/open`);
    await waitUntil('its view has the column', heads, (found) => found.includes(t.columnAssignee));
    await visitor.page.setViewport({ width: 1024, height: 800 });
    await visitor.page.waitForSelector('.ticket-row.two-lines');
    const row = await visitor.page.$eval('.ticket-row', (element) => (element as HTMLElement).innerText);
    for (const part of ['Room for a subject', '#', 'Mia Jansen', 'Normal']) expect(row).toContain(part);
    expect(await visitor.page.$('.ticket-row .age')).not.toBeNull();
    const count = await visitor.page.$eval('.rail-link[aria-current] .rail-count', (element) => element.clientWidth);
    expect(count).toBeGreaterThan(8);
    expect(await violations(visitor, ['.list-pane', '.rail'])).toEqual([]);
  });

  test('says in its title how many are unread, and offers actions under the pointer', async () => {
    const { ulid } = await desk.openTicket('Under the pointer', 'Hello.');
    await desk.api('PATCH', `/tickets/${ulid}`, { assigned_to: desk.site.owner.id });
    await desk.signIn(visitor, '/inbox/mine');
    await until('the title counts', () => document.title.startsWith('(1) '));
    const shown = () => visitor.page.$eval('.hover-actions', (element) => getComputedStyle(element).display);
    expect(await shown()).toBe('none');
    await visitor.page.hover('.ticket-row');
    expect(await shown()).toBe('flex');
    await visitor.page.click('.hover-actions button:last-child');
    await waitUntil('it is resolved', async () => (await read(ulid)).status === 'resolved');
  });

  test('selects the row on which a finger rests', async () => {
    await desk.openTicket('Under a finger', 'Hello.');
    await desk.signIn(visitor, '/inbox/open');
    const { x, y } = (await (await visitor.page.$('.ticket-row .row-subject'))?.boundingBox()) ?? { x: 0, y: 0 };
    const touch = await visitor.page.touchscreen.touchStart(x + 5, y + 5);
    await visitor.page.waitForSelector('.ticket-row.is-selected');
    await touch.end();
    expect(await visitor.page.evaluate(() => location.pathname)).toBe('/inbox/open');
  });

  test('has room for fingers', async () => {
    await desk.openTicket('Room for a finger', 'Hello.');
    await visitor.page.setViewport({ width: 390, height: 800, hasTouch: true, isMobile: true });
    await desk.signIn(visitor, '/inbox/open');
    expect(await visitor.page.evaluate(() => matchMedia('(pointer: coarse)').matches)).toBe(true);
    const small = await visitor.page.$$eval('button, .rail-link, input:not([type=checkbox])', (all) =>
      all.flatMap((element) => {
        const { width, height } = element.getBoundingClientRect();
        const isSeen = width > 1 && getComputedStyle(element).visibility === 'visible';
        return isSeen && (height < 40 || width < 40) ? [`${element.className} ${width}x${height}`] : [];
      }),
    );
    expect(small).toEqual([]);
  });
});

test('the empty composer is one line until it is used', async () => {
  const { ulid } = await desk.openTicket('One line', 'Hello.');
  await desk.signIn(visitor, `/tickets/${ulid}`);
  const height = () => visitor.page.$eval('.editor', (element) => element.clientHeight);
  expect(await height()).toBeLessThan(48);
  await visitor.page.keyboard.press('r');
  await visitor.focusOn('aria-label', t.reply);
  await waitUntil('it has its buttons', height, (found) => found > 120);
  expect(await visitor.isThere('button', t.send)).toBe(true);
  await visitor.page.keyboard.press('Escape');
  await waitUntil('it is one line again', height, (found) => found < 48);
  expect(await violations(visitor, ['.composer'])).toEqual([]);
});

test('after a change of status the next ticket opens, if the agent prefers it', async () => {
  const [first, second] = [await desk.openTicket('Next one', 'A'), await desk.openTicket('This one', 'B')];
  await desk.signIn(visitor, '/inbox/unassigned');
  await visitor.page.evaluate(() => localStorage.setItem('helpdesk.after-send', '"next"'));
  await visitor.page.goto(`${desk.url}/inbox/unassigned?q=one&sort=created_at`);
  await until('both are there', () => document.querySelectorAll('.ticket-row .row-subject').length > 1);
  await visitor.page.click('.ticket-row[aria-label^="This one"] .row-subject');
  await visitor.at(`/tickets/${second.ulid}`);
  await visitor.page.waitForSelector('.thread .message');
  await visitor.page.keyboard.press('e');
  await visitor.page.waitForFunction((path) => location.pathname !== path, {}, `/tickets/${second.ulid}`);
  await waitUntil('it is resolved', async () => (await read(second.ulid)).status === 'resolved');
  expect((await read(first.ulid)).status).toBe('open');
});
