// Erasing a person through the API: who can, what is answered, and by which address.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { query } from '../../../src/engine/database.ts';
import { type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

const anonymise = (body: object, headers: Record<string, string> = {}) =>
  app.asTeam('POST', '/api/v1/authors/anonymise', { site_id: app.site.id, ...body }, headers);
const known = { email: 'ada@customer.example', context: { user: { external_id: 'u-17' } } };

test('the answer has the external id of the request, also when an Idempotency-Key is repeated', async () => {
  await app.open(known);
  const key = { 'Idempotency-Key': 'erase-1' };
  const first = await anonymise({ external_id: 'u-17' }, key);
  expect(first.status).toBe(200);
  expect(first.json).toMatchObject({
    external_id: 'u-17',
    author: { external_id: 'u-17', name: 'Anonymised' },
    tickets_scrubbed: 1,
  });
  const repeat = await anonymise({ external_id: 'u-17' }, key);
  expect(repeat.headers.get('idempotency-replayed')).toBe('true');
  expect(repeat.json).toEqual(first.json);
  expect((await anonymise({ external_id: 'u-17' })).json).toMatchObject({ external_id: 'u-17', tickets_scrubbed: 0 });
  // The stored answer does not name the erased person.
  const kept = app.desk.read((tx) =>
    query<{ sealed: string }>(tx, 'SELECT answer_sealed AS sealed FROM idempotency_keys').all(),
  );
  expect(kept.map(({ sealed }) => app.desk.seal.open(sealed)).join()).not.toContain('u-17');
});

test('an access token of an erased person opens nothing, and nothing can be written with it', async () => {
  const { ulid, accessToken } = await app.open(known);
  const path = (part = '') => `/api/v1/public/tickets/${ulid}${part}?access_token=${accessToken}`;
  expect((await app.asSite('GET', path())).status).toBe(200);
  await anonymise({ external_id: 'u-17' });
  expect((await app.asSite('GET', path())).status).toBe(404);
  expect((await app.asSite('POST', path('/messages'), { body: 'It is me, Ada.' })).status).toBe(404);
});

test('an erasure by address answers without an external id', async () => {
  await app.open({ email: 'ada@customer.example' });
  const answer = await anonymise({ email: ' Ada@Customer.example. ' });
  expect(answer.json).toMatchObject({ external_id: null, author: { external_id: null }, tickets_scrubbed: 1 });
});

test('null names no one: the other of external id and address does, and one of them must', async () => {
  await app.open(known);
  expect((await anonymise({ external_id: null, email: null })).status).toBe(422);
  expect((await anonymise({ external_id: 'u-17', email: known.email })).status).toBe(422);
  await app.open({ email: 'bob@customer.example' });
  const byAddress = await anonymise({ external_id: null, email: 'bob@customer.example' });
  expect([byAddress.status, byAddress.json.tickets_scrubbed]).toEqual([200, 1]);
  const byId = await anonymise({ external_id: 'u-17', email: null });
  expect([byId.status, byId.json.tickets_scrubbed]).toEqual([200, 1]);
});

test.each([
  [['write'], 'same', 200],
  [['read'], 'same', 403],
  [['read', 'manage'], 'same', 403],
  [['write'], 'other', 404],
] as const)('a token with %p of the %s site is answered %d', async (abilities, where, status) => {
  await app.open(known);
  const { secret } = await app.token([...abilities], where === 'same' ? app.site.id : app.other.site.id);
  const answer = await app.ask('POST', '/api/v1/authors/anonymise', {
    headers: { Authorization: `Bearer ${secret}` },
    body: { site_id: app.site.id, external_id: 'u-17' },
  });
  expect(answer.status).toBe(status);
});

test.each(['eve@intranet', 'cron@[192.168.0.7]', '"john doe"@example.org'])(
  'the sender of mail from %s can be erased by that address',
  async (address) => {
    const posted = await app.ask('POST', `/api/webhooks/raw/inbound/${app.inboundSecret}`, {
      headers: { 'Content-Type': 'message/rfc822' },
      body: `From: ${address}\r\nSubject: Hello\r\n\r\nHello`,
    });
    expect(posted.status).toBe(200);
    const answer = await anonymise({ email: address });
    expect(answer.status).toBe(200);
    const list = await app.asTeam('GET', `/api/v1/sites/${app.site.slug}/inbound-mail`);
    expect(list.json.data[0]).toMatchObject({ sender: null, subject: null });
    expect((await anonymise({ email: 'nobody@example.org' })).status).toBe(404);
  },
);
