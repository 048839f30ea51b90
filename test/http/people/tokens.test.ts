// Tokens and the desk's settings over HTTP: shown once, never more than the rights of who asks.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { issueToken } from '../../../src/desk/people/tokens.ts';
import { removeSite } from '../../../src/desk/sites/removal.ts';
import type { Role } from '../../../src/domain/actor.ts';
import type { TokenInput } from '../../../src/domain/input/people.ts';
import { type Answered, type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

const context = () => app.desk.context({ kind: 'command_line' }, 'test');
const issued = async (input: Partial<TokenInput>) =>
  await app.desk.write((tx) => issueToken(tx, context(), { name: 'T', abilities: ['read'], ...input }).token.id);
const as = async (role: Role, sites: number[] = []) => {
  const { headers } = await app.person(role, sites);
  return (method: string, path: string, body?: unknown) => app.ask(method, `/api/v1${path}`, { headers, body });
};
const said = ({ status, json }: Answered) => [status, json?.code ?? null];

describe('a token', () => {
  test('is shown once, works, and can be changed and revoked', async () => {
    const ask = await as('owner');
    const made = await ask('POST', '/tokens', { name: 'CI', abilities: ['read', 'read'], expires_at: '2027-01-01' });
    expect(made.status).toBe(201);
    expect(made.json.data).toEqual({
      ...{ id: made.json.data.id, name: 'CI', abilities: ['read'], site: null, last_used_at: null },
      ...{ expires_at: '2027-01-01T00:00:00.000Z', created_at: made.json.data.created_at },
    });
    const { token } = made.json;
    const path = `/tokens/${made.json.data.id}`;
    const use = () => app.ask('GET', '/api/v1/sites', { headers: { Authorization: `Bearer ${token}` } });
    expect((await use()).status).toBe(200);
    for (const shown of [await ask('GET', '/tokens'), await ask('PATCH', path, { name: 'Other' })]) {
      expect(shown.status).toBe(200);
      expect(shown.text).not.toContain(token);
    }
    expect((await ask('PATCH', path, { abilities: ['write'] })).json.data.abilities).toEqual(['write']);
    expect((await use()).status).toBe(403);
    expect((await ask('DELETE', path)).status).toBe(204);
    expect([(await use()).status, (await ask('DELETE', path)).status]).toEqual([401, 404]);
  });

  test('is not changed by who read an older version of it', async () => {
    const { headers } = await app.person('owner');
    const path = `/api/v1/tokens/${await issued({})}`;
    const etag = (await app.ask('GET', path, { headers })).headers.get('etag') ?? '';
    const patch = (body: object) => app.ask('PATCH', path, { headers: { ...headers, 'If-Match': etag }, body });
    expect((await patch({ name: 'Other' })).status).toBe(200);
    expect(said(await patch({ abilities: ['manage'] }))).toEqual([412, 'precondition_failed']);
  });

  test('keeps to the site that its answer’s own field names', async () => {
    const ask = await as('owner');
    const body = { name: 'x', abilities: ['read'] };
    expect((await ask('POST', '/tokens', { ...body, site: app.site.id })).json.data.site).toBe(app.site.id);
    expect((await ask('POST', '/tokens', { ...body, site_id: app.site.id })).json.data.site).toBe(app.site.id);
    const both = await ask('POST', '/tokens', { ...body, site_id: app.site.id, site: app.other.site.id });
    expect(Object.keys(both.json.errors)).toEqual(['site']);
  });

  test('has no site and no ability that its issuer lacks', async () => {
    const ask = await as('admin', [app.site.id]);
    const make = (input: object) => ask('POST', '/tokens', { name: 'x', abilities: ['read'], ...input });
    expect((await make({ site_id: app.site.id, abilities: ['read', 'write', 'manage'] })).status).toBe(201);
    expect(said(await make({}))).toEqual([403, 'beyond_your_rights']);
    const outside = await make({ site_id: app.other.site.id });
    const nowhere = await make({ site_id: 999_999 });
    expect([outside.status, outside.json.errors]).toEqual([422, nowhere.json.errors]);
    expect((await make({ site_id: app.site.id, abilities: ['own'] })).status).toBe(422);
    expect((await make({ site_id: app.site.id, abilities: ['note'] })).status).toBe(422);
  });

  test('of another site or of the whole desk is not there for an admin of one', async () => {
    const ask = await as('admin', [app.site.id]);
    const [own, foreign, whole] = [
      await issued({ site_id: app.site.id }),
      await issued({ site_id: app.other.site.id }),
      await issued({}),
    ];
    const ids = (await ask('GET', '/tokens')).json.data.map(({ id }: { id: number }) => id);
    expect(ids).toEqual([own]);
    for (const id of [foreign, whole, 999_999]) {
      expect(said(await ask('PATCH', `/tokens/${id}`, { name: 'mine' })), `${id}`).toEqual([404, 'not_found']);
      expect((await ask('DELETE', `/tokens/${id}`)).status).toBe(404);
    }
    expect((await ask('PATCH', `/tokens/${own}`, { expires_at: '2030-01-01T00:00:00Z' })).status).toBe(200);
    expect((await ask('PATCH', `/tokens/${own}`, { expires_at: null })).json.data.expires_at).toBeNull();
  });

  test('is not for members, and cannot make another', async () => {
    for (const role of ['member', 'viewer'] as const) {
      const ask = await as(role);
      expect(said(await ask('GET', '/tokens'))).toEqual([403, 'missing_ability']);
      expect(said(await ask('POST', '/tokens', { name: 'x', abilities: ['read'] }))).toEqual([403, 'missing_ability']);
    }
    const { secret } = await app.token(['read', 'write', 'manage']);
    const headers = { Authorization: `Bearer ${secret}` };
    const body = { name: 'x', abilities: ['read'] };
    expect([401, 403]).toContain((await app.ask('POST', '/api/v1/tokens', { headers, body })).status);
    expect([401, 403]).toContain((await app.ask('GET', '/api/v1/tokens', { headers })).status);
  });

  test('is refused when it makes no sense', async () => {
    const ask = await as('owner');
    const bodies: unknown[] = [
      {},
      { name: 'x', abilities: [] },
      { name: 'x', abilities: 'read' },
      { name: 'x', abilities: Array(500).fill('read') },
      { name: 'x', abilities: ['constructor'] },
      { name: '\u0000\u0007', abilities: ['read'] },
      { name: 'x'.repeat(100_000), abilities: ['read'] },
      { name: 'x', abilities: ['read'], expires_at: '2020-01-01T00:00:00Z' },
      { name: 'x', abilities: ['read'], expires_at: 'tomorrow' },
      { name: 'x', abilities: ['read'], expires_at: 1e20 },
      { name: 'x', abilities: ['read'], expires_at: '2027-02-30' },
      { name: 'x', abilities: ['read'], site_id: 'web-shop' },
    ];
    for (const body of bodies)
      expect((await ask('POST', '/tokens', body)).status, JSON.stringify(body).slice(0, 60)).toBe(422);
    const id = await issued({});
    expect((await ask('PATCH', `/tokens/${id}`, { expires_at: '2020-01-01' })).status).toBe(422);
    expect((await ask('PATCH', `/tokens/${id}`, {})).status).toBe(200);
  });

  test('goes with its site, and the audit log says so', async () => {
    const ask = await as('owner');
    await issued({ site_id: app.other.site.id });
    const { agentId, headers } = await app.person('admin', [app.other.site.id]);
    await app.person('owner', [app.other.site.id]);
    const slug = app.other.site.slug;
    await app.desk.write((tx) => removeSite(tx, context(), slug, slug, null));
    const rows = (await ask('GET', `/audit?site_id=${app.other.site.id}&per_page=2`)).json.data;
    expect(rows).toMatchObject([
      { action: 'site.deleted', before: { tokens: 1 } },
      { action: 'agent.updated', target: { id: agentId }, before: { is_active: true }, after: { is_active: false } },
    ]);
    expect((await app.ask('GET', '/api/v1/sites', { headers })).status).toBe(401);
  });
});

describe('the desk', () => {
  test('is read by all who can read, and changed by owners', async () => {
    const [owner, viewer, admin] = [await as('owner'), await as('viewer', [app.site.id]), await as('admin')];
    const first = await viewer('GET', '/desk');
    expect(first.json.data).toMatchObject({
      ...{ name: 'Helpdesk', locale: 'en', time_zone: 'UTC', require_second_factor: 'off', push_content: true },
    });
    expect(said(await admin('PATCH', '/desk', { name: 'Mine' }))).toEqual([403, 'missing_ability']);
    const changed = await owner('PATCH', '/desk', {
      name: ' Our\u0007desk ',
      locale: 'nl',
      time_zone: 'Europe/Amsterdam',
    });
    expect(changed.json.data).toMatchObject({ name: 'Our desk', locale: 'nl', time_zone: 'Europe/Amsterdam' });
    expect(changed.headers.get('etag')).not.toBe(first.headers.get('etag'));
    const log = await owner('GET', '/audit?action=desk.updated');
    expect(log.json.data[0]).toMatchObject({ before: { name: 'Helpdesk' }, after: { name: 'Our desk' } });
  });

  test('is not changed on top of a change that was not seen', async () => {
    const { headers } = await app.person('owner');
    const read = await app.ask('GET', '/api/v1/desk', { headers });
    const patch = (name: string) =>
      app.ask('PATCH', '/api/v1/desk', {
        headers: { ...headers, 'If-Match': read.headers.get('etag') ?? '' },
        body: { name },
      });
    expect([(await patch('One')).status, (await patch('Two')).status]).toEqual([200, 412]);
  });

  test('refuses what makes no sense', async () => {
    const owner = await as('owner');
    for (const body of [
      { name: '' },
      { locale: 'xx' },
      { time_zone: 'Mars/Olympus' },
      { time_zone: 'x'.repeat(10_000) },
      { require_second_factor: true },
      { require_second_factor: 'toString' },
    ])
      expect((await owner('PATCH', '/desk', body)).status, JSON.stringify(body).slice(0, 50)).toBe(422);
  });
});
