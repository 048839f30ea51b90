// Every operation with every kind of foreign credential: nothing is shown, nothing is written.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { TokenAbility } from '../../src/domain/actor.ts';
import { admissionOf } from '../../src/http/credentials/access.ts';
import { allOperations } from '../../src/http/operations.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { pathOf, type Step, stepFor } from './walk.ts';

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
    'a team token as a site token': { 'X-Site-Token': (await app.token([...everything])).secret },
  });
});
afterAll(() => app.close());

const all = allOperations({ next: () => Promise.resolve(), close: () => undefined }, 'http://x');
const guarded = all.filter(({ access }) => admissionOf(access).credentials.length > 0);
// These answer for the whole desk or for the credential's own site, so a token of another site is at home there.
const ownScope = ['listTickets', 'listSites', 'listEvents', 'listAudit'];

async function ask(id: string, step: Step, headers: Record<string, string>) {
  const operation = all.find((one) => one.id === id);
  if (!operation) throw new Error(id);
  return await app.ask(operation.method, pathOf(operation.path, step), {
    headers,
    body: step.form ? step.form() : step.body,
  });
}

describe.each(guarded.map(({ id, access }) => [id, access] as const))('%s', (id, access) => {
  test('opens to no one else', async () => {
    const step = await stepFor(app, id);
    const before = app.counts();
    for (const [name, headers] of Object.entries(credentials)) {
      const isAtHome =
        (access === 'site' && name === 'the other site’s token') ||
        (access === 'team' && ownScope.includes(id) && name === 'a token of the other site');
      if (isAtHome) continue;
      const answer = await ask(id, step, headers);
      expect([401, 403, 404, 422], `${name}: ${answer.status} ${answer.text.slice(0, 200)}`).toContain(answer.status);
      if (answer.status === 422) expect(Object.keys(answer.json.errors), name).toEqual(['site_id']);
      expect(answer.text, name).not.toContain('mia@example.org');
    }
    expect(app.counts()).toEqual(before);
  });

  if (access === 'thread') {
    test('not to another ticket’s access token either', async () => {
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

// What a team token needs for each operation. A dry run changes nothing but works as hard as filing a mail: it needs write.
const readers = guarded.filter(({ access, method }) => access === 'team' && method === 'GET');
const writers = [
  ...['createTicket', 'updateTicket', 'replyAsAgent', 'addNote', 'attachAsAgent', 'mergeTickets'],
  'anonymiseAuthor',
  'testInboundRules',
];

describe.each(guarded.filter(({ access }) => access === 'team').map(({ id }) => [id]))('%s', (id) => {
  test('asks for its ability, of the right site too', async () => {
    const step = await stepFor(app, id);
    const isReading = readers.some((one) => one.id === id);
    for (const siteId of [null, app.site.id]) {
      const lacking = isReading ? [['write']] : writers.includes(id) ? [['read']] : [['read'], ['read', 'write']];
      for (const abilities of lacking) {
        const { secret } = await app.token(abilities as TokenAbility[], siteId);
        const before = app.counts();
        const answer = await ask(id, step, { Authorization: `Bearer ${secret}` });
        expect([answer.status, answer.json?.code], `${abilities} ${answer.text.slice(0, 200)}`).toEqual([
          403,
          'missing_ability',
        ]);
        expect(app.counts()).toEqual(before);
      }
    }
  });

  const { path } = all.find((one) => one.id === id) ?? { path: '' };
  if (path.includes('{')) {
    test('answers outside its scope as for what does not exist', async () => {
      const step = await stepFor(app, id);
      const { secret } = await app.token(['read', 'write', 'manage'], app.other.site.id);
      const headers = { Authorization: `Bearer ${secret}` };
      const unknown = Object.fromEntries(Object.keys(step.params).map((name) => [name, '999999']));
      const outside = await ask(id, step, headers);
      const nowhere = await ask(id, { ...step, params: unknown }, headers);
      expect([outside.status, nowhere.status], outside.text).toEqual([404, 404]);
      expect({ ...outside.json, request_id: '' }).toEqual({ ...nowhere.json, request_id: '' });
    });
  }
});

test('what answers for the own scope shows nothing of another site', async () => {
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

test('a rotated token opens until its grace is over', async () => {
  const rotated = await app.asTeam('POST', `/api/v1/sites/${app.other.site.slug}/token`, { grace_minutes: 10 });
  const config = (token: string) => app.ask('GET', '/api/v1/public/config', { headers: { 'X-Site-Token': token } });
  expect((await config(rotated.json.site_token)).status).toBe(200);
  expect((await config(app.other.siteToken)).status).toBe(200);
  app.clock.advance(10 * 60_000);
  expect((await config(app.other.siteToken)).status).toBe(401);
  expect((await config(rotated.json.site_token)).status).toBe(200);
});
