// Event streams: every event once and in order to each reader, read once for all, and no one waits for a slow reader.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import type { Scope } from '../../../src/domain/actor.ts';
import { createEventStreams } from '../../../src/http/streams/event-streams.ts';
import { createLiveFeed } from '../../../src/http/streams/live-feed.ts';
import { type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
let isStopping = false;
let reads = 0;
beforeEach(async () => {
  app = await testApp();
  isStopping = false;
  reads = 0;
});
afterEach(() => app.close());

function streamsOf(limits?: { keepAliveMs: number; stuckMs: number }) {
  const feed = createLiveFeed(app.desk);
  const desk = {
    ...app.desk,
    read: ((reading) => {
      reads += 1;
      return app.desk.read(reading);
    }) as typeof app.desk.read,
  };
  return { feed, streams: createEventStreams(desk, feed, () => isStopping, limits) };
}

async function change(description: string, site = app.site): Promise<void> {
  await app.desk.write((tx) => {
    changeSite(tx, app.desk.context({ kind: 'command_line' }, 'test'), site.slug, { description }, null);
    return null;
  });
}

const follower = (after: number, scope: Scope = 'all') => ({
  scope,
  after,
  owner: 'someone',
  isWelcome: () => true,
  onEnd: () => undefined,
});

/** Reads until this many events have come; returns their numbers. */
async function take(
  reader: { read(): Promise<{ value?: Uint8Array | undefined; done: boolean }> },
  count: number,
): Promise<number[]> {
  const seqs: number[] = [];
  while (seqs.length < count) {
    const { value, done } = await reader.read();
    if (done) break;
    for (const match of new TextDecoder().decode(value).matchAll(/^id: (\d+)$/gm)) seqs.push(Number(match[1]));
  }
  return seqs;
}

test('an event is read once for all streams, and sent once to each', async () => {
  const { streams } = streamsOf();
  const newest = (await app.asTeam('GET', '/api/v1/events')).json.meta.newest_seq as number;
  const scopes: Scope[] = ['all', [app.other.site.id], [app.other.site.id, app.site.id], []];
  const readers = Array.from({ length: 60 }, (_, at) =>
    streams.follow(follower(newest, scopes[at % scopes.length])).body.getReader(),
  );
  // Each has received what there was, and waits.
  await Promise.all(readers.map((reader) => reader.read()));
  let before = -1;
  while (before !== reads) {
    before = reads;
    await sleep(50);
  }
  await change('here');
  await change('there', app.other.site);
  const both = [newest + 1, newest + 2];
  const expected = [both, [newest + 2], both, []];
  const got = await Promise.all(readers.map((reader, at) => take(reader, expected[at % 4]?.length ?? 0)));
  for (const [at, seqs] of got.entries()) expect(seqs).toEqual(expected[at % 4] ?? []);
  expect(reads - before).toBeLessThan(10);
  await Promise.all(readers.map((reader) => reader.cancel()));
});

test('a slow reader delays no one, uses little memory, and misses nothing', async () => {
  const { streams } = streamsOf();
  const newest = (await app.asTeam('GET', '/api/v1/events')).json.meta.newest_seq as number;
  const slow = streams.follow(follower(newest)).body.getReader();
  const quick = streams.follow(follower(newest)).body.getReader();
  await quick.read();
  const seen: number[] = [];
  for (let at = 0; at < 40; at += 1) {
    await change(`change ${at}`);
    seen.push(...(await take(quick, 1)));
  }
  const all = Array.from({ length: 40 }, (_, at) => newest + 1 + at);
  expect(seen).toEqual(all);
  expect(await take(slow, 40)).toEqual(all);
  await change('one more');
  expect(await take(slow, 1)).toEqual([newest + 41]);
  await Promise.all([slow.cancel(), quick.cancel()]);
});

test('a reader that starts far back gets every old event page by page, then the new ones', async () => {
  for (let at = 0; at < 250; at += 1) await change(`change ${at}`);
  const { streams } = streamsOf();
  const newest = (await app.asTeam('GET', '/api/v1/events')).json.meta.newest_seq as number;
  const reader = streams.follow(follower(0)).body.getReader();
  expect(await take(reader, newest)).toEqual(Array.from({ length: newest }, (_, at) => at + 1));
  await change('and on');
  expect(await take(reader, 1)).toEqual([newest + 1]);
  await reader.cancel();
});

test('a stream ends when the client loses access, reads nothing, or the desk stops', async () => {
  const { feed, streams } = streamsOf({ keepAliveMs: 10, stuckMs: 0 });
  let may = true;
  let ended = 0;
  const onEnd = () => {
    ended += 1;
  };
  const refused = streams.follow({ ...follower(0), owner: 'refused', isWelcome: () => may, onEnd }).body.getReader();
  const stuck = streams.follow({ ...follower(0), owner: 'stuck', onEnd });
  for (let at = 0; at < 20; at += 1) await change(`change ${at}`);
  may = false;
  while (!(await refused.read()).done);
  // No one reads it, so that it fills up and is closed.
  while (ended < 2) {
    await change(`more ${reads}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await stuck.body.cancel();
  const last = streams.follow({ ...follower(0), onEnd }).body.getReader();
  isStopping = true;
  feed.close();
  while (!(await last.read()).done);
  expect(ended).toBe(3);
});
