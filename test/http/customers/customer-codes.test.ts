// Codes that confirm an address, and what customers can write by a link.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { provenListOf } from '../../../src/desk/customers/lists.ts';
import { customerLimits } from '../../../src/domain/customers/link.ts';
import { hourMs, minuteMs } from '../../../src/domain/instant.ts';
import { query } from '../../../src/engine/database.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import {
  type CustomerBrowser,
  codesSent,
  customerBrowser,
  lastCode,
  openedTicket,
} from '../../support/customer-browser.ts';
import { file } from '../walks/step.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const opened = () => openedTicket(app);

const setMode = (mode: string) =>
  app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { settings: { customer_links: mode } });
const wrong = (attemptsLeft: number) => ({
  message: 'This code is wrong, or can no longer be used.',
  code: 'wrong_code',
  errors: { code: ['The code is wrong, or can no longer be used.'] },
  attempts_left: attemptsLeft,
});
async function enter(browser: CustomerBrowser, body: object) {
  const { status, json } = await browser.ask('POST', '/codes/confirm', body);
  const { request_id: _, ...said } = json;
  return [status, said];
}
const other = (code: string) => (code === '111111' ? '222222' : '111111');

describe('a code', () => {
  test('is mailed to the address of the link, and stands nowhere in the database or the delivery log', async () => {
    const { ulid, email, browser } = await opened();
    const asked = await browser.ask('POST', '/codes', { ticket: ulid });
    expect([asked.status, asked.json]).toEqual([202, { digits: 6 }]);
    const sent = (await codesSent(app)).at(-1);
    expect(sent).toEqual({ recipient: email, code: expect.stringMatching(/^\d{6}$/) });
    const dump = query<{ row: string }>(
      app.desk.store.reading,
      `SELECT json_array(id, ulid, address, attempts) AS row FROM customer_codes
       UNION ALL SELECT json_array(payload, recipient, last_error) FROM deliveries`,
    ).all();
    for (const { row } of dump) expect(row.split(/[^\d]+/)).not.toContain(sent?.code);
    const log = await app.asTeam('GET', `/api/v1/tickets/${ulid}`);
    expect(log.text).not.toContain(sent?.code ?? 'x');
  });

  test('confirms the address in this browser for every ticket of it on the site', async () => {
    const { ulid, email, browser } = await opened();
    const second = await app.open({ email });
    await browser.open(second.ulid, second.accessToken);
    const confirmed = await browser.confirm(ulid);
    expect([confirmed.status, confirmed.json]).toEqual([200, { data: { address_hint: 'm…@e….org' } }]);
    for (const ticket of [ulid, second.ulid]) {
      const { json } = await browser.ask('GET', `/ticket?ticket=${ticket}`);
      expect([json.data.is_confirmed, json.data.may.needs_confirmation]).toEqual([true, false]);
    }
    const stranger = await opened();
    for (const [name, value] of browser.jar) stranger.browser.jar.set(name, value);
    expect((await stranger.browser.ask('GET', `/ticket?ticket=${stranger.ulid}`)).json.data.is_confirmed).toBe(false);
  });

  test('lasts 90 days in the browser', async () => {
    const { ulid, accessToken, browser } = await opened();
    await browser.confirm(ulid);
    app.clock.advance(customerLimits.proofMs - 1);
    await browser.open(ulid, accessToken);
    expect((await browser.ask('GET', '/ticket')).json.data.is_confirmed).toBe(true);
    app.clock.advance(1);
    expect((await browser.ask('GET', '/ticket')).json.data.is_confirmed).toBe(false);
  });

  test('has five attempts, and then even the right one is wrong', async () => {
    const { ulid, browser } = await opened();
    await browser.ask('POST', '/codes', { ticket: ulid });
    const code = await lastCode(app);
    for (const left of [4, 3, 2, 1, 0])
      expect(await enter(browser, { ticket: ulid, code: other(code) })).toEqual([422, wrong(left)]);
    expect(await enter(browser, { ticket: ulid, code })).toEqual([422, wrong(0)]);
  });

  test('works once, for ten minutes, and only until the next one', async () => {
    const { ulid, browser } = await opened();
    await browser.ask('POST', '/codes', { ticket: ulid });
    const early = await lastCode(app);
    await browser.ask('POST', '/codes', { ticket: ulid });
    const late = await lastCode(app);
    if (early !== late) expect(await enter(browser, { ticket: ulid, code: early })).toEqual([422, wrong(4)]);
    expect((await enter(browser, { ticket: ulid, code: ` ${late.slice(0, 3)} ${late.slice(3)} ` }))[0]).toBe(200);
    expect(await enter(browser, { ticket: ulid, code: late })).toEqual([422, wrong(0)]);
    await browser.ask('POST', '/codes', { ticket: ulid });
    app.clock.advance(10 * minuteMs);
    expect(await enter(browser, { ticket: ulid, code: await lastCode(app) })).toEqual([422, wrong(0)]);
  });

  test('is mailed three times an hour for an address, in however many browsers it is asked for', async () => {
    const { ulid, accessToken, email, browser } = await opened();
    const stranger = customerBrowser(app);
    await stranger.open(ulid, accessToken);
    const mails = async () => (await codesSent(app)).filter(({ recipient }) => recipient === email).length;
    for (const [asker, sent] of [
      [browser, 1],
      [stranger, 2],
      [browser, 3],
      [stranger, 3],
      [browser, 3],
    ] as const) {
      const asked = await asker.ask('POST', '/codes', { ticket: ulid });
      expect([asked.status, asked.json, await mails()]).toEqual([202, { digits: 6 }, sent]);
    }
    app.clock.advance(hourMs);
    await browser.ask('POST', '/codes', { ticket: ulid });
    expect(await mails()).toBe(4);
  });

  test('counts only in the browser that asked for it', async () => {
    const { ulid, accessToken, browser } = await opened();
    await browser.ask('POST', '/codes', { ticket: ulid });
    const code = await lastCode(app);
    const stranger = customerBrowser(app);
    await stranger.open(ulid, accessToken);
    expect(await enter(stranger, { ticket: ulid, code })).toEqual([422, wrong(0)]);
    expect((await enter(browser, { ticket: ulid, code }))[0]).toBe(200);
  });

  test('of no one is wrong, and asking without a visit mails nothing', async () => {
    const { ulid } = await opened();
    const browser = customerBrowser(app);
    const before = app.counts();
    expect((await browser.ask('POST', '/codes', { ticket: ulid })).status).toBe(202);
    await app.mailAsked();
    expect(app.counts()).toEqual(before);
    expect(await enter(browser, { ticket: ulid, code: '123456' })).toEqual([422, wrong(0)]);
    expect((await enter(browser, { code: '123456' }))[0]).toBe(422);
    expect((await enter(browser, { ticket: ulid, site: app.site.slug, code: '123456' }))[0]).toBe(422);
    expect(app.counts()).toEqual(before);
  });

  test('is refused to a page of another site, and after ten wrong ones a minute', async () => {
    const limited = await testApp({ signInFailures: 10 });
    const browser = customerBrowser(limited);
    const body = { ticket: '01K4VJ8Q4N7RM2ZC6B0T3XWYDE', code: '000000' };
    const cross = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await browser.ask('POST', '/codes', body, cross)).json.code).toBe('cross_site');
    expect((await browser.ask('POST', '/codes/confirm', body, cross)).json.code).toBe('cross_site');
    for (let at = 0; at < 10; at += 1) expect((await browser.ask('POST', '/codes/confirm', body)).status).toBe(422);
    for (const path of ['/codes/confirm', '/codes', '/links/request'])
      expect((await browser.ask('POST', path, body)).status).toBe(429);
    await limited.close();
  });
});

describe('a code for the tickets of an address', () => {
  beforeAll(() => app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { settings: { portal: 'form_and_tickets' } }));
  const site = () => app.site.slug;
  const listOf = (browser: CustomerBrowser) =>
    app.desk.read((tx) =>
      provenListOf(
        tx,
        app.desk.seal,
        browser.jar.get(`helpdesk-s-${app.site.id}`) ?? null,
        app.site.id,
        app.clock.now(),
      ),
    );

  test('proves it for the list, and for the tickets of the site', async () => {
    const { ulid, email, browser } = await opened();
    const asked = await browser.ask('POST', '/codes', { site: site(), email: email.toUpperCase() });
    expect([asked.status, asked.json]).toEqual([202, { digits: 6 }]);
    expect(asked.headers.getSetCookie()).toEqual([
      expect.stringMatching(new RegExp(`^helpdesk-s-${app.site.id}=hds_[\\w-]{43}; Max-Age=2592000; `)),
    ]);
    expect(listOf(browser)).toBeNull();
    const sent = (await codesSent(app)).at(-1);
    expect(sent?.recipient).toBe(email);
    expect((await enter(browser, { site: site(), code: sent?.code }))[0]).toBe(200);
    expect(listOf(browser)).toEqual({ siteId: app.site.id, address: email });
    expect((await browser.ask('GET', `/ticket?ticket=${ulid}`)).json.data.is_confirmed).toBe(true);
    app.clock.advance(customerLimits.listMs);
    expect(listOf(browser)).toBeNull();
  });

  test('that a stranger asks for again and again leaves the owner of a link a code, and the other way round', async () => {
    const { ulid, email, browser } = await opened();
    const mails = async () => (await codesSent(app)).filter(({ recipient }) => recipient === email).length;
    for (let at = 0; at < 5; at += 1) await customerBrowser(app).ask('POST', '/codes', { site: site(), email });
    expect(await mails()).toBe(3);
    for (let at = 0; at < 5; at += 1) await browser.ask('POST', '/codes', { ticket: ulid });
    expect(await mails()).toBe(6);
    expect((await enter(browser, { ticket: ulid, code: await lastCode(app) }))[0]).toBe(200);
  });

  test('that a stranger asks for again and again leaves its owner some elsewhere, and an address gets no flood', async () => {
    const { email } = await opened();
    const mails = async () => (await codesSent(app)).filter(({ recipient }) => recipient === email).length;
    const ask = (peer: string) => customerBrowser(app, peer).ask('POST', '/codes', { site: site(), email });
    for (let at = 0; at < 5; at += 1) await ask('192.0.2.66');
    expect(await mails()).toBe(3);
    const owner = customerBrowser(app, '198.51.100.7');
    await owner.ask('POST', '/codes', { site: site(), email });
    expect(await mails()).toBe(4);
    expect((await enter(owner, { site: site(), code: await lastCode(app) }))[0]).toBe(200);
    for (let at = 0; at < 20; at += 1) await ask(`203.0.113.${at}`);
    expect(await mails()).toBe(customerLimits.codesFromAllAnHour);
  });

  test('has ten digits when the site has sent sixty with six within an hour, to any address', async () => {
    app.clock.advance(hourMs);
    const { ulid, email, browser } = await opened();
    const ask = (address: string) => browser.ask('POST', '/codes', { site: site(), email: address });
    for (let at = 0; at < 59; at += 1) expect((await ask(`someone${at}@example.org`)).json).toEqual({ digits: 6 });
    const early = customerBrowser(app);
    await early.ask('POST', '/codes', { site: site(), email });
    const short = await lastCode(app);
    expect((await ask(email)).json).toEqual({ digits: 10 });
    const long = await lastCode(app);
    expect([short, long]).toEqual([expect.stringMatching(/^\d{6}$/), expect.stringMatching(/^\d{10}$/)]);
    expect(await enter(browser, { site: site(), code: long.slice(4) })).toEqual([422, wrong(4)]);
    expect((await enter(browser, { site: site(), code: long }))[0]).toBe(200);
    expect((await enter(early, { site: site(), code: short }))[0]).toBe(200);
    expect((await browser.ask('POST', '/codes', { ticket: ulid })).json).toEqual({ digits: 10 });
    app.clock.advance(hourMs);
    expect((await ask(email)).json).toEqual({ digits: 6 });
  });

  test('is queued after a while, so that the next request does not show by its time whether it was', async () => {
    const { email, browser } = await opened();
    await app.mailAsked();
    await browser.ask('POST', '/codes', { site: site(), email });
    const queued = () =>
      query(app.desk.store.reading, "SELECT 1 FROM deliveries WHERE event = 'mail.customer_code'").all();
    const before = queued().length;
    await app.desk.write(() => null);
    expect(queued().length).toBe(before);
    await app.mailAsked();
    expect(queued().length).toBe(before + 1);
  });

  test('is answered alike for an address that the desk does not know, and mails nothing to it', async () => {
    const { email } = await opened();
    const before = (await codesSent(app)).length;
    const said = [];
    for (const address of [email, 'nobody@example.org']) {
      const browser = customerBrowser(app);
      const asked = await browser.ask('POST', '/codes', { site: site(), email: address });
      const entered = [];
      for (let at = 0; at < 6; at += 1) entered.push(await enter(browser, { site: site(), code: 'abcdef' }));
      said.push([asked.status, asked.text, [...browser.jar.keys()], entered]);
    }
    expect(said[0]).toEqual(said[1]);
    expect((await codesSent(app)).length).toBe(before + 1);
  });

  test('is not offered by a site that shows no list, or that does not exist', async () => {
    const { email } = await opened();
    const before = app.counts();
    for (const slug of [app.other.site.slug, 'nowhere', '../x', '']) {
      const browser = customerBrowser(app);
      const asked = await browser.ask('POST', '/codes', { site: slug, email });
      expect([asked.status, asked.text, browser.jar.size]).toEqual([202, '{"digits":6}', 0]);
    }
    await app.mailAsked();
    expect(app.counts()).toEqual(before);
  });
});

describe('writing by a link', () => {
  beforeEach(() => setMode('confirm'));
  const message = async (ulid: string) =>
    (await app.asTeam('GET', `/api/v1/tickets/${ulid}`)).json.data.messages.at(-1);

  test('needs a confirmed address, whatever is written', async () => {
    const { ulid, browser } = await opened();
    const before = app.counts();
    for (const [path, body] of [
      ['/ticket/messages', { body: 'Me again.' }],
      ['/ticket/status', { status: 'resolved' }],
      ['/ticket/attachments', file()],
    ] as const) {
      const answer = await browser.ask('POST', path, body);
      expect([answer.status, answer.json.code], path).toEqual([403, 'confirm_address']);
    }
    expect(app.counts()).toEqual(before);
    await browser.confirm(ulid);
    expect((await browser.ask('POST', '/ticket/messages', { body: 'Me again.' })).status).toBe(201);
  });

  test('says by which link it came, only to agents', async () => {
    const { ulid, email, browser } = await opened();
    await browser.confirm(ulid);
    const answer = await browser.ask('POST', '/ticket/messages', { body: 'It still fails.' });
    expect(answer.json).toMatchObject({ message: 'Reply added.', reply: { body: 'It still fails.', is_agent: false } });
    expect(answer.json.reply.via_link).toBeUndefined();
    expect(await message(ulid)).toMatchObject({
      body: 'It still fails.',
      source: 'web',
      author: { email },
      via_link: { kind: 'application', address: email, is_confirmed: true },
    });
    expect((await browser.ask('GET', '/ticket')).text).not.toContain('via_link');
  });

  test('is open to a forwarded link where the site says so, and marked', async () => {
    await setMode('open');
    const { ulid, browser } = await opened();
    expect((await browser.ask('GET', '/ticket')).json.data.may).toMatchObject({ needs_confirmation: false });
    expect((await browser.ask('POST', '/ticket/messages', { body: 'Hello.' })).status).toBe(201);
    expect((await message(ulid)).via_link).toMatchObject({ is_confirmed: false });
    await browser.confirm(ulid);
    await browser.ask('POST', '/ticket/messages', { body: 'It is me.' });
    expect((await message(ulid)).via_link).toMatchObject({ is_confirmed: true });
  });

  test('and reading end where the site turns links off', async () => {
    const { ulid, accessToken, browser } = await opened();
    await browser.confirm(ulid);
    await setMode('off');
    expect((await browser.ask('GET', '/ticket')).status).toBe(401);
    expect((await browser.ask('POST', '/ticket/messages', { body: 'Hello.' })).status).toBe(401);
    expect((await browser.open(ulid, accessToken)).status).toBe(404);
    const mails = (await codesSent(app)).length;
    expect((await browser.ask('POST', '/codes', { ticket: ulid })).status).toBe(202);
    expect((await codesSent(app)).length).toBe(mails);
  });

  test('solves and reopens the ticket', async () => {
    const { ulid, browser } = await opened();
    await browser.confirm(ulid);
    const settle = async (status: string) => {
      const { status: code, json } = await browser.ask('POST', '/ticket/status', { status });
      return [code, json.data ?? json.code];
    };
    expect(await settle('resolved')).toEqual([200, { status: 'resolved', status_words: 'solved' }]);
    expect((await browser.ask('GET', '/ticket')).json.data.may).toMatchObject({ solve: false, reopen: true });
    expect(await settle('open')).toEqual([200, { status: 'open', status_words: 'received' }]);
    expect(await settle('closed')).toEqual([422, 'validation_failed']);
    await app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, { status: 'closed' });
    expect(await settle('resolved')).toEqual([409, 'no_such_transition']);
    expect(await settle('open')).toEqual([200, { status: 'open', status_words: 'received' }]);
    const { events } = (await app.asTeam('GET', `/api/v1/tickets/${ulid}`)).json.data;
    const changes = events.filter(({ event }: { event: string }) => event === 'ticket.status_changed');
    expect(changes.at(-1).actor.type).toBe('author');
  });

  test('attaches files to the customer’s own message', async () => {
    const { ulid, browser } = await opened();
    await browser.confirm(ulid);
    const said = await browser.ask('POST', '/ticket/messages', { body: 'See the file.' });
    const form = file('screen.txt');
    form.append('message_id', String(said.json.reply.id));
    const added = await browser.ask('POST', '/ticket/attachments', form);
    expect([added.status, added.json.attachment.filename]).toEqual([201, 'screen.txt']);
    const { messages } = (await browser.ask('GET', '/ticket')).json.data;
    expect(messages.at(-1).attachments).toMatchObject([{ filename: 'screen.txt' }]);
    const elsewhere = await app.open();
    const thread = await app.asTeam('GET', `/api/v1/tickets/${elsewhere.ulid}`);
    const foreign = file();
    foreign.append('message_id', String(thread.json.data.messages[0].id));
    expect((await browser.ask('POST', '/ticket/attachments', foreign)).status).toBe(422);
  });

  test('attaches no file to what someone else wrote on a merged ticket', async () => {
    const [mine, theirs] = [await opened(), await opened()];
    await app.asTeam('POST', `/api/v1/tickets/${mine.ulid}/merge`, { into: theirs.ulid });
    await mine.browser.confirm(mine.ulid);
    const { messages } = (await theirs.browser.ask('GET', `/ticket?ticket=${theirs.ulid}`)).json.data;
    expect(messages).toHaveLength(2);
    const whole = (await app.asTeam('GET', `/api/v1/tickets/${theirs.ulid}`)).json.data;
    const form = file();
    const said = whole.messages.find(({ author }: { author: { email: string } }) => author.email === theirs.email);
    form.append('message_id', String(said.id));
    const refused = await mine.browser.ask('POST', `/ticket/attachments?ticket=${mine.ulid}`, form);
    expect([refused.status, refused.json.errors]).toEqual([422, { message_id: [expect.any(String)] }]);
  });

  test('is refused to a page of another site', async () => {
    const { ulid, browser } = await opened();
    await browser.confirm(ulid);
    const { Cookie = '' } = browser.headers();
    const foreign: Record<string, string>[] = [
      {},
      { 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'https://evil.example' },
    ];
    for (const headers of foreign)
      for (const path of ['messages', 'attachments', 'status']) {
        const answer = await app.ask('POST', `/api/v1/customer/ticket/${path}`, {
          body: path === 'attachments' ? file() : { body: 'x', status: 'open' },
          headers: { Cookie, ...headers },
        });
        expect([answer.status, answer.json.code], path).toEqual([403, 'cross_site']);
      }
  });

  test('is done once for an Idempotency-Key', async () => {
    const { ulid, browser } = await opened();
    await browser.confirm(ulid);
    const send = () => browser.ask('POST', '/ticket/messages', { body: 'Once.' }, { 'Idempotency-Key': 'one' });
    const [first, second] = [await send(), await send()];
    expect(second.json).toEqual(first.json);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('a browser that is to be forgotten', () => {
  test('can read nothing more, here or anywhere', async () => {
    const { ulid, accessToken, browser } = await opened();
    await browser.confirm(ulid);
    const kept = new Map(browser.jar);
    const forgotten = await browser.ask('DELETE', '/session');
    expect([forgotten.status, browser.jar.size]).toEqual([204, 0]);
    for (const [name, value] of kept) browser.jar.set(name, value);
    expect((await browser.ask('GET', '/ticket')).status).toBe(401);
    await browser.open(ulid, accessToken);
    expect((await browser.ask('GET', '/ticket')).json.data.is_confirmed).toBe(false);
  });

  test('on one site keeps what it has on others', async () => {
    const { ulid, browser } = await opened();
    await browser.confirm(ulid);
    expect((await browser.ask('DELETE', '/session', { site: app.other.site.slug })).status).toBe(204);
    expect((await browser.ask('GET', '/ticket')).json.data.is_confirmed).toBe(true);
    expect((await browser.ask('DELETE', '/session', { site: 'nowhere' })).status).toBe(404);
    expect((await browser.ask('DELETE', '/session', { site: app.site.slug })).status).toBe(204);
    expect(browser.jar.size).toBe(0);
  });
});
