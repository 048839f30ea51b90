// What agents are asked before they cannot go back: merging and splitting, tags, files; and the ticket on paper.

import { describe, expect, test } from 'bun:test';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Chromium, Visitor } from './browser.ts';
import { keepNotes, keys, runCommand } from './journey.ts';
import { t } from './texts.ts';
import { startTicketDesk, type TicketDesk } from './ticket-desk.ts';
import { waitUntil } from './wait.ts';

let chromium: Chromium;
let desk: TicketDesk;
let visitor: Visitor;
visitForEachTest({
  async open(started) {
    chromium = started;
    desk = await startTicketDesk();
    return desk;
  },
  come: (each) => {
    visitor = each;
  },
});

const plain = (text: string) => text.replace(/[\u2066-\u2069]/g, '');
const seen = async () => plain(await visitor.page.evaluate(() => document.body.innerText));
const read = async (ulid: string) => (await desk.api('GET', `/tickets/${ulid}`)).data;
const reply = (ulid: string, body: string) =>
  desk.api('POST', `/tickets/${ulid}/messages`, { body, agent_id: desk.site.owner.id });
const openFor = async (name: string, subject: string) =>
  (
    await desk.api('POST', '/tickets', {
      ...{ site_id: desk.site.id, name, email: `${name.toLowerCase()}@example.org`, subject, message: 'Please help.' },
    })
  ).data;
/** What the page itself asks, with its session. */
const draftOf = (ulid: string) =>
  visitor.page.evaluate(async (path) => (await fetch(path)).json(), `/api/v1/tickets/${ulid}/draft`);

describe('a merge', () => {
  test('of two people of one name tells them apart by their addresses', async () => {
    const of = async (email: string) =>
      (
        await desk.api('POST', '/tickets', {
          ...{
            site_id: desk.site.id,
            name: 'Mia Jansen',
            email,
            subject: 'A squeaking chair',
            message: 'Please help.',
          },
        })
      ).data;
    const from = await of('mia@home.example');
    const into = await of('mia@work.example');
    await desk.signIn(visitor, `/tickets/${from.ulid}`);
    await visitor.press('button', t.moreActions);
    await visitor.press('menuitem', t.merge);
    await visitor.press('combobox', t.mergeFind);
    await visitor.page.keyboard.type('squeaking');
    await visitor.page.waitForSelector(`.merge-row[id$="${into.ulid}"]`).then((row) => row?.click());
    const [one, other] = ['Mia Jansen <mia@home.example>', 'Mia Jansen <mia@work.example>'] as const;
    await waitUntil('it warns', async () => (await seen()).includes(t.mergeOtherCustomer(one, other)));
    expect(await seen()).toContain(t.mergeRecipient(other, one));
  });

  test('of two customers says so, names who gets the next reply, and leaves the draft until its agent decides', async () => {
    const from = await openFor('Mia', 'A broken lamp');
    const into = await openFor('Tom', 'My broken lamp');
    await desk.signIn(visitor, `/tickets/${from.ulid}`);
    await visitor.fill(t.reply, 'Dear Mia, your secret code is 4711.');
    await waitUntil('the draft is on the desk', async () => (await draftOf(from.ulid)).data?.body.includes('4711'));
    await visitor.press('button', t.moreActions);
    await visitor.press('menuitem', t.merge);
    await visitor.press('combobox', t.mergeFind);
    await visitor.page.keyboard.type('lamp');
    await visitor.page.waitForSelector(`.merge-row[id$="${into.ulid}"]`).then((row) => row?.click());
    // Also when what was found scrolls, the next stop after the field is a button.
    await visitor.page.$eval('.merge-found', (found) => {
      (found as HTMLElement).style.cssText = 'flex: none; block-size: 8px; min-block-size: 0';
    });
    await visitor.press('combobox', t.mergeFind);
    await visitor.page.keyboard.press('Tab');
    expect(await visitor.page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON');
    await waitUntil('it warns', async () => (await seen()).includes(t.mergeOtherCustomer('Mia', 'Tom')));
    expect(await seen()).toContain(t.mergeRecipient('Tom <tom@example.org>', 'Mia'));
    expect(await violations(visitor)).toEqual([]);
    await visitor.press('button', t.mergeInto(into.reference));
    await visitor.at(`/tickets/${into.ulid}`);
    await waitUntil('it asks', async () => (await seen()).includes(t.leftDraft(from.reference, 'Mia')));
    expect(await seen()).toContain(t.repliesGoTo('Tom'));
    const field = () => visitor.page.$eval('textarea', (text) => text.value);
    expect(await field()).toBe('');
    expect((await draftOf(into.ulid)).data).toBeNull();
    expect(await violations(visitor)).toEqual([]);
    await visitor.press('button', t.takeLeftDraft);
    await waitUntil('it is used', async () => (await field()) === 'Dear Mia, your secret code is 4711.');
    await waitUntil('the old one is gone', async () => (await draftOf(into.ulid)).left.length === 0);
  });

  test('is made in two steps by keyboard: Enter chooses, and Enter once more merges', async () => {
    const from = await openFor('Mia', 'A lost parcel');
    const [near, into] = [await openFor('Tom', 'Another lost parcel'), await openFor('Ann', 'The lost parcel')];
    const { keyboard } = visitor.page;
    const openMerge = async () => {
      await visitor.press('button', t.moreActions);
      await visitor.press('menuitem', t.merge);
      await visitor.focusOn('role', 'combobox');
    };
    const chosen = () => visitor.page.$$eval('.merge-row[aria-selected=true]', (all) => all.map(({ id }) => id));
    const kindOfButton = () => visitor.page.$eval('dialog [type=submit]', ({ className }) => className);
    await desk.signIn(visitor, `/tickets/${from.ulid}`);
    await openMerge();
    await keyboard.type('lost parcel');
    await visitor.page.waitForSelector(`.merge-row[id$="${near.ulid}"]`);
    await keyboard.press('ArrowDown');
    expect([await chosen(), await kindOfButton()]).toEqual([[], 'button plain']);
    await keyboard.press('Enter');
    await waitUntil('one is chosen', async () => (await chosen()).length === 1);
    expect(await kindOfButton()).toBe('button primary');
    await keyboard.press('Escape');
    await visitor.page.waitForSelector('dialog', { hidden: true });
    expect((await read(from.ulid)).merged_into).toBeNull();
    // Its number is enough, also when Enter comes before the answer.
    await openMerge();
    await keyboard.type(into.reference);
    await keyboard.press('Enter');
    await waitUntil('the one with the number is chosen', async () => (await chosen())[0]?.endsWith(into.ulid));
    expect((await read(from.ulid)).merged_into).toBeNull();
    await keyboard.press('Enter');
    await visitor.at(`/tickets/${into.ulid}`);
  });

  test('is made and undone without a mouse: of a ticket that is open', async () => {
    await keepNotes(visitor);
    const [from, into] = [await openFor('Eva', 'A squeaking saddle'), await openFor('Eva', 'The saddle squeaks')];
    await desk.signIn(visitor, `/tickets/${from.ulid}`);
    await runCommand(visitor, t.merge);
    await visitor.page.waitForSelector(`dialog .merge-row[id$="${into.ulid}"]`);
    await keys(visitor, 'ArrowDown', 'Enter');
    await visitor.page.waitForSelector('.merge-row[aria-selected=true]');
    await keys(visitor, 'Enter');
    await visitor.at(`/tickets/${into.ulid}`);
    await visitor.see(t.mergedFrom(from.reference));
    await visitor.focusOn('id', 'content');
    await keys(visitor, 'Control+z');
    await visitor.at(`/tickets/${from.ulid}`);
    await visitor.see(t.mergeUndone(from.reference));
    expect((await read(from.ulid)).merged_into).toBeNull();
  });

  test('is made and undone without a mouse: of two in the list', async () => {
    await keepNotes(visitor);
    const both = [await openFor('Ida', 'A creaking pedal'), await openFor('Ida', 'The creaking pedal')];
    const merged = async () => (await Promise.all(both.map(({ ulid }) => read(ulid)))).map((one) => one.merged_into);
    const isFocused = (selector: string) => visitor.page.waitForSelector(`${selector}:focus`);
    await desk.signIn(visitor, '/search?q=%22creaking%20pedal%22');
    await visitor.page.waitForFunction(() => document.querySelectorAll('[role=row][aria-selected]').length === 2);
    await keys(visitor, 'x', 'j', 'x');
    await isFocused('[role=grid]');
    await runCommand(visitor, t.actionMerge);
    await isFocused('.ticket-picker input');
    await keys(visitor, 'Escape');
    await isFocused('[role=grid]');
    await runCommand(visitor, t.actionMerge);
    await isFocused('.ticket-picker input');
    await keys(visitor, 'Enter', 'Enter');
    await isFocused('[role=grid]');
    await waitUntil('one was merged', async () => (await merged()).filter((into) => into !== null).length === 1);
    // The one that is left is not said to have failed, and what was selected is done.
    await visitor.page.waitForSelector('[role=row][aria-selected=true]', { hidden: true });
    expect(await visitor.page.$$('.toast.problem')).toEqual([]);
    await keys(visitor, 'Control+z');
    await waitUntil('it is undone', async () => (await merged()).every((into) => into === null));
  });

  test('of several in the list says that they are of several customers', async () => {
    await openFor('Ada', 'Twice the same');
    await openFor('Ben', 'Twice the same');
    await desk.signIn(visitor, '/search?q=%22Twice%20the%20same%22');
    await visitor.page.waitForFunction(() => document.querySelectorAll('[role=row][aria-selected]').length >= 2);
    await visitor.page.keyboard.press('x');
    await visitor.page.keyboard.press('j');
    await visitor.page.keyboard.press('x');
    await visitor.press('button', t.listMoreActions);
    await visitor.press('menuitem', t.actionMerge);
    await visitor.see(t.mergeSeveralCustomers);
  });
});

test('merging a customer’s only ticket says in the middle of the dialog where to go on', async () => {
  const { ulid } = await openFor('Lone', 'The only one');
  await desk.signIn(visitor, `/tickets/${ulid}`);
  await visitor.press('button', t.moreActions);
  await visitor.press('menuitem', t.merge);
  await visitor.see(t.mergeNoneOfCustomer);
  const [field, text, actions] = await visitor.page.$$eval(
    'dialog[open] input, dialog[open] .merge-none p, dialog[open] .dialog-actions',
    (all) => all.map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => ({ top, bottom })),
  );
  const above = (text?.top ?? 0) - (field?.bottom ?? 0);
  const below = (actions?.top ?? 0) - (text?.bottom ?? 0);
  expect(above).toBeGreaterThan(20);
  expect(Math.abs(above - below)).toBeLessThan(20);
});

test('a split asks whether one message moves or all after it too', async () => {
  const { ulid } = await openFor('Sam', 'Three things');
  await reply(ulid, 'Second thing');
  await reply(ulid, 'Third thing');
  await desk.signIn(visitor, `/tickets/${ulid}`);
  await (await visitor.page.$$('.message header .icon-button'))[1]?.click();
  await visitor.press('menuitem', t.split);
  await visitor.find('radio', t.splitRest('1'));
  await visitor.press('radio', t.splitOnly);
  expect(await violations(visitor)).toEqual([]);
  await visitor.fill(t.subject, 'The second thing');
  await visitor.press('button', t.split);
  await visitor.find('heading', 'The second thing');
  expect((await read(ulid)).messages.map(({ body }: { body: string }) => body)).toEqual([
    'Please help.',
    'Third thing',
  ]);
});

describe('the tag dialog', () => {
  const typeTag = async (subject: string, tag: string) => {
    const { ulid } = await openFor('Kim', subject);
    await desk.signIn(visitor, `/search?q=%22${encodeURIComponent(subject)}%22`);
    await visitor.see(subject);
    await visitor.page.keyboard.press('x');
    await visitor.page.keyboard.press('t');
    await visitor.page.waitForFunction(() => document.activeElement?.classList.contains('combobox-search'));
    if (tag !== '') await visitor.page.keyboard.type(tag);
    return ulid;
  };
  const tagged = (ulid: string, tags: string[]) =>
    waitUntil(
      'it has the tags',
      async () => (await read(ulid)).tags,
      (now) => Bun.deepEquals(now, tags),
    );

  test('takes no tag away with Enter that no key led to, and one that arrows led to', async () => {
    const ulid = await typeTag('Enter keeps', 'vip');
    const { keyboard } = visitor.page;
    for (const key of ['Enter', 'Enter'] as const) await keyboard.press(key);
    await tagged(ulid, ['vip']);
    await visitor.page.waitForSelector('dialog', { hidden: true });
    await keyboard.press('t');
    await visitor.page.waitForSelector('dialog .combobox-search:focus');
    for (const key of ['Enter', 'Enter'] as const) await keyboard.press(key);
    await visitor.page.waitForSelector('dialog', { hidden: true });
    await tagged(ulid, ['vip']);
    await keyboard.press('t');
    await visitor.page.waitForSelector('dialog .combobox-search:focus');
    for (const key of ['ArrowDown', 'Enter', 'Enter'] as const) await keyboard.press(key);
    await tagged(ulid, []);
  });

  test('applies with Enter twice, and with Ctrl and Enter', async () => {
    const twice = await typeTag('Enter twice', 'vip');
    await visitor.page.keyboard.press('Enter');
    await visitor.page.keyboard.press('Enter');
    await tagged(twice, ['vip']);
    await waitUntil('closed', async () => (await visitor.page.$('dialog')) === null);
    const control = await typeTag('Control enter', 'eu');
    await visitor.page.keyboard.press('Enter');
    await visitor.page.keyboard.down('Control');
    await visitor.page.keyboard.press('Enter');
    await visitor.page.keyboard.up('Control');
    await tagged(control, ['eu']);
    const typed = await typeTag('Control enter at once', 'typed');
    await visitor.page.keyboard.down('Control');
    await visitor.page.keyboard.press('Enter');
    await visitor.page.keyboard.up('Control');
    await tagged(typed, ['typed']);
  });

  test('has no Tab stop at which nothing can be done', async () => {
    await typeTag('Tab stops', 'one');
    await visitor.page.keyboard.press('Enter');
    const stops: string[] = [];
    for (let at = 0; at < 4; at += 1) {
      await visitor.page.keyboard.press('Tab');
      stops.push(
        await visitor.page.evaluate(
          () => document.activeElement?.getAttribute('role') ?? document.activeElement?.tagName ?? '',
        ),
      );
    }
    // The dialog's own buttons, and the browser around the page.
    expect(new Set(stops)).toEqual(new Set(['BUTTON', 'BODY']));
  });

  test('leaves everything as it was with Escape and with Cancel', async () => {
    const leave = [() => visitor.page.keyboard.press('Escape'), () => visitor.press('button', t.cancel)];
    for (const [at, left] of leave.entries()) {
      const dropped = await typeTag(`Left ${at}`, 'dropped');
      await visitor.page.keyboard.press('Enter');
      await left();
      await waitUntil('closed', async () => (await visitor.page.$('dialog')) === null);
      await visitor.page.keyboard.press('e');
      await waitUntil('what was asked for later is done', async () => (await read(dropped)).status === 'resolved');
      expect((await read(dropped)).tags).toEqual([]);
    }
  });

  test('has the own tags first, and the one of the status marks what it is now', async () => {
    const { ulid } = await openFor('Kim', 'Marked values');
    await desk.api('PATCH', `/tickets/${ulid}`, { tags: ['zebra'], status: 'pending' });
    const other = await openFor('Kim', 'Marked values too');
    await desk.api('PATCH', `/tickets/${other.ulid}`, { tags: ['ape'] });
    await desk.signIn(visitor, '/search?q=%22Marked%20values%22&sort=created_at&direction=asc');
    await visitor.page.waitForFunction(() => document.querySelectorAll('[role=row][aria-selected]').length >= 2);
    const options = () =>
      visitor.page.$$eval('dialog [role=option]', (all) =>
        all.map((one) => `${one.textContent}${one.getAttribute('aria-selected') === 'true' ? ' *' : ''}`),
      );
    await visitor.page.keyboard.press('t');
    await waitUntil('its own come first', options, (found) => found[0] === 'zebra *' && found.includes('ape'));
    await visitor.page.keyboard.press('Escape');
    await visitor.page.waitForSelector('dialog', { hidden: true });
    await visitor.page.keyboard.press('s');
    await waitUntil('the status is marked', options, (found) => found.filter((one) => one.endsWith('*')).length === 1);
    expect((await options()).find((one) => one.endsWith('*'))).toBe(`${t.statusPending} *`);
    await visitor.page.keyboard.press('Escape');
  });
});

test('files that the desk refuses say why in the language of the agent, and are not sent again', async () => {
  const german = await chromium.visitor({ language: 'de-DE' });
  const { ulid } = await openFor('Uli', 'Dateien');
  await desk.signIn(german, `/tickets/${ulid}`);
  german.expectStatus(422);
  await german.page.evaluate(() => {
    const files = new DataTransfer();
    files.items.add(new File([new Uint8Array(10 * 1024 * 1024 + 1)], 'zu-gross.pdf'));
    files.items.add(new File(['MZ'], 'setup.exe'));
    files.items.add(new File([], 'leer.txt'));
    const field = document.querySelector<HTMLInputElement>('.composer input[type=file]');
    if (field === null) throw new Error('no field for files');
    field.files = files.files;
    field.dispatchEvent(new Event('change', { bubbles: true }));
  });
  const problems = () =>
    german.page.$$eval('.file-problem', (all) => all.map((one) => one.textContent?.replace(/\s/g, ' ') ?? ''));
  expect(await waitUntil('all are refused', problems, (all) => all.length === 3)).toEqual([
    'Eine Datei darf höchstens 10 MB groß sein.',
    'Programme und Skripte wie .exe werden abgelehnt.',
    'Diese Datei ist leer.',
  ]);
  // Only removing is left.
  expect(
    await german.page.$$eval('.composer-file', (rows) => rows.map((row) => row.querySelectorAll('button').length)),
  ).toEqual([1, 1, 1]);
  expect(german.faults()).toEqual([]);
  await german.close();
});

test('after a link to a ticket, its row and no other looks chosen', async () => {
  const first = await openFor('Row', 'Rows: the newest');
  const wanted = await openFor('Row', 'Rows: in the middle');
  const last = await openFor('Row', 'Rows: the oldest');
  for (const { ulid } of [first, wanted, last])
    await desk.api('PATCH', `/tickets/${ulid}`, { assigned_to: desk.site.owner.id });
  await desk.signIn(visitor, '/inbox/mine');
  await visitor.open(`${desk.url}/tickets/${wanted.ulid}`);
  const marked = () =>
    visitor.page.$$eval('.beside-list .ticket-row:is(.is-active, .is-open, .is-selected)', (rows) =>
      rows.map((row) => row.textContent ?? ''),
    );
  const rows = await waitUntil('a row is marked', marked, (all) => all.length > 0);
  expect(rows.length).toBe(1);
  expect(rows[0]).toContain('Rows: in the middle');
  // A ticket that the list does not have marks no other one.
  const elsewhere = await openFor('Row', 'Rows: elsewhere');
  await visitor.open(`${desk.url}/tickets/${elsewhere.ulid}`);
  await visitor.page.waitForSelector('.beside-list .ticket-row');
  expect(await marked()).toEqual([]);
});

test('on paper there is the conversation with addresses and full dates, nothing to press, and notes only by choice', async () => {
  const { ulid, reference } = await openFor('Paula', 'On paper');
  await reply(ulid, 'An answer to read.');
  await desk.api('POST', `/tickets/${ulid}/notes`, { body: 'Not for customers.', agent_name: 'Ana' });
  await desk.signIn(visitor, `/tickets/${ulid}`);
  await visitor.page.emulateMediaType('print');
  await visitor.page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  const year = String(new Date().getUTCFullYear());
  for (const width of [397, 559, 794, 1123]) {
    await visitor.page.setViewport({ width, height: 1000 });
    const text = await waitUntil(`the sheet is there at ${width} px`, seen, (all) =>
      all.includes('An answer to read.'),
    );
    for (const part of [reference, 'On paper', 'Paula', 'paula@example.org', 'Please help.', year])
      expect(text).toContain(part);
    expect(text).not.toContain('Not for customers.');
    const shown = await visitor.page.$$eval('button, input, textarea, select, nav, [role=grid]', (all) =>
      all.filter((one) => one.checkVisibility()).map((one) => one.outerHTML.slice(0, 80)),
    );
    expect(shown).toEqual([]);
    expect(await visitor.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(
      await visitor.page.$$eval('.print-sheet time', (all) => all.every((one) => /\d{4}/.test(one.textContent ?? ''))),
    ).toBe(true);
  }
  await visitor.page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await visitor.page.emulateMediaType('screen');
  await visitor.page.setViewport({ width: 1440, height: 900 });
  await waitUntil('the page is back', async () => (await visitor.page.$('.print-sheet')) === null);
  await visitor.page.evaluate(() => {
    window.print = () => undefined;
  });
  await visitor.press('button', t.moreActions);
  await visitor.press('menuitem', t.printWithNotes);
  await visitor.page.emulateMediaType('print');
  await waitUntil('the note is there', async () => (await seen()).includes('Not for customers.'));
  await visitor.page.emulateMediaType('screen');
});
