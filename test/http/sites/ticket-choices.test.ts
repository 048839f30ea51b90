// What tickets of sites can be given, in one answer: the same as the lists of each site, for every caller.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, testApp } from '../../support/app.ts';

type Headers = Record<string, string>;
interface Row {
  id: number;
}

let app: TestApp;
let callers: Record<string, Headers>;
beforeAll(async () => {
  app = await testApp();
  const { site, other } = app;
  const made = async (path: string, body: object, headers?: Headers) => {
    const answer =
      headers === undefined
        ? await app.asTeam('POST', `/api/v1/${path}`, body)
        : await app.ask('POST', `/api/v1/${path}`, { headers, body });
    expect(answer.status, answer.text).toBe(201);
  };
  const member = await app.person('member', [site.id]);
  callers = {
    'an owner': (await app.person('owner')).headers,
    'an admin of one site': (await app.person('admin', [other.site.id])).headers,
    'a member of one site': member.headers,
    'a viewer': (await app.person('viewer')).headers,
    'a token that reads': { Authorization: `Bearer ${(await app.token(['read'])).secret}` },
    'a token of one site': { Authorization: `Bearer ${(await app.token(['read'], site.id)).secret}` },
  };
  for (const at of [site.id, other.site.id]) {
    await made(`sites/${at}/categories`, { name: `Category of ${at}`, is_active: false });
    await made(`sites/${at}/priorities`, { name: `Priority of ${at}` });
    await made(`sites/${at}/custom-fields`, { key: `field_${at}`, label: 'Field', type: 'text' });
    await made(`sites/${at}/senders`, { address: `second@${at}.example` });
    await made('teams', { name: `Team of ${at}`, sites: [at] });
    await made('macros', { name: `Macro of ${at}`, body: 'Hello', site_id: at });
  }
  await made('teams', { name: 'A team of all', sites: [] });
  await made('macros', { name: 'A macro for all', body: 'Hello' });
  await made('macros', { name: 'Her own', body: 'Hello', site_id: site.id, is_shared: false }, member.headers);
});
afterAll(() => app.close());

const asked = (headers: Headers, ...sites: (string | number)[]) =>
  app.ask('GET', `/api/v1/ticket-choices?sites=${sites}`, { headers });

describe('ticket choices', () => {
  test('are what the lists of each site say, for every caller', async () => {
    for (const [who, headers] of Object.entries(callers)) {
      const get = async (path: string) => (await app.ask('GET', `/api/v1/${path}`, { headers })).json;
      const seen: Row[] = (await get('sites')).data;
      const answer = await asked(headers, app.site.id, app.other.site.slug, app.site.ulid);
      expect(answer.status, answer.text).toBe(200);
      const { sites, agents, teams, macros } = answer.json.data;
      expect(sites.map((of: { site_id: number }) => of.site_id).sort(), who).toEqual(seen.map(({ id }) => id).sort());
      const named = (rows: Row[], ids: number[]) => rows.filter(({ id }) => ids.includes(id));
      for (const of of sites) {
        const list = async (path: string): Promise<Row[]> => (await get(`sites/${of.site_id}/${path}`)).data;
        expect(of.categories, who).toEqual(await list('categories'));
        expect(of.priorities, who).toEqual(await list('priorities'));
        expect(of.custom_fields, who).toEqual(await list('custom-fields'));
        expect(of.senders, who).toEqual(await list('senders'));
        expect(named(agents, of.agents), who).toEqual(await list('agents'));
        expect(named(macros, of.macros), who).toEqual((await get(`macros?site_id=${of.site_id}`)).data);
        const ofSite: Row[] = (await get(`teams?site_id=${of.site_id}`)).data;
        expect(of.teams, who).toEqual(ofSite.map(({ id }) => id));
      }
      const known: Row[] = (await get('teams')).data;
      for (const team of teams) expect(known, who).toContainEqual(team);
      for (const rows of [agents, teams, macros])
        expect(new Set(rows.map(({ id }: Row) => id)).size, who).toBe(rows.length);
    }
  });

  test('hold nothing of a site that the caller does not see, or that there is not', async () => {
    const { json, text } = await asked(callers['a token of one site'] ?? {}, app.other.site.id, 'no-such-shop', 9999);
    expect(json.data).toEqual({ sites: [], agents: [], teams: [], macros: [] });
    expect(text).not.toContain('Other');
  });

  test('need a site and the ability to read', async () => {
    const none = await app.ask('GET', '/api/v1/ticket-choices', { headers: callers['an owner'] ?? {} });
    expect([none.status, none.json.message]).toEqual([400, expect.stringContaining('sites')]);
    const writing = { Authorization: `Bearer ${(await app.token(['write'])).secret}` };
    expect((await asked(writing, app.site.id)).status).toBe(403);
  });
});
