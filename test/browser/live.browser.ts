// The console while it is open: one stream for all tabs, catching up, and sessions that end under it.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { HTTPRequest } from 'puppeteer-core';
import { messages as live } from '../../src/web/messages/console/en/live.ts';
import { messages as shell } from '../../src/web/messages/console/en/shell.ts';

import { type Chromium, drawn, intercept, startChromium, startedTogether, type Visitor } from './browser.ts';
import { type BrowserDesk, startDesk } from './desk.ts';
import { makeOwner, owner, setUp, signInAs } from './owner.ts';
import { t } from './texts.ts';
import { waitUntil } from './wait.ts';

let chromium: Chromium;
let desk: BrowserDesk;
let siteToken = '';
let visitor: Visitor;
let count = 0;
const kim = 'kim@demo-shop.example';
beforeAll(async () => {
  [chromium, desk] = await startedTogether(startChromium(), startDesk());
  await makeOwner(desk);
  siteToken = (await desk.command('site', 'create', '--name', 'Demo shop')).site_token;
  await desk.command('agent', 'add', '--email', kim, '--name', 'Kim', '--role', 'admin');
});
beforeEach(async () => {
  visitor = await chromium.visitor();
  // What a desk that is away, or a session that has ended, leaves in the console of the browser.
  visitor.expectStatus(401, 503);
  await signIn(visitor, owner.email);
});
afterEach(async () => {
  const faults = visitor
    .faults()
    .filter((fault) => !/ERR_(?:CONNECTION|INTERNET|EMPTY|INCOMPLETE|NETWORK)|dynamically imported/.test(fault));
  await visitor.close();
  expect(faults).toEqual([]);
});
afterAll(async () => {
  await chromium.close();
  await desk.close();
});

async function signIn(who: Visitor, email: string): Promise<void> {
  await follow(who);
  await signInAs(who, desk, email);
}

/** Notes what the tabs tell each other. */
async function follow({ page }: Visitor): Promise<void> {
  await page.evaluateOnNewDocument(() => {
    const heard: number[] = [];
    const channel = new BroadcastChannel('helpdesk.live');
    channel.addEventListener('message', ({ data }) => {
      if (data.kind === 'frame' && data.frame.seq !== null) heard.push(data.frame.seq);
      if (data.kind === 'here' && data.standing?.connection === 'live') Object.assign(globalThis, { isLed: true });
    });
    Object.assign(globalThis, { heard, isLed: false });
  });
}

/** One tab of the browser follows the desk, and this one has heard of it. */
const led = ({ page }: Visitor) =>
  waitUntil('a tab leads', () => page.evaluate(() => (globalThis as unknown as { isLed: boolean }).isLed));

const heardBy = ({ page }: Visitor): Promise<number[]> =>
  page.evaluate(() => (globalThis as unknown as { heard: number[] }).heard);

function streamsOf({ page }: Visitor): string[] {
  const opened: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/api/v1/live') opened.push(search);
  });
  return opened;
}

async function openTicket(): Promise<string> {
  count += 1;
  const answer = await fetch(`${desk.url}/api/v1/public/tickets`, {
    method: 'POST',
    headers: { 'X-Site-Token': siteToken, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'mia@example.org', subject: `Ticket ${count}`, message: 'It fails.' }),
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { ticket: { ulid: string } }).ticket.ulid;
}

async function asKim(act: (other: Visitor) => Promise<void>): Promise<void> {
  const other = await chromium.visitor();
  try {
    await signIn(other, kim);
    await act(other);
  } finally {
    await other.close();
  }
}

async function newestEvent(): Promise<number> {
  const { page } = visitor;
  const look = () => fetch('/api/v1/live').then(async (answer) => (await answer.json()).data.newest_seq as number);
  return await page.evaluate(look);
}

/** Everything up to the newest event, each once. */
async function expectAll(who: Visitor, from: number): Promise<void> {
  const newest = await newestEvent();
  await waitUntil('every event has come', async () => (await heardBy(who)).includes(newest));
  const seqs = (await heardBy(who)).filter((seq) => seq > from);
  expect(seqs).toEqual(Array.from({ length: newest - from }, (_, at) => from + 1 + at));
}

test('two tabs share one stream, and the second one takes over when the first one closes', async () => {
  const second = await visitor.tab();
  const streams = streamsOf(second);
  await follow(second);
  await second.open(`${desk.url}/inbox/mine`);
  await led(second);
  const from = await newestEvent();
  await openTicket();
  await expectAll(second, from);
  expect(streams).toEqual([]);
  await visitor.page.close({ runBeforeUnload: false });
  await openTicket();
  visitor = second;
  await waitUntil('the second tab follows the desk', () => streams.length === 1);
  await openTicket();
  await expectAll(second, from);
});

test('a ticket that is opened elsewhere arrives by itself', async () => {
  await led(visitor);
  const from = await newestEvent();
  await openTicket();
  await expectAll(visitor, from);
});

test('when the desk restarts, the console says that it is away, and catches up', async () => {
  const from = await newestEvent();
  await desk.stop();
  await visitor.see(shell.connectionOffline);
  await desk.start();
  await openTicket();
  await waitUntil('the desk is back', async () => !(await textOf(visitor)).includes(shell.connectionOffline));
  await expectAll(visitor, from);
});

test('without a network the console says so, and catches up afterwards', async () => {
  const from = await newestEvent();
  await visitor.page.setOfflineMode(true);
  await visitor.see(shell.connectionOffline);
  const usual = visitor.page.viewport();
  await visitor.page.setViewport({ width: 390, height: 844 });
  await drawn(visitor);
  const edges = () => [...document.querySelectorAll('.top-bar *')].map((part) => part.getBoundingClientRect().right);
  expect(Math.max(...(await visitor.page.evaluate(edges)))).toBeLessThanOrEqual(390);
  await visitor.page.setViewport(usual);
  await openTicket();
  await openTicket();
  await visitor.page.setOfflineMode(false);
  await waitUntil('the network is back', async () => !(await textOf(visitor)).includes(shell.connectionOffline));
  await expectAll(visitor, from);
});

/** Empty while the page is on its way to another one. */
const textOf = ({ page }: Visitor): Promise<string> => page.evaluate(() => document.body.innerText).catch(() => '');

test('an agent whose session has ended signs in again in place', async () => {
  const second = await visitor.tab();
  second.expectStatus(401);
  await second.open(`${desk.url}/profile`);
  await visitor.page.bringToFront();
  await visitor.page.evaluate(() => {
    document.body.dataset.kept = 'yes';
  });
  desk.sql('DELETE FROM sessions');
  await visitor.see(live.sessionIsOver);
  await visitor.press('button', live.signInAgain);
  const email = await visitor.find('textbox', t.email);
  expect(await email.evaluate((input) => (input as HTMLInputElement).value)).toBe(owner.email);
  await visitor.focusOn('name', 'password');
  await visitor.page.keyboard.type(owner.password);
  await visitor.page.keyboard.press('Enter');
  await waitUntil('the dialog has closed', async () => (await visitor.page.$('dialog[open]')) === null);
  for (const one of [visitor, second])
    await waitUntil('the session is back', async () => !(await textOf(one)).includes(live.sessionIsOver));
  expect(await visitor.page.evaluate(() => document.body.dataset.kept)).toBe('yes');
  const from = await newestEvent();
  await openTicket();
  await expectAll(visitor, from);
});

test('a session that ends while an agent types costs nothing of what was typed', async () => {
  const ulid = await openTicket();
  const { page } = visitor;
  await visitor.open(`${desk.url}/tickets/${ulid}`);
  const reply = await visitor.find('textbox', 'Reply');
  await reply.focus();
  await page.keyboard.type('Have you tried ');
  desk.sql('DELETE FROM sessions');
  await page.keyboard.type('another browser?');
  // No dialog takes the keys of someone who writes.
  await visitor.see(live.sessionIsOver);
  await visitor.see(t.draftInBrowser);
  expect(await reply.evaluate((field) => document.activeElement === field)).toBe(true);
  await visitor.press('button', live.signInAgain);
  await visitor.focusOn('name', 'password');
  await page.keyboard.type(owner.password);
  await page.keyboard.press('Enter');
  await waitUntil('the dialog has closed', async () => (await page.$('dialog[open]')) === null);
  const read = (ticket: string) =>
    fetch(`/api/v1/tickets/${ticket}/draft`).then(async (answer) => (await answer.json()).data?.body as string);
  await waitUntil(
    'the desk has the draft',
    async () => (await page.evaluate(read, ulid)) === 'Have you tried another browser?',
  );
  expect(await reply.evaluate((field) => (field as HTMLTextAreaElement).value)).toBe('Have you tried another browser?');
});

test('a page does not go on as another agent', async () => {
  const second = await visitor.tab();
  second.expectStatus(401);
  // By the page: that ends the session of the first tab, which then asks who it is.
  const { sign_in_url: link } = await desk.command('agent', 'link', kim);
  await second.open(link);
  await second.at('/inbox/mine');
  await visitor.page.bringToFront();
  await visitor.see(live.otherSession(owner.name));
  await visitor.press('button', live.reloadNow);
  await waitUntil('the page is Kim’s', async () => !(await textOf(visitor)).includes(live.otherSession(owner.name)));
});

test('who else has a ticket open is seen, and gone when they leave', async () => {
  const ulid = await openTicket();
  await visitor.open(`${desk.url}/tickets/${ulid}`);
  const present = () => visitor.page.$$eval('.present', (shown) => shown.map((one) => one.getAttribute('aria-label')));
  await asKim(async (other) => {
    await other.open(`${desk.url}/tickets/${ulid}`);
    await waitUntil('Kim is there', async () => (await present()).some((name) => name?.includes('Kim')));
  });
  await waitUntil('Kim has left', async () => (await present()).length === 0);
});

test('after an upgrade the page loads itself again when a part of it is gone', async () => {
  visitor.expectStatus(404);
  const { page } = visitor;
  await page.evaluate(() => {
    document.body.dataset.kept = 'yes';
  });
  let isNewer = true;
  await intercept(page, (request) => {
    const { pathname } = new URL(request.url());
    const isReload = request.isNavigationRequest();
    if (isReload) isNewer = false;
    if (isNewer && pathname.startsWith('/assets/more-pages'))
      void request.respond({ status: 404, contentType: 'application/json', body: '{}' });
    else if (isNewer && pathname === '/customers')
      void request.respond({
        contentType: 'text/html',
        body: '<script type="module" src="/assets/newer.js"></script>',
      });
    else void request.continue();
  });
  await visitor.press('link', 'Customers');
  await waitUntil(
    'the page was loaded again',
    async () => !isNewer && (await page.evaluate(() => document.body.dataset.kept).catch(() => 'yes')) !== 'yes',
  );
  await visitor.find('heading', 'Customers');
  expect(new URL(page.url()).pathname).toBe('/customers');
});

test('a desk with a newer version offers to load the page again', async () => {
  const { page } = visitor;
  const hello = (version: string) =>
    `event: hello\ndata: ${JSON.stringify({ newest_seq: 1, version, agent_id: 1, rights: 'owner all', is_behind: false })}\n\n`;
  let answered = 0;
  await intercept(page, (request) => {
    if (new URL(request.url()).pathname !== '/api/v1/live') return void request.continue();
    answered += 1;
    void request.respond({ contentType: 'text/event-stream', body: hello(answered > 1 ? '2.0.0' : '1.0.0') });
  });
  await visitor.open(`${desk.url}/inbox/mine`);
  await visitor.see(live.newVersion);
  await visitor.find('button', live.reloadNow);
});

describe('an agent who loses a site', () => {
  beforeAll(async () => {
    await desk.command('site', 'create', '--name', 'Other shop');
  });
  afterEach(async () => {
    await desk.command('agent', 'update', kim, '--all-sites');
  });
  const seeOneSite = (other: Visitor) =>
    waitUntil('one site is left', async () => {
      const text = await textOf(other);
      return text.includes('Other shop') && !text.includes('All sites');
    });
  const loseSites = () => desk.command('agent', 'update', kim, '--site', 'other-shop');

  test('no longer sees it, without loading the page again', async () => {
    await asKim(async (other) => {
      await other.page.evaluate(() => {
        document.body.dataset.kept = 'yes';
      });
      await other.see('All sites');
      await loseSites();
      await seeOneSite(other);
      expect(await other.page.evaluate(() => document.body.dataset.kept)).toBe('yes');
    });
  });

  test('no longer sees it when that happened before the page began to follow the desk', async () => {
    await asKim(async (other) => {
      const { page } = other;
      const held: HTTPRequest[] = [];
      let isHeld = true;
      await intercept(page, (request) => {
        if (isHeld && new URL(request.url()).pathname === '/api/v1/live') held.push(request);
        else void request.continue();
      });
      await page.reload();
      await other.see('All sites');
      await waitUntil('the page asks for the stream', () => held.length > 0);
      await loseSites();
      expect(await textOf(other)).toContain('All sites');
      isHeld = false;
      for (const request of held) await request.continue();
      await seeOneSite(other);
    });
  });
});

test('what a colleague writes comes onto the open ticket by itself', async () => {
  const ulid = await openTicket();
  await visitor.open(`${desk.url}/tickets/${ulid}`);
  await visitor.find('textbox', 'Reply');
  await asKim(async ({ page }) => {
    const write = (ticket: string) =>
      fetch(`/api/v1/tickets/${ticket}/notes`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ body: 'Mia called about this.' }),
      }).then(({ status }) => status);
    expect(await page.evaluate(write, ulid)).toBe(201);
    await visitor.see('Mia called about this.');
  });
});

test('over plain http in a network, tabs share one stream too', async () => {
  const [lan, there] = await startedTogether(startChromium({ 'desk.lan': '127.0.0.1' }), startDesk('desk.lan'));
  try {
    const first = await lan.visitor();
    await setUp(first, there);
    expect(await first.page.evaluate(() => [isSecureContext, 'locks' in navigator])).toEqual([false, false]);
    const second = await first.tab();
    const streams = streamsOf(second);
    await follow(second);
    await second.open(`${there.url}/inbox/mine`);
    await led(second);
    expect(streams).toEqual([]);
    await first.page.close();
    await waitUntil('the second tab follows the desk', () => streams.length === 1);
  } finally {
    await lan.close();
    await there.close();
  }
});
