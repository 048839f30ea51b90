// GET /audit: who may read what of it, filters, pages, and CSV.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { audit } from '../../src/desk/audit.ts';
import { issueToken } from '../../src/desk/people/tokens.ts';
import { changeSite } from '../../src/desk/sites/sites.ts';
import type { Actor } from '../../src/domain/actor.ts';
import { auditCsv, auditQuery, listAudit } from '../../src/http/wire/audit.ts';
import { decodeQuery } from '../../src/http/wire/decode.ts';
import { type TestApp, testApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const owner = () => app.desk.context({ kind: 'command_line' }, 'test');

/** The log as an owner sees it. */
function ask(search: string) {
  const url = new URL(`http://desk/api/v1/audit?${search}`);
  return listAudit(app.desk, 'http://desk', owner(), decodeQuery(auditQuery, url) as never, url);
}
const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);

async function csv(search: string): Promise<string> {
  const asked = decodeQuery(auditQuery, new URL(`http://desk/api/v1/audit?${search}`));
  let text = '';
  for await (const part of auditCsv(app.desk, owner(), asked as never, () => true)) text += part;
  return text;
}

/** So many rows, a second apart, by these actors in turn. */
async function fill(rows: number, actors: Actor[], siteId: number | null = null): Promise<void> {
  for (let at = 0; at < rows; at += 1) {
    app.clock.advance(1000);
    await app.desk.write((tx) => {
      const ctx = app.desk.context(actors[at % actors.length] as Actor, 'test');
      audit(tx, ctx, { action: 'site.exported', target: { type: 'site', id: 1 }, siteId });
      return null;
    });
  }
}

describe('who reads it', () => {
  test('a token reads the rows of its sites, with manage', async () => {
    await app.asTeam('PATCH', `/api/v1/sites/${app.other.site.slug}`, { name: 'Other store' });
    await app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { name: 'Web store' });
    const sites = async (secret: string) => {
      const answer = await app.ask('GET', '/api/v1/audit', { headers: { Authorization: `Bearer ${secret}` } });
      return answer.status === 200
        ? [...new Set(answer.json.data.map((row: { site_id: number }) => row.site_id))].sort()
        : answer.status;
    };
    const token = async (siteId: number | null, ...abilities: ('read' | 'write' | 'manage')[]) =>
      (await app.token(abilities, siteId)).secret;
    expect(await sites(await token(app.other.site.id, 'read', 'manage'))).toEqual([app.other.site.id]);
    expect(await sites(await token(null, 'read', 'manage'))).toEqual([app.site.id, app.other.site.id]);
    expect(await sites(await token(null, 'read', 'write'))).toBe(403);
    expect(await sites(await token(null, 'manage'))).toBe(403);
  });

  test('what concerns no single site is for owners', async () => {
    await app.desk.write((tx) => issueToken(tx, owner(), { name: 'Whole desk', abilities: ['read'] }).token.id);
    const { secret } = await app.token(['read', 'manage']);
    const answer = await app.ask('GET', '/api/v1/audit?action=token.issued', {
      headers: { Authorization: `Bearer ${secret}` },
    });
    expect(answer.json.data.filter((row: { site_id: number | null }) => row.site_id === null)).toEqual([]);
    expect((await ask('action=token.issued')).data.map(({ target }) => target.name)).toContain('Whole desk');
  });

  test('a site out of scope is one that does not exist', async () => {
    const { secret } = await app.token(['read', 'manage'], app.site.id);
    const headers = { Authorization: `Bearer ${secret}` };
    for (const site of [app.other.site.id, app.other.site.slug, 999_999, 'nowhere'])
      expect((await app.ask('GET', `/api/v1/audit?site_id=${site}`, { headers })).status).toBe(404);
  });

  test('an owner still finds the rows of a removed site, by its id', async () => {
    const made = (await app.asTeam('POST', '/api/v1/sites', { name: 'Short lived' })).json.data;
    await app.asTeam('DELETE', `/api/v1/sites/${made.slug}?confirm=${made.slug}`);
    expect((await ask(`site_id=${made.id}`)).data.map(({ action }) => action)).toEqual([
      'site.deleted',
      'site.created',
    ]);
  });
});

describe('an entry', () => {
  test('has the client’s address behind a trusted proxy, and never what an untrusted one claims', async () => {
    const { secret } = await app.token(['read', 'manage'], app.site.id);
    const change = (description: string, peer: string, forwarded: string) =>
      app.ask('PATCH', `/api/v1/sites/${app.site.slug}`, {
        headers: { Authorization: `Bearer ${secret}`, 'X-Forwarded-For': forwarded },
        body: { description },
        peer,
      });
    await change('one', '10.1.2.3', '203.0.113.9');
    await change('two', '198.51.100.4', '203.0.113.9');
    const { data } = await ask('action=site.updated&per_page=2');
    expect(data.map(({ address, after }) => [address, after])).toEqual([
      ['198.51.100.4', { description: 'two' }],
      ['203.0.113.9', { description: 'one' }],
    ]);
  });
});

describe('filters', () => {
  test('narrow it by actor, action, site and time, alone and together', async () => {
    const kim: Actor = { kind: 'token', tokenId: 71, name: 'Kim’s', abilities: [], scope: 'all' };
    const ann: Actor = { kind: 'token', tokenId: 72, name: 'Ann’s', abilities: [], scope: 'all' };
    const from = new Date(app.clock.now() + 1).toISOString();
    await fill(6, [kim, ann], app.site.id);
    const to = new Date(app.clock.now()).toISOString();
    await fill(2, [kim], app.other.site.id);
    const all = (await ask('per_page=100')).data;
    const expected = (keep: (row: (typeof all)[number]) => boolean) => idsOf(all.filter(keep));
    const cases: [string, (row: (typeof all)[number]) => boolean][] = [
      ['actor=token:71', ({ actor }) => actor.id === 71],
      ['actor=command_line', ({ actor }) => actor.type === 'command_line'],
      ['action=site.exported', ({ action }) => action === 'site.exported'],
      ['action=site.exported,site.updated', ({ action }) => ['site.exported', 'site.updated'].includes(action)],
      ['action[]=site.exported&action[]=site.updated', ({ action }) => /exported|updated/.test(action)],
      [`site_id=${app.site.slug}`, ({ site_id }) => site_id === app.site.id],
      [`from=${from}&to=${to}`, ({ created_at }) => created_at >= from && created_at <= to],
      [`actor=token:71&from=${from}&to=${to}`, (row) => row.actor.id === 71 && row.created_at <= to],
      [
        `actor=token:71&site_id=${app.other.site.id}`,
        (row) => row.actor.id === 71 && row.site_id === app.other.site.id,
      ],
      [
        `action=site.exported&site_id=${app.site.id}&from=${from}`,
        (row) => row.action === 'site.exported' && row.site_id === app.site.id,
      ],
      [`target=site:${app.site.id}`, ({ target }) => target.type === 'site' && target.id === app.site.id],
      [
        `target=site:${app.site.id}&action=site.exported,site.updated`,
        ({ target, action }) => target.id === app.site.id && /site.(exported|updated)/.test(action),
      ],
      [`actor=token:72&action=site.created`, () => false],
    ];
    for (const [search, keep] of cases) {
      const found = idsOf((await ask(`per_page=100&${search}`)).data);
      expect(found, search).toEqual(expected(keep));
      if (!search.startsWith('actor=token:72')) expect(found.length, search).toBeGreaterThan(0);
    }
  });

  test.each([
    'actor=agent',
    'actor=agent:x',
    'actor=1e3',
    'actor=rule:1',
    'action=nope',
    'field=a.b',
    'target=site',
    'target=ghost:1',
    'target=site:x',
    'from=yesterday',
    'cursor=%00',
    'cursor=1',
    'cursor=1-2-3',
    'page=2',
    'q=x',
    'format=xml',
    `actor=${'9'.repeat(40)}`,
  ])('refuse %s', async (search) => {
    const answer = await app.asTeam('GET', `/api/v1/audit?${search}`);
    expect([400, 422]).toContain(answer.status);
    expect(answer.json.code).toBeString();
  });
});

test('only changes of a field are found by its name', async () => {
  await app.desk.write((tx) => {
    const log = (before: object, after: object) =>
      audit(tx, owner(), { action: 'desk.updated', target: { type: 'desk', id: null }, before, after });
    log({ bucket: null }, { bucket: { name: 'files' } });
    log({ name: 'Old' }, { name: 'New' });
    log({ baseUrl: null }, { baseUrl: 'https://desk.example' });
  });
  const fields = async (search: string) =>
    (await ask(`action=desk.updated&${search}`)).data.map(({ after }) => Object.keys(after ?? {}).join());
  expect(await fields('field=bucket')).toEqual(['bucket']);
  expect((await fields('field=bucket&field=base_url')).toSorted()).toEqual(['base_url', 'bucket']);
  expect(await fields('field=mail_server')).toEqual([]);
});

describe('pages', () => {
  test('follow one another without a gap or a repeat, also where rows have the same moment', async () => {
    const kim: Actor = { kind: 'token', tokenId: 73, name: 'T', abilities: [], scope: 'all' };
    await app.desk.write((tx) => {
      for (let at = 0; at < 23; at += 1)
        audit(tx, app.desk.context(kim, 'test'), { action: 'site.exported', target: { type: 'site', id: at } });
      return null;
    });
    const seen: number[] = [];
    let pages = 0;
    for (let next: string | null = 'http://desk/api/v1/audit?actor=token:73&per_page=5'; next !== null; pages += 1) {
      const page = await ask(new URL(next).searchParams.toString());
      seen.push(...page.data.map(({ target }) => target.id ?? -1));
      expect(page.meta.per_page).toBe(5);
      next = page.links.next;
    }
    expect(pages).toBe(5);
    expect(seen).toEqual([...Array(23).keys()].toReversed());
  });

  test('stay in place while rows are added', async () => {
    const first = await ask('per_page=3');
    await fill(2, [{ kind: 'command_line' }]);
    const second = await ask(`per_page=3&cursor=${first.meta.next_cursor}`);
    expect(Math.max(...idsOf(second.data))).toBeLessThan(Math.min(...idsOf(first.data)));
  });
});

describe('CSV', () => {
  test('has every row of the filter, whatever the page', async () => {
    await fill(450, [{ kind: 'token', tokenId: 74, name: 'T', abilities: [], scope: 'all' }]);
    const lines = (await csv('actor=token:74&per_page=5')).trimEnd().split('\r\n');
    expect(lines[0]).toStartWith('id,created_at,action,actor_type');
    const ids = lines.slice(1).map((line) => Number(line.split(',')[0]));
    expect(ids.length).toBe(450);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
  });

  test('comes by Accept or by format, as a download that nothing keeps', async () => {
    await app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { name: '=cmd|calc' });
    const byFormat = await app.asTeam('GET', '/api/v1/audit?format=csv');
    const byAccept = await app.asTeam('GET', '/api/v1/audit', undefined, { Accept: 'text/csv' });
    expect(byAccept.text).toBe(byFormat.text);
    expect(byFormat.headers.get('content-type')).toStartWith('text/csv');
    expect(byFormat.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"');
    expect(byFormat.headers.get('cache-control')).toBe('no-store');
    const asked = await app.asTeam('GET', '/api/v1/audit?format=json', undefined, { Accept: 'text/csv' });
    expect(asked.headers.get('content-type')).toStartWith('application/json');
    const head = await app.asTeam('HEAD', '/api/v1/audit?format=csv');
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test('cannot be made to run a formula by what someone calls a thing', async () => {
    for (const name of ['=1+1', '+1', '-1', '@x', 'a\t=1', '"=1']) {
      await app.desk.write((tx) => changeSite(tx, owner(), app.site.slug, { name }, null).id);
      await app.asTeam('POST', `/api/v1/sites/${app.site.slug}/token`, {});
    }
    const text = await csv(`site_id=${app.site.id}`);
    const cells = text.split('\r\n').flatMap((line) => line.split(','));
    expect(cells.filter((cell) => /^"?[=+\-@\t]/.test(cell))).toEqual([]);
    expect(text).toContain("'=1+1");
  });

  test('is refused as JSON before it begins', async () => {
    const { secret } = await app.token(['read'], app.site.id);
    const answer = await app.ask('GET', '/api/v1/audit?format=csv', { headers: { Authorization: `Bearer ${secret}` } });
    expect([answer.status, answer.json.code]).toEqual([403, 'missing_ability']);
  });

  test('ends where the token ends', async () => {
    const { secret, id } = await app.token(['read', 'manage'], app.site.id);
    await fill(500, [{ kind: 'command_line' }], app.site.id);
    const request = new Request('http://desk.example/api/v1/audit?format=csv', {
      headers: { Authorization: `Bearer ${secret}` },
    });
    const reader = (await app.fetch(request)).body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    app.desk.store.writing.client.run('DELETE FROM team_tokens WHERE id = ?', [id]);
    const rest = async () => {
      for (;;) if ((await reader?.read())?.done) return 'whole';
    };
    await expect(rest()).rejects.toThrow('no longer valid');
  });
});
