// An agent's day: from the link in a mail to the last search, mostly by keyboard.

import { expect, test } from 'bun:test';
import { visitForEachTest } from '../support/visitors.ts';
import type { Chromium, Visitor } from './browser.ts';
import {
  ana,
  keepNotes,
  keys,
  openTicketPage,
  pastePicture,
  rows,
  seeRow,
  seeWritten,
  tabTo,
  textOf,
  typeReply,
} from './journey.ts';
import { owner, signInAs } from './owner.ts';
import { t } from './texts.ts';
import { onePixel, startTicketDesk, type TicketDesk } from './ticket-desk.ts';
import { waitUntil } from './wait.ts';

let chromium: Chromium;
let desk: TicketDesk;
let visitor: Visitor;
visitForEachTest({
  async open(started) {
    chromium = started;
    desk = await startTicketDesk();
    await desk.command('agent', 'add', '--name', ana.name, '--email', ana.email);
    await desk.api('POST', '/macros', {
      name: 'Thanks',
      body: 'Hello {{author.name}}, thank you for {{ticket.reference}}.',
      is_shared: true,
      changes: { add_tags: ['thanked'] },
    });
    return desk;
  },
  come: (each) => {
    visitor = each;
  },
});

const read = async (ulid: string) => (await desk.api('GET', `/tickets/${ulid}`)).data;
const goTo = async (path: string) => {
  await visitor.page.goto(desk.url + path);
  await visitor.page.waitForSelector('#content');
};

test('the link in a mail leads through the sign-in to the ticket, which is answered, taken back, and answered for good', async () => {
  const { ulid, reference } = await desk.openTicket('The wheel wobbles', 'Since yesterday, on every road.');
  visitor.expectStatus(401);
  await visitor.open(`${desk.url}/tickets/${ulid}`);
  await visitor.at('/sign-in');
  await visitor.fill('E-mail', owner.email);
  await visitor.fill('Password', owner.password);
  await keys(visitor, 'Enter');
  await visitor.at(`/tickets/${ulid}`);
  await visitor.find('heading', 'The wheel wobbles');
  await visitor.see('Since yesterday, on every road.');
  await typeReply(visitor, '/thank');
  await visitor.page.waitForSelector('.completion-list [role="option"]');
  await keys(visitor, 'Enter');
  const words = `Hello Mia Jansen, thank you for ${reference}.`;
  await seeWritten(visitor, words);
  await visitor.page.keyboard.type(' See the picture.');
  await pastePicture(visitor, onePixel);
  const hurry = await keepNotes(visitor);
  await keys(visitor, 'Control+Enter');
  await visitor.see(t.replyHeld);
  await keys(visitor, 'Control+z');
  await visitor.see(t.replyUndone);
  await seeWritten(visitor, `${words} See the picture.`);
  await visitor.page.waitForSelector('.composer-file img');
  expect((await read(ulid)).messages).toHaveLength(1);
  await hurry();
  await visitor.press('button', t.sendResolved);
  let mail = await desk.mail();
  while (mail.text?.includes('See the picture.') !== true) mail = await desk.mail();
  expect(mail.subject).toContain('The wheel wobbles');
  expect(mail.text).toContain(`${words} See the picture.`);
  expect(mail.attachments.map(({ contentType }) => contentType)).toEqual(['image/png']);
  const answered = await waitUntil(
    'it is resolved',
    () => read(ulid),
    ({ status }) => status === 'resolved',
  );
  expect(answered.tags).toEqual(['thanked']);
  expect(answered.messages).toHaveLength(2);
});

test('a colleague is asked in a note, and the ticket gets its owner, tags and rank by keys', async () => {
  const { ulid } = await desk.openTicket('A question for Ana', 'Who knows the old lamps?');
  await signInAs(visitor, desk);
  await openTicketPage(visitor, desk, ulid);
  await keys(visitor, 'n');
  await visitor.focusOn('aria-label', t.note);
  await visitor.page.keyboard.type('Do you know them, @ana');
  await visitor.page.waitForSelector('.completion-list [role="option"]');
  await keys(visitor, 'Enter', 'Control+Enter');
  await visitor.see(t.noteHeld);
  await keys(visitor, 'a');
  await visitor.page.waitForSelector('[role="listbox"] [role="option"]');
  await visitor.page.keyboard.type('Ana');
  await keys(visitor, 'Enter');
  await waitUntil(
    'it is Ana’s',
    () => read(ulid),
    ({ assignee }) => assignee?.name === ana.name,
  );
  await keys(visitor, 'p');
  await visitor.page.waitForSelector('[role="listbox"] [role="option"]');
  await visitor.page.keyboard.type('High');
  await keys(visitor, 'Enter');
  await waitUntil(
    'it is high',
    () => read(ulid),
    ({ priority }) => priority?.name === 'High',
  );
  await keys(visitor, 't');
  await visitor.page.waitForSelector('[role="listbox"], .combobox-panel input');
  await visitor.page.keyboard.type('lamps');
  await keys(visitor, 'Enter', 'Enter');
  await waitUntil(
    'it has the tag',
    () => read(ulid),
    ({ tags }) => tags.join() === 'lamps',
  );
  await waitUntil(
    'the note is added',
    () => read(ulid),
    ({ messages }) => messages.at(-1)?.send_at === null,
  );
  const other = await chromium.visitor();
  await signInAs(other, desk, ana.email);
  await seeRow(other, 'A question for Ana');
  const mentioned = await other.page.evaluate(
    async () => (await (await fetch('/api/v1/tickets?mentions=me')).json()).data,
  );
  expect(mentioned.map((ticket: { ulid: string }) => ticket.ulid)).toEqual([ulid]);
  expect(other.faults()).toEqual([]);
  await other.close();
});

test('several tickets are tagged together and taken back', async () => {
  const made: string[] = [];
  for (const part of ['bell', 'chain', 'brake'])
    made.push((await desk.openTicket(`Broken ${part}`, 'Please help.')).ulid);
  const tags = async () => (await Promise.all(made.map(read))).map((ticket) => ticket.tags.join());
  await signInAs(visitor, desk);
  await goTo('/inbox/all?sort=created_at');
  await seeRow(visitor, 'Broken bell');
  await keys(visitor, 'Home', 'x', 'Shift+j', 'Shift+j');
  await visitor.see(t.someSelected('3'));
  await keys(visitor, 't');
  await visitor.find('dialog', t.pickTags(3));
  await visitor.page.keyboard.type('spare-parts');
  await keys(visitor, 'Enter');
  await visitor.page.click('dialog .dialog-actions .button.primary');
  await visitor.see(t.didTags(3));
  await waitUntil('all have the tag', tags, (all) => all.join(' ') === 'spare-parts spare-parts spare-parts');
  await keys(visitor, 'Control+z');
  await waitUntil('none has the tag', tags, (all) => all.join('') === '');
});

test('a message with a second question becomes a ticket of its own, and a copy is merged back', async () => {
  const { ulid, reference } = await desk.openTicket('Two questions', 'First, where is my order?');
  await desk.receive(
    `From: mia@example.org\nTo: shop@desk.example\nSubject: Re: [${reference}]\nMessage-ID: <second@x>\n\nSecond, do you sell pumps?\n`,
  );
  await signInAs(visitor, desk);
  await openTicketPage(visitor, desk, ulid);
  await visitor.see('do you sell pumps?');
  await (await visitor.page.$$('.message header .icon-button')).at(-1)?.click();
  await visitor.press('menuitem', t.split);
  await visitor.fill(t.subject, 'Do you sell pumps?');
  await visitor.press('button', t.split);
  await visitor.find('heading', 'Do you sell pumps?');
  const apart = new URL(visitor.page.url()).pathname.slice('/tickets/'.length);
  expect((await read(apart)).split_from).toBe(ulid);
  await keepNotes(visitor);
  await goTo('/inbox/all?sort=created_at');
  await seeRow(visitor, 'Do you sell pumps?');
  await keys(visitor, 'Home', 'x', 'j', 'x');
  await visitor.see(t.someSelected('2'));
  await visitor.press('button', t.listMoreActions);
  await visitor.press('menuitem', t.actionMerge);
  await visitor.find('dialog', t.pickMerge(2));
  await visitor.page.keyboard.type('Two questions');
  await visitor.page.waitForSelector('dialog [role="option"]');
  await keys(visitor, 'Enter', 'Enter');
  await waitUntil(
    'they are one',
    () => read(apart),
    ({ merged_into: into }) => into === ulid,
  );
  const counts = () =>
    visitor.page.evaluate(() => [
      document.querySelector('.list-count [aria-hidden]')?.textContent,
      document.querySelector('a[aria-current] .rail-count')?.textContent,
    ]);
  await waitUntil(
    'the head and the rail count the same',
    counts,
    ([head, rail]) => head !== undefined && head === rail,
  );
  await visitor.find('button', t.undo);
  await keys(visitor, 'Control+z');
  await waitUntil(
    'they are two',
    () => read(apart),
    ({ merged_into: into, message_count: count }) => into === null && count === 1,
  );
});

test('a snoozed ticket is out of the way until its customer writes', async () => {
  const { ulid, reference } = await desk.openTicket('Not before Friday', 'I am away until then.');
  await signInAs(visitor, desk);
  await goTo('/inbox/open?sort=created_at');
  await seeRow(visitor, 'Not before Friday');
  await keys(visitor, 'Home', 'z');
  await visitor.find('dialog', t.pickSnooze(1));
  await visitor.page.keyboard.type(t.listSnoozeTomorrow);
  await keys(visitor, 'Enter');
  await waitUntil(
    'it sleeps',
    () => read(ulid),
    ({ snoozed_until: until }) => until !== null,
  );
  await keys(visitor, 'g', 'u');
  await visitor.at('/inbox/unassigned');
  await visitor.press('link', t.viewSnoozed);
  await seeRow(visitor, 'Not before Friday');
  await desk.receive(
    `From: mia@example.org\nTo: shop@desk.example\nSubject: Re: [${reference}]\nMessage-ID: <back@x>\n\nI am back early.\n`,
  );
  await waitUntil(
    'it is awake',
    () => read(ulid),
    ({ status, snoozed_until: until }) => status === 'open' && until === null,
  );
  await keys(visitor, 'g', 'o');
  await visitor.at('/inbox/open');
  await seeRow(visitor, 'Not before Friday');
});

test('a ticket is found by its words, its number and who wrote it, and by nothing else', async () => {
  const { ulid, reference } = await desk.openTicket('A purple tandem', 'It has two saddles.', 'yara@example.org');
  await signInAs(visitor, desk);
  for (const [search, isFound] of [
    ['"two saddles"', true],
    ['"saddles two"', false],
    ['from:yara@example.org status:open', true],
    ['from:yara@example.org status:resolved', false],
    [`#${reference.replace(/\D+/g, '')}`, true],
    ['tandem has:attachment', false],
  ] as const) {
    await keys(visitor, '/');
    await visitor.focusOn('type', 'search');
    await keys(visitor, 'Control+a');
    await visitor.page.keyboard.type(search);
    await keys(visitor, 'Enter');
    await waitUntil(
      `${search} is in the address`,
      async () => new URL(visitor.page.url()).searchParams.get('q') === search,
    );
    if (isFound) await seeRow(visitor, 'A purple tandem');
    else await visitor.see(t.noMatches);
    await keys(visitor, 'Escape');
  }
  await goTo('/search?q=tandem');
  await seeRow(visitor, 'A purple tandem');
  await keys(visitor, 'Enter');
  await visitor.at(`/tickets/${ulid}`);
  await visitor.find('textbox', t.reply);
  await keys(visitor, 'u');
  await visitor.at('/search');
  await waitUntil(
    'the search is there again',
    () => rows(visitor),
    (found) => found.join() === 'A purple tandem',
  );
});

test('without a mouse: from the rail into a ticket, an answer, a status, and back out', async () => {
  await desk.openTicket('Without a mouse', 'Can you answer by keys?');
  await signInAs(visitor, desk);
  const isFocusSeen = () =>
    visitor.page.evaluate(() => {
      const element = document.activeElement ?? document.body;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return element.matches(':focus-visible') && outlineStyle !== 'none' && outlineWidth !== '0px';
    });
  await tabTo(visitor, '.rail a[href="/inbox/all"]');
  expect(await isFocusSeen()).toBe(true);
  await keys(visitor, 'Enter');
  await visitor.at('/inbox/all');
  await visitor.page.waitForSelector('.ticket-row .row-subject');
  await tabTo(visitor, '[role="grid"], [role="grid"] *');
  await keys(visitor, 'ArrowDown', 'Enter');
  await visitor.find('log', t.conversation);
  await visitor.find('textbox', t.reply);
  await tabTo(visitor, '.composer-text');
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
