// The bell and the inbox: told live, opened and done by keys, and what follows a ticket.

import { expect, test } from 'bun:test';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Visitor } from './browser.ts';
import { keys, openTicketPage } from './journey.ts';
import { signInAs } from './owner.ts';
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
  async come(each) {
    visitor = each;
  },
});

const bell = () => visitor.page.$eval('.bell', (link) => link.getAttribute('aria-label')).catch(() => null);
const listed = () => visitor.page.$$eval('.told h2', (all) => all.map((one) => one.textContent ?? ''));

test('the bell counts live, and the inbox is read by keys', async () => {
  const ticket = await desk.openTicket('The printer is on fire', 'Help!');
  const second = await desk.openTicket('No paper', 'Please.');
  await signInAs(visitor, desk);
  await waitUntil('the bell is there', bell, (label) => label === t.bellTitle);
  for (const { ulid } of [ticket, second])
    await desk.api('PATCH', `/tickets/${ulid}`, { assigned_to: desk.site.owner.id });
  await waitUntil('the bell counts', bell, (label) => label === t.notificationsUnread('2'));
  await keys(visitor, 'g', 'n');
  await visitor.at('/notifications');
  const titles = await waitUntil('both are listed', listed, (found) => found.length === 2);
  expect(titles).toEqual([expect.stringContaining('No paper'), expect.stringContaining('The printer is on fire')]);
  expect(await violations(visitor)).toEqual([]);
  await keys(visitor, 'e');
  await waitUntil('one is left', listed, (found) => found.length === 1);
  await waitUntil('the bell counts one', bell, (label) => label === t.notificationsUnread('1'));
  // Opening the ticket reads what is about it.
  await keys(visitor, 'Enter');
  await visitor.at(`/tickets/${ticket.ulid}`);
  await waitUntil('nothing is left', bell, (label) => label === t.bellTitle);
});

test('a ticket is followed from its menu, and says so', async () => {
  const { ulid } = await desk.openTicket('A loose cable', 'It fell out.');
  await signInAs(visitor, desk);
  await openTicketPage(visitor, desk, ulid);
  await visitor.press('button', t.moreActions);
  await visitor.press('menuitem', t.follow);
  // The menu is closed, and says the new state as soon as the desk has answered.
  await visitor.page.waitForSelector('[role=menuitem]', { hidden: true });
  await visitor.press('button', t.moreActions);
  await visitor.find('menuitem', t.unfollow);
});

/** What the browser shows beside its pages. */
const onDesktop = () =>
  visitor.page.evaluate(async () => {
    const worker = await navigator.serviceWorker.getRegistration('/');
    const all = (await worker?.getNotifications()) ?? [];
    return all.map(({ title, body, tag, data }) => ({ title, body, tag, path: data.path as string }));
  });

/** Counts the notes that the page plays. */
const listen = ({ page }: Visitor) =>
  page.evaluateOnNewDocument(() => {
    const heard = { notes: 0 };
    Object.assign(globalThis, { heard });
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (this: OscillatorNode, at) {
      heard.notes += 1;
      start.call(this, at);
    };
  });
const notesOf = ({ page }: Visitor) =>
  page.evaluate(() => (globalThis as unknown as { heard: { notes: number } }).heard.notes);

test('the desktop and the sound tell of what is new, from one tab, and not of a ticket in sight', async () => {
  const [before, seen, missed, later] = [
    await desk.openTicket('Before', 'None.'),
    await desk.openTicket('In sight', 'One.'),
    await desk.openTicket('Out of sight', 'Two.'),
    await desk.openTicket('Later', 'Three.'),
  ];
  await visitor.page.browserContext().overridePermissions(desk.url, ['notifications']);
  await listen(visitor);
  await signInAs(visitor, desk);
  await visitor.open(`${desk.url}/profile`);
  const assign = ({ ulid }: { ulid: string }) =>
    desk.api('PATCH', `/tickets/${ulid}`, { assigned_to: desk.site.owner.id });
  // What a page finds when it begins to follow the desk is not new.
  await assign(before);
  await waitUntil('the page follows the desk', bell, (label) => label === t.notificationsUnread('1'));
  await visitor.press('button', t.desktopTurnOn);
  await visitor.see(t.desktopTurnedOn);
  await waitUntil('a first one is shown', async () => (await onDesktop()).length === 1);
  await visitor.press('button', t.soundTry);
  await waitUntil('it is heard', async () => (await notesOf(visitor)) === 2);
  for (const event of [t.noticeAssigned, t.noticeCustomerReplied]) {
    await visitor.press('checkbox', t.noticeBy(event, t.placeSound));
    await visitor.see(t.saved);
  }
  expect(await violations(visitor)).toEqual([]);

  // Sounds within two seconds are one. For the page, these seconds have passed.
  await visitor.page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 3000;
  });
  const second = await visitor.tab();
  await listen(second);
  await openTicketPage(second, desk, seen.ulid);
  const isOpen = () =>
    second.page.evaluate(async (ulid) => {
      const { data } = await (await fetch('/api/v1/live')).json();
      return data.presence.some(({ ticket }: { ticket: string }) => ticket === ulid);
    }, seen.ulid);
  await waitUntil('the desk knows which ticket is open', isOpen);
  for (const one of [seen, missed]) await assign(one);
  const told = await waitUntil('it is told', onDesktop, (all) => all.some(({ tag }) => tag === missed.ulid));
  expect(told).toContainEqual({
    title: expect.stringContaining('Out of sight'),
    body: expect.stringContaining(t.toldAssigned('tests')),
    ...{ tag: missed.ulid, path: `/tickets/${missed.ulid}` },
  });
  const heard = async () => (await notesOf(visitor)) - 2 + (await notesOf(second));
  await waitUntil('one tab is heard', async () => (await heard()) === 2);
  await waitUntil('the title counts', async () => (await second.page.title()).startsWith('(2) '));

  await second.page.close();
  await visitor.page.bringToFront();
  // With it off, nothing more is shown.
  await visitor.press('button', t.desktopTurnOff);
  await assign(later);
  await waitUntil('the title counts on', async () => (await visitor.page.title()).startsWith('(3) '));
  expect((await onDesktop()).map(({ tag }) => tag)).not.toContain(later.ulid);
});
