// What customers must never see is in no answer and on no page for them, and what is kept of them goes when it should.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { customerLinkUrl } from '../../src/desk/customers/links.ts';
import { customerLimits } from '../../src/domain/customers/link.ts';
import { dayMs, hourMs } from '../../src/domain/instant.ts';
import { query } from '../../src/engine/database.ts';
import { customerPurges } from '../../src/jobs/upkeep.ts';
import { removeSlice } from '../../src/store/sites/removals.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type CustomerBrowser, customerBrowser, lastCode } from '../support/customer-browser.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { settings: { portal: 'form_and_tickets' } });
});
afterAll(() => app.close());

/** Begins every text that customers must not see. */
const mark = 'zwqxhidden';
let marks = 0;
const hidden = () => {
  marks += 1;
  return `${mark}${marks}`;
};

const fileNamed = (name: string) => {
  const form = new FormData();
  form.append('file', new File(['A line'], name));
  return form;
};

async function markedTicket() {
  const agent = await app.asTeam('POST', '/api/v1/agents', {
    ...{ email: `${hidden()}@agents.example`, name: 'Kim', role: 'member', send_invitation: false },
  });
  await app.asTeam('POST', `/api/v1/sites/${app.site.slug}/custom-fields`, {
    ...{ key: 'internal', label: hidden(), type: 'text', is_author_visible: false },
  });
  const [mine, elsewhere] = [
    await app.open({ email: 'mia@example.org' }),
    await app.open({ email: 'mia@example.org' }),
  ];
  const path = `/api/v1/tickets/${mine.ulid}`;
  const assigned = await app.asTeam('PATCH', path, {
    ...{ tags: [hidden()], assigned_to: app.agentId, custom_fields: { internal: hidden() } },
  });
  expect(assigned.status, assigned.text).toBe(200);
  for (const [target, body] of [
    [`${path}/notes`, { body: hidden() }],
    [`${path}/attachments`, fileNamed(`${hidden()}.txt`)],
    [`${path}/messages`, { body: 'A public answer.', agent_name: 'Kim' }],
    [`${path}/messages`, { body: hidden(), send_at: '2026-09-20T09:30:00Z' }],
    [`/api/v1/tickets/${elsewhere.ulid}/messages`, { body: hidden() }],
  ] as const) {
    const answer = await app.asTeam('POST', target, body);
    expect(answer.status, answer.text).toBeLessThan(300);
  }
  const { client } = app.desk.store.writing;
  client.run('UPDATE tickets SET metadata = ?, context = ? WHERE ulid = ?', [
    JSON.stringify({ plan: hidden() }),
    JSON.stringify({ source: 'web', user: { email: hidden() }, extra: { secret: hidden() } }),
    mine.ulid,
  ]);
  client.run(
    'UPDATE tickets SET subject = ? WHERE ulid <> ? AND author_id IN (SELECT id FROM authors WHERE email <> ?)',
    [hidden(), mine.ulid, 'mia@example.org'],
  );
  client.run('UPDATE agents SET email = ? WHERE id = ?', [`${hidden()}@agents.example`, app.agentId]);
  return { ...mine, agent };
}

const shown = (text: string) => [...new Set(text.match(new RegExp(`${mark}\\d+`, 'gi')))];

describe('no answer and no page shows what is hidden', () => {
  let browser: CustomerBrowser;
  let ticket: { ulid: string; accessToken: string };
  beforeAll(async () => {
    await app.open({ email: `${hidden()}@example.org`, subject: hidden(), message: hidden(), name: hidden() });
    ticket = await markedTicket();
    browser = customerBrowser(app);
  });

  test('the marks are where agents see them', async () => {
    const { text } = await app.asTeam('GET', `/api/v1/tickets/${ticket.ulid}`);
    expect(shown(text).length).toBeGreaterThan(8);
  });

  test('of a customer who reads, writes and lists, with or without a proof', async () => {
    const { ulid, accessToken } = ticket;
    const site = app.site.slug;
    const seen: string[] = [];
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await browser.ask(method, path, body);
      seen.push(answer.text, JSON.stringify([...answer.headers]));
      return answer;
    };
    await ask('POST', '/links', { ticket: ulid, token: accessToken });
    for (const isSure of [false, true]) {
      if (isSure) {
        await ask('POST', '/codes', { ticket: ulid });
        const code = await lastCode(app);
        await ask('POST', '/codes/confirm', { ticket: ulid, code });
        await ask('POST', '/codes', { site, email: 'mia@example.org' });
        await ask('POST', '/codes/confirm', { site, code: await lastCode(app) });
      }
      const read = await ask('GET', '/ticket');
      expect([read.status, read.json.data.messages.length > 1]).toEqual([200, true]);
      await ask('GET', '/ticket/changes');
      const wrote = await ask('POST', '/ticket/messages', { body: 'Thank you.' });
      expect(wrote.status).toBe(isSure ? 201 : 403);
      await ask('POST', '/ticket/attachments', fileNamed('mine.txt'));
      await ask('POST', '/ticket/status', { status: 'resolved' });
      await ask('GET', `/sites/${site}`);
      await ask('GET', `/tickets?site=${site}`);
      await ask('POST', '/links/request', { ticket: ulid });
      for (const page of [`/t/${ulid}`, `/s/${site}`, `/s/${site}/tickets`]) {
        const answer = await app.ask('GET', page, { headers: { ...browser.headers(), Accept: 'text/html' } });
        expect(answer.status, page).toBe(200);
        seen.push(answer.text, JSON.stringify([...answer.headers]));
      }
    }
    expect(seen.join('\n')).toContain('A public answer.');
    expect(shown(seen.join('\n'))).toEqual([]);
    expect(seen.join('\n')).not.toContain('kim@agents.example');
  });
});

describe('an agent’s session and a customer’s visit in one browser', () => {
  test('are two: neither speaks for the other', async () => {
    const { ulid, accessToken } = await app.open({ email: 'both@example.org' });
    const browser = customerBrowser(app);
    await browser.open(ulid, accessToken);
    await browser.confirm(ulid);
    const agent = (await app.person('owner')).headers;
    const headers = { 'Sec-Fetch-Site': 'same-origin', Cookie: `${agent.Cookie}; ${browser.headers().Cookie}` };
    const said = await app.ask('POST', '/api/v1/customer/ticket/messages', { headers, body: { body: 'As me.' } });
    expect([said.status, said.json.reply.is_agent]).toEqual([201, false]);
    const answered = await app.ask('POST', `/api/v1/tickets/${ulid}/messages`, { headers, body: { body: 'As us.' } });
    expect(answered.json.reply).toMatchObject({ is_agent: true, via_link: null });
    expect((await app.ask('GET', '/api/v1/tickets', { headers: browser.headers() })).status).toBe(401);
    expect((await app.ask('GET', '/api/v1/customer/ticket', { headers: agent })).status).toBe(401);
  });
});

describe('the people on a ticket', () => {
  test('are told to the author alone, once confirmed, whatever link and browser asks', async () => {
    const cc = [
      { email: 'bo@example.org', name: 'Bo Berg' },
      { email: 'cy@example.org', name: 'Cy Crane' },
      { email: 'gone@example.org', name: 'Gone Girl' },
    ];
    const { ulid, accessToken } = await app.open({ email: 'ann@example.org', cc });
    const path = `/api/v1/tickets/${ulid}`;
    const { participants } = (await app.asTeam('GET', path)).json.data;
    await app.asTeam('DELETE', `${path}/participants/${participants[2].id}`);
    await app.asTeam('POST', `${path}/messages`, { body: 'A public answer.', agent_name: 'Kim' });
    const shared = query<{ ulid: string }>(
      app.desk.store.reading,
      "SELECT ulid FROM customer_links WHERE kind = 'shared' ORDER BY id DESC LIMIT 1",
    ).get();
    const token = customerLinkUrl(app.desk.seal, '', ulid, shared?.ulid ?? '').split('#')[1] ?? '';
    const told: Record<string, unknown> = {};
    const names = ['Bo Berg', 'Cy Crane'];
    for (const mode of ['confirm', 'open']) {
      await app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { settings: { customer_links: mode } });
      for (const [who, secret, email] of [
        ['the link of the author', accessToken, null],
        ['the author', accessToken, 'ann@example.org'],
        ['a link that all have', token, null],
        ['a participant', token, 'bo@example.org'],
        ['the author by a link that all have', token, 'ann@example.org'],
      ] as const) {
        const browser = customerBrowser(app);
        await browser.open(ulid, secret);
        if (email !== null) {
          await browser.ask('POST', '/codes', { ticket: ulid, ...(secret === token ? { email } : {}) });
          await browser.ask('POST', '/codes/confirm', { ticket: ulid, code: await lastCode(app) });
        }
        const read = (await browser.ask('GET', `/ticket?ticket=${ulid}`)).json.data;
        expect(read.is_confirmed, who).toBe(email !== null);
        told[who] = read.participants;
        const page = await app.ask('GET', `/t/${ulid}`, { headers: { ...browser.headers(), Accept: 'text/html' } });
        expect(page.text).toContain('A public answer.');
        expect(names.every((name) => page.text.includes(name))).toBe(read.participants.length > 0);
        expect(page.text).not.toMatch(/Gone Girl|example\.org/);
        app.clock.advance(hourMs);
      }
      expect(told).toEqual({
        'the link of the author': [],
        'the author': names,
        'a link that all have': [],
        'a participant': [],
        'the author by a link that all have': names,
      });
    }
    await app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { settings: { customer_links: 'confirm' } });
  });
});

describe('the link of one author of a merged ticket', () => {
  test('speaks for that author, and its code goes to them', async () => {
    const [source, target] = [
      await app.open({ email: 'ann@example.org' }),
      await app.open({ email: 'bob@example.org' }),
    ];
    const browser = customerBrowser(app);
    await browser.open(source.ulid, source.accessToken);
    await app.asTeam('POST', `/api/v1/tickets/${source.ulid}/merge`, { into: target.ulid });
    await browser.open(target.ulid, source.accessToken);
    await browser.confirm(target.ulid);
    const codes = query<{ recipient: string }>(
      app.desk.store.reading,
      "SELECT recipient FROM deliveries WHERE event = 'mail.customer_code' ORDER BY id DESC LIMIT 1",
    ).get();
    expect(codes?.recipient).toBe('ann@example.org');
    await browser.ask('POST', `/ticket/messages?ticket=${target.ulid}`, { body: 'It is Ann.' });
    const { messages } = (await app.asTeam('GET', `/api/v1/tickets/${target.ulid}`)).json.data;
    expect(messages.at(-1)).toMatchObject({
      author: { email: 'ann@example.org' },
      via_link: { address: 'ann@example.org' },
    });
  });
});

const tables = ['customer_links', 'customer_visits', 'customer_proofs', 'customer_lists', 'customer_codes'] as const;
const rows = (where = '') =>
  tables.map((table) => {
    const hasAddress = table !== 'customer_visits';
    const text = `SELECT count(*) AS total FROM ${table} ${hasAddress ? where : ''}`;
    return query<{ total: number }>(app.desk.store.reading, text).get()?.total ?? 0;
  });

async function everything(email: string) {
  const { ulid, accessToken } = await app.open({ email });
  const browser = customerBrowser(app);
  await browser.open(ulid, accessToken);
  await browser.confirm(ulid);
  await browser.ask('POST', '/codes', { site: app.site.slug, email });
  return { ulid, browser };
}

describe('what is kept of a customer', () => {
  test('goes when they are erased', async () => {
    const email = 'erase-me@example.org';
    const { browser } = await everything(email);
    const own = `WHERE address = '${email}'`;
    const [links, , proofs, lists, codes] = rows(own);
    expect([links, proofs, lists, codes].every((total) => (total ?? 0) > 0)).toBe(true);
    await app.asTeam('POST', '/api/v1/authors/anonymise', { site_id: app.site.id, email });
    const [noLinks, , noProofs, noLists, noCodes] = rows(own);
    expect([noLinks, noProofs, noLists, noCodes]).toEqual([0, 0, 0, 0]);
    expect((await browser.ask('GET', '/ticket')).status).toBe(401);
  });

  test('is swept when it has ended', async () => {
    await everything('sweep@example.org');
    const sweep = (at: number) =>
      app.desk.write((tx) => {
        for (const purge of customerPurges) purge(tx, at, 1000);
        return null;
      });
    const now = app.clock.now();
    const before = rows();
    await sweep(now);
    expect(rows()).toEqual(before);
    await sweep(now + customerLimits.codeMs);
    expect(rows()[3]).toBeLessThan(before[3] ?? 0);
    await sweep(now + dayMs);
    expect(rows()[4]).toBe(0);
    await sweep(now + customerLimits.visitMs);
    await sweep(now + customerLimits.proofMs);
    expect(rows()).toEqual([before[0] ?? 0, 0, 0, 0, 0]);
  });

  test('goes with its site, a few rows at a time', async () => {
    await everything('site@example.org');
    const left = () => rows(`WHERE site_id = ${app.site.id}`).filter((total) => total > 0).length;
    expect(left()).toBe(tables.length);
    await app.asTeam('DELETE', `/api/v1/sites/${app.site.slug}?confirm=${app.site.slug}`);
    for (let step = 0; step < 500; step += 1)
      if ((await app.desk.write((tx) => removeSlice(tx, app.site.id, 20))).isDone) break;
    expect(rows()).toEqual([0, 0, 0, 0, 0]);
  });
});
