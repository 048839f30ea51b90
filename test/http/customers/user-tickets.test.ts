// What an application asks about one of its users (docs/spec/api.md#ingest): their tickets, and a new access token.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

const tickets = '/api/v1/public/tickets';
const of = (id: string, input: object = {}) =>
  app.open({ email: `${id}@example.org`, context: { user: { external_id: id }, extra: { secret: 1 } }, ...input });
const list = (query: string) => app.asSite('GET', `${tickets}?${query}`);
const ulids = async (query: string) => (await list(query)).json.data.map(({ ulid }: { ulid: string }) => ulid);

describe("a user's tickets", () => {
  test('are only those of that user, newest first, without anything internal', async () => {
    const first = await of('u-1', { subject: 'First' });
    await of('u-2');
    // The same address without an id is someone else: anyone can type it into a form.
    await app.open({ email: 'u-1@example.org' });
    app.clock.advance(1000);
    const second = await of('u-1', { subject: 'Second' });
    await app.asTeam('POST', `/api/v1/tickets/${first.ulid}/notes`, { body: 'internal words' });
    const answer = await list('external_id=u-1');
    expect(answer.json.data.map(({ subject }: { subject: string }) => subject)).toEqual(['Second', 'First']);
    expect(await ulids('external_id=u-1')).toEqual([second.ulid, first.ulid]);
    expect(answer.json.meta).toEqual({ current_page: 1, last_page: 1, per_page: 15, total: 2 });
    expect(Object.keys(answer.json.data[0])).not.toContain('context');
    expect(answer.text).not.toMatch(/internal words|secret|access_token|example\.org\/?"/);
  });

  test('come in pages', async () => {
    const opened: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      app.clock.advance(1000);
      opened.unshift((await of('u-1')).ulid);
    }
    expect(await ulids('external_id=u-1&per_page=2&page=2')).toEqual(opened.slice(2, 4));
    const { links } = (await list('external_id=u-1&per_page=2&page=2')).json;
    expect(links.next).toContain('external_id=u-1');
    expect(await ulids('external_id=unknown')).toEqual([]);
    for (const query of ['', 'external_id=', 'external_id=%20', 'email=u-1@example.org'])
      expect((await list(query)).status, query).toBe(400);
  });

  test('leave out spam, tests unless asked for, what was merged into another of theirs, and other sites', async () => {
    const [real, spam, merged, given, testing] = [
      await of('u-1'),
      await of('u-1'),
      await of('u-1'),
      await of('u-1'),
      await of('u-1', { is_test: true }),
    ];
    const { ulid: others } = await of('u-2');
    await app.asTeam('PATCH', `/api/v1/tickets/${spam.ulid}`, { is_spam: true });
    await app.asTeam('POST', `/api/v1/tickets/${merged.ulid}/merge`, { into: real.ulid });
    await app.asTeam('POST', `/api/v1/tickets/${given.ulid}/merge`, { into: others });
    expect((await ulids('external_id=u-1')).sort()).toEqual([given.ulid, real.ulid].sort());
    const rows = (await list('external_id=u-1')).json.data;
    const into = (ulid: string) => rows.find((row: { ulid: string }) => row.ulid === ulid).merged_into;
    expect([into(given.ulid), into(real.ulid)]).toEqual([others, null]);
    expect((await ulids('external_id=u-1&include_test=true')).sort()).toEqual(
      [given.ulid, real.ulid, testing.ulid].sort(),
    );
    const elsewhere = await app.ask('GET', `${tickets}?external_id=u-1`, {
      headers: { 'X-Site-Token': app.other.siteToken },
    });
    expect([elsewhere.status, elsewhere.json.data]).toEqual([200, []]);
  });

  test('are gone with the user', async () => {
    await of('u-1');
    await app.asTeam('POST', '/api/v1/authors/anonymise', { site_id: app.site.id, external_id: 'u-1' });
    expect(await ulids('external_id=u-1')).toEqual([]);
  });
});

describe('a new access token', () => {
  const renew = (ulid: string, body: unknown) => app.asSite('POST', `${tickets}/${ulid}/access-token`, body);
  const read = async (ulid: string, token: string) =>
    (await app.asSite('GET', `${tickets}/${ulid}?access_token=${token}`)).status;

  test('takes the place of the old one, and the history says so', async () => {
    const { ulid, accessToken } = await of('17');
    const answer = await renew(ulid, { external_id: 17 });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(await read(ulid, answer.json.access_token)).toBe(200);
    expect(await read(ulid, accessToken)).toBe(404);
    const { events } = (await app.asTeam('GET', `/api/v1/tickets/${ulid}`)).json.data;
    expect(events.at(-1)).toMatchObject({ event: 'ticket.access_token_replaced', actor: { type: 'application' } });
    expect(JSON.stringify(events)).not.toContain(answer.json.access_token);
  });

  test('is only for the user whose ticket it is', async () => {
    const { ulid, accessToken } = await of('u-1');
    await of('u-2');
    const { ulid: anonymous } = await app.open();
    const asked = [
      await renew(ulid, { external_id: 'u-2' }),
      await renew(ulid, { external_id: 'unknown' }),
      await renew(anonymous, { external_id: 'u-1' }),
      await renew('01K4VJ8Q4N7RM2ZC6B0T3XWYDE', { external_id: 'u-1' }),
      await renew('x', { external_id: 'u-1' }),
    ];
    expect(asked.map(({ status, json }) => [status, json.message])).toEqual(asked.map(() => [404, 'No such ticket.']));
    for (const wrong of [{}, { external_id: '' }, { external_id: null }, { external_id: ['u-1'] }])
      expect((await renew(ulid, wrong)).status).toBe(422);
    expect(await read(ulid, accessToken)).toBe(200);
  });
});

test('a channel that asks for it gets the events of test tickets, and no mail goes out for them', async () => {
  const path = `/api/v1/sites/${app.site.slug}/webhook-channels`;
  const add = async (input: object) =>
    (
      await app.asTeam('POST', path, {
        name: 'Team',
        type: 'custom',
        webhook_url: 'https://hooks.example.org/x',
        events: ['ticket.created', 'ticket.replied'],
        ...input,
      })
    ).json.data;
  const [usual, testing] = [await add({}), await add({ include_test: true })];
  expect([usual.include_test, testing.include_test]).toEqual([false, true]);
  const sent = async ({ id }: { id: number }) =>
    (await app.asTeam('GET', `${path}/${id}/deliveries`)).json.data.map(({ event }: { event: string }) => event);
  const { ulid } = await app.open({ is_test: true });
  await app.asTeam('POST', `/api/v1/tickets/${ulid}/messages`, { body: 'Hello' });
  expect([await sent(usual), await sent(testing)]).toEqual([[], ['ticket.replied', 'ticket.created']]);
  expect(app.counts().deliveries).toBe(2);
  await app.asTeam('PATCH', `${path}/${testing.id}`, { include_test: false });
  await app.open({ is_test: true });
  expect(await sent(testing)).toHaveLength(2);
});
