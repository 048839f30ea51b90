// Two requests at the same time, on a real server: nothing is lost, nothing is done in part.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { query } from '../../src/engine/database.ts';
import type { Server } from '../../src/platform/http-server.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { serve } from '../support/serving.ts';

let app: TestApp;
let server: Server;
let team: Record<string, string>;
beforeEach(async () => {
  app = await testApp();
  server = await serve((request) => app.fetch(request));
  team = { Authorization: `Bearer ${(await app.token(['read', 'write', 'manage'])).secret}` };
});
afterEach(async () => {
  await server.stop(true);
  await app.close();
});

const send = (method: string, path: string, headers: Record<string, string>, body?: object) =>
  fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: { ...headers, ...(body ? { 'Content-Type': 'application/json' } : {}) },
    body: body ? JSON.stringify(body) : undefined,
  });

test('of many changes with the same If-Match, one succeeds', async () => {
  const { ulid } = await app.open();
  const etag = (await send('GET', `/api/v1/tickets/${ulid}`, team)).headers.get('etag') ?? '';
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      send('PATCH', `/api/v1/tickets/${ulid}`, { ...team, 'If-Match': etag }, { subject: `Version ${at}` }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBe(1);
  expect(statuses.filter((status) => status === 412).length).toBe(11);
});

test('a reply during a merge is refused or ends up on the merged ticket', async () => {
  for (let round = 0; round < 8; round += 1) {
    const source = await app.open();
    const target = await app.open();
    const customer = { 'X-Site-Token': app.siteToken };
    const [merged, ...replies] = await Promise.all([
      send('POST', `/api/v1/tickets/${source.ulid}/merge`, team, { into: target.ulid }),
      ...Array.from({ length: 6 }, (_, at) =>
        send('POST', `/api/v1/public/tickets/${source.ulid}/messages?access_token=${source.accessToken}`, customer, {
          body: `Reply ${at}`,
        }),
      ),
      send('POST', `/api/v1/tickets/${source.ulid}/messages`, team, { body: 'From an agent' }),
    ]);
    expect(merged?.status).toBe(200);
    const acknowledged = (
      await Promise.all(replies.filter(({ status }) => status === 201).map((answer) => answer.json()))
    ).map(({ reply }) => (reply as { body: string }).body);
    expect(replies.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const thread = (await (await send('GET', `/api/v1/tickets/${target.ulid}`, team)).json()) as {
      data: { messages: { body: string }[]; message_count: number };
    };
    const bodies = thread.data.messages.map(({ body }) => body);
    expect(acknowledged.filter((body) => !bodies.includes(body))).toEqual([]);
    expect(thread.data.message_count).toBe(bodies.length);
  }
});

test('a site that is removed while files are uploaded leaves neither rows nor files', async () => {
  const { ulid, accessToken } = await app.open();
  const upload = async () => {
    const form = new FormData();
    form.append('file', new File(['y'.repeat(200_000)], 'log.txt'));
    return fetch(
      `http://127.0.0.1:${server.port}/api/v1/public/tickets/${ulid}/attachments?access_token=${accessToken}`,
      { method: 'POST', headers: { 'X-Site-Token': app.siteToken }, body: form },
    );
  };
  const uploads = Array.from({ length: 10 }, upload);
  const removal = send('DELETE', `/api/v1/sites/${app.site.slug}?confirm=${app.site.slug}`, team);
  const statuses = (await Promise.all(uploads)).map(({ status }) => status);
  expect((await removal).status).toBe(204);
  expect(statuses.every((status) => [201, 401, 404].includes(status))).toBe(true);
  expect(app.counts()).toMatchObject({ attachments: 0, tickets: 0, messages: 0 });
  // A file that was named between the removal and its own refusal is an orphan, which the sweep removes.
  await app.edge.blobs.sweep(Date.now() + 2 * 3_600_000, () => new Set());
  expect(await app.edge.blobs.sweep(Date.now() + 2 * 3_600_000, () => new Set())).toBe(0);
});

test('many tickets from one person, sent together, make one author', async () => {
  const context = { user: { external_id: 'u-17' } };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      send(
        'POST',
        '/api/v1/public/tickets',
        { 'X-Site-Token': app.siteToken },
        { email: `m${at % 3}@example.org`, subject: 'Hello', message: 'World', context },
      ),
    ),
  );
  expect(answers.every(({ status }) => status === 201)).toBe(true);
  expect(app.counts()).toMatchObject({ authors: 1, tickets: 20 });
});

test('events are numbered in commit order without gaps', async () => {
  await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      at % 4 === 0
        ? send(
            'POST',
            '/api/v1/public/tickets',
            { 'X-Site-Token': app.siteToken },
            { email: 'nope', subject: 'x', message: 'y' },
          )
        : app.open(),
    ),
  );
  const seqs = query<{ seq: number }>(app.desk.store.reading, 'SELECT seq FROM events ORDER BY seq')
    .all()
    .map(({ seq }) => seq);
  expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, at) => at + 1));
});
