// Idempotency-Key: one write, one answer, repeated (docs/spec/api.md#idempotency).

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { silentLog } from '../../src/base/log.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { file } from './walks/step.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

const path = '/api/v1/public/tickets';
const good = { email: 'mia@example.org', subject: 'Hello', message: 'World' };
const create = (key: string, body: object = good) => app.asSite('POST', path, body, { 'Idempotency-Key': key });

test('the same request gets the same answer, and says that it is a repeat', async () => {
  const first = await create('k');
  const second = await create('k');
  expect(second.text).toBe(first.text);
  expect([first.headers.get('idempotency-replayed'), second.headers.get('idempotency-replayed')]).toEqual([
    null,
    'true',
  ]);
  expect(app.counts().tickets).toBe(1);
});

test('two requests with one key at the same moment make one write', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => create('k')));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true').length).toBe(19);
  expect(app.counts()).toMatchObject({ tickets: 1, messages: 1, authors: 1 });
});

test('another body or another path is refused', async () => {
  await create('k');
  expect((await create('k', { ...good, subject: 'Other' })).json.code).toBe('idempotency_key_reused');
  const { ulid } = await app.open();
  const note = () => app.asTeam('POST', `/api/v1/tickets/${ulid}/notes`, { body: 'Hi' }, { 'Idempotency-Key': 'k' });
  expect((await note()).status).toBe(201);
  const other = await app.asTeam(
    'POST',
    `/api/v1/tickets/${ulid}/messages`,
    { body: 'Hi' },
    { 'Idempotency-Key': 'k' },
  );
  expect([other.status, other.json.code]).toEqual([409, 'idempotency_key_reused']);
});

test('a key belongs to its credential', async () => {
  await create('k');
  const theirs = await app.ask('POST', path, {
    headers: { 'X-Site-Token': app.other.siteToken, 'Idempotency-Key': 'k' },
    body: { ...good, subject: 'Ours' },
  });
  expect(theirs.status).toBe(201);
  const team = await app.asTeam('POST', '/api/v1/sites', { name: 'New' }, { 'Idempotency-Key': 'k' });
  expect(team.status).toBe(201);
});

test('two customers of one site can use the same key, for replies and for files', async () => {
  const one = await app.open();
  const two = await app.open({ email: 'zoe@example.org' });
  const headers = { 'Idempotency-Key': '1' };
  const to = (of: typeof one, what: string) => `${path}/${of.ulid}/${what}?access_token=${of.accessToken}`;
  const reply = (of: typeof one) => app.asSite('POST', to(of, 'messages'), { body: 'Same words' }, headers);
  const attach = (of: typeof one) => app.asSite('POST', to(of, 'attachments'), file(), { 'Idempotency-Key': '2' });
  for (const send of [reply, attach]) {
    const [first, second] = [await send(one), await send(two)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.headers.get('idempotency-replayed')).toBeNull();
    expect(second.text).not.toBe(first.text);
    const again = await send(one);
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
  }
  expect(app.counts()).toMatchObject({ messages: 4, attachments: 2 });
  // The application's own key does not collide with one of its customers' either.
  expect((await create('1')).status).toBe(201);
});

test('a repeat with a wrong access token is not answered', async () => {
  const { ulid, accessToken } = await app.open();
  const to = (token: string) => `${path}/${ulid}/messages?access_token=${token}`;
  const headers = { 'Idempotency-Key': 'k' };
  expect((await app.asSite('POST', to(accessToken), { body: 'Hello' }, headers)).status).toBe(201);
  expect((await app.asSite('POST', to('wrong'), { body: 'Hello' }, headers)).status).toBe(404);
  expect((await app.asSite('POST', to(''), { body: 'Hello' }, headers)).status).toBe(401);
});

test('a key is forgotten after a day', async () => {
  await create('k');
  app.clock.advance(24 * 3_600_000);
  expect((await create('k', { ...good, subject: 'Tomorrow' })).status).toBe(201);
  expect(app.counts().tickets).toBe(2);
});

test('a refusal is stored and repeated too', async () => {
  const refused = await create('k', { ...good, email: 'nope' });
  const again = await create('k', { ...good, email: 'nope' });
  expect([refused.status, again.status]).toEqual([422, 422]);
  expect(again.text).toBe(refused.text);
  expect((await create('k')).status).toBe(409);
});

test('429 and 403 are not stored', async () => {
  const { secret } = await app.token(['read']);
  const asked = (token: string) =>
    app.ask('POST', '/api/v1/sites', {
      headers: { Authorization: `Bearer ${token}`, 'Idempotency-Key': 'k' },
      body: { name: 'X' },
    });
  expect((await asked(secret)).status).toBe(403);
  expect(app.counts().idempotency_keys).toBe(0);
});

test('429, 503 and 500 are not stored', async () => {
  await app.close();
  let isFaulty = true;
  app = await testApp({ ingestSite: 1 }, silentLog, [
    {
      method: 'POST',
      path: '/api/v1/boom',
      id: 'boom',
      tag: 'Desk',
      summary: '',
      access: 'team',
      ability: 'manage',
      answer: { status: 201, schema: null, description: '' },
      handle: (call) =>
        call.commit(() => {
          if (isFaulty) throw new TypeError('a fault');
          return { status: 201, body: '{}', headers: {} };
        }),
    },
  ]);
  expect((await app.asSite('GET', '/api/v1/public/config')).status).toBe(200);
  expect((await create('k')).status).toBe(429);
  app.clock.advance(60_000);
  const late = await create('k');
  expect([late.status, late.headers.get('idempotency-replayed')]).toEqual([201, null]);

  const boom = () => app.asTeam('POST', '/api/v1/boom', undefined, { 'Idempotency-Key': 'b' });
  expect((await boom()).status).toBe(500);
  isFaulty = false;
  expect([(await boom()).status, (await boom()).headers.get('idempotency-replayed')]).toEqual([201, 'true']);

  const { client } = app.desk.store.writing;
  const { page_count: pages } = client.query('PRAGMA page_count').get() as { page_count: number };
  client.run(`PRAGMA max_page_count = ${pages}`);
  const big = { site_id: app.site.id, ...good, message: '🙂'.repeat(10_000) };
  const raise = (key: string) => app.asTeam('POST', '/api/v1/tickets', big, { 'Idempotency-Key': key });
  let key = 0;
  while (key < 100 && (await raise(`full-${key}`)).status === 201) key += 1;
  expect((await raise(`full-${key}`)).status).toBe(503);
  client.run('PRAGMA max_page_count = 1073741823');
  const then = await raise(`full-${key}`);
  expect([then.status, then.headers.get('idempotency-replayed')]).toEqual([201, null]);
});

test('of different requests with one key at the same moment, one succeeds', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => create('k', { ...good, subject: `Number ${at}` })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  expect(app.counts()).toMatchObject({ tickets: 1, messages: 1, idempotency_keys: 1 });
});

test('a repeat has the id of its own request', async () => {
  await create('k');
  const again = await app.asSite('POST', path, good, { 'Idempotency-Key': 'k', 'X-Request-Id': 'second' });
  expect(again.headers.get('x-request-id')).toBe('second');
});

test('a change and its answer are stored together or not at all', async () => {
  const { client } = app.desk.store.writing;
  client.run("CREATE TRIGGER no_keys BEFORE INSERT ON idempotency_keys BEGIN SELECT RAISE(ABORT, 'no'); END");
  const before = app.counts();
  expect((await create('k')).status).toBe(500);
  expect(app.counts()).toEqual(before);
  client.run('DROP TRIGGER no_keys');
  expect((await create('k')).status).toBe(201);
});

describe('an upload', () => {
  test('sent many times together is stored as one file', async () => {
    const { ulid, accessToken } = await app.open();
    const target = `${path}/${ulid}/attachments?access_token=${accessToken}`;
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => app.asSite('POST', target, file(), { 'Idempotency-Key': 'k' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(new Set(answers.map(({ json }) => json.attachment.ulid)).size).toBe(1);
    expect(app.counts().attachments).toBe(1);
    const kept = await app.ask('GET', answers[0]?.json.attachment.url);
    expect([kept.status, kept.text]).toEqual([200, 'A line of the log']);
    const known = new Set([answers[0]?.json.attachment.ulid as string]);
    expect(await app.edge.blobs.sweep(Date.now() + 2 * 3_600_000, () => known)).toBe(0);
  });

  test('is recognised as a repeat by its content', async () => {
    const { ulid, accessToken } = await app.open();
    const upload = (content: string) =>
      app.asSite('POST', `${path}/${ulid}/attachments?access_token=${accessToken}`, file('log.txt', content), {
        'Idempotency-Key': 'k',
      });
    const first = await upload('one');
    const again = await upload('one');
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.json.attachment.ulid).toBe(first.json.attachment.ulid);
    expect((await upload('two')).status).toBe(409);
    expect(app.counts().attachments).toBe(1);
  });
});

test('the database does not show the access token that an answer holds', async () => {
  const first = await create('k');
  const token = first.json.access_token as string;
  app.desk.store.writing.client.run('PRAGMA wal_checkpoint(TRUNCATE)');
  expect(readFileSync(app.path).includes(token)).toBe(false);
});
