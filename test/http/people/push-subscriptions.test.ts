// The browsers that agents let the desk push to.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { addPushSubscription } from '../../../src/desk/people/push-subscriptions.ts';
import type { AgentActor } from '../../../src/domain/actor.ts';
import { query } from '../../../src/engine/database.ts';
import { deliveriesDue, lanesAhead } from '../../../src/store/outbox/lanes.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { subscribedBrowser } from '../../support/push-service.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = '/api/v1/me/push-subscriptions';
type Person = Awaited<ReturnType<TestApp['person']>>;
let kim: Person;
beforeEach(async () => {
  kim = await app.person('member');
});

const list = async ({ headers }: Pick<Person, 'headers'>) => (await app.ask('GET', path, { headers })).json;
const add = ({ headers }: Pick<Person, 'headers'>, body: object) => app.ask('POST', path, { headers, body });
const browserAt = (endpoint: string) => subscribedBrowser(`https://push.example/${endpoint}`).json;

describe('a browser', () => {
  test('is added with the key of the desk, listed as its session, tested and removed', async () => {
    const { public_key: key, data } = await list(kim);
    expect(Buffer.from(key, 'base64url').length).toBe(65);
    expect(data).toEqual([]);
    const added = await add(kim, browserAt('a'));
    expect(added.status).toBe(201);
    const shown = { is_current: true, last_delivered_at: null, last_error: null, browser: 'Firefox', system: 'Linux' };
    expect(added.json.data).toMatchObject(shown);
    expect(await list(kim)).toEqual({ data: [added.json.data], public_key: key });
    const one = `${path}/${added.json.data.id}`;
    const other = await app.person('owner');
    for (const [method, suffix] of [
      ['DELETE', ''],
      ['POST', '/test'],
    ] as const)
      expect((await app.ask(method, one + suffix, { headers: other.headers })).status).toBe(404);
    expect((await app.ask('POST', `${one}/test`, { headers: kim.headers })).status).toBe(202);
    const { now } = app.clock;
    const lane = `push ${added.json.data.id}` as const;
    const { lanes, due } = app.desk.read((tx) => ({
      lanes: lanesAhead(tx, now()),
      due: deliveriesDue(tx, lane, now(), 10).length,
    }));
    expect(lanes).toContainEqual({ lane, isDue: true, nextAt: null });
    expect(due).toBe(1);
    // Nor is it taken for mail.
    expect(app.desk.read((tx) => deliveriesDue(tx, null, now(), 10))).toEqual([]);
    expect((await app.ask('DELETE', one, { headers: kim.headers })).status).toBe(204);
    expect((await list(kim)).data).toEqual([]);
    expect(app.desk.read((tx) => lanesAhead(tx, now()))).not.toContainEqual(expect.objectContaining({ lane }));
  });

  test('is one for each session, and one for each endpoint, which the next agent takes over', async () => {
    for (let n = 0; n < 30; n++) await add(kim, browserAt(`again-${n}`));
    expect((await list(kim)).data).toHaveLength(1);
    const sam = await app.person('member');
    const { json: first } = await add(kim, browserAt('shared'));
    const { json: second } = await add(sam, browserAt('shared'));
    expect((await list(kim)).data).toEqual([]);
    expect((await list(sam)).data).toEqual([second.data]);
    expect(second.data.id).not.toBe(first.data.id);
  });

  test('of the 21st session replaces the oldest', async () => {
    const sessions = [kim, ...(await Promise.all(Array.from({ length: 20 }, () => app.signIn(kim.agentId))))];
    for (const [n, session] of sessions.entries()) await add(session, browserAt(`of-${kim.agentId}-${n}`));
    const { data } = await list(kim);
    expect(data).toHaveLength(20);
    expect(data.some((one: { is_current: boolean }) => one.is_current)).toBe(false);
  });

  test('adds 10,000 by one agent, and the desk keeps twenty', async () => {
    const sessions = [kim, ...(await Promise.all(Array.from({ length: 24 }, () => app.signIn(kim.agentId))))];
    const ids = query<{ id: number }>(app.desk.store.writing, 'SELECT id FROM sessions WHERE agent_id = ?')
      .all(kim.agentId)
      .map(({ id }) => id);
    expect(ids).toHaveLength(sessions.length);
    const { keys } = browserAt('x');
    for (let batch = 0; batch < 10_000; batch += 500)
      await app.desk.write((tx) => {
        for (let n = batch; n < batch + 500; n += 1) {
          const actor = { kind: 'agent', agentId: kim.agentId, sessionId: ids[n % ids.length] } as AgentActor;
          const ctx = app.desk.context(actor, 'flood');
          addPushSubscription(tx, ctx, actor, { endpoint: `https://push.example/flood-${n}`, keys });
        }
      });
    expect((await list(kim)).data).toHaveLength(20);
  });

  test.each<[string, (one: Person) => Promise<unknown>]>([
    ['signs out', ({ headers }) => app.ask('DELETE', '/api/v1/session', { headers })],
    [
      'is ended elsewhere',
      async ({ agentId, sessionId }) => {
        const { headers } = await app.signIn(agentId);
        expect((await app.ask('DELETE', `/api/v1/me/sessions/${sessionId}`, { headers })).status).toBe(204);
      },
    ],
    [
      'ends with the others',
      async ({ agentId }) => {
        const { headers } = await app.signIn(agentId);
        expect((await app.ask('DELETE', '/api/v1/me/sessions', { headers })).status).toBe(204);
      },
    ],
    [
      'is of an agent who was deactivated',
      async ({ agentId }) => {
        const { headers } = await app.signIn(app.agentId);
        const off = await app.ask('PATCH', `/api/v1/agents/${agentId}`, { headers, body: { is_active: false } });
        expect(off.status).toBe(200);
      },
    ],
  ])('is forgotten, with what waits for it, when its session %s', async (_, end) => {
    const { json } = await add(kim, browserAt('leaving'));
    await app.ask('POST', `${path}/${json.data.id}/test`, { headers: kim.headers });
    const rows = () =>
      query<{ n: number }>(
        app.desk.store.writing,
        'SELECT (SELECT count(*) FROM push_subscriptions WHERE id = ?1) + (SELECT count(*) FROM deliveries WHERE push_subscription_id = ?1) AS n',
      ).get(json.data.id)?.n;
    expect(rows()).toBe(2);
    await end(kim);
    expect(rows()).toBe(0);
  });
});

describe('refused is', () => {
  const { keys } = browserAt('x');
  const notOnTheCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url');
  test.each<[string, object, string]>([
    ['plain http', { endpoint: 'http://push.example/a', keys }, 'endpoint'],
    ['a name and password', { endpoint: 'https://a:b@push.example/a', keys }, 'endpoint'],
    ['another scheme', { endpoint: 'file:///etc/passwd', keys }, 'endpoint'],
    ['no URL', { endpoint: 'push', keys }, 'endpoint'],
    ['an internal address', { endpoint: 'https://10.0.0.1/a', keys }, 'endpoint'],
    ['a huge endpoint', { endpoint: `https://push.example/${'a'.repeat(2000)}`, keys }, 'endpoint'],
    [
      'a huge key',
      { endpoint: 'https://push.example/a', keys: { ...keys, p256dh: 'B'.repeat(100_000) } },
      'keys.p256dh',
    ],
    ['a short key', { endpoint: 'https://push.example/a', keys: { ...keys, p256dh: 'BAAA' } }, 'keys.p256dh'],
    [
      'a key off the curve',
      { endpoint: 'https://push.example/a', keys: { ...keys, p256dh: notOnTheCurve } },
      'keys.p256dh',
    ],
    ['a short secret', { endpoint: 'https://push.example/a', keys: { ...keys, auth: 'AAAA' } }, 'keys.auth'],
    ['no keys', { endpoint: 'https://push.example/a' }, 'keys'],
  ])('%s', async (_, body, field) => {
    const answer = await add(kim, body);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.json.errors)).toEqual([field]);
    expect((await list(kim)).data).toEqual([]);
  });

  test('a token, which has no browser', async () => {
    expect((await app.asTeam('POST', path, browserAt('token'))).status).toBe(401);
  });
});

test('no row shows where a browser is reached', async () => {
  await add(kim, browserAt('whom-only-the-push-service-knows'));
  const text = JSON.stringify(query(app.desk.store.writing, 'SELECT * FROM push_subscriptions').all());
  expect(text).not.toContain('whom-only-the-push-service-knows');
});
