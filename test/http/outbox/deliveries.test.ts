// The delivery log over HTTP: read, filtered, paged; redeliveries; tests; rotated secrets; refused addresses.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { recordAttempt } from '../../../src/desk/outbox/attempts.ts';
import type { AttemptResult } from '../../../src/domain/outbox/delivery.ts';
import { query } from '../../../src/engine/database.ts';
import { beginning, type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
let path: string;
let secret: string;
beforeEach(async () => {
  app = await testApp();
  const added = await app.asTeam('POST', '/api/v1/sites/web-shop/webhook-channels', {
    name: 'Hook',
    type: 'custom',
    webhook_url: 'https://hooks.example.org/deep/secret',
    events: ['ticket.created'],
  });
  secret = added.json.signing_secret;
  path = `/api/v1/sites/web-shop/webhook-channels/${added.json.data.id}`;
});
afterEach(() => app.close());

const log = (search = '') => app.asTeam('GET', `${path}/deliveries${search}`);
const idOf = () =>
  query<{ id: number }>(
    app.desk.store.reading,
    "SELECT max(id) AS id FROM deliveries WHERE event = 'ticket.created'",
  ).get()?.id ?? 0;
const tried = (id: number, result: AttemptResult, responseStatus = 500) =>
  app.desk.write((tx) => {
    const ctx = app.desk.context({ kind: 'command_line' }, 'test');
    recordAttempt(tx, ctx, {
      deliveryId: id,
      result,
      durationMs: 3,
      responseStatus,
      responseExcerpt: '<b>',
      error: null,
    });
    return null;
  });

test('the outbox of the desk names the webhook', async () => {
  await app.open({ subject: 'Cannot save' });
  const { headers } = await app.person('owner');
  const { json } = await app.ask('GET', '/api/v1/system/outbox', { headers });
  expect(json.data.find(({ id }: { id: number }) => id === idOf())).toMatchObject({
    recipient: null,
    channel_name: 'Hook',
  });
  expect(
    json.data.find((one: { recipient: string | null }) => one.recipient !== null)?.channel_name ?? null,
  ).toBeNull();
});

describe('the log', () => {
  test('shows the request, every attempt, and the time of the next one', async () => {
    await app.open({ subject: 'Cannot save' });
    await tried(idOf(), { outcome: 'retry', at: beginning + 10_000 });
    const { status, json } = await log();
    expect(status).toBe(200);
    expect(json.meta).toEqual({ current_page: 1, last_page: 1, per_page: 15, total: 1 });
    const [row] = json.data;
    expect(row).toMatchObject({
      id: idOf(),
      event: 'ticket.created',
      status: 'queued',
      next_attempt_at: '2026-09-11T09:30:10.000Z',
      finished_at: null,
      last_error: 'answered 500',
      attempts: [
        { at: '2026-09-11T09:30:00.000Z', duration_ms: 3, response_status: 500, response_excerpt: '<b>', error: null },
      ],
      request: { method: 'POST', url: 'https://hooks.example.org/deep/secret' },
    });
    expect(JSON.parse(row.request.body)).toMatchObject({ id: row.ulid, event: 'ticket.created' });
  });

  test('names the writer of a message, and the author of the ticket when an agent wrote it', async () => {
    await app.asTeam('PATCH', path, { events: ['ticket.replied'] });
    const { ulid, accessToken } = await app.open({ name: 'Mia', context: { user: { external_id: 'user-7' } } });
    await app.asSite('POST', `/api/v1/public/tickets/${ulid}/messages?access_token=${accessToken}`, { body: 'Still.' });
    await app.asTeam('POST', `/api/v1/tickets/${ulid}/messages`, { body: 'Now?', agent_name: 'Kim' });
    await app.asTeam('POST', `/api/v1/tickets/${ulid}/notes`, { body: 'Between us.' });
    const rows: { request: { body: string } }[] = (await log()).json.data;
    const of = { author_name: 'Mia', author_external_id: 'user-7' };
    expect(rows.map(({ request }) => JSON.parse(request.body).metadata)).toMatchObject([
      { ...of, is_admin_reply: true, agent_name: 'Kim' },
      { ...of, is_admin_reply: false, agent_name: null },
    ]);
  });

  test('names a writer without a name by their address', async () => {
    await app.asTeam('PATCH', path, { events: ['ticket.created', 'ticket.replied'] });
    const { ulid } = await app.open({ name: null });
    await app.asTeam('POST', `/api/v1/tickets/${ulid}/messages`, { body: 'Now?' });
    const rows: { request: { body: string } }[] = (await log()).json.data;
    expect(rows.map(({ request }) => JSON.parse(request.body).metadata)).toMatchObject([
      { author_name: 'mia@example.org', agent_name: 'Web shop' },
      { author_name: 'mia@example.org', agent_name: null },
    ]);
  });

  test('hides the secret part of the URL from tokens that can only read', async () => {
    await app.open();
    await tried(idOf(), { outcome: 'failed', isGone: false }, 404);
    const reader = await app.token(['read']);
    const headers = { Authorization: `Bearer ${reader.secret}` };
    const { status, text } = await app.ask('GET', `${path}/deliveries`, { headers });
    expect(status).toBe(200);
    expect(text).not.toContain('deep/secret');
    await app.desk.write((tx) => {
      tx.client.run("UPDATE delivery_attempts SET response_excerpt = 'Cannot POST /deep/secret?'");
      return null;
    });
    const excerptOf = (body: string) => JSON.parse(body).data[0].attempts[0].response_excerpt;
    expect(excerptOf((await app.ask('GET', `${path}/deliveries`, { headers })).text)).toBe('Cannot POST /…/…?');
    expect((await log()).json.data[0].attempts[0].response_excerpt).toBe('Cannot POST /deep/secret?');
    for (const [method, target] of [
      ['POST', `${path}/deliveries/${idOf()}/redeliver`],
      ['POST', `${path}/test`],
      ['POST', `${path}/secret`],
    ] as const)
      expect((await app.ask(method, target, { headers })).status).toBe(403);
  });

  test('is filtered and paged, newest first', async () => {
    const ids: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      await app.open();
      ids.unshift(idOf());
      await tried(idOf(), turn % 2 === 0 ? { outcome: 'delivered' } : { outcome: 'failed', isGone: false });
    }
    const idsOf = (answer: Awaited<ReturnType<typeof log>>) => answer.json.data.map(({ id }: { id: number }) => id);
    expect(idsOf(await log())).toEqual(ids);
    const failed = await log('?status=failed');
    expect(idsOf(failed)).toEqual([ids[1], ids[3]].map(Number));
    expect(failed.json.meta.total).toBe(2);
    const page = await log('?status=delivered&per_page=2&page=2');
    expect(idsOf(page)).toEqual([ids[4] ?? 0]);
    expect(page.json.links.prev).toContain('status=delivered');
    expect(page.json.links.next).toBeNull();
    for (const wrong of ['?status=lost', '?page=0', '?colour=red']) expect((await log(wrong)).status).toBe(400);
  });

  test('is 404 for a channel that does not exist or belongs to another site', async () => {
    const headers = { Authorization: `Bearer ${(await app.token(['read', 'manage'], app.other.site.id)).secret}` };
    expect((await app.ask('GET', `${path}/deliveries`, { headers })).status).toBe(404);
    for (const target of [
      '/api/v1/sites/web-shop/webhook-channels/999/deliveries',
      '/api/v1/sites/web-shop/webhook-channels/x/deliveries',
    ])
      expect((await app.asTeam('GET', target)).status).toBe(404);
    expect((await app.asTeam('GET', path.replace('web-shop', 'other-shop').concat('/deliveries'))).status).toBe(404);
  });
});

describe('sending again', () => {
  const again = (id: number | string) => app.asTeam('POST', `${path}/deliveries/${id}/redeliver`);

  test('queues a finished delivery, and refuses one that is under way or does not exist', async () => {
    await app.open();
    expect((await again(idOf())).json.code).toBe('delivery_queued');
    await tried(idOf(), { outcome: 'delivered' }, 200);
    const { status, json } = await again(idOf());
    expect(status).toBe(200);
    expect(json.data).toMatchObject({ id: idOf(), status: 'queued', finished_at: null });
    expect(json.data.attempts).toHaveLength(1);
    expect((await again(idOf())).status).toBe(409);
    for (const name of ['999', 'x', '1.5']) expect((await again(name)).status).toBe(404);
  });

  test('takes all that failed in a period, and nothing else', async () => {
    const failed: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      app.clock.advance(60_000);
      await app.open();
      failed.push(idOf());
      await tried(idOf(), { outcome: 'failed', isGone: false }, 404);
    }
    await app.open();
    await tried(idOf(), { outcome: 'delivered' }, 200);
    const period = (body: object) => app.asTeam('POST', `${path}/redeliver`, body);
    const at = (ago: number) => new Date(app.clock.now() - ago).toISOString();
    expect((await period({ since: at(0), until: at(1) })).json.errors).toHaveProperty('until');
    expect((await period({})).status).toBe(422);
    const { status, json } = await period({ since: at(90_000), until: at(30_000) });
    expect([status, json]).toEqual([200, { data: { requeued: 1 } }]);
    const queued = (await log('?status=queued')).json.data.map(({ id }: { id: number }) => id);
    expect(queued).toEqual([failed[1]]);
    expect((await period({ since: at(90_000) })).json.data.requeued).toBe(1);
    expect((await period({ since: at(90_000) })).json.data.requeued).toBe(0);
  });

  test('happens once when two ask at the same moment', async () => {
    await app.open();
    await tried(idOf(), { outcome: 'failed', isGone: false });
    const statuses = (await Promise.all([again(idOf()), again(idOf())])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
  });
});

test('a test is a delivery of its own, also for a disabled channel', async () => {
  await app.asTeam('PATCH', path, { is_active: false });
  const { status, json } = await app.asTeam('POST', `${path}/test`);
  expect(status).toBe(201);
  expect(json.data).toMatchObject({ event: 'channel.test', status: 'queued', ticket_id: null });
  expect(JSON.parse(json.data.request.body)).toMatchObject({ event: 'channel.test' });
});

test('a rotated secret is shown once', async () => {
  const { status, json } = await app.asTeam('POST', `${path}/secret`, { grace_minutes: 60 });
  expect(status).toBe(200);
  expect(json.signing_secret).toMatch(/^whsec_/);
  expect(json.signing_secret).not.toBe(secret);
  expect((await app.asTeam('GET', path)).text).not.toContain('whsec_');
  expect((await app.asTeam('POST', `${path}/secret`)).status).toBe(200);
});

test('a URL that is not allowed is refused when a channel is added or changed', async () => {
  const body = { name: 'x', type: 'custom', webhook_url: 'http://10.0.0.1/x', events: ['ticket.created'] };
  const refused = await app.asTeam('POST', '/api/v1/sites/web-shop/webhook-channels', body);
  expect(refused.status).toBe(422);
  expect(refused.json.errors.webhook_url[0]).toContain('it is private');
  const changed = await app.asTeam('PATCH', path, { webhook_url: body.webhook_url });
  expect(changed.status).toBe(422);
  expect((await app.asTeam('GET', path)).json.data.webhook_url).toBe('https://hooks.example.org/deep/secret');
});
