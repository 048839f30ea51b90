// Every operation with every kind of foreign credential, and with every role: nothing is shown or written that should
// not be.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { agentRoles, type TokenAbility } from '../../src/domain/actor.ts';
import { abilitiesOf } from '../../src/domain/people/roles.ts';
import { query } from '../../src/engine/database.ts';
import { admissionOf, admits } from '../../src/http/credentials/access.ts';
import type { Operation } from '../../src/http/operation.ts';
import { allOperations } from '../../src/http/operations.ts';
import { baseUrl, type TestApp, testApp } from '../support/app.ts';
import { pathOf, stepFor } from './walk.ts';
import type { Step } from './walks/step.ts';

let app: TestApp;
const credentials: Record<string, Record<string, string>> = {};
beforeAll(async () => {
  app = await testApp();
  const everything = ['read', 'write', 'manage'] as const;
  const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });
  const revoked = await app.token([...everything]);
  app.desk.store.writing.client.run('DELETE FROM team_tokens WHERE id = ?', [revoked.id]);
  const expired = await app.token([...everything], null, app.clock.now() + 1000);
  app.clock.advance(2000);
  Object.assign(credentials, {
    none: {},
    'an unknown site token': { 'X-Site-Token': 'hds_nope' },
    'the other site’s token': { 'X-Site-Token': app.other.siteToken },
    'an unknown team token': bearer('hdt_nope'),
    'a revoked token': bearer(revoked.secret),
    'an expired token': bearer(expired.secret),
    'a token of the other site': bearer((await app.token([...everything], app.other.site.id)).secret),
    'a token without abilities for it': bearer((await app.token(['write'], app.other.site.id)).secret),
    'the site token as a bearer': bearer(app.siteToken),
    'an unknown session': { Cookie: 'helpdesk=hdp_nope', 'Sec-Fetch-Site': 'same-origin' },
    'the session of a viewer of the other site': (await app.person('viewer', [app.other.site.id])).headers,
    'the session of an admin of the other site': (await app.person('admin', [app.other.site.id])).headers,
    'the session of someone who was deactivated': await deactivated(),
    'the session of someone who is gone': await gone(),
    'two sessions in one request': await twice(),
    'a session as a bearer': bearer((await app.person('owner')).headers.Cookie?.slice('helpdesk='.length) ?? ''),
    'a team token as a session': { Cookie: `helpdesk=${(await app.token([...everything])).secret}` },
    'a team token as a site token': { 'X-Site-Token': (await app.token([...everything])).secret },
  });
});
afterAll(() => app.close());

let lasting = 0;
beforeAll(() => {
  lasting = query<{ id: number }>(app.desk.store.writing, 'SELECT max(id) AS id FROM agents').get()?.id ?? 0;
});
// Together they would be more than a desk can have.
afterEach(() => {
  app.desk.store.writing.client.run('DELETE FROM agents WHERE id > ?', [lasting]);
});

async function deactivated() {
  const { agentId, headers } = await app.person('owner');
  app.desk.store.writing.client.run('UPDATE agents SET is_active = 0 WHERE id = ?', [agentId]);
  return headers;
}

async function gone() {
  const { agentId, headers } = await app.person('owner');
  app.desk.store.writing.client.run('DELETE FROM agents WHERE id = ?', [agentId]);
  return headers;
}

async function twice() {
  const cookies = await Promise.all([app.person('owner'), app.person('owner')]);
  return { Cookie: cookies.map(({ headers }) => headers.Cookie).join('; '), 'Sec-Fetch-Site': 'same-origin' };
}

const all = await allOperations({ next: () => Promise.resolve(), close: () => undefined }, 'http://x');
const guarded = all.filter(({ access }) => admissionOf(access).ways.length > 0);
// Operations without a site answer for the credential's own scope, so a credential of another site is valid there.
// A change of many tickets refuses each of them on its own.
const answersForScope = ({ id, method, path }: Operation) =>
  id === 'changeTickets' || (method === 'GET' && !path.includes('{'));
const isOfOther = (name: string) => /^(?:a token|the session of an? \w+) of the other site$/.test(name);

async function ask(id: string, step: Step, headers: Record<string, string>) {
  const operation = all.find((one) => one.id === id);
  if (!operation) throw new Error(id);
  return await app.ask(operation.method, pathOf(operation.path, step), {
    headers,
    body: step.form ? step.form() : step.body,
  });
}

describe.each(guarded.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  const { access } = operation;
  test('refuses every other credential', async () => {
    const step = await stepFor(app, id);
    const before = app.counts();
    for (const [name, headers] of Object.entries(credentials)) {
      const isAtHome =
        (admits(access, 'siteToken') && !admits(access, 'accessToken') && name === 'the other site’s token') ||
        (admits(access, 'teamToken') && answersForScope(operation) && isOfOther(name)) ||
        (!admits(access, 'teamToken') && admits(access, 'session') && isOfOther(name)) ||
        // This token can write, on the other site.
        (id === 'changeTickets' && name === 'a token without abilities for it');
      if (isAtHome) continue;
      const answer = await ask(id, step, headers);
      expect([401, 403, 404, 422], `${name}: ${answer.status} ${answer.text.slice(0, 200)}`).toContain(answer.status);
      if (answer.status === 422) expect(Object.keys(answer.json.errors), name).toEqual(['site_id']);
      expect(answer.text, name).not.toContain('mia@example.org');
    }
    expect(app.counts()).toEqual(before);
  });

  if (admits(access, 'accessToken')) {
    test('refuses the access token of another ticket', async () => {
      const step = await stepFor(app, id);
      const other = await app.open();
      const before = app.counts();
      const headers = { 'X-Site-Token': app.siteToken };
      expect((await ask(id, { ...step, query: { access_token: other.accessToken } }, headers)).status).toBe(404);
      expect((await ask(id, { ...step, query: {} }, headers)).status).toBe(401);
      expect(app.counts()).toEqual(before);
    });
  }
});

const withAbility = guarded.filter(({ access, ability }) => admits(access, 'teamToken') || ability !== undefined);
const rights: TokenAbility[][] = [['read'], ['write'], ['manage'], ['read', 'write'], ['read', 'write', 'manage']];

describe.each(withAbility.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  const ability = operation.ability ?? 'own';
  const takesTokens = admits(operation.access, 'teamToken');
  const { path } = operation;

  test('refuses a token or person of the right site without its ability', async () => {
    const step = await stepFor(app, id);
    const refused = async (name: string, headers: Record<string, string>) => {
      const before = app.counts();
      const answer = await ask(id, step, headers);
      expect([answer.status, answer.json?.code], `${name} ${answer.text.slice(0, 200)}`).toEqual([
        403,
        'missing_ability',
      ]);
      expect(app.counts()).toEqual(before);
    };
    for (const siteId of [null, app.site.id]) {
      for (const abilities of takesTokens ? rights : []) {
        if (abilities.some((one) => one === ability || (one === 'write' && ability === 'note'))) continue;
        const { secret } = await app.token(abilities, siteId);
        await refused(`a token that can ${abilities}`, { Authorization: `Bearer ${secret}` });
      }
      for (const role of agentRoles) {
        if (abilitiesOf(role).includes(ability)) continue;
        await refused(role, (await app.person(role, siteId === null ? [] : [siteId])).headers);
      }
    }
  });

  test('lets in the lowest role that has its ability', async () => {
    const role = agentRoles.findLast((one) => abilitiesOf(one).includes(ability)) ?? 'owner';
    const step = await stepFor(app, id);
    const { headers, agentId } = await app.person(role);
    const body = id === 'replyAsAgent' ? { body: 'Mine', agent_id: agentId } : step.body;
    const answer = await ask(id, { ...step, body }, { ...headers, ...step.headers });
    expect(answer.status, `${role} ${answer.text.slice(0, 300)}`).toBe(operation.answer.status);
  });

  // What belongs to the whole desk is outside of no one’s scope.
  if (path.includes('{') && ability !== 'own') {
    test('answers 404 outside the scope of the credential', async () => {
      const step = await stepFor(app, id);
      const { secret } = await app.token(['read', 'write', 'manage'], app.other.site.id);
      const headers = takesTokens
        ? { Authorization: `Bearer ${secret}` }
        : (await app.person('admin', [app.other.site.id])).headers;
      const unknown = Object.fromEntries(Object.keys(step.params).map((name) => [name, '999999']));
      const outside = await ask(id, step, headers);
      // A report is no one's: what is outside the scope is the site in its query.
      const elsewhere = path.startsWith('/api/v1/reports/')
        ? { ...step, query: { ...step.query, site_id: '999999' } }
        : { ...step, params: unknown };
      const nowhere = await ask(id, elsewhere, headers);
      expect([outside.status, nowhere.status], outside.text).toEqual([404, 404]);
      expect({ ...outside.json, request_id: '' }).toEqual({ ...nowhere.json, request_id: '' });
    });
  }
});

describe.each(
  guarded
    .filter(({ access, method }) => admits(access, 'session') && method !== 'GET')
    .map((operation) => [operation.id, operation] as const),
)('%s', (id, operation) => {
  test('is refused to a page of another site', async () => {
    const step = await stepFor(app, id);
    const { headers } = await app.person('owner');
    const cookie = { Cookie: headers.Cookie ?? '' };
    const foreign: Record<string, string>[] = [
      {},
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'none' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: baseUrl },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: `${baseUrl}.evil.example` },
    ];
    for (const sent of foreign) {
      const before = app.counts();
      const answer = await ask(id, step, { ...cookie, ...sent });
      expect([answer.status, answer.json?.code], JSON.stringify(sent)).toEqual([403, 'cross_site']);
      expect(app.counts()).toEqual(before);
    }
  });

  test('is not refused to the desk’s own page in a browser that says only its origin', async () => {
    const step = await stepFor(app, id);
    const cookie = (step.headers ?? (await app.person('owner')).headers).Cookie ?? '';
    const answer = await ask(id, step, { Cookie: cookie, Origin: baseUrl });
    expect(answer.json?.code ?? null, operation.id).not.toBe('cross_site');
  });
});

test('of a bearer token and a cookie only the token counts', async () => {
  const { headers } = await app.person('owner');
  const { secret } = await app.token(['read']);
  const both = (authorization: string, method = 'GET', path = '/api/v1/sites') =>
    app.ask(method, path, {
      headers: { ...headers, Authorization: authorization },
      body: method === 'GET' ? undefined : {},
    });
  expect((await both(`Bearer ${secret}`)).status).toBe(200);
  expect((await both(`Bearer ${secret}`, 'POST')).json.code).toBe('missing_ability');
  for (const authorization of ['Bearer hdt_nope', 'Bearer', 'bearer a b'])
    expect((await both(authorization)).status, authorization).toBe(401);
  expect((await both('Basic dXNlcjpwYXNz')).status).toBe(200);
});

test('a list shows nothing of sites outside the scope', async () => {
  await app.open({ subject: 'Of the web shop' });
  const headers = credentials['a token of the other site'] ?? {};
  for (const path of [
    '/api/v1/tickets?include_test=1',
    '/api/v1/tickets?q=shop',
    '/api/v1/events?after=0',
    '/api/v1/sites',
  ]) {
    const answer = await app.ask('GET', path, { headers });
    expect(answer.status).toBe(200);
    expect(
      answer.json.data.filter((row: { site_id?: number; id: number }) => (row.site_id ?? row.id) !== app.other.site.id),
    ).toEqual([]);
  }
  expect((await app.ask('GET', `/api/v1/tickets?site_id=${app.site.id}`, { headers })).status).toBe(404);
});

test('a rotated token works until its grace period is over', async () => {
  const rotated = await app.asTeam('POST', `/api/v1/sites/${app.other.site.slug}/token`, { grace_minutes: 10 });
  const config = (token: string) => app.ask('GET', '/api/v1/public/config', { headers: { 'X-Site-Token': token } });
  expect((await config(rotated.json.site_token)).status).toBe(200);
  expect((await config(app.other.siteToken)).status).toBe(200);
  app.clock.advance(10 * 60_000);
  expect((await config(app.other.siteToken)).status).toBe(401);
  expect((await config(rotated.json.site_token)).status).toBe(200);
});
