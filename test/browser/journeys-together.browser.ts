// What happens around an agent who is typing: colleagues, customers, a network that is cut, a desk that restarts or is upgraded, a session that ends.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { messages as live } from '../../src/web/messages/console/en/live.ts';
import { type Chromium, intercept, startChromium, type Visitor } from './browser.ts';
import { ana, keys, openTicketPage, pastePicture, rows, seeRow, seeWritten, textOf, typeReply } from './journey.ts';
import { owner, signInAs } from './owner.ts';
import { t } from './texts.ts';
import { onePixel, startTicketDesk, type TicketDesk } from './ticket-desk.ts';
import { waitUntil } from './wait.ts';

let chromium: Chromium;
let desk: TicketDesk;
let visitor: Visitor;

beforeAll(async () => {
  chromium = await startChromium();
  desk = await startTicketDesk();
  await desk.command('agent', 'add', '--name', ana.name, '--email', ana.email);
});
beforeEach(async () => {
  visitor = await chromium.visitor();
  // What Chromium notes about a desk that is away, a session that has ended and a thread that went on.
  visitor.expectStatus(401, 409, 503);
  await signInAs(visitor, desk);
});
afterEach(async () => {
  const faults = faultsOf(visitor);
  await visitor.close();
  expect(faults).toEqual([]);
});
afterAll(async () => {
  await chromium.close();
  await desk.close();
});

const faultsOf = (who: Visitor) =>
  who.faults().filter((fault) => !/ERR_(?:CONNECTION|INTERNET|EMPTY|INCOMPLETE|NETWORK)/.test(fault));
const read = async (ulid: string) => (await desk.api('GET', `/tickets/${ulid}`)).data;
const customerSays = (reference: string, body: string) =>
  desk.receive(
    `From: mia@example.org\nTo: shop@desk.example\nSubject: Re: [${reference}]\nMessage-ID: <${performance.now()}@x>\n\n${body}\n`,
  );
const type = (text: string) => visitor.page.keyboard.type(text);
const seeOnline = () =>
  waitUntil('the desk is back', async () => !(await textOf(visitor, 'body')).includes(t.connectionOffline));
/** What is written is in the right place: the agent goes on typing without touching anything. */
const expectFocus = () => visitor.focusOn('aria-label', t.reply);

describe('two agents', () => {
  let other: Visitor;
  beforeEach(async () => {
    other = await chromium.visitor();
    other.expectStatus(409);
    await signInAs(other, desk, ana.email);
  });
  afterEach(async () => {
    const faults = faultsOf(other);
    await other.close();
    expect(faults).toEqual([]);
  });

  test('see each other type, and the slower one reads the answer of the other before sending', async () => {
    const { ulid } = await desk.openTicket('Both answer', 'Is there anyone?');
    await openTicketPage(visitor, desk, ulid);
    await openTicketPage(other, desk, ulid);
    await typeReply(other, 'Yes, I am');
    await waitUntil('Ana is seen typing', async () => (await textOf(visitor, '.typing')).includes(ana.name));
    await typeReply(visitor, 'We are');
    await waitUntil('Noor is seen typing', async () => (await textOf(other, '.typing')).includes(owner.name));
    await keys(other, 'Control+Enter');
    await other.see(t.replyHeld);
    await visitor.see('Yes, I am');
    await seeWritten(visitor, 'We are');
    await type(' both');
    await waitUntil('Ana can no longer take it back', async () =>
      (await textOf(visitor, '.composer')).includes(t.wroteMeanwhile),
    );
    await keys(visitor, 'Control+Enter');
    await visitor.see(t.wroteBeforeSending);
    expect((await read(ulid)).messages).toHaveLength(2);
    await visitor.press('button', t.keepEditing);
    await visitor.find('textbox', t.reply).then((field) => field.focus());
    await keys(visitor, 'Control+End');
    await type(' here');
    await keys(visitor, 'Control+Enter');
    await visitor.see(t.replyHeld);
    expect((await read(ulid)).messages.map(({ body }: { body: string }) => body)).toEqual([
      'Is there anyone?',
      'Yes, I am',
      'We are both here',
    ]);
  });

  test('share a list: who looks at a ticket, what it becomes, and new ones without a jump', async () => {
    const { ulid } = await desk.openTicket('Shared row', 'Hello');
    await visitor.page.goto(`${desk.url}/inbox/all?sort=created_at`);
    await seeRow(visitor, 'Shared row');
    await openTicketPage(other, desk, ulid);
    await visitor.page.waitForSelector(`.ticket-row .viewers[title*="${ana.name}"]`);
    await keys(other, 'm');
    await waitUntil('the row names Ana', async () => (await textOf(visitor, '.ticket-row')).includes(ana.name));
    const before = await rows(visitor);
    await desk.openTicket('Just arrived', 'Hello');
    await visitor.find('button', t.newTickets(1));
    expect(await rows(visitor)).toEqual(before);
    await visitor.press('button', t.newTickets(1));
    await seeRow(visitor, 'Just arrived');
    await other.page.goto(`${desk.url}/inbox/all`);
    await waitUntil(
      'no one looks at it any more',
      async () => (await visitor.page.$(`.ticket-row .viewers[title*="${ana.name}"]`)) === null,
    );
  });
});

describe('in the middle of typing', () => {
  test('the network is cut: nothing is lost, and what came meanwhile is shown before the reply is sent', async () => {
    const { ulid, reference } = await desk.openTicket('Cut off', 'Hello?');
    await openTicketPage(visitor, desk, ulid);
    await typeReply(visitor, 'Before');
    await visitor.see(t.draftSaved);
    await visitor.page.setOfflineMode(true);
    await type(', during');
    await visitor.see(t.draftInBrowser);
    await visitor.see(t.connectionOffline);
    await customerSays(reference, 'Are you still there?');
    await keys(visitor, 'Control+Enter');
    await visitor.see(t.sentWhenBack);
    await type(' and');
    await seeWritten(visitor, 'Before, during and');
    await visitor.page.setOfflineMode(false);
    await seeOnline();
    await visitor.see('Are you still there?');
    await expectFocus();
    await type(' after');
    await visitor.see(t.draftSaved);
    await seeWritten(visitor, 'Before, during and after');
    await keys(visitor, 'Control+Enter');
    await visitor.see(t.wroteBeforeSending);
    await visitor.press('button', t.sendAnyway);
    await visitor.see(t.replyHeld);
    expect((await read(ulid)).messages.at(-1).body).toBe('Before, during and after');
  });

  test('the desk restarts: the text, the picture and the conversation are all there', async () => {
    const { ulid } = await desk.openTicket('Restarted', 'Hello?');
    await openTicketPage(visitor, desk, ulid);
    await typeReply(visitor, 'One');
    await pastePicture(visitor, onePixel);
    await visitor.see(t.draftSaved);
    await desk.stop();
    await type(', two');
    await visitor.see(t.connectionOffline);
    await visitor.see(t.draftInBrowser);
    await desk.start();
    await desk.api('POST', `/tickets/${ulid}/notes`, { body: 'Written at the new start.', agent_name: 'Ana' });
    await type(', three');
    await seeOnline();
    await visitor.see('Written at the new start.');
    await visitor.see(t.draftSaved);
    await seeWritten(visitor, 'One, two, three');
    await expectFocus();
    await keys(visitor, 'Control+Enter');
    await visitor.see(t.replyHeld);
    const sent = (await read(ulid)).messages.at(-1);
    expect(sent.body).toBe('One, two, three');
    expect(sent.attachments).toHaveLength(1);
  });

  test('the session ends: the agent signs in over the page, and the reply is sent as it was', async () => {
    const { ulid } = await desk.openTicket('Signed out', 'Hello?');
    await openTicketPage(visitor, desk, ulid);
    await typeReply(visitor, 'Half a');
    await visitor.see(t.draftSaved);
    desk.sql('DELETE FROM sessions');
    await type(' sentence');
    await visitor.see(t.draftInBrowser);
    await keys(visitor, 'Control+Enter');
    await visitor.focusOn('name', 'password');
    await type(owner.password);
    await keys(visitor, 'Enter');
    await visitor.page.waitForFunction(() => document.querySelector('dialog[open]') === null);
    await visitor.see(t.replyHeld);
    expect((await read(ulid)).messages.map(({ body }: { body: string }) => body)).toEqual([
      'Hello?',
      'Half a sentence',
    ]);
  });

  test('the desk is upgraded: the page offers to load itself again, does not by itself, and the draft stays', async () => {
    const { ulid } = await desk.openTicket('Upgraded', 'Hello?');
    const { page } = visitor;
    await openTicketPage(visitor, desk, ulid);
    await typeReply(visitor, 'Unsent words');
    await visitor.see(t.draftSaved);
    await page.evaluate(() => {
      document.body.dataset.kept = 'yes';
    });
    await desk.stop();
    await intercept(page, (request) => {
      if (new URL(request.url()).pathname !== '/api/v1/live') return void request.continue();
      const agent = desk.site.owner.id;
      const hello = { newest_seq: 1, version: '99.0.0', agent_id: agent, rights: 'owner all', is_behind: false };
      return void request.respond({
        contentType: 'text/event-stream',
        body: `event: hello\ndata: ${JSON.stringify(hello)}\n\n`,
      });
    });
    await desk.start();
    await visitor.see(live.newVersion);
    await type(', and more');
    await visitor.see(t.draftSaved);
    expect(await page.evaluate(() => document.body.dataset.kept)).toBe('yes');
    await visitor.press('button', live.reloadNow);
    await waitUntil('the page is new', () =>
      page.evaluate(() => document.body.dataset.kept === undefined).catch(() => false),
    );
    await visitor.find('textbox', t.reply);
    await seeWritten(visitor, 'Unsent words, and more');
  });
});
