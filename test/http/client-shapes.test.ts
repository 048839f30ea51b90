// What client libraries read where docs/spec/api.md is silent: ids, whole categories and priorities, mirrored
// diagnostics, authors.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { query } from '../../src/engine/database.ts';
import { type TestApp, testApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const site = () => `/api/v1/sites/${app.site.slug}`;
const read = async (ulid: string) => (await app.asTeam('GET', `/api/v1/tickets/${ulid}`)).json.data;
const listed = async () => (await app.asTeam('GET', '/api/v1/tickets?per_page=100')).json.data;

test('a ticket has its id for the customer too', async () => {
  const { ulid, accessToken } = await app.open();
  const thread = await app.asSite('GET', `/api/v1/public/tickets/${ulid}?access_token=${accessToken}`);
  expect(thread.json.data.id).toBe((await read(ulid)).id);
  const created = await app.asSite('POST', '/api/v1/public/tickets', {
    email: 'mia@example.org',
    subject: 'Hello',
    message: 'World',
  });
  expect(created.json.ticket.id).toBe((await read(created.json.ticket.ulid)).id);
});

test('metadata.extra mirrors context.extra, in lists too, beside what rules set', async () => {
  const extras = [{ order: 41, items: [{ sku: 'ä' }] }, [], 'text', 0, false, { a: null }];
  const opened: string[] = [];
  for (const extra of extras)
    opened.push((await app.open({ context: { extra, console: [{ message: 'x'.repeat(2000) }] } })).ulid);
  const { ulid: plain } = await app.open({ context: { source: 'web', extra: null } });
  const { ulid: without } = await app.open();
  await app.desk.write((tx) => {
    query(tx, `UPDATE tickets SET metadata = '{"vip":true}' WHERE ulid = ?`).run(opened[0] ?? '');
    return null;
  });
  const rows = new Map((await listed()).map((ticket: { ulid: string }) => [ticket.ulid, ticket]));
  for (const [at, extra] of extras.entries()) {
    const expected = { ...(at === 0 ? { vip: true } : {}), extra };
    expect((await read(opened[at] ?? '')).metadata).toEqual(expected);
    expect(rows.get(opened[at])).toMatchObject({ metadata: expected });
  }
  for (const ulid of [plain, without]) {
    expect((await read(ulid)).metadata).toEqual({});
    expect(rows.get(ulid)).toHaveProperty('metadata', {});
  }
  const changed = await app.asTeam('PATCH', `/api/v1/tickets/${opened[0]}`, { tags: ['a'], metadata: { extra: 1 } });
  expect(changed.json.data.metadata).toEqual({ vip: true, extra: extras[0] });
});

test('erasing an author also removes metadata.extra', async () => {
  const { ulid } = await app.open({ email: 'gone@example.org', context: { extra: { note: 'gone' } } });
  await app.asTeam('POST', '/api/v1/authors/anonymise', { site_id: app.site.id, email: 'gone@example.org' });
  expect((await read(ulid)).metadata).toEqual({});
  const row = (await listed()).find((ticket: { ulid: string }) => ticket.ulid === ulid);
  expect(row.metadata).toEqual({});
});

test('category and priority inside a ticket are as complete as in the catalogue', async () => {
  const category = await app.asTeam('POST', `${site()}/categories`, { name: 'Billing', description: 'Invoices' });
  const priority = await app.asTeam('POST', `${site()}/priorities`, {
    name: 'Soon',
    resolution_minutes: 90,
    is_default: true,
  });
  const { ulid } = await app.open({ category_id: category.json.data.id });
  const whole = (await app.asTeam('GET', `${site()}/priorities/${priority.json.data.id}`)).json.data;
  expect(whole).toMatchObject({ is_default: true, sla_hours: 1.5 });
  for (const ticket of [await read(ulid), (await listed()).find((one: { ulid: string }) => one.ulid === ulid)])
    expect(ticket).toMatchObject({ category: category.json.data, priority: whole });
  await app.asTeam('PATCH', `${site()}/priorities/${whole.id}`, { resolution_minutes: null });
  expect((await read(ulid)).priority).toMatchObject({ resolution_minutes: null, sla_hours: null });
  const config = (await app.asSite('GET', '/api/v1/public/config')).json;
  expect(config.priorities.map((one: { sla_hours: number | null }) => one.sla_hours)).toContain(null);
  const other = config.priorities.find((one: { id: number }) => one.id !== whole.id);
  expect(other.sla_hours).toBe(other.resolution_minutes / 60);
});

test('a target can be set in hours, but minutes win', async () => {
  const path = `${site()}/priorities`;
  const made = (await app.asTeam('POST', path, { name: 'In hours', sla_hours: 0.5 })).json.data;
  expect(made).toMatchObject({ resolution_minutes: 30, sla_hours: 0.5 });
  const changed = async (body: object) => (await app.asTeam('PATCH', `${path}/${made.id}`, body)).json.data;
  expect(await changed({ sla_hours: 24 })).toMatchObject({ resolution_minutes: 1440, sla_hours: 24 });
  expect(await changed({ name: 'Renamed' })).toMatchObject({ resolution_minutes: 1440 });
  expect(await changed({ sla_hours: 24, resolution_minutes: 90 })).toMatchObject({ resolution_minutes: 90 });
  expect(await changed({ sla_hours: 24, resolution_minutes: null })).toMatchObject({ resolution_minutes: null });
  expect(await changed({ sla_hours: '2' })).toMatchObject({ resolution_minutes: 120 });
  expect(await changed({ sla_hours: null })).toMatchObject({ resolution_minutes: null, sla_hours: null });
  for (const [minutes, hours] of [
    [100, 1.67],
    [1, 0.02],
    [50, 0.83],
    [480, 8],
    [5_255_999, 87599.98],
  ]) {
    const given = await changed({ resolution_minutes: minutes });
    expect(given.sla_hours).toBe(hours);
    expect(await changed({ sla_hours: given.sla_hours })).toMatchObject({ resolution_minutes: minutes });
  }
  const none = await app.asTeam('PATCH', `${path}/${made.id}`, { sla_hours: 0 });
  expect(none.json.message).toBe('The sla hours field must be at least one minute, which is 0.02.');
  for (const wrong of [0, -1, 'soon', 1_000_000]) {
    const refused = await app.asTeam('PATCH', `${path}/${made.id}`, { sla_hours: wrong });
    expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ['sla_hours']]);
  }
});

test("an agent's message has the agent's name in author_name too", async () => {
  const { ulid, accessToken } = await app.open({ name: 'Mia' });
  await app.asTeam('POST', `/api/v1/tickets/${ulid}/messages`, { body: 'Hi', agent_name: 'Kim' });
  const names = (messages: Record<string, unknown>[]) =>
    messages.map(({ agent_name, author_name }) => [agent_name, author_name]);
  const expected = [
    [null, 'Mia'],
    ['Kim', 'Kim'],
  ];
  expect(names((await read(ulid)).messages)).toEqual(expected);
  const thread = await app.asSite('GET', `/api/v1/public/tickets/${ulid}?access_token=${accessToken}`);
  expect(names(thread.json.data.messages)).toEqual(expected);
});

test("without a name, a customer's words have the address", async () => {
  const { ulid, accessToken } = await app.open({ email: 'nameless@example.org', name: null });
  const thread = `/api/v1/public/tickets/${ulid}`;
  const said = await app.asSite('POST', `${thread}/messages?access_token=${accessToken}`, { body: 'More' });
  expect(said.json.reply.author_name).toBe('nameless@example.org');
  const names = (messages: { author_name: string }[]) => messages.map(({ author_name }) => author_name);
  const own = await app.asSite('GET', `${thread}?access_token=${accessToken}`);
  for (const { messages } of [own.json.data, await read(ulid)])
    expect(names(messages)).toEqual(['nameless@example.org', 'nameless@example.org']);

  const { ulid: into, accessToken: others } = await app.open({ email: 'other@example.org', name: 'Olga' });
  await app.asTeam('POST', `/api/v1/tickets/${ulid}/merge`, { into });
  const seen = await app.asSite('GET', `/api/v1/public/tickets/${into}?access_token=${others}`);
  expect(names(seen.json.data.messages).sort()).toEqual(['Olga', 'n…@e….org', 'n…@e….org']);
  expect(seen.text).not.toContain('nameless@example.org');
  const merged = await app.asSite('GET', `${thread}?access_token=${accessToken}`);
  expect(names(merged.json.data.messages).sort()).toEqual(['Olga', 'nameless@example.org', 'nameless@example.org']);
});

test('words that no one signed have the name of the site', async () => {
  const { ulid } = await app.open();
  await app.desk.write((tx) => {
    const { id } = query<{ id: number }>(tx, 'SELECT id FROM tickets WHERE ulid = ?').get(ulid) ?? { id: 0 };
    query(
      tx,
      `INSERT INTO messages (ulid, ticket_id, body, body_format, is_internal, is_automated, is_agent, source, created_at)
       VALUES ('01K4VJ8Q4N7RM2ZC6B0T3XWYDE', ?, 'Old', 'text', 0, 0, 1, 'agent', 1)`,
    ).run(id);
    return null;
  });
  expect((await read(ulid)).messages.at(-1)).toMatchObject({ body: 'Old', author_name: 'Web shop' });
});

test("a reply of a token without a name is the site's, and never shows the token's name", async () => {
  const { ulid, accessToken } = await app.open();
  const said = await app.asTeam('POST', `/api/v1/tickets/${ulid}/messages`, { body: 'Hello' });
  expect(said.json.reply).toMatchObject({ agent_name: 'Web shop', author_name: 'Web shop' });
  await app.asTeam('PATCH', site(), { settings: { brand: { name: 'Shop & Co' } } });
  await app.asTeam('POST', `/api/v1/tickets/${ulid}/messages`, { body: 'Again' });
  await app.asTeam('PATCH', site(), { settings: { brand: { name: null } } });
  const note = await app.asTeam('POST', `/api/v1/tickets/${ulid}/notes`, { body: 'For us' });
  expect(note.json.note.agent_name).toBe('Team');
  const thread = await app.asSite('GET', `/api/v1/public/tickets/${ulid}?access_token=${accessToken}`);
  const shown = thread.json.data.messages.slice(1);
  expect(shown.map(({ agent_name }: { agent_name: string }) => agent_name)).toEqual(['Web shop', 'Shop & Co']);
  expect(thread.text).not.toContain('Team');
});

test('a description is null until it is set, and null empties it', async () => {
  const paths = [
    [site(), await app.asTeam('GET', site())],
    ...(await Promise.all(
      (
        [
          ['categories', { name: 'Plain' }],
          ['custom-fields', { key: 'plain', label: 'Plain', type: 'text' }],
        ] as const
      ).map(async ([noun, body]) => {
        const made = await app.asTeam('POST', `${site()}/${noun}`, body);
        return [`${site()}/${noun}/${made.json.data.id}`, made] as const;
      }),
    )),
  ] as const;
  const config = async () => (await app.asSite('GET', '/api/v1/public/config')).json.site.description;
  expect(await config()).toBeNull();
  for (const [path, made] of paths) {
    expect(made.json.data.description, path).toBeNull();
    const change = async (description: unknown) =>
      (await app.asTeam('PATCH', path, { description })).json.data.description;
    expect(await change('Words')).toBe('Words');
    expect(await change(null)).toBeNull();
    for (const blank of ['', ' \n ']) {
      expect(await change('Words')).toBe('Words');
      expect(await change(blank)).toBeNull();
    }
  }
  const blank = await app.asTeam('POST', `${site()}/categories`, { name: 'Blank', description: ' ' });
  expect(blank.json.data.description).toBeNull();
  expect(await config()).toBeNull();
});

test('only a custom channel has a header_prefix', async () => {
  const add = (input: object) =>
    app.asTeam('POST', `${site()}/webhook-channels`, {
      name: 'Team',
      type: 'custom',
      webhook_url: 'https://hooks.example.org/x',
      events: ['ticket.created'],
      ...input,
    });
  const own = (await add({})).json.data;
  expect(own.header_prefix).toBe('X-Helpdesk');
  expect((await add({ header_prefix: 'X-Escalated' })).json.data.header_prefix).toBe('X-Escalated');
  expect((await add({ type: 'slack' })).json.data.header_prefix).toBeNull();
  const path = `${site()}/webhook-channels/${own.id}`;
  const changed = await app.asTeam('PATCH', path, { header_prefix: 'X-Acme' });
  expect(changed.json.data.header_prefix).toBe('X-Acme');
  expect((await app.asTeam('GET', path)).json.data.header_prefix).toBe('X-Acme');
  for (const header_prefix of ['', 'X Acme', 'X-Acme\r\nHost: evil', 'Content', 'Webhook', 'x'.repeat(65), 5]) {
    const refused = await app.asTeam('PATCH', path, { header_prefix });
    expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ['header_prefix']]);
    expect(refused.json.errors.header_prefix[0]).toStartWith('The header prefix field ');
  }
});
