// Streams that tell a customer's page of changes: what they say, when they end, and how many there may be.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { newestVisit } from '../../../src/desk/customers/visits.ts';
import { visitSecretsIn } from '../../../src/http/credentials/customer-cookie.ts';
import { createCustomerStreams } from '../../../src/http/streams/customer-streams.ts';
import { createEventStreams } from '../../../src/http/streams/event-streams.ts';
import { createLiveFeed, type LiveFeed } from '../../../src/http/streams/live-feed.ts';
import { baseUrl, type TestApp, testApp } from '../../support/app.ts';
import { customerBrowser } from '../../support/customer-browser.ts';

let app: TestApp;
let feed: LiveFeed;
let isStopping = false;
beforeAll(async () => {
  app = await testApp();
  feed = createLiveFeed(app.desk);
});
afterAll(async () => {
  isStopping = true;
  feed.close();
  await app.close();
});

async function opened() {
  const { ulid, accessToken } = await app.open();
  const browser = customerBrowser(app);
  await browser.open(ulid, accessToken);
  return { ulid, accessToken, browser };
}

async function visitNow() {
  const { browser } = await opened();
  const pairs = visitSecretsIn(baseUrl, browser.headers().Cookie);
  const visit = app.desk.read((tx) => newestVisit(tx, app.desk.seal, pairs, app.clock.now()));
  if (!visit) throw new Error('no visit');
  return visit;
}

const path = `${baseUrl}/api/v1/customer/ticket/changes`;

async function follow(headers: Record<string, string>) {
  const gone = new AbortController();
  const response = await app.fetch(
    new Request(path, { headers: { ...headers, Accept: 'text/event-stream' }, signal: gone.signal }),
  );
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  return {
    response,
    leave: () => gone.abort(),
    /** The version of the next event; null at the end. */
    async next(): Promise<number | null> {
      for (;;) {
        const part = await reader?.read();
        if (part === undefined || part.done) return null;
        const found = /^event: changed\ndata: \{"version":(\d+)\}/m.exec(decoder.decode(part.value));
        if (found) return Number(found[1]);
      }
    },
  };
}

test('a stream begins with the version of the ticket, and tells of what the customer can see', async () => {
  const { ulid, browser } = await opened();
  const version = async () => (await browser.ask('GET', '/ticket')).json.data.version;
  const stream = await follow(browser.headers());
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const first = await version();
  expect(await stream.next()).toBe(first);
  expect((await browser.ask('GET', '/ticket/changes')).json).toEqual({ data: { version: first } });
  for (const change of [
    () => app.asTeam('POST', `/api/v1/tickets/${ulid}/messages`, { body: 'An answer.' }),
    () => app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, { status: 'resolved' }),
    () => app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, { subject: 'Another subject' }),
  ]) {
    const before = await version();
    await change();
    const told = await stream.next();
    expect(told).not.toBe(before);
    expect(told).toBe(await version());
  }
  stream.leave();
});

test('notes, tags and assignees are no change', async () => {
  const { ulid, browser } = await opened();
  const before = (await browser.ask('GET', '/ticket')).json.data.version;
  await app.asTeam('POST', `/api/v1/tickets/${ulid}/notes`, { body: 'Between us.' });
  await app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, { tags: ['secret'], assigned_to: app.agentId });
  expect((await browser.ask('GET', '/ticket')).json.data.version).toBe(before);
});

test('a stream ends with its visit', async () => {
  const { ulid, browser } = await opened();
  const stream = await follow(browser.headers());
  await stream.next();
  await app.asTeam('DELETE', `/api/v1/tickets/${ulid}/links`);
  expect(await stream.next()).toBeNull();
  expect((await follow(browser.headers())).response.status).toBe(401);
});

test('a merge leads the stream to the other ticket', async () => {
  const { ulid, browser } = await opened();
  const target = await app.open();
  const stream = await follow(browser.headers());
  await stream.next();
  await app.asTeam('POST', `/api/v1/tickets/${ulid}/merge`, { into: target.ulid });
  const told = await stream.next();
  expect((await browser.ask('GET', '/ticket')).json.data).toMatchObject({
    ticket: { ulid: target.ulid },
    version: told,
  });
  stream.leave();
});

test('a visit has three streams, and a fourth waits until one has gone', async () => {
  const { browser } = await opened();
  const streams = [];
  for (let at = 0; at < 3; at += 1) streams.push(await follow(browser.headers()));
  const refused = await follow(browser.headers());
  expect(refused.response.status).toBe(503);
  expect(refused.response.headers.get('retry-after')).toBe('15');
  streams[0]?.leave();
  const another = await follow(browser.headers());
  expect(another.response.status).toBe(200);
  for (const stream of [...streams, another]) stream.leave();
});

const engine = () => createEventStreams(app.desk, feed, () => isStopping, { newsMs: 5 });

/** Up to the first event. */
async function heard(reader: { read(): Promise<{ value?: Uint8Array | undefined; done: boolean }> }): Promise<string> {
  for (let text = ''; ; ) {
    const { value, done } = await reader.read();
    text += new TextDecoder().decode(value);
    if (done || text.includes('data: ')) return text;
  }
}

test('many browsers with one link leave streams to other tickets', async () => {
  const own = createCustomerStreams(engine(), { ofVisit: 2, ofTicket: 3, inAll: 50 });
  const call = { edge: app.edge, ctx: app.desk.context({ kind: 'desk' }, 'test'), request: new Request(path) };
  const { ulid, accessToken, browser } = await opened();
  const friend = customerBrowser(app);
  await friend.open(ulid, accessToken);
  const [mine, theirs] = [browser, friend].map((one) => {
    const pairs = visitSecretsIn(baseUrl, one.headers().Cookie);
    return app.desk.read((tx) => newestVisit(tx, app.desk.seal, pairs, app.clock.now()));
  });
  if (!mine || !theirs) throw new Error('no visits');
  const streams = [mine, mine, theirs].map((visit) => own.open(call as never, visit).body!.getReader());
  expect(() => own.open(call as never, theirs)).toThrow('Too many pages');
  streams.push(own.open(call as never, await visitNow()).body!.getReader());
  for (const stream of streams) {
    expect(await heard(stream)).toContain('event: changed\n');
    await stream.cancel();
  }
});

test('the desk has a limit for all, and ends them when it stops', async () => {
  const own = createCustomerStreams(engine(), { ofVisit: 3, ofTicket: 3, inAll: 2 });
  const call = { edge: app.edge, ctx: app.desk.context({ kind: 'desk' }, 'test'), request: new Request(path) };
  const visits = [];
  for (let at = 0; at < 3; at += 1) visits.push(await visitNow());
  const [one, two, three] = visits;
  if (!one || !two || !three) throw new Error('no visits');
  const readers = [one, two].map((visit) => own.open(call as never, visit).body!.getReader());
  expect(() => own.open(call as never, three)).toThrow('Too many pages');
  for (const reader of readers) expect(await heard(reader)).toContain('event: changed\n');
  isStopping = true;
  feed.close();
  expect(await Promise.all(readers.map(heard))).toEqual(['', '']);
  isStopping = false;
});

test('changes in quick succession are told at most twice a second, and the last of them is told', async () => {
  const { ulid, browser } = await opened();
  const stream = await follow(browser.headers());
  await stream.next();
  for (let at = 0; at < 5; at += 1) await app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, { subject: `Subject ${at}` });
  const now = (await browser.ask('GET', '/ticket')).json.data.version;
  const told: (number | null)[] = [];
  while (told.at(-1) !== now) told.push(await stream.next());
  expect(told.length).toBeLessThanOrEqual(2);
  stream.leave();
});
