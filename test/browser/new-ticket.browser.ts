// A new ticket from the console, by keyboard alone: its draft, what is wrong with it, and what becomes of it.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { messages as composer } from '../../src/web/messages/console/en/composer.ts';
import { messages as details } from '../../src/web/messages/console/en/details.ts';
import { messages as list } from '../../src/web/messages/console/en/list.ts';
import { messages as shell } from '../../src/web/messages/console/en/shell.ts';
import { messages as everywhere } from '../../src/web/messages/en.ts';
import { isolated } from '../../src/web/shared/bidi.ts';
import { violations } from './axe.ts';
import { type Chromium, startChromium, type Visitor } from './browser.ts';
import { startTicketDesk, type TicketDesk } from './ticket-desk.ts';
import { waitUntil } from './wait.ts';

const t = { ...everywhere, ...list, ...composer };

let chromium: Chromium;
let desk: TicketDesk;
let visitor: Visitor;

beforeAll(async () => {
  chromium = await startChromium();
  desk = await startTicketDesk();
  await desk.openTicket('An older question', 'Hello');
  await desk.api('POST', `/sites/${desk.site.id}/custom-fields`, {
    ...{ key: 'seats', label: 'Seats', type: 'number', is_required: true },
  });
  await desk.api('POST', `/sites/${desk.site.id}/senders`, { address: 'billing@shop.example', name: 'Billing' });
  await desk.api('PATCH', `/sites/${desk.site.id}`, {
    settings: { signature: 'From the {{site.name}} {{ticket.reference}}' },
  });
  visitor = await chromium.visitor();
  visitor.expectStatus(422);
  await desk.signIn(visitor, '/inbox/all');
});
afterAll(async () => {
  await chromium.close();
  await desk.close();
});

const focused = () =>
  visitor.page.evaluate(() => {
    const { activeElement: at } = document;
    return at?.getAttribute('aria-label') ?? (at as HTMLInputElement | null)?.labels?.[0]?.innerText ?? '';
  });

async function tabTo(label: string): Promise<void> {
  for (let step = 0; step < 40; step += 1) {
    if ((await focused()) === label) return;
    await visitor.page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${label}`);
}

const draft = () => visitor.page.evaluate(async () => (await (await fetch('/api/v1/tickets/new/draft')).json()).data);
const newest = async () => (await desk.api('GET', '/tickets?per_page=1')).data[0];

test('is written, kept, corrected and created by keyboard alone', async () => {
  const { keyboard } = visitor.page;
  await keyboard.press('c');
  await visitor.at('/tickets/new');
  await waitUntil('the customer is asked for', focused, (label) => label === t.customer);
  await keyboard.type('zoe@example.org');
  await tabTo(t.name);
  await keyboard.type('Zoe Quist');
  await tabTo(t.subject);
  await keyboard.type('Your order');
  await tabTo(t.newTicketMessage);
  await keyboard.type('Dear Zoe, it is **late**.');
  await visitor.see('From the Web shop');
  await waitUntil('the desk has the draft', draft, (kept) => kept?.body.endsWith('**late**.') === true);
  await visitor.page.reload();
  await visitor.find('textbox', t.newTicketMessage);
  await waitUntil('the customer is asked for', focused, (label) => label === t.customer);
  for (const theme of ['light', 'dark']) {
    await visitor.page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    expect(await violations(visitor, ['.new-ticket'])).toEqual([]);
  }
  await keyboard.down('Control');
  await keyboard.press('Enter');
  await keyboard.up('Control');
  await waitUntil('what is missing has the focus', focused, (label) => label === 'Seats');
  await keyboard.type('4');
  await keyboard.down('Control');
  await keyboard.press('Enter');
  await keyboard.up('Control');
  await visitor.page.waitForSelector('.thread .message');
  const ticket = await newest();
  expect(new URL(visitor.page.url()).pathname).toBe(`/tickets/${ticket.ulid}`);
  expect(ticket).toMatchObject({
    ...{ subject: 'Your order', source: 'phone', awaits_author: true, custom_fields: { seats: 4 } },
    author: { email: 'zoe@example.org', name: 'Zoe Quist' },
  });
  const { messages } = (await desk.api('GET', `/tickets/${ticket.ulid}`)).data;
  const body = 'Dear Zoe, it is **late**.\n\nFrom the Web shop';
  expect(messages).toMatchObject([{ is_agent: true, body_format: 'markdown', body }]);
  expect(await draft()).toBeNull();
  await visitor.page.waitForFunction((text) => document.body.innerText.includes(text), {}, details.clockAwaits);
  // On a ticket the same key chooses its category.
  await keyboard.press('c');
  await visitor.find('option', 'No category');
  await keyboard.press('Escape');
});

test('of a known customer, who is told nothing', async () => {
  await visitor.press('link', shell.newTicket);
  await waitUntil('the customer is asked for', focused, (label) => label === t.customer);
  const { keyboard } = visitor.page;
  await keyboard.type('jans');
  await visitor.page.waitForSelector('.new-ticket [role=option]');
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  expect(await visitor.page.$eval('input[name=email]', ({ value }) => value)).toBe('mia@example.org');
  await visitor.page.waitForFunction(
    (text) => document.body.innerText.includes(text),
    {},
    t.newTicketKnown('Mia Jansen'),
  );
  for (const address of ['ben@example.org', 'eva@example.org']) {
    await tabTo(t.addCc);
    await keyboard.type(address);
    await visitor.find('option', address);
    await keyboard.press('Enter');
    await visitor.find('button', t.leaveOut(isolated(address)));
  }
  await tabTo(t.newTicketSender);
  await keyboard.type('Bill');
  await tabTo(t.subject);
  await keyboard.type('She called');
  await tabTo(t.newTicketTell);
  await keyboard.press('Space');
  await tabTo(t.newTicketSaid);
  await keyboard.type('Where is my order?');
  await tabTo('Seats');
  await keyboard.type('1');
  await keyboard.press('Enter');
  await visitor.page.waitForSelector('.thread .message');
  const ticket = await newest();
  expect(ticket).toMatchObject({ subject: 'She called', awaits_author: false, author: { name: 'Mia Jansen' } });
  const { messages, participants, sender } = (await desk.api('GET', `/tickets/${ticket.ulid}`)).data;
  expect(sender.address).toBe('billing@shop.example');
  expect(participants).toMatchObject([{ email: 'ben@example.org' }, { email: 'eva@example.org' }]);
  expect(messages).toMatchObject([{ is_agent: false, delivery: null, source: 'phone', body: 'Where is my order?' }]);
  expect(visitor.faults()).toEqual([]);
});

test('with a macro has its snooze and not the tags that it takes away', async () => {
  await desk.api('POST', '/macros', {
    ...{ name: 'Wait for parts', body: 'We wait for parts.', is_shared: true },
    changes: { snooze_hours: 48, add_tags: ['parts'], remove_tags: ['new'] },
  });
  await visitor.page.goto(`${desk.url}/tickets/new`);
  await visitor.find('textbox', t.newTicketMessage);
  const { keyboard } = visitor.page;
  await visitor.page.type('input[name=email]', 'zoe@example.org');
  await visitor.fill(t.subject, 'The hinge');
  await visitor.fill(t.tags, 'new blue');
  await visitor.fill('Seats', '1');
  await (await visitor.find('textbox', t.newTicketMessage)).focus();
  await keyboard.type('/wait');
  await visitor.page.waitForSelector('.completion-list [role=option]');
  await keyboard.press('Enter');
  await visitor.see(t.stagedSnooze('48'));
  await visitor.page.reload();
  await visitor.see(t.stagedSnooze('48'));
  // What a macro staged is in the browser, the rest of the draft comes from the desk.
  const address = () => visitor.page.$eval('input[name=email]', (input) => (input as HTMLInputElement).value);
  await waitUntil('the draft is back', address, (shown) => shown === 'zoe@example.org');
  await visitor.press('button', t.leaveSignatureOut);
  await visitor.press('button', t.newTicketCreate);
  await visitor.page.waitForSelector('.thread .message');
  const { ulid } = await newest();
  const made = async () => (await desk.api('GET', `/tickets/${ulid}`)).data;
  await waitUntil('it is snoozed', async () => (await made()).snoozed_until !== null);
  expect(await made()).toMatchObject({
    ...{ status: 'pending', tags: ['blue', 'parts'] },
    messages: [{ body: 'We wait for parts.' }],
  });
  expect(visitor.faults()).toEqual([]);
});
