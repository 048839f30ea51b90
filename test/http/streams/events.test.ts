// The numbered feed: continued from a number, waiting for the next, streamed, and limited to a site
// (docs/spec/api.md#events).

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs, untilMs } from '../../../src/base/clock.ts';
import { createSeal } from '../../../src/base/crypto.ts';
import { createDesk } from '../../../src/desk/desk.ts';
import { changeAgent, removeAgent } from '../../../src/desk/people/agents.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import type { Actor } from '../../../src/domain/actor.ts';
import { openStore, type Tx } from '../../../src/engine/database.ts';
import { createLiveFeed } from '../../../src/http/streams/live-feed.ts';
import { isStillWelcome } from '../../../src/http/streams/open-stream.ts';
import { updateDeskSettings } from '../../../src/store/desk-settings.ts';
import { deleteSession } from '../../../src/store/people/sessions.ts';
import { baseUrl, type TestApp, testApp } from '../../support/app.ts';
import { converse, requestHead } from '../../support/raw-http.ts';
import { serve } from '../../support/serving.ts';
import { textReader } from '../../support/text-reader.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

const read = (query: string) => app.asTeam('GET', `/api/v1/events?${query}`);

test('a poller gets every event once and in order', async () => {
  for (let at = 0; at < 7; at += 1) await app.open();
  const seen: number[] = [];
  for (let after = 0, hasMore = true; hasMore; ) {
    const { data, meta } = (await read(`after=${after}&limit=2`)).json;
    seen.push(...data.map(({ seq }: { seq: number }) => seq));
    after = meta.last_seq;
    hasMore = meta.has_more;
  }
  expect(seen).toEqual(Array.from({ length: 9 }, (_, at) => at + 1));
  expect((await read('after=9')).json.data).toEqual([]);
});

test('a waiting request is answered at the next commit, also by another process', async () => {
  const { meta } = (await read('after=0')).json;
  const other = openStore(app.path, 'OFF');
  const desk = createDesk(other, createSeal(Buffer.alloc(32, 9)));
  const waiting = read(`after=${meta.newest_seq}&wait=30`);
  await desk.write((tx) => {
    changeSite(
      tx,
      desk.context({ kind: 'command_line' }, 'other'),
      app.site.slug,
      { description: 'From elsewhere' },
      null,
    );
    return null;
  });
  const answer = await waiting;
  expect(answer.json.data.map(({ event }: { event: string }) => event)).toEqual(['site.updated']);
  await desk.writer.close();
  other.close();
});

test('a token with a site sees only the events of that site', async () => {
  await app.open();
  const { secret } = await app.token(['read'], app.other.site.id);
  const answer = await app.ask('GET', '/api/v1/events?after=0', { headers: { Authorization: `Bearer ${secret}` } });
  expect(answer.json.data.map(({ site_id }: { site_id: number }) => site_id)).toEqual([app.other.site.id]);
});

test('a stream opens before the first event', async () => {
  const server = await serve((request) => app.fetch(request));
  try {
    const { newest_seq: newest } = (await read('after=0')).json.meta;
    const { secret } = await app.token(['read']);
    const head = requestHead('GET', `/api/v1/events?after=${newest}`, {
      Accept: 'text/event-stream',
      Authorization: `Bearer ${secret}`,
    });
    const talk = converse(`http://127.0.0.1:${server.port}`, head);
    const answer = await talk.until(/\r\n\r\n[\s\S]*\n\n/);
    expect(answer).toStartWith('HTTP/1.1 200');
    expect(answer.toLowerCase()).toContain('content-type: text/event-stream');
    expect(answer).toContain(': events follow');
    talk.socket.destroy();
  } finally {
    await server.stop(true);
  }
});

test('a commit of another process wakes all who wait, not only the one that notices it', async () => {
  let generation = '1';
  const feed = createLiveFeed({ ...app.desk, generation: () => generation });
  const never = new AbortController().signal;
  const woken: string[] = [];
  const first = feed.next(60_000, never).then(() => woken.push('first'));
  generation = '2';
  // This one looks before the regular look, and there is nothing new to see after it.
  await feed.next(60_000, never).then(() => woken.push('second'));
  await first;
  expect(woken.sort()).toEqual(['first', 'second']);
  feed.close();
});

test('waiting with no time left logs no warning', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  try {
    const feed = createLiveFeed(app.desk);
    await feed.next(untilMs(monotonicMs() - 1000), new AbortController().signal);
    await sleep(0);
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', note);
  }
});

test('a token with a site learns nothing about how busy other sites are', async () => {
  const { secret } = await app.token(['read'], app.site.id);
  const asScoped = async (query: string) =>
    (await app.ask('GET', `/api/v1/events?${query}`, { headers: { Authorization: `Bearer ${secret}` } })).json;
  await app.open();
  const before = await asScoped('after=0');
  expect(before.meta.newest_seq).toBe(before.data.at(-1).seq);
  const ctx = () => app.desk.context({ kind: 'command_line' }, 'test');
  for (const description of ['a', 'b', 'c'])
    await app.desk.write((tx) => {
      changeSite(tx, ctx(), app.other.site.slug, { description }, null);
      return null;
    });
  expect((await asScoped('after=0')).meta).toEqual(before.meta);
  const after = before.meta.newest_seq;
  expect((await asScoped(`after=${after}`)).meta).toEqual({
    after,
    last_seq: after,
    newest_seq: after,
    has_more: false,
  });
  // A client that reads on from there misses nothing.
  await app.open();
  const next = await asScoped(`after=${after}`);
  expect(next.data.map(({ event }: { event: string }) => event)).toEqual(['ticket.created']);
  expect(next.meta.newest_seq).toBe(next.meta.last_seq);
  expect((await read('after=0')).json.meta.newest_seq).toBe(next.meta.last_seq);
});

test('a stream continues only while its credential is known and can read', async () => {
  const { id: tokenId } = await app.token(['read']);
  const known = { kind: 'token', tokenId, name: 'Team', abilities: ['read'], scope: 'all' } as const;
  const may = (actor: Actor) => isStillWelcome({ edge: app.edge, actor });
  expect(may(known)).toBe(true);
  const { id: writerId } = await app.token(['write']);
  const { id: endedId } = await app.token(['read'], null, app.clock.now() + 1000);
  app.clock.advance(1000);
  for (const actor of [
    { ...known, tokenId: 4711 },
    { ...known, tokenId: writerId },
    { ...known, tokenId: endedId },
    { ...known, scope: [app.site.id] },
    { ...known, scope: [] },
    { kind: 'application', siteId: app.site.id },
    { kind: 'author', siteId: app.site.id, authorId: 1, name: null },
    { kind: 'command_line' },
    { kind: 'desk' },
    { kind: 'scan' },
    { kind: 'mail', siteId: app.site.id },
  ] as Actor[])
    expect(may(actor), JSON.stringify(actor)).toBe(false);
});

describe('a stream of an agent who signed in', () => {
  async function streamOf(person: { headers: Record<string, string> }) {
    const answer = await app.fetch(
      new Request(`${baseUrl}/api/v1/events`, { headers: { ...person.headers, Accept: 'text/event-stream' } }),
    );
    expect(answer.status).toBe(200);
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    return async () => {
      while (!(await reader.read()).done);
    };
  }
  const asCommandLine = () => app.desk.context({ kind: 'command_line' }, 'test');

  test('ends when they are deactivated, lose the site, change roles or sign out', async () => {
    for (const end of [
      (tx, { agentId }) => changeAgent(tx, asCommandLine(), agentId, { is_active: false }),
      (tx, { agentId }) => changeAgent(tx, asCommandLine(), agentId, { sites: [app.site.id] }),
      (tx, { agentId }) => changeAgent(tx, asCommandLine(), agentId, { role: 'viewer' }),
      (tx, { agentId }) => removeAgent(tx, asCommandLine(), agentId),
      (tx, { sessionId }) => deleteSession(tx, sessionId),
      (tx) => updateDeskSettings(tx, { requireSecondFactor: 'everyone' }),
    ] as ((tx: Tx, who: { agentId: number; sessionId: number }) => unknown)[]) {
      const person = await app.person('member');
      const ended = await streamOf(person);
      await app.desk.write((tx) => {
        end(tx, person);
        return null;
      });
      await ended();
    }
  });

  test('continues when other agents change, and an agent can have thirty', async () => {
    const person = await app.person('member');
    const controllers = Array.from({ length: 30 }, () => new AbortController());
    const open = (signal?: AbortSignal) =>
      app.fetch(
        new Request(`${baseUrl}/api/v1/events`, {
          headers: { ...person.headers, Accept: 'text/event-stream' },
          signal: signal ?? null,
        }),
      );
    for (const { signal } of controllers) expect((await open(signal)).status).toBe(200);
    expect((await open()).status).toBe(429);
    for (const controller of controllers) controller.abort();
    expect((await open()).status).toBe(200);
  });
});

test('a waiting request without events is answered when its time is over, a shorter one first', async () => {
  const ended: number[] = [];
  const waits = [2, 1, 0].map(async (seconds) => {
    const answer = await read(`after=2&wait=${seconds}`);
    expect([answer.status, answer.json.data]).toEqual([200, []]);
    ended.push(seconds);
  });
  await Promise.all(waits);
  expect(ended).toEqual([0, 1, 2]);
});

test.each(['after=-1', 'after=x', 'wait=x', 'limit=0', 'nope=1'])('%s is refused', async (query) => {
  expect((await read(query)).status).toBe(400);
});

/** The stream's text, piece by piece. */
async function openStream(secret: string, headers: Record<string, string> = {}) {
  const gone = new AbortController();
  const response = await app.fetch(
    new Request('http://desk.example/api/v1/events', {
      headers: { Authorization: `Bearer ${secret}`, Accept: 'text/event-stream', ...headers },
      signal: gone.signal,
    }),
  );
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const { next } = textReader(reader);
  expect(await next()).toBe(': events follow\n\n');
  return { reader, next, close: () => gone.abort() };
}

test('a stream misses nothing and repeats nothing while many write', async () => {
  const { secret } = await app.token(['read']);
  const stream = await openStream(secret);
  const writing = Promise.all(
    Array.from({ length: 60 }, async (_, at) => {
      await sleep(at % 7);
      await app.open();
    }),
  );
  const seen: number[] = [];
  while (seen.length < 62) for (const [, id] of (await stream.next()).matchAll(/^id: (\d+)$/gm)) seen.push(Number(id));
  await writing;
  expect(seen).toEqual(Array.from({ length: 62 }, (_, at) => at + 1));
  stream.close();
});

test('a stream sends a token with a site only the events of that site', async () => {
  const { secret } = await app.token(['read'], app.other.site.id);
  const stream = await openStream(secret);
  expect(await stream.next()).toMatch(/^id: \d+\nevent: site\.created\n/);
  const coming = stream.next();
  await app.open();
  await app.asTeam('PATCH', `/api/v1/sites/${app.other.site.slug}`, { description: 'Ours' });
  const text = await coming;
  expect(text).toMatch(/^id: \d+\nevent: site\.updated\n/);
  expect(text).not.toContain('ticket.created');
  stream.close();
});

test.each(['revoked', 'expired'])('a stream ends when its token is %s', async (how) => {
  const { id, secret } = await app.token(['read'], null, how === 'expired' ? app.clock.now() + 60_000 : null);
  const stream = await openStream(secret);
  await stream.next();
  const coming = stream.reader.read();
  if (how === 'expired') app.clock.advance(60_000);
  else app.desk.store.writing.client.run('DELETE FROM team_tokens WHERE id = ?', [id]);
  await app.open();
  expect(await coming).toEqual({ done: true, value: undefined } as never);
});

test('a token has a limited number of streams, and can open another when one ends', async () => {
  const { secret } = await app.token(['read']);
  const headers = { Authorization: `Bearer ${secret}`, Accept: 'text/event-stream' };
  const streams = await Promise.all(Array.from({ length: 100 }, () => openStream(secret)));
  const refused = await app.ask('GET', '/api/v1/events', { headers });
  expect([refused.status, refused.json.code, refused.headers.get('retry-after')]).toEqual([
    429,
    'too_many_streams',
    '30',
  ]);
  expect((await read('after=0')).status).toBe(200);
  streams[0]?.close();
  await streams[1]?.reader.cancel();
  streams.push(await openStream(secret), await openStream(secret));
  expect((await app.ask('GET', '/api/v1/events', { headers })).status).toBe(429);
  const { secret: another } = await app.token(['read']);
  for (let at = 0; at < 101; at += 1)
    expect(
      (await app.ask('HEAD', '/api/v1/events', { headers: { ...headers, Authorization: `Bearer ${another}` } })).status,
    ).toBe(200);
  streams.push(await openStream(another));
  for (const stream of streams) stream.close();
});

test('a stream resumes after Last-Event-ID', async () => {
  await app.open();
  const { secret } = await app.token(['read']);
  const gone = new AbortController();
  const response = await app.fetch(
    new Request('http://desk.example/api/v1/events', {
      headers: { Authorization: `Bearer ${secret}`, Accept: 'text/event-stream', 'Last-Event-ID': '2' },
      signal: gone.signal,
    }),
  );
  expect(response.headers.get('content-type')).toStartWith('text/event-stream');
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const { next } = textReader(reader);
  expect(await next()).toBe(': events follow\n\n');
  expect(await next()).toStartWith('id: 3\nevent: ticket.created\ndata: {"seq":3,');
  const coming = next();
  await app.open();
  expect(await coming).toStartWith('id: 4\nevent: ticket.created\n');
  gone.abort();
  await reader.cancel();
});
