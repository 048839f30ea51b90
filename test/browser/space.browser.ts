// What agents do with their own notes and drafts, and how the console uses its space.

import { describe, expect, test } from 'bun:test';
import { locales } from '../../src/domain/people/preferences.ts';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import { intercept, type Visitor } from './browser.ts';
import { cutLabels } from './cut-labels.ts';
import { keepNotes } from './journey.ts';
import { t } from './texts.ts';
import { startTicketDesk, type TicketDesk } from './ticket-desk.ts';
import { waitUntil } from './wait.ts';

let desk: TicketDesk;
let visitor: Visitor;
visitForEachTest({
  async open() {
    desk = await startTicketDesk();
    return desk;
  },
  come: (each) => {
    visitor = each;
  },
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
    await keepNotes(visitor);
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
    await until('beside the ticket, the mark stands in the line of the subject', () => {
      const [subject, mark] = ['.row-subject', '.draft-mark'].map((part) =>
        document.querySelector(`.beside-list ${part}`)?.getBoundingClientRect(),
      );
      return subject !== undefined && mark !== undefined && mark.width > 8 && mark.top < subject.bottom;
    });
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

  test('of nothing but files says that it is gone', async () => {
    const { ulid, reference } = await desk.openTicket('A file to discard', 'Hello.');
    await desk.signIn(visitor, `/tickets/${ulid}`);
    await begin('r', t.reply, '');
    await visitor.page.$eval('.composer input[type=file]', (found) => {
      const chosen = new DataTransfer();
      chosen.items.add(new File(['Some words'], 'words.txt'));
      (found as HTMLInputElement).files = chosen.files;
      found.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await visitor.press('button', t.discardDraft);
    await visitor.see(t.draftDiscarded(reference));
  });
});

describe('the list', () => {
  test('gives its room to what differs: no column that the view implies, two lines when narrow, counts in the rail', async () => {
    await desk.openTicket('Room for a subject', 'Hello.');
    await desk.signIn(visitor, '/inbox/unassigned');
    const heads = () => visitor.page.$$eval('.heads-row .cell', (all) => all.map(({ textContent: text }) => text));
    await waitUntil('there are heads', heads, (found) => found.includes(t.subject));
    expect(await heads()).not.toContain(t.assignee);
    await visitor.page.goto(`${desk.url}/inbox/open`);
    await waitUntil('its view has the column', heads, (found) => found.includes(t.assignee));
    await visitor.page.setViewport({ width: 1024, height: 800 });
    await visitor.page.waitForSelector('.ticket-row.two-lines');
    const row = await visitor.page.$eval('.ticket-row', (element) => (element as HTMLElement).innerText);
    for (const part of ['Room for a subject', '#', 'Mia Jansen', 'Normal']) expect(row).toContain(part);
    expect(await visitor.page.$('.ticket-row .age')).not.toBeNull();
    const count = await visitor.page.$eval('.rail-link[aria-current] .rail-count', (element) => element.clientWidth);
    expect(count).toBeGreaterThan(8);
    expect(await violations(visitor, ['.list-pane', '.rail'])).toEqual([]);
  });

  test('offers actions under the pointer, which cover no deadline and no priority', async () => {
    const { ulid } = await desk.openTicket('Under the pointer', 'Hello.');
    await desk.api('PATCH', `/tickets/${ulid}`, { assigned_to: desk.site.owner.id });
    await desk.signIn(visitor, '/inbox/mine');
    await visitor.page.waitForSelector('.ticket-row .row-subject');
    const shown = () => visitor.page.$eval('.hover-actions', (element) => getComputedStyle(element).display);
    expect(await shown()).toBe('none');
    // In between, the priority stands just before the deadline.
    for (const width of [1024, 1300, 1440]) {
      await visitor.page.setViewport({ width, height: 800 });
      await visitor.page.waitForSelector(width === 1024 ? '.two-lines' : '.ticket-row:not(.two-lines)');
      await visitor.page.hover('.ticket-row');
      await waitUntil('the actions are there', shown, (display) => display === 'flex');
      const covered = await visitor.page.$eval('.ticket-row', (row) => {
        const actions = row.querySelector('.hover-actions')?.getBoundingClientRect() ?? new DOMRect();
        const isCovered = ({ left, right, top, bottom }: DOMRect) =>
          left < actions.right && right > actions.left && top < actions.bottom && bottom > actions.top;
        return [...row.querySelectorAll('time.due, .priority')].map((one) => isCovered(one.getBoundingClientRect()));
      });
      expect(covered).toEqual([false, false]);
    }
    await visitor.page.click('.hover-actions button:last-child');
    await waitUntil('it is resolved', async () => (await read(ulid)).status === 'resolved');
  });

  test('selects the row on which a finger rests', async () => {
    for (const words of ['Under a finger', 'Beside it']) await desk.openTicket(words, 'Hello.');
    await visitor.page.setViewport({ width: 390, height: 800, hasTouch: true, isMobile: true });
    await desk.signIn(visitor, '/inbox/open');
    const { x, y } = (await (await visitor.page.$('.ticket-row .row-subject'))?.boundingBox()) ?? { x: 0, y: 0 };
    const touch = await visitor.page.touchscreen.touchStart(x + 5, y + 5);
    await visitor.page.waitForSelector('.ticket-row.is-selected');
    await touch.end();
    expect(await visitor.page.evaluate(() => location.pathname)).toBe('/inbox/open');
    // From then on a touch selects, until nothing is selected.
    const selected = () => visitor.page.$$eval('.ticket-row.is-selected', (rows) => rows.length);
    const touchRow = async (at: number) => {
      const row = (await visitor.page.$$('.ticket-row .row-subject'))[at];
      const box = (await row?.boundingBox()) ?? { x: 0, y: 0 };
      await visitor.page.touchscreen.tap(box.x + 5, box.y + 5);
    };
    const first = await visitor.page.$$eval('.ticket-row', (rows) =>
      rows.findIndex((row) => row.classList.contains('is-selected')),
    );
    await touchRow(first === 0 ? 1 : 0);
    await waitUntil('another one is selected', selected, (count) => count === 2);
    for (const at of [0, 1]) await touchRow(at);
    await waitUntil('none is selected', selected, (count) => count === 0);
    expect(await visitor.page.evaluate(() => location.pathname)).toBe('/inbox/open');
    await touchRow(0);
    await visitor.page.waitForSelector('.thread .message');
  });
});

/** Controls that a finger would miss; what can be pressed of a box to tick is its label. */
const tooSmall = () =>
  visitor.page.$$eval(
    'button, a[href]:not(.row-link, .skip), input, select, textarea, summary, [role=tab], [role=option], [role^=menuitem]',
    (all) =>
      all.flatMap((element) => {
        const pressed = element.matches('[type=checkbox], [type=radio]')
          ? (element.closest('label') ?? element)
          : element;
        const { width, height } = pressed.getBoundingClientRect();
        const isSeen = width > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
        const name = element.getAttribute('aria-label') ?? element.textContent;
        return isSeen && (height < 40 || width < 40) ? [`${element.className} ${name} ${width}x${height}`] : [];
      }),
  );

test('fingers find every control of the list, a ticket, its details, tabs, menus and dialogs', async () => {
  const { ulid } = await desk.openTicket('Room for a finger', 'Hello.');
  await desk.api('PATCH', `/tickets/${ulid}`, { tags: ['kettle'] });
  await visitor.page.setViewport({ width: 390, height: 800, hasTouch: true, isMobile: true });
  await desk.signIn(visitor, '/inbox/open');
  expect(await visitor.page.evaluate(() => matchMedia('(pointer: coarse)').matches)).toBe(true);
  expect(await tooSmall()).toEqual([]);
  for (const key of ['t', 'z'] as const) {
    await visitor.page.keyboard.press(key);
    await visitor.page.waitForSelector('dialog[open] .combobox-list');
    expect(await tooSmall()).toEqual([]);
    await visitor.page.keyboard.press('Escape');
    await visitor.page.waitForSelector('dialog[open]', { hidden: true });
  }
  await visitor.page.keyboard.press('x');
  await visitor.page.waitForSelector('.bulk-bar');
  expect(await tooSmall()).toEqual([]);
  await visitor.page.goto(`${desk.url}/tickets/${ulid}`);
  await visitor.page.waitForSelector('.thread .message');
  expect(await tooSmall()).toEqual([]);
  await visitor.press('button', t.moreActions);
  await visitor.find('menuitem', t.merge);
  expect(await tooSmall()).toEqual([]);
  await visitor.press('menuitem', t.merge);
  await visitor.page.waitForSelector('dialog[open] .merge-found');
  expect(await tooSmall()).toEqual([]);
  await visitor.page.keyboard.press('Escape');
  await visitor.page.waitForSelector('dialog[open]', { hidden: true });
  await begin('r', t.reply, 'With a toolbar');
  expect(await visitor.isThere('button', t.send)).toBe(true);
  expect(await tooSmall()).toEqual([]);
  // No label is broken into its letters.
  const heights = await visitor.page.$$eval('.recipient-group > .soft', (all) =>
    all.map((one) => one.getBoundingClientRect().height),
  );
  expect(heights).toHaveLength(2);
  expect(Math.max(...heights)).toBeLessThan(24);
  await visitor.press('button', t.showDetails);
  await visitor.page.waitForSelector('.details-pane .tag-remove');
  expect(await tooSmall()).toEqual([]);
});

/** What is unread of earlier tests is none of the next one's business. */
const readEverything = () =>
  visitor.page.evaluate(async () => {
    const [newest] = (await (await fetch('/api/v1/notifications')).json()).data;
    const headers = { 'Content-Type': 'application/json' };
    if (newest === undefined) return 204;
    const body = JSON.stringify({ up_to: newest.id });
    return (await fetch('/api/v1/notifications/read', { method: 'POST', headers, body })).status;
  });

test('the title counts unread notifications, also on the page of a ticket, which reads its own', async () => {
  const assigned_to = desk.site.owner.id;
  const [one, other] = [await desk.openTicket('Unread here', 'A'), await desk.openTicket('Unread there', 'B')];
  await desk.signIn(visitor, '/inbox/open');
  expect(await readEverything()).toBe(204);
  await until('none is unread', () => !document.title.startsWith('('));
  for (const { ulid } of [one, other]) await desk.api('PATCH', `/tickets/${ulid}`, { assigned_to });
  await until('both', () => document.title.startsWith('(2) '));
  await visitor.page.goto(`${desk.url}/tickets/${one.ulid}`);
  await visitor.page.waitForSelector('.thread .message');
  await until('the other one is left', () => /^\(1\) #\d+ Unread here/.test(document.title));
  expect(await readEverything()).toBe(204);
  await until('none is left', () => /^#\d+ Unread here/.test(document.title));
  await desk.api('PATCH', `/tickets/${other.ulid}`, { assigned_to: null });
  await desk.api('PATCH', `/tickets/${other.ulid}`, { assigned_to });
  await until('the other one is back', () => document.title.startsWith('(1) '));
});

test('counts that come late do not take the place of newer ones', async () => {
  const { ulid } = await desk.openTicket('Counted while asked', 'A');
  await desk.api('PATCH', `/tickets/${ulid}`, { assigned_to: desk.site.owner.id });
  await desk.signIn(visitor, '/inbox/open');
  const late: (() => Promise<void>)[] = [];
  await intercept(visitor.page, (request) => {
    if (!request.url().includes('/views/counts')) return void request.continue();
    const body = JSON.stringify({ data: { mine: { count: 0, is_capped: false } } });
    late.push(() => request.respond({ status: 200, contentType: 'application/json', body }));
  });
  await visitor.page.goto(`${desk.url}/inbox/open`);
  const mine = () =>
    visitor.page.$eval(
      '.rail-link[href="/inbox/mine"]',
      (link) => link.querySelector('.rail-count')?.textContent ?? '',
    );
  const told = await waitUntil('the stream has told', mine, (count) => count !== '');
  const answered = visitor.page.waitForResponse((response) => response.url().includes('/views/counts'));
  for (const answer of late) await answer();
  await (await answered).text();
  await visitor.page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  expect(await mine()).toBe(told);
});

test.each(['next', 'list', 'stay'])(
  'a refused change of status names its ticket and leads back to it from elsewhere: %s',
  async (followUp) => {
    await desk.openTicket(`Refused ${followUp} below`, 'A');
    const second = await desk.openTicket(`Refused ${followUp} above`, 'B');
    await keepNotes(visitor);
    await desk.signIn(visitor, '/inbox/unassigned');
    await visitor.page.evaluate((one) => localStorage.setItem('helpdesk.after-send', JSON.stringify(one)), followUp);
    await visitor.page.goto(`${desk.url}/inbox/unassigned?q=refused+${followUp}&sort=created_at`);
    await until('both are there', () => document.querySelectorAll('.ticket-row .row-subject').length > 1);
    await visitor.page.click('.ticket-row[aria-label*="above"] .row-subject');
    await visitor.at(`/tickets/${second.ulid}`);
    await visitor.page.waitForSelector('.thread .message');
    visitor.expectStatus(404);
    await intercept(visitor.page, (request) =>
      request.method() === 'PATCH'
        ? void request.respond({
            status: 404,
            contentType: 'application/json',
            body: JSON.stringify({ code: 'not_found', message: 'There is no such ticket.' }),
          })
        : void request.continue(),
    );
    await visitor.page.keyboard.press('e');
    await until(
      'the refusal names the ticket',
      (reference) => document.querySelector('.toast.problem')?.textContent?.includes(reference) === true,
      second.reference,
    );
    if (followUp === 'stay') {
      expect(await visitor.isThere('link', t.goToTicket(second.reference))).toBe(false);
      await visitor.page.keyboard.press('u');
    }
    await visitor.press('link', t.goToTicket(second.reference));
    await visitor.at(`/tickets/${second.ulid}`);
  },
);

test('on a phone a note covers neither the first row nor what is written, and the empty composer says what it is', async () => {
  const { ulid } = await desk.openTicket('Below a note', 'A');
  await desk.openTicket('Beside a note', 'B');
  await visitor.page.setViewport({ width: 390, height: 844 });
  const overlaps = (selector: string) =>
    visitor.page.evaluate((wanted) => {
      const [toast, other] = ['.toast', wanted].map((one) => document.querySelector(one)?.getBoundingClientRect());
      return toast !== undefined && other !== undefined && toast.top < other.bottom && other.top < toast.bottom;
    }, selector);
  await desk.signIn(visitor, '/inbox/unassigned?q=note&sort=created_at');
  await until('both are there', () => document.querySelectorAll('.ticket-row .row-subject').length > 1);
  await visitor.page.keyboard.press('m');
  await visitor.page.waitForSelector('.toast');
  expect(await overlaps('.ticket-row')).toBe(false);
  await visitor.page.goto(`${desk.url}/tickets/${ulid}`);
  await visitor.page.waitForSelector('.editor.is-idle');
  expect(await visitor.page.evaluate(cutLabels)).toEqual([]);
  await visitor.page.keyboard.press('m');
  await visitor.page.waitForSelector('.toast');
  expect(await overlaps('.editor')).toBe(false);
});

test('notes are at most two, and lie over no row', async () => {
  for (let at = 0; at < 20; at += 1) await desk.openTicket(`Under a note ${at}`, 'Hello');
  await desk.signIn(visitor, '/inbox/all?q=%22Under%20a%20note%22');
  for (const width of [1440, 1024, 390]) {
    await visitor.page.setViewport({ width, height: 700 });
    await until('the list fills the page', () => document.querySelectorAll('.ticket-row .row-subject').length > 9);
    for (const key of ['m', 'j', 'm', 'j', 'm'] as const) await visitor.page.keyboard.press(key);
    await until('there are two', () => document.querySelectorAll('.toast').length === 2);
    const overlaps = () =>
      visitor.page.evaluate(() => {
        const boxes = (selector: string) =>
          [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
        const [grid] = boxes('.ticket-grid');
        return boxes('.toast').filter(
          ({ top, bottom, left, right }) =>
            grid !== undefined && top < grid.bottom && bottom > grid.top && left < grid.right && right > grid.left,
        ).length;
      });
    await waitUntil(`no note lies over the list at ${width} pixels`, overlaps, (found) => found === 0);
  }
});

test('keeps a found word in sight where the text is cut, also when the ticket changes meanwhile', async () => {
  const before = 'Long before the word that matters there are many others that say nothing of it. '.repeat(2);
  const { ulid } = await desk.openTicket(`${before} Xylophone`, `${before} xylophone, said the customer.`);
  await desk.signIn(visitor, '/search?q=xylophone');
  for (const width of [1440, 390]) {
    await visitor.page.setViewport({ width, height: 844 });
    await visitor.page.goto(`${desk.url}/search?q=xylophone`);
    await until('both are marked', () => document.querySelectorAll('.ticket-row mark').length === 2);
    const hidden = () =>
      visitor.page.$$eval('.ticket-row mark', (marks) =>
        marks.flatMap((mark) => {
          const { left, right, width } = mark.getBoundingClientRect();
          const isOut = (box: Element) =>
            right > box.getBoundingClientRect().right + 1 || left < box.getBoundingClientRect().left - 1;
          return width === 0 ||
            [...document.querySelectorAll('.ticket-row, .ticket-row *')].some(
              (box) => box.contains(mark) && getComputedStyle(box).overflowX !== 'visible' && isOut(box),
            )
            ? [mark.parentElement?.parentElement?.className]
            : [];
        }),
      );
    expect(await hidden()).toEqual([]);
    await desk.api('POST', `/tickets/${ulid}/messages`, { body: `Nothing to find in this, at ${width}.` });
    await desk.api('PATCH', `/tickets/${ulid}`, { status: width === 390 ? 'pending' : 'open', assigned_to: null });
    await desk.api('PATCH', `/tickets/${ulid}`, { subject: `${before} Xylophone ${width}` });
    await until(
      'the row has changed',
      (number) => document.querySelector('.ticket-row .row-subject')?.textContent?.endsWith(number) === true,
      String(width),
    );
    await waitUntil('no found word is hidden', hidden, (words) => words.length === 0);
    expect(await visitor.page.$$eval('.ticket-row mark', (marks) => marks.length)).toBe(2);
  }
});

test('a ticket that was left holds nothing of its page in memory', async () => {
  const subjects = Array.from({ length: 24 }, (_, at) => `Left behind ${at}`);
  for (const subject of subjects) await desk.openTicket(subject, 'Hello.');
  // What a timer holds is seen, too: those that would run later never do.
  await visitor.page.evaluateOnNewDocument(() => {
    const later = window.setTimeout;
    window.setTimeout = ((act: () => void, ms = 0, ...rest: unknown[]) =>
      later(act, ms >= 2000 ? 2 ** 30 : ms, ...rest)) as typeof setTimeout;
  });
  await desk.signIn(visitor, '/inbox/unassigned?q=behind');
  const devtools = await visitor.page.createCDPSession();
  await devtools.send('Performance.enable');
  const nodes = async () => {
    await devtools.send('HeapProfiler.collectGarbage');
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'Nodes')?.value ?? Number.NaN;
  };
  const next = async (key: 'o' | 'j') => {
    const before = await visitor.page.evaluate(() => location.pathname);
    await visitor.page.keyboard.press(key);
    await until(
      'another ticket is there',
      (path) => location.pathname !== path && document.querySelector('.thread .message') !== null,
      before,
    );
  };
  await next('o');
  await next('j');
  const few = await nodes();
  for (let at = 0; at < 20; at += 1) await next('j');
  // The page before is held until the next one is drawn.
  expect((await nodes()) / few).toBeLessThan(1.3);
});

test('a long subject leaves room for the snippet', async () => {
  const long = 'The rear light goes out whenever I ride over cobbles in the old town, '.repeat(3);
  await desk.openTicket(long, 'What the customer writes, in words enough to fill the rest of a row on a wide screen.');
  await desk.signIn(visitor, '/inbox/unassigned?q=cobbles');
  const [snippet = 0, cell = 1] = await waitUntil(
    'the row has a snippet',
    () =>
      visitor.page.$eval('.of-subject:has(.snippet)', (found) =>
        [found.querySelector('.snippet') ?? found, found].map((one) => one.getBoundingClientRect().width),
      ),
    (widths) => widths.length === 2,
  );
  expect(snippet / cell).toBeGreaterThan(0.25);
});

test('on a very wide screen, a snippet in Arabic stands beside its subject, and tags are not cut by their column', async () => {
  const { ulid } = await desk.openTicket('Wide row', 'مرحبا، نصل مساء الجمعة.');
  await desk.api('PATCH', `/tickets/${ulid}`, { tags: ['maintenance', 'urgent-call', 'accessories', 'other'] });
  await visitor.page.setViewport({ width: 2560, height: 1000 });
  await desk.signIn(visitor, '/inbox/unassigned?q=%22Wide+row%22');
  await visitor.page.waitForSelector('.row-tags');
  const row = await visitor.page.$eval('.ticket-row:has(.row-tags)', (found) => {
    const box = (name: string) => found.querySelector(name)?.getBoundingClientRect() ?? new DOMRect();
    const tags = [...found.querySelectorAll('.row-tag')].map((tag) => tag.getBoundingClientRect().right);
    return { gap: box('.snippet-text').left - box('.row-link').right, end: box('.row-tags').right, tags };
  });
  expect(row.gap).toBeLessThan(20);
  expect(row.tags).toHaveLength(3);
  expect(Math.max(...row.tags)).toBeLessThanOrEqual(row.end + 0.5);
});

describe('menus', () => {
  test('open at an edge of their control, with their texts below each other', async () => {
    const { ulid } = await desk.openTicket('Menus of a ticket', 'Hello.');
    await desk.api('POST', `/sites/${desk.site.id}/categories`, { name: 'Returns', color: '#2563eb' });
    for (const path of [`/tickets/${ulid}`, '/inbox/open']) {
      await desk.signIn(visitor, path);
      await visitor.page.waitForSelector('.list-tools .tool, .properties .combobox');
      const controls = await visitor.page.$$('[aria-haspopup]');
      let opened = 0;
      for (const control of controls) {
        if (
          !(await control.isVisible()) ||
          (await control.evaluate((element) => element.closest('.composer') !== null))
        )
          continue;
        await control.evaluate((element) => (element as HTMLElement).click());
        const panel = await visitor.page.waitForSelector('.popover:popover-open');
        const { edges, texts, name } = await control.evaluate((element, shown) => {
          const [from, to] = [element.getBoundingClientRect(), (shown as Element).getBoundingClientRect()];
          const starts = [...(shown as Element).querySelectorAll('.menu-text, .option-text')].map((text) =>
            Math.round(text.getBoundingClientRect().left),
          );
          return {
            edges: [Math.abs(from.left - to.left), Math.abs(from.right - to.right)],
            texts: [...new Set(starts)],
            name: element.getAttribute('aria-label'),
          };
        }, panel);
        expect(`${name}: ${Math.min(...edges) < 1} ${texts.length < 2}`).toBe(`${name}: true true`);
        opened += 1;
        await panel?.evaluate((element) => (element as HTMLElement).hidePopover());
      }
      expect(opened).toBeGreaterThan(3);
    }
  });
});

describe('dialogs', () => {
  const follow = () =>
    visitor.page.evaluate(() => {
      const seen = new Set<string>();
      (window as unknown as { boxes: Set<string> }).boxes = seen;
      const look = () => {
        const dialog = document.querySelector('dialog[open]');
        if (dialog !== null) {
          const { left, top, width, height } = dialog.getBoundingClientRect();
          seen.add([left, top, width, height].map(Math.round).join());
        }
        requestAnimationFrame(look);
      };
      look();
    });
  const boxes = () => visitor.page.evaluate(() => [...(window as unknown as { boxes: Set<string> }).boxes]);

  test('stay where they are while options come, are searched, and are chosen', async () => {
    await desk.openTicket('A dialog that stays', 'Hello.');
    await desk.signIn(visitor, '/inbox/open');
    for (const [key, typed] of [
      ['p', 'zzz'],
      ['t', 'kettle'],
    ] as const) {
      await follow();
      await visitor.page.keyboard.press(key);
      await visitor.page.waitForSelector('dialog[open] .combobox-list');
      await until('a list', (wanted) => wanted === 't' || document.querySelector('[role=option]') !== null, key);
      await visitor.page.keyboard.type(typed);
      await until(
        'it is searched',
        (text) => document.querySelector<HTMLInputElement>('.combobox-search')?.value === text,
        typed,
      );
      if (key === 't') await visitor.page.keyboard.press('Enter');
      else await visitor.page.waitForSelector('dialog .combobox-none');
      expect(await boxes()).toHaveLength(1);
      await visitor.page.keyboard.press('Escape');
      await visitor.page.waitForSelector('dialog[open]', { hidden: true });
    }
  });

  test('do not move when a ticket of someone else is chosen to merge with', async () => {
    await desk.openTicket('Of someone else, to merge', 'Hello.', 'else@example.org');
    const { ulid } = await desk.openTicket('To be merged', 'Hello.', 'only@example.org');
    await desk.signIn(visitor, `/tickets/${ulid}`);
    await follow();
    await visitor.press('button', t.moreActions);
    await visitor.press('menuitem', t.merge);
    await visitor.see(t.mergeNoneOfCustomer);
    await visitor.page.keyboard.type('someone');
    await visitor.page.waitForSelector('.merge-row');
    await visitor.page.click('.merge-row');
    await visitor.page.waitForSelector('dialog .notice');
    expect(await boxes()).toHaveLength(1);
  });
});

test('a wide mail scrolls in its frame, and blocked images are quiet boxes', async () => {
  const ulid = await desk.receive(`From: Mia Jansen <mia@example.org>
To: shop@desk.example
Subject: A wide table
Message-ID: <wide@example.org>
Content-Type: text/html; charset=utf-8

<p>Our <b>offer</b>:</p><table width="1200"><tr><td>One</td><td>Two</td></tr></table>
<img src="https://images.example/kettle.png" width="320" height="180" alt="The kettle">
<img src="https://images.example/line.png" width="300" height="80">
`);
  for (const width of [390, 1440]) {
    await visitor.page.setViewport({ width, height: 800 });
    await (width === 390 ? desk.signIn(visitor, `/tickets/${ulid}`) : visitor.page.reload());
    const frame = await visitor.page.waitForSelector('iframe.mail-frame');
    const page = await frame?.contentFrame();
    await page?.waitForSelector('table');
    const [moved, own] = (await page?.evaluate(() => {
      const root = document.scrollingElement as Element;
      root.scrollLeft = 10_000;
      return [root.scrollLeft, root.clientWidth];
    })) ?? [0, 0];
    expect((moved ?? 0) + (own ?? 0)).toBeGreaterThanOrEqual(1200);
    expect(await visitor.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const sideways = await visitor.page.$eval('.thread', ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(sideways).toBe(0);
    const cover = await page?.$eval('img', (image) => {
      const { content, backgroundColor, position, height } = getComputedStyle(image, '::after');
      const isWhole = Math.abs(Number.parseFloat(height) - image.getBoundingClientRect().height) < 1;
      return { content, position, isOpaque: !/rgba|transparent/.test(backgroundColor), isWhole };
    });
    expect(cover).toEqual({ content: '"The kettle"', position: 'absolute', isOpaque: true, isWhole: true });
    const flat = await page?.$eval('img:not([alt])', ({ offsetHeight }) => offsetHeight);
    expect(flat).toBeWithin(70, 95);
  }
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

test('saved views are put in another order with the mouse', async () => {
  for (const name of ['Early', 'Late']) await desk.api('POST', '/views', { name, filter: {}, is_shared: true });
  await desk.signIn(visitor, '/inbox/open');
  const order = () => visitor.page.$$eval('.saved-view .rail-name', (all) => all.map((one) => one.textContent).join());
  await waitUntil('both are there', order, (found) => found === 'Early,Late');
  const drag = async (from: number, to: number) => {
    const links = await visitor.page.$$('.saved-view .rail-link');
    const [start, end] = [await links[from]?.boundingBox(), await links[to]?.boundingBox()];
    if (start == null || end == null) throw new Error('A view has no place.');
    await visitor.page.mouse.move(start.x + 60, start.y + start.height / 2);
    await visitor.page.mouse.down();
    await visitor.page.mouse.move(end.x + 60, end.y + end.height / 2, { steps: 5 });
    await visitor.page.waitForSelector(from < to ? '.saved-view.target.below' : '.saved-view.target:not(.below)');
    await visitor.page.mouse.up();
  };
  const kept = visitor.page.waitForResponse((answer) => answer.url().endsWith('/views/order'));
  await drag(1, 0);
  await waitUntil('the other way round', order, (found) => found === 'Late,Early');
  expect((await kept).status()).toBe(200);
  await visitor.page.reload();
  await waitUntil('also after a reload', order, (found) => found === 'Late,Early');
  await drag(0, 1);
  await waitUntil('as before', order, (found) => found === 'Early,Late');
});

test('a name that several sites share is one choice of a filter', async () => {
  await desk.command('site', 'create', '--name', 'Repairs');
  for (const { id } of (await desk.api('GET', '/sites')).data)
    await desk.api('POST', `/sites/${id}/categories`, { name: 'Warranty', color: '#2563eb' });
  await desk.signIn(visitor, '/inbox/open');
  for (const [field, name, key] of [
    [t.priority, 'Normal', 'priority_id'],
    [t.category, 'Warranty', 'category_id'],
  ] as const) {
    await visitor.press('button', t.addFilter);
    await visitor.press('menuitem', field);
    await until(
      'it stands there once, without the name of a site',
      (wanted) => {
        const texts = [...document.querySelectorAll('.popover:popover-open [role=option]')].map(
          (one) => one.textContent,
        );
        return texts.filter((text) => text?.startsWith(wanted)).join() === wanted;
      },
      name,
    );
    await visitor.press('option', name);
    await until('all their ids are the filter', (wanted) => location.search.includes(wanted), key);
    const asked = await visitor.page.evaluate((wanted) => new URLSearchParams(location.search).get(wanted), key);
    expect(asked?.split(',')).toHaveLength(2);
    await visitor.page.keyboard.press('Escape');
    await visitor.page.reload();
    const chips = () => visitor.page.$$eval('.chip .combobox-value', (all) => all.map((one) => one.textContent));
    await waitUntil('its chip says it once', chips, (found) => found.filter((text) => text === name).length === 1);
  }
});

test('beside a ticket, a row of the list says its site in full, and the name of its customer as far as there is room', async () => {
  await desk.command('site', 'create', '--name', 'Spare parts');
  const { data: sites } = await desk.api('GET', '/sites');
  const opened = {
    name: 'Anneliese Schmidtbauer',
    email: 'anneliese@example.org',
    subject: 'In full',
    message: 'Hello.',
  };
  for (const { id } of sites)
    await desk.api('POST', '/tickets', { ...opened, site_id: id, assigned_to: desk.site.owner.id });
  await visitor.page.setViewport({ width: 1440, height: 900 });
  await desk.signIn(visitor, '/inbox/all?q=anneliese');
  await visitor.page.keyboard.press('o');
  await visitor.page.waitForSelector('.beside-list .ticket-row .by-site');
  const rows = () =>
    visitor.page.$$eval('.beside-list .second-line', (lines) =>
      lines.map((line) => {
        const [name, site] = ['.by-name', '.by-site'].map((part) => line.querySelector<HTMLElement>(part));
        const last = line.lastElementChild as Element;
        return {
          site: site !== null && site !== undefined && site.scrollWidth <= site.clientWidth,
          name: (name?.clientWidth ?? 0) > 40,
          free: Math.round(line.getBoundingClientRect().right - last.getBoundingClientRect().right),
        };
      }),
    );
  expect(await rows()).toEqual(sites.map(() => ({ site: true, name: true, free: 0 })));
});

test.each(locales)(
  'beside a ticket, a name of twelve letters has room: its clock says one unit, in %s',
  async (locale) => {
    const named = 'Halden Bikes';
    if (!(await desk.api('GET', '/sites')).data.some(({ name }: { name: string }) => name === named))
      await desk.command('site', 'create', '--name', named);
    const site = (await desk.api('GET', '/sites')).data.find(({ name }: { name: string }) => name === named);
    const from = { site_id: site.id, name: 'Tom Whitaker', email: 'tom@example.org' };
    await desk.api('POST', '/tickets', { ...from, subject: `Twelve letters ${locale}`, message: 'Hello.' });
    const { page } = visitor;
    await page.setViewport({ width: 1440, height: 900 });
    await desk.signIn(visitor, '/inbox/all');
    const choose = (wanted: string) =>
      page.evaluate(async (language) => {
        const headers = { 'Content-Type': 'application/json' };
        await fetch('/api/v1/me', { method: 'PATCH', headers, body: JSON.stringify({ locale: language }) });
      }, wanted);
    await choose(locale);
    await page.goto(`${desk.url}/inbox/all?q=${locale}`);
    const numbers = (place: string) =>
      page.$eval(`${place} .ticket-row .clock-text`, (clock) => clock.textContent?.match(/\d+/g)?.length);
    await page.waitForSelector('.list-page .ticket-row .clock-text');
    expect(await numbers('.list-page')).toBe(2);
    await page.keyboard.press('o');
    await page.waitForSelector('.beside-list .ticket-row .by-site');
    expect(await numbers('.beside-list')).toBe(1);
    const cut = await page.$$eval('.beside-list :is(.by-name, .by-site)', (parts) =>
      parts.filter((part) => part.scrollWidth > part.clientWidth).map((part) => part.textContent),
    );
    expect(cut).toEqual([]);
    await choose('en');
  },
);
