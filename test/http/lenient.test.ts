// What client libraries send and rely on where docs/spec/api.md is silent: `[]`, ids as strings, blank filters, plain
// times, whole lists.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { categories } from '../../src/desk/sites/catalogue/categories.ts';
import { createSite } from '../../src/desk/sites/sites.ts';
import { categoryInput } from '../../src/domain/input/sites.ts';
import { baseUrl, type TestApp, testApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const tickets = '/api/v1/tickets';

describe('a body', () => {
  test('can have [] for an empty object', async () => {
    const { ulid } = await app.open({ custom_fields: [], context: [] });
    const path = `${tickets}/${ulid}`;
    expect((await app.asTeam('GET', path)).json.data).toMatchObject({ custom_fields: {}, context: {} });
    for (const body of [[], { custom_fields: [] }]) expect((await app.asTeam('PATCH', path, body)).status).toBe(200);
    const site = `/api/v1/sites/${app.site.slug}`;
    for (const body of [[], { settings: [] }, { sla_policy: [] }])
      expect((await app.asTeam('PATCH', site, body)).status).toBe(200);
    expect((await app.asTeam('POST', `${site}/inbound-secret`, [])).status).toBe(200);
    expect((await app.asTeam('PATCH', path, [1])).status).toBe(422);
  });

  test('can have ids as strings of digits', async () => {
    const [category] = (await app.asTeam('GET', `/api/v1/sites/${app.site.id}/categories`)).json.data;
    const { ulid } = await app.open({ category_id: String(category.id) });
    const path = `${tickets}/${ulid}`;
    const changed = await app.asTeam('PATCH', path, { assigned_to: String(app.agentId) });
    expect(changed.json.data).toMatchObject({ assignee: { id: app.agentId }, category: { id: category.id } });
    const opened = await app.asTeam('POST', tickets, {
      site_id: String(app.site.id),
      email: 'mia@example.org',
      subject: 'Hello',
      message: 'World',
      assigned_to: String(app.agentId),
    });
    expect(opened.status).toBe(201);
    const reply = await app.asTeam('POST', `${path}/messages`, { body: 'Hi', agent_id: String(app.agentId) });
    expect(reply.json.reply.agent_name).toBe('Kim');
    const rule = await app.asTeam('POST', `/api/v1/sites/${app.site.id}/inbound-rules`, {
      name: 'A',
      conditions: [],
      actions: [{ type: 'assign', value: String(app.agentId) }],
    });
    expect(rule.json.data.actions).toEqual([{ type: 'assign', value: app.agentId }]);
    const { json } = await app.asTeam('POST', '/api/v1/authors/anonymise', { site_id: 'one', email: 'a@example.org' });
    expect(json.errors).toEqual({ site_id: ['The site id field must be a number.'] });
  });
});

describe('a body of PHP or of a form', () => {
  const read = async (ulid: string) => (await app.asTeam('GET', `${tickets}/${ulid}`)).json.data;

  test("can have the user's own id as a number", async () => {
    const { ulid } = await app.open({ email: 'nina@example.org', context: { user: { external_id: 1001 } } });
    expect((await read(ulid)).author).toMatchObject({ external_id: '1001', is_verified: true });
    const erase = (external_id: unknown) =>
      app.asTeam('POST', '/api/v1/authors/anonymise', { site_id: app.site.id, external_id });
    expect((await erase('')).json.message).toBe('The external id field is required.');
    for (const wrong of [2 ** 53, 1.5, true, '', []]) expect((await erase(wrong)).status).toBe(422);
    expect((await erase(1001)).json.author.id).toBe((await read(ulid)).author.id);
  });

  test('can have an empty string for no number', async () => {
    const { ulid } = await app.open({ category_id: '', priority_id: '' });
    expect(await read(ulid)).toMatchObject({ category: null, priority: { is_default: true } });
    await app.asTeam('PATCH', `${tickets}/${ulid}`, { assigned_to: app.agentId });
    const changed = await app.asTeam('PATCH', `${tickets}/${ulid}`, { assigned_to: '', category_id: '' });
    expect(changed.json.data.assignee).toBeNull();
    expect((await app.asTeam('PATCH', `${tickets}/${ulid}`, { priority_id: '' })).status).toBe(422);
  });

  test('can have a list as an object with numbers as keys', async () => {
    const { ulid } = await app.open({ tags: { 0: 'billing', 2: 'eu' } });
    expect((await read(ulid)).tags).toEqual(['billing', 'eu']);
    expect((await app.asTeam('PATCH', `${tickets}/${ulid}`, { tags: {} })).json.data.tags).toEqual([]);
    const weekly = { mon: { 1: { 0: '09:00', 1: '12:30' } } };
    const sla_policy = { business_hours: { timezone: 'Europe/Amsterdam', weekly } };
    const site = await app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { sla_policy });
    expect(site.json.data.sla_policy.business_hours.weekly).toEqual({ mon: [['09:00', '12:30']] });
    for (const wrong of [{ a: 'billing' }, { '-1': 'billing' }, { '01': 'billing' }, 'billing'])
      expect((await app.asTeam('PATCH', `${tickets}/${ulid}`, { tags: wrong })).status).toBe(422);
  });
});

describe('a query', () => {
  let ulid = '';
  beforeAll(async () => {
    ({ ulid } = await app.open({ email: 'zoe@example.org', subject: 'Filtered' }));
  });
  const shown = async (query: string) => {
    const { status, json, text } = await app.asTeam('GET', `${tickets}?email=zoe@example.org&${query}`);
    expect(status, text).toBe(200);
    return json.data.map((ticket: { ulid: string }) => ticket.ulid);
  };

  test('can name the domain of an address, without its subdomains', async () => {
    await app.open({ email: 'zoe@sub.example.org' });
    const found = async (domain: string) =>
      (await app.asTeam('GET', `${tickets}?q=Filtered&email=@${domain}`)).json.data.map(
        (one: { ulid: string }) => one.ulid,
      );
    expect([await found('Example.ORG'), await found('ample.org'), await found('sub.example.org')]).toEqual([
      [ulid],
      [],
      [],
    ]);
  });

  test('of one ticket can have parameters that mean nothing there', async () => {
    const { status, json } = await app.asTeam('GET', `${tickets}/${ulid}?include=messages&page[]=1&_=17`);
    expect([status, json.data.ulid]).toEqual([200, ulid]);
    expect((await app.asTeam('GET', `${tickets}/${ulid}?other_tickets=some`)).status).toBe(400);
  });

  test('can have blank filters, which are ignored', async () => {
    const names = [
      ...['site_id', 'status', 'status[]', 'category_id', 'priority_id[]', 'assigned_to', 'unassigned', 'external_id'],
      ...['tag', 'q', 'created_from', 'created_to', 'updated_from', 'updated_to', 'sla', 'include_test', 'sort'],
      ...['direction', 'page', 'per_page', 'cursor', 'email'],
    ];
    for (const value of ['', '%20'])
      expect(await shown(names.map((name) => `${name}=${value}`).join('&'))).toEqual([ulid]);
    expect((await app.asTeam('GET', `${tickets}?colour=`)).status).toBe(400);
  });

  test('can have times without a zone, which are UTC, and dates, which are whole days', async () => {
    // The clock says 2026-09-11T09:30Z.
    for (const query of [
      'created_from=2026-09-11 09:30:00&created_to=2026-09-11 09:30:00',
      'created_from=2026-09-11T09:30&created_to=2026-09-11T09:30',
      'created_from=2026-09-11&created_to=2026-09-11',
      'updated_from=2026-09-11&updated_to=2026-09-11',
    ])
      expect(await shown(query)).toEqual([ulid]);
    for (const query of [
      'created_from=2026-09-11 09:30:01',
      'created_to=2026-09-11 09:29:59',
      'created_to=2026-09-10',
      'created_from=2026-09-12',
      'updated_to=2026-09-10',
    ])
      expect(await shown(query)).toEqual([]);
    for (const wrong of ['2026-02-30', '2026-09-11 25:00:00', '11.09.2026', '2026-09-11 09:30:00 CET'])
      expect((await app.asTeam('GET', `${tickets}?created_to=${wrong}`)).status).toBe(400);
  });

  test('can have lists in each of the ways that clients write them', async () => {
    for (const query of ['status[]=open&status[]=closed', 'status[0]=open&status[3]=closed', 'status=open,closed'])
      expect(await shown(query)).toEqual([ulid]);
    expect(await shown('status[0]=closed&status[1]=resolved')).toEqual([]);
    for (const wrong of ['status[a]=open', 'status[-1]=open', 'status[0][0]=open', 'q[0]=x', 'sort[]=created_at'])
      expect((await app.asTeam('GET', `${tickets}?${wrong}`)).status, wrong).toBe(400);
  });

  test('can have unassigned=0, which is no filter', async () => {
    for (const value of ['0', 'false']) expect(await shown(`unassigned=${value}`)).toEqual([ulid]);
    await app.asTeam('PATCH', `${tickets}/${ulid}`, { assigned_to: app.agentId });
    expect(await shown('unassigned=0')).toEqual([ulid]);
    expect(await shown('unassigned=1')).toEqual([]);
  });
});

describe('a list of configuration', () => {
  const path = () => `/api/v1/sites/${app.site.id}/categories`;
  const ctx = () => app.desk.context({ kind: 'command_line' }, 'test');
  const add = (from: number, to: number) =>
    app.desk.write((tx) => {
      for (let at = from; at < to; at += 1)
        categories.add(tx, ctx(), app.site.slug, categoryInput.parse({ name: `Category ${at}` }));
      return null;
    });

  test('comes whole unless a page is asked for', async () => {
    await add(0, 120);
    const { json } = await app.asTeam('GET', path());
    const total = json.meta.total;
    expect(total).toBeGreaterThan(120);
    expect(json.data).toHaveLength(total);
    expect(json.meta).toEqual({ current_page: 1, last_page: 1, per_page: 1000, total });
    const here = `${baseUrl}${path()}`;
    expect(json.links).toEqual({ first: here, last: here, prev: null, next: null });
    expect((await app.asTeam('GET', `${path()}?page=&per_page=`)).json.data).toHaveLength(total);
    expect((await app.asTeam('GET', `${path()}?page=2`)).json).toMatchObject({
      meta: { current_page: 2, per_page: 15 },
    });
    expect((await app.asTeam('GET', `${path()}?per_page=50`)).json.data).toHaveLength(50);
    expect((await app.asTeam('GET', `${path()}?per_page=500`)).json.data).toHaveLength(100);
  });

  test('for sites, priorities, fields, channels, rules and agents too', async () => {
    for (let at = 0; at < 20; at += 1) await app.desk.write((tx) => createSite(tx, ctx(), { name: `Site ${at}` }));
    const sites = (await app.asTeam('GET', '/api/v1/sites')).json;
    expect(sites.data).toHaveLength(22);
    expect(sites.links.first).toBe(`${baseUrl}/api/v1/sites`);
    for (const noun of ['priorities', 'custom-fields', 'webhook-channels', 'inbound-rules', 'agents'])
      expect((await app.asTeam('GET', `/api/v1/sites/${app.site.id}/${noun}`)).json.meta.per_page).toBe(1000);
    const scoped = await app.token(['read'], app.site.id);
    const own = await app.ask('GET', '/api/v1/sites', { headers: { Authorization: `Bearer ${scoped.secret}` } });
    expect(own.json.meta.total).toBe(1);
  });

  test('continues in links.next after a thousand entries', async () => {
    await app.desk.write((tx) => {
      for (let at = 0; at < 1110; at += 1) createSite(tx, ctx(), { name: `Shop ${at}` });
      return null;
    });
    const first = (await app.asTeam('GET', '/api/v1/sites')).json;
    expect(first.data).toHaveLength(1000);
    const ids = new Set(first.data.map(({ id }: { id: number }) => id));
    for (let next = first.links.next; next !== null; ) {
      const page = (await app.asTeam('GET', next)).json;
      for (const { id } of page.data) {
        expect(ids.has(id)).toBe(false);
        ids.add(id);
      }
      next = page.links.next;
    }
    expect(ids.size).toBe(first.meta.total);
  });

  test('tickets stay in pages', async () => {
    expect((await app.asTeam('GET', tickets)).json.meta.per_page).toBe(15);
  });
});
