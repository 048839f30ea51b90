// Views of the ticket list and read marks over HTTP: built in, saved, shared, and nothing of sites that are not seen.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Role } from '../../../src/domain/actor.ts';
import { builtInViews, mostViews } from '../../../src/domain/lists/view.ts';
import { insertInboundMail } from '../../../src/store/mail/inbound.ts';
import { type Answered, type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

const as = async (role: Role, sites: number[] = []) => {
  const { headers, agentId } = await app.person(role, sites);
  const ask = (method: string, path: string, body?: unknown) => app.ask(method, `/api/v1${path}`, { headers, body });
  return Object.assign(ask, { agentId });
};
const keys = ({ json }: Answered): string[] => json.data.map(({ key }: { key: string }) => key);
const save = async (ask: Awaited<ReturnType<typeof as>>, input: object = {}) =>
  (await ask('POST', '/views', { name: 'Open', filter: { status: ['open'] }, ...input })).json.data;

describe('built-in views', () => {
  test('come to each role, held mail only to those who manage', async () => {
    const all = builtInViews.map(({ key }) => key);
    expect(keys(await (await as('admin'))('GET', '/views'))).toEqual(all);
    const member = keys(await (await as('member'))('GET', '/views'));
    expect(member).toEqual(all.filter((key) => key !== 'held-mail'));
    // A token has no tickets of its own.
    const ofAgents = ['mine', 'mentions', 'drafts'];
    expect(keys(await app.asTeam('GET', '/api/v1/views'))).toEqual(all.filter((key) => !ofAgents.includes(key)));
  });

  test('have filters that the list takes', async () => {
    const ask = await as('owner');
    const views = (await ask('GET', '/views')).json.data;
    for (const { key, filter, sort, direction } of views) {
      if (filter === null) continue;
      const query = new URLSearchParams({ sort, direction });
      for (const [name, value] of Object.entries(filter))
        for (const one of [value].flat()) query.append(Array.isArray(value) ? `${name}[]` : name, String(one));
      expect([key, (await ask('GET', `/tickets?${query}`)).status]).toEqual([key, 200]);
    }
  });
});

describe('a saved view', () => {
  test('is private to its agent, and can be changed and deleted', async () => {
    const [ann, bob] = [await as('viewer'), await as('owner')];
    const view = await save(ann, { name: 'Mine', filter: { assigned_to: ['me', 7], unassigned: false } });
    expect(view).toMatchObject({ key: String(view.id), is_shared: false, is_own: true, sort: 'created_at' });
    expect(view.filter).toEqual({ assigned_to: ['me', 7], unassigned: false });
    expect(keys(await bob('GET', '/views'))).not.toContain(view.key);
    for (const method of ['PATCH', 'DELETE'])
      expect((await bob(method, `/views/${view.id}`, method === 'PATCH' ? { name: 'x' } : undefined)).status).toBe(404);
    const changed = await ann('PATCH', `/views/${view.id}`, { sort: 'next_due_at', direction: 'asc' });
    expect(changed.json.data).toEqual({ ...view, sort: 'next_due_at', direction: 'asc' });
    expect((await ann('DELETE', `/views/${view.id}`)).status).toBe(204);
    expect(keys(await ann('GET', '/views'))).not.toContain(view.key);
  });

  test('is shared by those who write, and then changed only by its agent and by those who manage', async () => {
    const [viewer, ann, bob, admin] = [await as('viewer'), await as('member'), await as('member'), await as('admin')];
    const refused = await viewer('POST', '/views', { name: 'x', filter: {}, is_shared: true });
    expect([refused.status, refused.json.code]).toEqual([403, 'missing_ability']);
    const view = await save(ann, { is_shared: true });
    const seen = (await bob('GET', '/views')).json.data.find(({ id }: { id: number }) => id === view.id);
    expect(seen).toEqual({ ...view, is_own: false });
    const denied = await bob('PATCH', `/views/${view.id}`, { name: 'Taken' });
    expect([denied.status, denied.json.code]).toEqual([403, 'not_yours']);
    expect((await admin('PATCH', `/views/${view.id}`, { name: 'Ours' })).json.data.name).toBe('Ours');
    expect(Object.keys((await admin('PATCH', `/views/${view.id}`, { is_shared: false })).json.errors)).toEqual([
      'is_shared',
    ]);
    expect((await ann('PATCH', `/views/${view.id}`, { is_shared: false })).status).toBe(200);
    expect(keys(await bob('GET', '/views'))).not.toContain(view.key);
  });

  test('is refused with the part of its filter that the list does not take', async () => {
    const ask = await as('owner');
    const faults: [object, string][] = [
      [{ status: ['open', 'lost'] }, 'filter.status.1'],
      [{ assigned_to: ['you'] }, 'filter.assigned_to.0'],
      [{ created_from: 'yesterday' }, 'filter.created_from'],
      [{ colour: 'red' }, 'filter.colour'],
      [{ page: '2' }, 'filter.page'],
      [{ unassigned: { or: 1 } }, 'filter.unassigned'],
    ];
    for (const [filter, path] of faults) {
      const answer = await ask('POST', '/views', { name: 'x', filter });
      expect([answer.status, Object.keys(answer.json.errors ?? {})], path).toEqual([422, [path]]);
    }
  });

  test('stands in the order of each agent', async () => {
    const [ann, bob] = [await as('member'), await as('member')];
    const views = [await save(ann, { is_shared: true }), await save(ann), await save(ann)];
    const saved = async (ask: typeof ann) => keys(await ask('GET', '/views')).filter((key) => /^\d+$/.test(key));
    const [first, second, third] = views.map(({ id }) => id);
    expect((await ann('PATCH', '/views/order', { order: [third, first] })).status).toBe(200);
    expect(await saved(ann)).toEqual([third, first, second].map(String));
    expect(await saved(bob)).toEqual([String(first)]);
    for (const order of [[second], [first, first], [99]])
      expect((await bob('PATCH', '/views/order', { order })).status, String(order)).toBe(422);
  });

  test('of an agent of some sites stays theirs when that agent gets other sites or is gone', async () => {
    const [owner, maker] = [await as('owner'), await as('member', [app.other.site.id])];
    const [near, far] = [await as('member', [app.other.site.id]), await as('member', [app.site.id])];
    const view = await save(maker, { is_shared: true, filter: { email: 'mia@example.org' } });
    const sees = async (ask: typeof owner) => keys(await ask('GET', '/views')).includes(view.key);
    const whoSees = async () => [await sees(owner), await sees(near), await sees(far)];
    expect(await whoSees()).toEqual([true, true, false]);
    expect((await owner('PATCH', `/agents/${maker.agentId}`, { sites: [app.site.id] })).status).toBe(200);
    expect(await whoSees()).toEqual([true, true, false]);
    expect((await owner('DELETE', `/agents/${maker.agentId}`)).status).toBe(204);
    expect(await whoSees()).toEqual([true, true, false]);
    // Who says what it shows says it for their own sites.
    expect((await owner('PATCH', `/views/${view.id}`, { filter: { status: ['open'] } })).status).toBe(200);
    expect(await whoSees()).toEqual([true, true, true]);
  });

  test('of a site is seen only by those who see the site, and its name tells nothing', async () => {
    const [owner, member] = [await as('owner'), await as('member', [app.other.site.id])];
    const view = await save(owner, { is_shared: true, filter: { site_id: app.site.slug } });
    expect(keys(await member('GET', '/views'))).not.toContain(view.key);
    expect((await member('PATCH', `/views/${view.id}`, { name: 'x' })).status).toBe(404);
    expect((await member('POST', '/views', { name: 'x', filter: { site_id: app.site.id } })).status).toBe(404);
  });

  test('that an agent of some sites shares is seen by those who work on one of them', async () => {
    const here = [app.site.id];
    const [ann, bo, both] = [await as('member', here), await as('member', here), await as('member')];
    const elsewhere = await as('admin', [app.other.site.id]);
    const view = await save(ann, { is_shared: true, filter: { email: 'mia@example.org' } });
    for (const ask of [ann, bo, both]) expect(keys(await ask('GET', '/views'))).toContain(view.key);
    expect(keys(await elsewhere('GET', '/views'))).not.toContain(view.key);
    expect((await elsewhere('GET', '/views/counts')).json.data).not.toHaveProperty(view.key);
    expect((await elsewhere('PATCH', `/views/${view.id}`, { name: 'x' })).status).toBe(404);
    const ofAll = await save(both, { is_shared: true });
    expect(keys(await elsewhere('GET', '/views'))).toContain(ofAll.key);
  });

  test('has limits', async () => {
    const ask = await as('member');
    for (let at = 0; at < mostViews.own; at += 1) await save(ask);
    expect((await ask('POST', '/views', { name: 'x', filter: {} })).json.errors.name).toHaveLength(1);
    expect((await ask('POST', '/views', { name: 'x'.repeat(81), filter: {} })).status).toBe(422);
  });

  test('that is private goes with its agent, a shared one stays', async () => {
    const [ann, owner] = [await as('member'), await as('owner')];
    const [shared, own] = [await save(ann, { is_shared: true }), await save(ann)];
    expect((await owner('DELETE', `/agents/${ann.agentId}`)).status).toBe(204);
    const left = app.desk.store.reading.client.query('SELECT id, agent_id FROM views').all();
    expect(left).toEqual([{ id: shared.id, agent_id: null }]);
    expect(own.id).not.toBe(shared.id);
    expect((await owner('DELETE', `/views/${shared.id}`)).status).toBe(204);
  });

  test('forgets an erased person', async () => {
    const ask = await as('owner');
    await app.open({ email: 'mia@example.org', name: 'Mia Jansen' });
    const view = await save(ask, { name: 'Mia Jansen', filter: { email: 'Mia@example.org', q: 'of mia@example.org' } });
    const other = await save(ask, { name: 'Miami', filter: { email: 'amia@example.org' } });
    const erased = await app.asTeam('POST', '/api/v1/authors/anonymise', {
      site_id: app.site.id,
      email: 'mia@example.org',
    });
    expect(erased.status).toBe(200);
    const after = (await ask('GET', '/views')).json.data.filter(({ id }: { id: number | null }) => id !== null);
    expect(JSON.stringify(after[0])).not.toMatch(/mia/i);
    expect(after).toEqual([expect.objectContaining({ id: view.id }), other]);
  });
});

describe('the counts of views', () => {
  const countsOf = async (ask: Awaited<ReturnType<typeof as>>, query = '') =>
    (await ask('GET', `/views/counts${query}`)).json.data;
  const count = (count: number) => ({ count, is_capped: false });

  test('are what the lists of these views show', async () => {
    const ask = await as('owner');
    const own = await app.open();
    await ask('PATCH', `/tickets/${own.ulid}`, { assigned_to: ask.agentId });
    const rest = await app.open();
    const until = new Date(app.clock.now() + 86_400_000).toISOString();
    await ask('PATCH', `/tickets/${rest.ulid}`, { snoozed_until: until });
    const done = await app.open();
    await ask('PATCH', `/tickets/${done.ulid}`, { status: 'resolved' });
    const spam = await app.open();
    await ask('PATCH', `/tickets/${spam.ulid}`, { is_spam: true });
    const { key } = await save(ask, { filter: { tag: ['vip'], status: ['open'] } });
    await ask('PATCH', `/tickets/${own.ulid}`, { tags: ['vip'] });
    expect(await countsOf(ask)).toEqual({
      mine: { ...count(1), unread: 1 },
      mentions: count(0),
      drafts: count(0),
      unassigned: count(0),
      open: count(1),
      'due-soon': count(0),
      breached: count(0),
      pending: count(0),
      snoozed: count(1),
      resolved: count(1),
      all: count(3),
      'held-mail': count(0),
      [key]: count(1),
    });
    const views = (await ask('GET', '/views')).json.data;
    for (const { key, filter } of views) {
      if (filter === null) continue;
      const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]));
      expect((await ask('GET', `/tickets?${query}`)).json.meta.total, key).toBe((await countsOf(ask))[key].count);
    }
    await ask('PUT', `/tickets/${own.ulid}/read`);
    expect((await countsOf(ask)).mine).toEqual({ ...count(1), unread: 0 });
  });

  test('of mentions are of what is left to do or to read', async () => {
    const [ask, other] = [await as('owner'), await as('admin')];
    const mentioned = async (status: string) => {
      const { ulid } = await app.open();
      await other('POST', `/tickets/${ulid}/notes`, { body: 'Look', mentions: [ask.agentId] });
      await ask('PUT', `/tickets/${ulid}/read`);
      await other('PATCH', `/tickets/${ulid}`, { status });
      return ulid;
    };
    await mentioned('open');
    await mentioned('pending');
    const done = await mentioned('resolved');
    expect((await countsOf(ask)).mentions).toEqual(count(2));
    expect((await ask('GET', '/tickets?mentions=me')).json.meta.total).toBe(3);
    await ask('DELETE', `/tickets/${done}/read`);
    expect((await countsOf(ask)).mentions).toEqual(count(3));
  });

  test('are only of sites that the agent sees, and of the chosen one', async () => {
    const [owner, member] = [await as('owner'), await as('member', [app.other.site.id])];
    await app.open();
    const view = await save(owner, { filter: { site_id: app.site.id } });
    expect((await countsOf(owner)).all).toEqual(count(1));
    expect((await countsOf(member)).all).toEqual(count(0));
    const other = await countsOf(owner, `?site_id=${app.other.site.slug}`);
    expect([other.all, other[view.key]]).toEqual([count(0), count(0)]);
    expect((await countsOf(owner, `?site_id=${app.site.id}`))[view.key]).toEqual(count(1));
    expect((await member('GET', `/views/counts?site_id=${app.site.id}`)).status).toBe(404);
  });

  test('of an own view are none once its site is out of sight', async () => {
    const member = await as('member', [app.site.id]);
    const owner = await as('owner');
    await app.open();
    const view = await save(member, { filter: { site_id: app.site.id } });
    expect((await countsOf(member))[view.key]).toEqual(count(1));
    await owner('PATCH', `/agents/${member.agentId}`, { sites: [app.other.site.id] });
    expect((await countsOf(member))[view.key]).toEqual(count(0));
  });

  test('stop at a thousand', async () => {
    const ask = await as('owner');
    const { ulid } = await app.open();
    await app.desk.write((tx) => {
      tx.client.run('CREATE TEMP TABLE copied AS SELECT * FROM tickets WHERE ulid = ?', [ulid]);
      const columns = tx.client
        .query<{ name: string }, []>('PRAGMA table_info(tickets)')
        .all()
        .map(({ name }) => name)
        .filter((name) => name !== 'id' && name !== 'ulid')
        .join(', ');
      const numbers = 'WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)';
      tx.client.run(`${numbers} INSERT INTO tickets (ulid, ${columns}) SELECT n, ${columns} FROM copied, numbers`);
      return null;
    });
    const { open, unassigned, all } = await countsOf(ask);
    const capped = { count: 1000, is_capped: true };
    expect([open, unassigned, all]).toEqual([capped, capped, capped]);
  });

  test('have mail that is held, of the sites that are seen', async () => {
    const [owner, admin] = [await as('owner'), await as('admin', [app.other.site.id])];
    await app.desk.write((tx) => {
      const mail = {
        siteId: app.site.id,
        provider: 'raw',
        headers: {},
        size: 1,
        sha256: null,
        receivedAt: 0,
        retryAt: null,
      } as const;
      for (const ulid of ['first', 'second']) insertInboundMail(tx, { ...mail, ulid });
      tx.client.run("UPDATE inbound_mail SET status = 'done', outcome = 'held' WHERE ulid = 'second'");
      return null;
    });
    expect((await countsOf(owner))['held-mail']).toEqual(count(1));
    expect((await countsOf(admin))['held-mail']).toEqual(count(0));
  });
});

describe('a read mark', () => {
  const isUnread = async (ask: Awaited<ReturnType<typeof as>>, ulid: string) => {
    const [row] = (await ask('GET', `/tickets?q=${ulid}`)).json.data;
    const { data } = (await ask('GET', `/tickets/${ulid}`)).json;
    expect(row.is_unread).toBe(data.is_unread);
    const listed = (await ask('GET', '/tickets?unread=1')).json.data.map((one: { ulid: string }) => one.ulid);
    expect(listed).toEqual(row.is_unread ? [ulid] : []);
    return row.is_unread;
  };
  const reply = (ask: Awaited<ReturnType<typeof as>>, ulid: string) => {
    app.clock.advance(1000);
    return ask('POST', `/tickets/${ulid}/messages`, { body: 'Here you are.' });
  };
  const write = ({ ulid, accessToken }: { ulid: string; accessToken: string }) => {
    app.clock.advance(1000);
    return app.asSite('POST', `/api/v1/public/tickets/${ulid}/messages?access_token=${accessToken}`, { body: 'More.' });
  };

  test('is one agent’s own, until the customer writes again', async () => {
    const [ann, bob] = [await as('viewer'), await as('member')];
    const opened = await app.open();
    expect(await isUnread(ann, opened.ulid)).toBe(true);
    expect((await ann('PUT', `/tickets/${opened.ulid}/read`)).status).toBe(204);
    expect([await isUnread(ann, opened.ulid), await isUnread(bob, opened.ulid)]).toEqual([false, true]);
    expect((await write(opened)).status).toBe(201);
    expect(await isUnread(ann, opened.ulid)).toBe(true);
  });

  test('is not needed where an agent has answered, and can be taken back even then', async () => {
    const [ann, bob] = [await as('member'), await as('member')];
    const { ulid } = await app.open();
    expect((await reply(bob, ulid)).status).toBe(201);
    expect(await isUnread(ann, ulid)).toBe(false);
    expect((await ann('DELETE', `/tickets/${ulid}/read`)).status).toBe(204);
    expect([await isUnread(ann, ulid), await isUnread(bob, ulid)]).toEqual([true, false]);
    await ann('PUT', `/tickets/${ulid}/read`);
    expect(await isUnread(ann, ulid)).toBe(false);
  });

  test('writes nothing where nothing changes, and no ticket is unread for a token', async () => {
    const ann = await as('member');
    const { ulid } = await app.open();
    expect((await app.asTeam('GET', `/api/v1/tickets/${ulid}`)).json.data.is_unread).toBe(false);
    expect((await app.asTeam('GET', '/api/v1/tickets?unread=1')).json.code).toBe('agent_needed');
    expect((await app.asTeam('GET', '/api/v1/tickets?unread=0')).json.data).toHaveLength(1);
    const { key } = await save(ann, { filter: { unread: true }, is_shared: true });
    expect(keys(await app.asTeam('GET', '/api/v1/views'))).not.toContain(key);
    await ann('PUT', `/tickets/${ulid}/read`);
    const before = app.desk.store.dataVersion();
    const marks = () => app.desk.store.reading.client.query('SELECT * FROM read_marks').all();
    const first = marks();
    app.clock.advance(60_000);
    await ann('PUT', `/tickets/${ulid}/read`);
    expect([marks(), app.desk.store.dataVersion()]).toEqual([first, before]);
  });
});

describe('a row of the list', () => {
  test('has the newest public message as one line', async () => {
    const ask = await as('owner');
    const { ulid } = await app.open({ message: 'First\nline' });
    const snippet = async () => (await ask('GET', `/tickets?q=${ulid}`)).json.data[0].snippet;
    expect(await snippet()).toBe('First line');
    await ask('POST', `/tickets/${ulid}/notes`, { body: 'Only for us' });
    expect(await snippet()).toBe('First line');
    await ask('POST', `/tickets/${ulid}/messages`, { body: `Answer 😀 ${'long '.repeat(100)}` });
    expect([...(await snippet())].length).toBe(159);
    expect(await snippet()).toMatch(/^Answer 😀 long .* long…$/);
    await ask('POST', `/tickets/${ulid}/messages`, { body: 'x'.repeat(160) });
    expect(await snippet()).toBe('x'.repeat(160));
  });

  test('has the clock that is due first', async () => {
    const ask = await as('owner');
    const { ulid } = await app.open();
    const row = async () => (await ask('GET', `/tickets?q=${ulid}`)).json.data[0];
    const first = await row();
    expect(first.next_due).toEqual({
      clock: 'first_response',
      at: first.first_response_due_at,
      is_breached: false,
      is_paused: false,
    });
    await ask('POST', `/tickets/${ulid}/messages`, { body: 'Hello' });
    expect((await row()).next_due).toMatchObject({ clock: 'resolution', at: first.resolution_due_at });
    await ask('PATCH', `/tickets/${ulid}`, { status: 'resolved' });
    expect((await row()).next_due).toBeNull();
  });

  test('is true at the newest event', async () => {
    const ask = await as('owner');
    await app.open();
    const { newest_seq: seq } = (await ask('GET', '/tickets')).json.meta;
    expect(seq).toBe((await ask('GET', '/events')).json.meta.newest_seq);
    await app.open();
    expect((await ask('GET', '/tickets')).json.meta.newest_seq).toBeGreaterThan(seq);
  });

  test('can be asked for as mine, by agents only', async () => {
    const ann = await as('member');
    const [own, other] = [await app.open(), await app.open()];
    await ann('PATCH', `/tickets/${own.ulid}`, { assigned_to: ann.agentId });
    const mine = await ann('GET', '/tickets?assigned_to=me');
    expect(mine.json.data.map(({ ulid }: { ulid: string }) => ulid)).toEqual([own.ulid]);
    expect(other.ulid).not.toBe(own.ulid);
    const refused = await app.asTeam('GET', '/api/v1/tickets?assigned_to=me');
    expect([refused.status, refused.json.code]).toEqual([400, 'agent_needed']);
  });
});
