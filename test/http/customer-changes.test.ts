// Streams that tell a customer's page of changes: what they say, when they end, and how many there may be.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { newestVisit } from '../../src/desk/customer/visits.ts';
import { visitSecretsIn } from '../../src/http/credentials/customer-cookie.ts';
import { createLiveFeed, type LiveFeed } from '../../src/http/event-streams/live-feed.ts';
import { createCustomerStreams } from '../../src/http/live/customer-streams.ts';
import { baseUrl, type TestApp, testApp } from '../support/app.ts';
import { customerBrowser } from '../support/customer-browser.ts';

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

test('many browsers with one link leave streams to other tickets', async () => {
  const limits = { ofVisit: 2, ofTicket: 3, inAll: 50, atOnce: 1, everyMs: 5, idleMs: 50 };
  const own = createCustomerStreams(app.desk, feed, () => isStopping, limits);
  const call = { edge: app.edge, ctx: app.desk.context({ kind: 'desk' }, 'test'), request: new Request(path) };
  const { ulid, accessToken, browser } = await opened();
  const friend = customerBrowser(app);
  await friend.open(ulid, accessToken);
  const [mine, theirs] = [browser, friend].map((one) => {
    const pairs = visitSecretsIn(baseUrl, one.headers().Cookie);
    return app.desk.read((tx) => newestVisit(tx, app.desk.seal, pairs, app.clock.now()));
  });
  if (!mine || !theirs) throw new Error('no visits');
  const streams = [mine, mine, theirs].map((visit) => own.open(call as never, visit).body?.getReader());
  expect(() => own.open(call as never, theirs)).toThrow('Too many pages');
  streams.push(own.open(call as never, await visitNow()).body?.getReader());
  for (const stream of streams) {
    expect(new TextDecoder().decode((await stream?.read())?.value)).toStartWith('event: changed');
    await stream?.cancel();
  }
});

test('the desk has a limit for all, and ends them when it stops', async () => {
  const limits = { ofVisit: 3, ofTicket: 3, inAll: 2, atOnce: 1, everyMs: 5, idleMs: 50 };
  const own = createCustomerStreams(app.desk, feed, () => isStopping, limits);
  const call = { edge: app.edge, ctx: app.desk.context({ kind: 'desk' }, 'test'), request: new Request(path) };
  const visits = [];
  for (let at = 0; at < 3; at += 1) visits.push(await visitNow());
  const [one, two, three] = visits;
  if (!one || !two || !three) throw new Error('no visits');
  const responses = [one, two].map((visit) => own.open(call as never, visit));
  expect(() => own.open(call as never, three)).toThrow('Too many pages');
  isStopping = true;
  feed.close();
  const [first, second] = await Promise.all(responses.map((response) => response.text()));
  expect([first, second]).toEqual([expect.stringMatching(/^event: changed\n/), '']);
  isStopping = false;
});
