// "My tickets": the list that a code opens, what it shows and searches, and what it keeps from others.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { addNote, replyAsAgent } from '../../../src/desk/tickets/replies.ts';
import { ownTicketLimits } from '../../../src/domain/customers/portal.ts';
import { dayMs } from '../../../src/domain/instant.ts';
import { listCustomerTickets } from '../../../src/http/api/customers/my-tickets.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { type CustomerBrowser, codesSent, customerBrowser, lastCode } from '../../support/customer-browser.ts';

let app: TestApp;
let browser: CustomerBrowser;
beforeEach(async () => {
  app = await testApp();
  browser = customerBrowser(app);
  await settle({ portal: 'form_and_tickets' });
});
afterEach(() => app.close());

const settle = (settings: object) => app.asTeam('PATCH', '/api/v1/sites/web-shop', { settings });
const list = (query = '', by = browser) => by.ask('GET', `/tickets?site=web-shop${query}`);
const found = async (query = '') =>
  (await list(query)).json.data.tickets.map(({ subject }: { subject: string }) => subject);
const askCode = (email: string, by = browser) => by.ask('POST', '/codes', { site: 'web-shop', email });
const enter = (code: string, by = browser) => by.ask('POST', '/codes/confirm', { site: 'web-shop', code });

async function enterList(email = 'mia@example.org', by = browser): Promise<void> {
  await askCode(email, by);
  expect((await enter(await lastCode(app), by)).status).toBe(200);
}
const openMany = async (count: number, input: (at: number) => object = () => ({})) => {
  for (let at = 1; at <= count; at += 1) await app.open({ subject: `Number ${at}`, ...input(at) });
};

describe('the list', () => {
  test('needs the cookie of the list, and then its code', async () => {
    await app.open();
    const without = await list();
    expect([without.status, without.json.code]).toEqual([401, 'missing_token']);
    await askCode('mia@example.org');
    const pending = await list();
    expect([pending.status, pending.json.code]).toEqual([403, 'confirm_address']);
    expect((await enter('000000x')).status).toBe(422);
    expect((await list()).status).toBe(403);
    expect((await enter(await lastCode(app))).status).toBe(200);
    expect((await list()).json.data).toEqual({
      tickets: [
        {
          ulid: expect.stringMatching(/^[0-9A-Z]{26}$/),
          reference: '#1',
          subject: 'Cannot save',
          status: 'open',
          status_words: 'received',
          created_at: '2026-09-11T09:30:00.000Z',
          last_message_at: '2026-09-11T09:30:00.000Z',
        },
      ],
      next_cursor: null,
      address_hint: 'm…@e….org',
    });
  });

  test('is of this address and site alone, whatever other cookies and codes there are', async () => {
    await app.open({ subject: 'Of Mia' });
    await app.open({ subject: 'Of Ben', email: 'ben@example.org' });
    await app.ask('POST', '/api/v1/public/tickets', {
      headers: { 'X-Site-Token': app.other.siteToken },
      body: { email: 'mia@example.org', subject: 'Elsewhere', message: 'x' },
    });
    await enterList();
    expect(await found()).toEqual(['Of Mia']);
    const stranger = customerBrowser(app);
    await askCode('ben@example.org', stranger);
    expect((await enter(await lastCode(app), browser)).status).toBe(422);
    expect((await list('', stranger)).status).toBe(403);
    for (const [name, value] of browser.jar) stranger.jar.set(name.replace(/-s-\d+$/, '-s-2'), value);
    await app.asTeam('PATCH', '/api/v1/sites/other-shop', { settings: { portal: 'form_and_tickets' } });
    expect((await stranger.ask('GET', '/tickets?site=other-shop')).status).toBe(403);
  });

  test('begins again for another address, and then the former one is gone', async () => {
    await app.open({ subject: 'Of Mia' });
    await app.open({ subject: 'Of Ben', email: 'ben@example.org' });
    await enterList();
    await askCode('ben@example.org');
    expect((await list()).status).toBe(403);
    await enter(await lastCode(app));
    expect(await found()).toEqual(['Of Ben']);
  });

  test('has the tickets of everyone with this address, without spam, tests and what ended half a year ago', async () => {
    await app.open({ subject: 'By form' });
    await app.open({ subject: 'By account', context: { user: { external_id: 'u-1' } } });
    await app.open({ subject: 'Test', is_test: true });
    const spam = await app.open({ subject: 'Spam' });
    await app.asTeam('PATCH', `/api/v1/tickets/${spam.ulid}`, { is_spam: true });
    const old = await app.open({ subject: 'Old' });
    await app.asTeam('PATCH', `/api/v1/tickets/${old.ulid}`, { status: 'closed' });
    await enterList();
    expect(await found()).toEqual(['Old', 'By account', 'By form']);
    app.clock.advance(29 * dayMs);
    expect(await found()).toEqual(['Old', 'By account', 'By form']);
    app.clock.advance(152 * dayMs);
    await enterList();
    expect(await found()).toEqual(['By account', 'By form']);
  });

  test('comes in pages by a cursor, newest first', async () => {
    await openMany(ownTicketLimits.onPage + 3);
    await enterList();
    const first = (await list()).json.data;
    expect(first.tickets).toHaveLength(ownTicketLimits.onPage);
    expect(first.tickets[0].subject).toBe('Number 23');
    await app.open({ subject: 'New meanwhile' });
    const second = (await list(`&cursor=${first.next_cursor}`)).json.data;
    expect(second.tickets.map(({ subject }: { subject: string }) => subject)).toEqual([
      'Number 3',
      'Number 2',
      'Number 1',
    ]);
    expect(second.next_cursor).toBeNull();
  });

  test('is filtered by status', async () => {
    const { ulid } = await app.open({ subject: 'Done' });
    await app.open({ subject: 'Going' });
    await app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, { status: 'resolved' });
    await enterList();
    expect(await found('&status=resolved,closed')).toEqual(['Done']);
    expect(await found('&status[]=open')).toEqual(['Going']);
    expect((await list('&status=lost')).status).toBe(400);
  });

  test.each(['&cursor=x', '&cursor=-1', `&q=${'x'.repeat(201)}`, '&more=1'])('refuses %s', async (query) => {
    await app.open();
    await enterList();
    expect((await list(query)).status).toBe(400);
  });

  test('is not there while the site has none, or its links are off', async () => {
    await app.open();
    await enterList();
    for (const settings of [
      { portal: 'form' },
      { portal: 'off' },
      { portal: 'form_and_tickets', customer_links: 'off' },
    ]) {
      await settle(settings);
      expect((await list()).status).toBe(404);
      expect(listCustomerTickets(app.edge, browser.headers().Cookie, 'web-shop', {})).toBeNull();
    }
    await settle({ customer_links: 'open' });
    expect(listCustomerTickets(app.edge, browser.headers().Cookie, 'web-shop', {})).toEqual((await list()).json.data);
    for (const slug of ['no-shop', '1', '../x'])
      expect((await browser.ask('GET', `/tickets?site=${slug}`)).status).toBe(404);
  });

  test('is a page too, which leaves out what an address cannot mean', async () => {
    await openMany(ownTicketLimits.onPage + 1);
    const page = async (query = '') =>
      (await app.ask('GET', `/s/web-shop/tickets${query}`, { headers: browser.headers() })).text;
    expect(await page()).not.toContain('Number 1');
    await enterList();
    const text = await page('?status=lost&cursor=x');
    expect(text).toContain('Number 21');
    expect(text).not.toContain('Number 1<');
    expect(await page(/cursor=\d+/.exec(text)?.[0].replace(/^/, '?') ?? '')).toContain('Number 1<');
    expect(await page('?q=nothing')).not.toContain('Number');
  });

  test('ends after 30 days, and with the person', async () => {
    await app.open();
    await enterList();
    await app.asTeam('POST', '/api/v1/authors/anonymise', { site_id: app.site.id, email: 'mia@example.org' });
    expect((await list()).status).toBe(403);
    await app.open();
    await enterList();
    app.clock.advance(30 * dayMs);
    expect((await list()).status).toBe(403);
  });

  test('says nothing of whether an address is known', async () => {
    await app.open();
    const known = await askCode('mia@example.org');
    const unknown = await askCode('stranger@example.org', customerBrowser(app));
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    expect((await codesSent(app)).map(({ recipient }) => recipient)).toEqual(['mia@example.org']);
  });
});

describe('the search', () => {
  const ctx = () => app.desk.context({ kind: 'command_line' }, 'test');

  test('finds words of the subject, the reference and public messages, and none of notes', async () => {
    const { ulid } = await app.open({ subject: 'Größe der TASSE', message: 'Sie ist zu klein.' });
    await app.open({ subject: 'Another' });
    await app.desk.write((tx) => replyAsAgent(tx, ctx(), ulid, { body: 'Please send a photograph.' }).message.id);
    await app.desk.write((tx) => addNote(tx, ctx(), ulid, { body: 'SECRET refund' }).message.id);
    await enterList();
    const hit = ['Größe der TASSE'];
    for (const q of ['tasse', 'größe', 'GRÖSSE'.replace('SS', 'ß'), 'photograph', 'klein tasse', '#1'])
      expect(await found(`&q=${encodeURIComponent(q)}`), q).toEqual(hit);
    for (const q of ['secret', 'refund', 'tasse another', 'Kim', '%', '_', '" OR 1=1', 'subject:', '*'])
      expect(await found(`&q=${encodeURIComponent(q)}`), q).toEqual([]);
    expect(await found('&q=+')).toHaveLength(2);
  });

  test('looks at a bounded number of tickets in one step, and goes on by its cursor', async () => {
    await app.open({ subject: 'The needle' });
    await openMany(ownTicketLimits.looked);
    await enterList();
    const first = (await list('&q=needle')).json.data;
    expect(first.tickets).toEqual([]);
    const second = (await list(`&q=needle&cursor=${first.next_cursor}`)).json.data;
    expect([second.tickets.length, second.next_cursor]).toEqual([1, null]);
  });
});

describe('a ticket of the list', () => {
  const open = (ulid: string, by = browser, headers = {}) =>
    by.ask('POST', `/tickets/${ulid}/open`, { site: 'web-shop' }, headers);

  test('is opened with a cookie of its own, and can be answered, since the address is confirmed', async () => {
    const { ulid } = await app.open();
    await enterList();
    const { status, json } = await open(ulid);
    expect([status, json]).toEqual([200, { data: { ticket: ulid, path: `/t/${ulid}` } }]);
    const thread = (await browser.ask('GET', `/ticket?ticket=${ulid}`)).json.data;
    expect(thread).toMatchObject({ is_confirmed: true, may: { needs_confirmation: false } });
    expect((await browser.ask('POST', `/ticket/messages?ticket=${ulid}`, { body: 'Thank you' })).status).toBe(201);
  });

  test('of someone else is the same 404 as one that does not exist', async () => {
    await app.open();
    const { ulid: other } = await app.open({ email: 'ben@example.org' });
    const { ulid: spam } = await app.open();
    await app.asTeam('PATCH', `/api/v1/tickets/${spam}`, { is_spam: true });
    await enterList();
    const answers = [other, spam, '01K4VJ8Q4N7RM2ZC6B0T3XWYDE', 'x', '1', '%2e%2e%2f'].map((ulid) => open(ulid));
    for (const { status, json } of await Promise.all(answers)) {
      expect([status, json.code, json.message]).toEqual([404, 'not_found', 'No such ticket.']);
    }
    expect([...browser.jar.keys()].some((name) => name.includes('-t-'))).toBe(false);
  });

  test('is not opened without the list, before its code, or from a page of elsewhere', async () => {
    const { ulid } = await app.open();
    expect((await open(ulid)).status).toBe(401);
    await askCode('mia@example.org');
    expect((await open(ulid)).status).toBe(403);
    await enter(await lastCode(app));
    const { status, json } = await open(ulid, browser, { 'Sec-Fetch-Site': 'cross-site' });
    expect([status, json.code]).toEqual([403, 'cross_site']);
    expect((await open(ulid)).status).toBe(200);
  });

  test('that was merged shows what it was merged into, once', async () => {
    const one = await app.open({ subject: 'One' });
    const two = await app.open({ subject: 'Two' });
    const bens = await app.open({ subject: 'Of Ben', email: 'ben@example.org' });
    const three = await app.open({ subject: 'Three' });
    await app.asTeam('POST', `/api/v1/tickets/${one.ulid}/merge`, { into: two.ulid });
    await app.asTeam('POST', `/api/v1/tickets/${three.ulid}/merge`, { into: bens.ulid });
    await app.asTeam('PATCH', `/api/v1/tickets/${bens.ulid}`, { status: 'resolved' });
    await enterList();
    const { tickets } = (await list()).json.data;
    expect(tickets).toMatchObject([
      { subject: 'Three', status: 'resolved' },
      { subject: 'Two', status: 'open' },
    ]);
    expect((await open(tickets[0].ulid)).json.data.ticket).toBe(bens.ulid);
  });
});
