// Links of customers: what opens a ticket, for how long, and what a refusal says.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { eraseAuthor } from '../../../src/desk/customers/authors.ts';
import { createCustomerLink, customerLinkUrl, isLinkAlive } from '../../../src/desk/customers/links.ts';
import { visitFromList } from '../../../src/desk/customers/visits.ts';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { addressHint, customerLimits, nameForOthers } from '../../../src/domain/customers/link.ts';
import { dayMs } from '../../../src/domain/instant.ts';
import { query } from '../../../src/engine/database.ts';
import { readCustomerPage } from '../../../src/http/api/customers/thread.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import { customerLinkById, customerLinkOfDelivery } from '../../../src/store/customers/links.ts';
import { ticketByUlid } from '../../../src/store/tickets/tickets.ts';
import { type Answered, baseUrl, type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const ctx = () => app.desk.context({ kind: 'desk' }, 'test');

/** A link as a mail has it. */
async function linkTo(ulid: string) {
  const link = await app.desk.write((tx) => {
    const ticket = ticketByUlid(tx, ulid);
    if (!ticket) throw new Error('no ticket');
    const address = authorById(tx, ticket.authorId)?.email ?? '';
    return createCustomerLink(tx, ctx(), { ticket, address, kind: 'mail', deliveryId: null, messageId: null });
  });
  const url = customerLinkUrl(app.desk.seal, baseUrl, ulid, link.ulid);
  return { ...link, url, token: url.split('#')[1] ?? '' };
}

const trade = (ticket: string, token: string, cookies = '') =>
  app.ask('POST', '/api/v1/customer/links', {
    body: { ticket, token },
    headers: cookies === '' ? {} : { Cookie: cookies, 'Sec-Fetch-Site': 'same-origin' },
  });
const cookiesOf = ({ headers }: Answered) => headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
const read = (cookies: string, ticket?: string) =>
  app.ask('GET', `/api/v1/customer/ticket${ticket === undefined ? '' : `?ticket=${ticket}`}`, {
    headers: { Cookie: cookies },
  });

describe('a link', () => {
  test('is the same however often its mail is sent, and only its hash is stored', async () => {
    const { ulid } = await app.open();
    const { url, token, ulid: own, tokenHash } = await linkTo(ulid);
    expect(url).toBe(`${baseUrl}/t/${ulid}#${token}`);
    expect(customerLinkUrl(app.desk.seal, baseUrl, ulid, own)).toBe(url);
    expect(token).toMatch(/^hdl_[\w-]{43}$/);
    expect(tokenHash).not.toContain(token.slice(4));
  });

  test('is traded for a cookie only of its ticket, again and again', async () => {
    const { ulid } = await app.open();
    const { token, id } = await linkTo(ulid);
    const traded = await trade(ulid, token);
    expect([traded.status, traded.json]).toEqual([200, { data: { ticket: ulid, path: `/t/${ulid}` } }]);
    const [cookie = ''] = traded.headers.getSetCookie();
    expect(cookie).toMatch(
      new RegExp(`^helpdesk-t-${ulid.toLowerCase()}=hdv_[\\w-]{43}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax$`),
    );
    const seen = await read(cookiesOf(traded)[0] ?? '');
    expect([seen.status, seen.json.data.ticket.ulid]).toEqual([200, ulid]);
    expect(seen.headers.get('cache-control')).toBe('no-store');
    expect((await trade(ulid, token)).status).toBe(200);
    expect(app.desk.read((tx) => customerLinkById(tx, id))).toMatchObject({ uses: 2, lastUsedAt: app.clock.now() });
  });

  test('whose stored hash has no time before it, as in older databases, opens its ticket', async () => {
    const { ulid } = await app.open();
    const { token, id, tokenHash } = await linkTo(ulid);
    const strip = 'UPDATE customer_links SET token_hash = substr(token_hash, 11) WHERE id = ?';
    await app.desk.write((tx) => query(tx, strip).run(id).changes);
    expect(app.desk.read((tx) => customerLinkById(tx, id))?.tokenHash).toBe(tokenHash.slice(10));
    expect((await trade(ulid, token)).status).toBe(200);
    expect((await trade((await app.open()).ulid, token)).status).toBe(404);
  });

  test('shows the thread, what the customer may do, and too little of the address to tell it', async () => {
    const { ulid } = await app.open({ email: 'mia.sato@mail.example.org' });
    const { token } = await linkTo(ulid);
    const { json } = await read(cookiesOf(await trade(ulid, token))[0] ?? '');
    expect(json.data).toMatchObject({
      ticket: { ulid, subject: 'Cannot save', status: 'open' },
      status_words: 'received',
      messages: [{ body: 'It fails.', is_agent: false, author_name: 'Mia' }],
      site: { name: 'Web shop', slug: app.site.slug, portal: 'off', locale: null },
      may: { reply: true, needs_confirmation: true, solve: true, reopen: false },
      address_hint: 'm…@m….org',
      is_confirmed: false,
    });
  });

  test('shows the custom fields that customers may see by their labels, in their order, and no other', async () => {
    const add = (field: object) => app.asTeam('POST', '/api/v1/sites/web-shop/custom-fields', field);
    await add({ key: 'amount', label: 'Amount', type: 'number', is_author_visible: true });
    await add({ key: 'order', label: 'Order', type: 'text', is_author_visible: true });
    await add({ key: 'unused', label: 'Unused', type: 'text', is_author_visible: true });
    await add({ key: 'risk', label: 'Risk', type: 'text', is_author_visible: false });
    const { ulid } = await app.open();
    const custom_fields = { order: 'A-17', amount: 0, risk: 'high' };
    await app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, { custom_fields });
    const { token } = await linkTo(ulid);
    const { json } = await read(cookiesOf(await trade(ulid, token))[0] ?? '');
    expect(json.data.fields).toEqual([
      { key: 'amount', label: 'Amount', type: 'number', value: 0 },
      { key: 'order', label: 'Order', type: 'text', value: 'A-17' },
    ]);
  });

  test('is shown on the page as in the API, and only with its cookie', async () => {
    const { ulid, accessToken } = await app.open();
    const cookie = cookiesOf(await trade(ulid, accessToken))[0] ?? '';
    const { attachments: looseFiles, ...thread } = (await read(cookie)).json.data;
    const page = { ...thread, looseFiles, hasEarlier: false, hasLater: false };
    expect(readCustomerPage(app.edge, cookie, ulid, null)).toEqual({
      ...page,
      files: expect.objectContaining({ max_bytes: 10 * 1024 * 1024 }),
    });
    expect(readCustomerPage(app.edge, undefined, ulid, null)).toBeNull();
    expect(readCustomerPage(app.edge, `${cookie}x`, ulid, null)).toBeNull();
    expect(readCustomerPage(app.edge, cookie, (await app.open()).ulid, null)).toBeNull();
  });

  test('of the application is the access token, which has no row until it is used', async () => {
    const { ulid, accessToken } = await app.open();
    const rows = () =>
      query<{ kind: string; uses: number }>(
        app.desk.store.reading,
        'SELECT kind, uses FROM customer_links WHERE ticket_id = (SELECT id FROM tickets WHERE ulid = ?)',
      ).all(ulid);
    expect(rows()).toEqual([]);
    for (const uses of [1, 2]) {
      expect((await trade(ulid, accessToken)).status).toBe(200);
      expect(rows()).toEqual([{ kind: 'application', uses }]);
    }
  });

  test('opens the ticket that its own was merged into, by either name', async () => {
    const [source, target] = [await app.open(), await app.open()];
    const [early, other] = [await linkTo(source.ulid), await linkTo(target.ulid)];
    const before = cookiesOf(await trade(source.ulid, early.token))[0] ?? '';
    await app.asTeam('POST', `/api/v1/tickets/${source.ulid}/merge`, { into: target.ulid });
    expect((await read(before)).json.data.ticket.ulid).toBe(target.ulid);
    for (const named of [source.ulid, target.ulid]) {
      const traded = await trade(named, early.token);
      expect(traded.json.data).toEqual({ ticket: target.ulid, path: `/t/${target.ulid}` });
      expect((await trade(named, source.accessToken)).status).toBe(200);
    }
    expect((await trade(source.ulid, other.token)).status).toBe(404);
  });

  test('from the list of an address is one for all its visits', async () => {
    const { ulid } = await app.open({ email: 'list@example.org' });
    const visit = () =>
      app.desk.write((tx) => {
        const ticket = ticketByUlid(tx, ulid);
        return ticket ? visitFromList(tx, ctx(), ticket, 'List@example.org') : null;
      });
    for (const uses of [1, 2]) {
      const started = await visit();
      const seen = await read(`helpdesk-t-${ulid.toLowerCase()}=${started?.secret}`);
      expect([seen.status, seen.json.data.ticket.ulid]).toEqual([200, ulid]);
      const { data } = (await app.asTeam('GET', `/api/v1/tickets/${ulid}/links`)).json;
      expect(data[0]).toMatchObject({ kind: 'list', address: 'list@example.org', uses });
    }
    await app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, { status: 'closed' });
    app.clock.advance(customerLimits.closedMs);
    expect(await visit()).toBeNull();
  });

  test('is found by the delivery that it was sent with', async () => {
    const { ulid } = await app.open();
    const found = await app.desk.write((tx) => {
      const ticket = ticketByUlid(tx, ulid);
      const delivery = query<{ id: number }>(tx, 'SELECT id FROM deliveries ORDER BY id DESC LIMIT 1').get();
      if (!ticket || !delivery) throw new Error('nothing was queued');
      const made = createCustomerLink(tx, ctx(), {
        ...{ ticket, address: 'MIA@example.org', kind: 'mail', deliveryId: delivery.id, messageId: null },
      });
      return [made, customerLinkOfDelivery(tx, delivery.id), isLinkAlive(tx, ctx(), made)];
    });
    expect(found[1]).toEqual(found[0]);
    expect(found[0]).toMatchObject({ address: 'mia@example.org' });
    expect(found[2]).toBe(true);
  });
});

describe('a link that several people have', () => {
  async function shared(ulid: string) {
    const reply = await app.asTeam('POST', `/api/v1/tickets/${ulid}/messages`, { body: 'Try again.' });
    expect(reply.status).toBe(201);
    const link = query<{ ulid: string }>(
      app.desk.store.reading,
      "SELECT ulid FROM customer_links WHERE kind = 'shared' ORDER BY id DESC LIMIT 1",
    ).get();
    return customerLinkUrl(app.desk.seal, baseUrl, ulid, link?.ulid ?? '').split('#')[1] ?? '';
  }

  test('opens nothing, nor do its visits, while one of them is removed from the ticket', async () => {
    const { ulid, accessToken } = await app.open();
    const people = `/api/v1/tickets/${ulid}/participants`;
    const add = (email: string) => app.asTeam('POST', people, { email });
    const bo = (await add('bo@example.org')).json.data;
    await add('cy@example.org');
    const [early, own] = [await shared(ulid), cookiesOf(await trade(ulid, accessToken))[0] ?? ''];
    const visit = cookiesOf(await trade(ulid, early))[0] ?? '';
    expect((await read(visit)).status).toBe(200);

    expect((await app.asTeam('DELETE', `${people}/${bo.id}`)).status).toBe(204);
    expect([(await trade(ulid, early)).status, (await read(visit)).status]).toEqual([404, 401]);
    expect(readCustomerPage(app.edge, visit, ulid, null)).toBeNull();
    const write = { body: { body: 'Still here.' }, headers: { Cookie: visit, 'Sec-Fetch-Site': 'same-origin' } };
    expect((await app.ask('POST', '/api/v1/customer/ticket/messages', write)).status).toBe(401);
    expect((await read(own)).status).toBe(200);
    const later = await shared(ulid);
    expect((await trade(ulid, later)).status).toBe(200);

    await add('bo@example.org');
    expect([(await trade(ulid, early)).status, (await read(visit)).status]).toEqual([200, 200]);
  });

  test('goes on when one of them becomes an agent', async () => {
    const { ulid } = await app.open();
    await app.asTeam('POST', `/api/v1/tickets/${ulid}/participants`, { email: 'di@example.org' });
    const token = await shared(ulid);
    const agent = { email: 'di@example.org', name: 'Di', role: 'member' as const, sites: [app.site.id] };
    await app.desk.write((tx) => addAgent(tx, app.desk.context({ kind: 'command_line' }, 'test'), agent).id);
    const { data } = (await app.asTeam('GET', `/api/v1/tickets/${ulid}/participants`)).json;
    expect(data).toMatchObject([{ email: 'di@example.org', is_agent: true, removed_at: expect.any(String) }]);
    expect((await trade(ulid, token)).status).toBe(200);
  });
});

describe('a link is refused', () => {
  const refused = { message: 'No such ticket.', code: 'not_found' };

  test('alike if it is guessed, cut, of another ticket, or names no ticket', async () => {
    const [one, other] = [await app.open(), await app.open()];
    const { token } = await linkTo(one.ulid);
    const before = app.counts();
    for (const [ticket, secret] of [
      [one.ulid, 'hdl_nope'],
      [one.ulid, ''],
      [one.ulid, token.slice(0, -1)],
      [one.ulid, other.accessToken],
      [other.ulid, token],
      ['01K4VJ8Q4N7RM2ZC6B0T3XWYDE', token],
      ['../../etc', token],
      ['', token],
      [one.ulid, '\u0000'],
    ] as const) {
      const answer = await trade(ticket, secret);
      const { request_id: _, ...body } = answer.json;
      expect([answer.status, body], `${ticket} ${secret}`).toEqual([404, refused]);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect(app.counts()).toEqual(before);
  });

  test('from 180 days after the ticket was closed, and so are its visits', async () => {
    const { ulid } = await app.open();
    const { token } = await linkTo(ulid);
    await app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, { status: 'closed' });
    app.clock.advance(customerLimits.closedMs - dayMs);
    const visit = cookiesOf(await trade(ulid, token))[0] ?? '';
    expect((await read(visit)).status).toBe(200);
    app.clock.advance(dayMs);
    expect((await trade(ulid, token)).status).toBe(404);
    expect((await read(visit)).status).toBe(401);
  });

  test('once its author was erased, and so are its visits', async () => {
    const { ulid } = await app.open({ email: 'gone@example.org' });
    const { token } = await linkTo(ulid);
    const visit = cookiesOf(await trade(ulid, token))[0] ?? '';
    await app.desk.write((tx) =>
      eraseAuthor(tx, app.desk.context({ kind: 'command_line' }, 'test'), {
        site_id: app.site.id,
        email: 'gone@example.org',
      }),
    );
    expect((await trade(ulid, token)).status).toBe(404);
    expect((await read(visit)).status).toBe(401);
  });

  test('to a page of another site', async () => {
    const { ulid, accessToken } = await app.open();
    const answer = await app.ask('POST', '/api/v1/customer/links', {
      body: { ticket: ulid, token: accessToken },
      headers: { 'Sec-Fetch-Site': 'cross-site' },
    });
    expect([answer.status, answer.json.code]).toEqual([403, 'cross_site']);
  });

  test('for a while to an address that guessed ten times a minute, with the right one too', async () => {
    const limited = await testApp({ signInFailures: 10 });
    const { ulid, accessToken } = await limited.open();
    const ask = (token: string) =>
      limited.ask('POST', '/api/v1/customer/links', { body: { ticket: ulid, token }, peer: '192.0.2.9' });
    for (let guess = 0; guess < 10; guess += 1) expect((await ask(`hdl_${guess}`)).status).toBe(404);
    expect((await ask(accessToken)).status).toBe(429);
    limited.clock.advance(61_000);
    expect((await ask(accessToken)).status).toBe(200);
    await limited.close();
  });
});

describe('a visit', () => {
  test('is missing without a cookie, and unknown with a wrong one', async () => {
    const { ulid } = await app.open();
    const name = `helpdesk-t-${ulid.toLowerCase()}`;
    for (const cookies of ['', 'helpdesk=x', `${name}=`, `${name}=hdv_nope`, `${name}=hdv_a; ${name}=hdv_b`])
      expect((await read(cookies)).status, cookies).toBe(401);
  });

  test('is of its own ticket, whichever is asked for', async () => {
    const [one, other] = [await app.open(), await app.open()];
    const mine = cookiesOf(await trade(one.ulid, one.accessToken))[0] ?? '';
    expect((await read(mine, other.ulid)).status).toBe(401);
    const secret = mine.split('=')[1] ?? '';
    const moved = `helpdesk-t-${other.ulid.toLowerCase()}=${secret}`;
    expect([(await read(moved)).status, (await read(moved, other.ulid)).status]).toEqual([401, 401]);
    expect((await read(mine, one.ulid.toLowerCase())).json.data.ticket.ulid).toBe(one.ulid);
  });

  test('of several, the one whose link was opened last is meant', async () => {
    const [one, other] = [await app.open(), await app.open()];
    const cookies: string[] = [];
    for (const { ulid, accessToken } of [one, other])
      cookies.push(cookiesOf(await trade(ulid, accessToken, cookies.join('; ')))[0] ?? '');
    expect((await read(cookies.join('; '))).json.data.ticket.ulid).toBe(other.ulid);
    expect((await read(cookies.join('; '), one.ulid)).json.data.ticket.ulid).toBe(one.ulid);
  });

  test('ends after 30 days', async () => {
    const { ulid, accessToken } = await app.open();
    const cookie = cookiesOf(await trade(ulid, accessToken))[0] ?? '';
    app.clock.advance(customerLimits.visitMs - 1);
    expect((await read(cookie)).status).toBe(200);
    app.clock.advance(1);
    expect((await read(cookie)).status).toBe(401);
  });

  test('is replaced when its browser opens the link again, and counts for one more minute', async () => {
    const { ulid, accessToken } = await app.open();
    const first = cookiesOf(await trade(ulid, accessToken))[0] ?? '';
    const second = cookiesOf(await trade(ulid, accessToken, first))[0] ?? '';
    const answers = async () => [(await read(first)).status, (await read(second)).status];
    app.clock.advance(customerLimits.replacedMs - 1);
    expect(await answers()).toEqual([200, 200]);
    app.clock.advance(1);
    expect(await answers()).toEqual([401, 200]);
  });

  test('a browser keeps at most 20, and a link the newest 200', async () => {
    const jar = new Map<string, string>();
    const opened: string[] = [];
    for (let at = 0; at < customerLimits.visitsOfBrowser + 2; at += 1) {
      const { ulid, accessToken } = await app.open();
      opened.push(ulid);
      const header = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      for (const cookie of cookiesOf(await trade(ulid, accessToken, header))) {
        const [name = '', value = ''] = cookie.split('=');
        if (value === '') jar.delete(name);
        else jar.set(name, value);
      }
    }
    expect(jar.size).toBe(customerLimits.visitsOfBrowser);
    expect([...jar.keys()]).toEqual(opened.slice(2).map((ulid) => `helpdesk-t-${ulid.toLowerCase()}`));
    const { ulid, accessToken } = await app.open();
    const first = cookiesOf(await trade(ulid, accessToken))[0] ?? '';
    for (let at = 0; at < customerLimits.visitsOfLink - 1; at += 1) await trade(ulid, accessToken);
    expect((await read(first)).status).toBe(200);
    await trade(ulid, accessToken);
    expect((await read(first)).status).toBe(401);
  });
});

test('an address is told from others by its owner alone', () => {
  expect(addressHint('mia@example.org')).toBe('m…@e….org');
  expect(addressHint('mia@localhost')).toBe('m…@l…');
  expect(addressHint('😀x@sub.例え.jp')).toBe('😀…@s….jp');
  const names = ['Mia', null, '', "'Mia@Example.org'"].map((name) => nameForOthers(name, 'mia@example.org'));
  expect(names).toEqual(['Mia', ...Array(3).fill('m…@e….org')]);
});
