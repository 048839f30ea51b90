// Customers say how the help was: by the link in a mail, with a plain form, and on the page of their ticket.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ratingPaths } from '../../../src/desk/customers/satisfaction.ts';
import { query } from '../../../src/engine/database.ts';
import { baseUrl, type TestApp, testApp } from '../../support/app.ts';
import { openedTicket } from '../../support/customer-browser.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { settings: { ask_satisfaction: true } });
});
afterAll(() => app.close());

/** A resolved ticket, with the link that its mail has. */
async function resolved() {
  const { ulid, browser } = await openedTicket(app);
  await app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, { status: 'resolved' });
  const row = query<{ ulid: string }>(
    app.desk.store.reading,
    `SELECT customer_links.ulid FROM customer_links JOIN deliveries ON deliveries.id = delivery_id
     WHERE event = 'mail.satisfaction' AND customer_links.ticket_id = (SELECT id FROM tickets WHERE ulid = ?)`,
  ).get(ulid);
  const path = ratingPaths(app.desk.seal, row?.ulid ?? '').bad.replace('?as=bad', '');
  const [, , link = '', token = ''] = path.split('/');
  return { ulid, browser, path, link, token };
}
const ticketOf = async (ulid: string) => (await app.asTeam('GET', `/api/v1/tickets/${ulid}`)).json.data;
const own = { 'Sec-Fetch-Site': 'same-origin' };
const form = (path: string, values: Record<string, string>, headers: Record<string, string> = own) =>
  app.fetch(
    new Request(new URL(path, baseUrl), {
      method: 'POST',
      body: new URLSearchParams(values).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    }),
  );
const page = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await app.fetch(new Request(new URL(path, baseUrl), { headers }));
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
};

describe('the page of a link', () => {
  test('asks, and changes nothing when it is opened', async () => {
    const { ulid, path } = await resolved();
    const { reference, events, subject } = await ticketOf(ulid);
    const { status, text, headers } = await page(`${path}?as=bad`);
    expect([status, headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
      200,
      'no-store',
      'no-referrer',
    ]);
    expect(text).toContain(`How was our help with ${reference}?`);
    expect(text).toMatch(/<form method="post"/);
    expect(text.indexOf('value="bad"')).toBeLessThan(text.indexOf('value="good"'));
    // It says nothing of the ticket but its number.
    expect(text).not.toContain(subject);
    expect(await ticketOf(ulid)).toMatchObject({ satisfaction: null, events });
  });

  test('takes an answer and then words without a script, and shows them', async () => {
    const { ulid, path } = await resolved();
    const first = await form(`${path}?as=bad`, { rating: 'bad' });
    expect([first.status, first.headers.get('location')]).toEqual([303, `${path}?saved=1`]);
    expect((await page(`${path}?saved=1`)).text).toContain('Would you like to tell us more?');
    await form(path, { rating: 'bad', comment: 'Too slow.\r\n<b>"Really"</b>' });
    const { text } = await page(path);
    expect(text).toContain('Too slow.\n&lt;b>');
    const { satisfaction, events } = await ticketOf(ulid);
    expect(satisfaction).toEqual({
      rating: 'bad',
      comment: 'Too slow.\n<b>"Really"</b>',
      at: '2026-09-11T09:30:00.000Z',
    });
    expect(events.at(-1)).toMatchObject({ event: 'ticket.rated', actor: { type: 'author' } });
    const listed = await app.asTeam('GET', '/api/v1/tickets?satisfaction=bad&per_page=100');
    expect(listed.json.data.map((one: { ulid: string }) => one.ulid)).toContain(ulid);
  });

  test('keeps what was typed when it refuses it', async () => {
    const { ulid, path } = await resolved();
    await form(path, { rating: 'good' });
    const long = `${'word '.repeat(401)}`;
    const answer = await form(path, { rating: 'good', comment: long });
    expect(answer.status).toBe(422);
    const text = await answer.text();
    expect(text).toContain('Use at most 2,000 characters.');
    expect(text).toContain(long.trim());
    expect((await form(path, { rating: 'good', comment: 'x'.repeat(70_000) })).status).toBe(413);
    expect((await form(path, { rating: 'great' })).status).toBe(422);
    expect((await form(path, { rating: 'good' }, { ...own, 'Content-Type': 'text/plain' })).status).toBe(422);
    expect((await ticketOf(ulid)).satisfaction).toMatchObject({ comment: null });
  });

  test('takes nothing from another site’s page, and takes it from a browser that names no site', async () => {
    const { ulid, path } = await resolved();
    const other = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    expect((await form(path, { rating: 'good' }, other)).status).toBe(403);
    expect((await form(path, { rating: 'good' }, { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await ticketOf(ulid)).satisfaction).toBeNull();
    expect((await form(path, { rating: 'good' }, { Origin: 'null' })).status).toBe(303);
  });

  test('is that of any wrong address for a token that is wrong, foreign or revoked', async () => {
    const mine = await resolved();
    const others = await resolved();
    const nothing = (await page('/rate/01K4VJ8Q4N7RM2ZC6B0T3X0000/hdr_no')).text;
    expect(nothing).toContain('There is nothing here');
    await app.asTeam('DELETE', `/api/v1/tickets/${others.ulid}/links`);
    for (const path of [`${mine.path}x`, `/rate/${mine.link}/${others.token}`, others.path]) {
      expect(await page(path)).toMatchObject({ status: 404, text: nothing });
      expect((await form(path, { rating: 'good' })).status).toBe(404);
    }
    const deleted = await app.fetch(new Request(new URL(mine.path, baseUrl), { method: 'DELETE' }));
    expect([deleted.status, deleted.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    const call = { link: mine.link, token: `${mine.token}x`, rating: 'good' };
    const answer = await app.ask('POST', '/api/v1/customer/ratings', { body: call, headers: own });
    expect([answer.status, answer.json.code]).toEqual([404, 'not_found']);
    // The token is no link to the ticket.
    const opening = await app.ask('POST', '/api/v1/customer/links', {
      body: { ticket: mine.ulid, token: mine.token },
      headers: own,
    });
    expect(opening.status).toBe(404);
  });
});

describe('on the page of the ticket', () => {
  test('the author says it after a code, sees it, and no one else does', async () => {
    const { ulid, browser } = await resolved();
    const say = () =>
      browser.ask('POST', `/ticket/satisfaction?ticket=${ulid}`, { rating: 'good', comment: ' Thanks! ' });
    expect((await say()).json.code).toBe('confirm_address');
    const asked = (await browser.ask('GET', '/ticket')).json.data;
    expect([asked.may.rate, asked.satisfaction]).toEqual([true, null]);
    await browser.confirm(ulid);
    expect((await say()).json.data).toEqual({
      rating: 'good',
      comment: 'Thanks!',
      at: '2026-09-11T09:30:00.000Z',
      changeable_until: '2026-09-25T09:30:00.000Z',
    });
    const seen = (await browser.ask('GET', '/ticket')).json.data;
    expect([seen.may.rate, seen.satisfaction.comment]).toEqual([true, 'Thanks!']);
    expect(seen.version).not.toBe(asked.version);
  });

  test('no one is asked before it is resolved, nor where the site does not ask', async () => {
    const { ulid, browser } = await openedTicket(app);
    await browser.confirm(ulid);
    const say = () => browser.ask('POST', `/ticket/satisfaction?ticket=${ulid}`, { rating: 'good' });
    expect((await browser.ask('GET', '/ticket')).json.data.may.rate).toBe(false);
    expect((await say()).status).toBe(404);
    await browser.ask('POST', `/ticket/status?ticket=${ulid}`, { status: 'resolved' });
    expect((await ticketOf(ulid)).events.at(-1).data).toMatchObject({ satisfaction_asked: 'page' });
    await app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { settings: { ask_satisfaction: false } });
    expect((await say()).status).toBe(404);
    await app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { settings: { ask_satisfaction: true } });
    expect((await say()).status).toBe(200);
  });
});
