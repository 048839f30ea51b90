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
