// A flood of events: consoles are told that some were left out, readers of events get every one.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createEventStreams } from '../../../src/http/streams/event-streams.ts';
import { createFlood } from '../../../src/http/streams/flood.ts';
import { createLiveFeed } from '../../../src/http/streams/live-feed.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { textReader } from '../../support/text-reader.ts';

describe('a flood', () => {
  const flood = () => createFlood({ bytesPerSecond: 100_000, mostBytes: 200_000 });

  test('is more than what a quiet time has saved up', () => {
    const { isOn } = flood();
    expect(isOn(100, 4, 0)).toBe(false);
    expect(isOn(1, 1, 1)).toBe(true);
  });

  test('is not what comes evenly and fits', () => {
    const { isOn } = flood();
    for (let second = 0; second < 100; second += 1) expect(isOn(20, 10, second * 1000)).toBe(false);
  });

  test('goes on until what comes fits into its time, and not until something is saved up', () => {
    const { isOn } = flood();
    expect(isOn(10_000, 10, 0)).toBe(true);
    for (let at = 1; at < 20; at += 1) expect(isOn(100, 10, at * 1000)).toBe(true);
    expect(isOn(20, 10, 20_000)).toBe(false);
    expect(isOn(30, 10, 21_000)).toBe(false);
  });

  test('without readers is none', () => {
    expect(flood().isOn(1_000_000, 0, 0)).toBe(false);
  });
});

describe('streams in a flood', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await testApp();
  });
  afterEach(() => app.close());

  test('leave events out for consoles and say so, and leave none out for others', async () => {
    let isFlood = false;
    const flood = { isOn: () => isFlood };
    const streams = createEventStreams(app.desk, createLiveFeed(app.desk), () => false, undefined, flood);
    const newest = (await app.asTeam('GET', '/api/v1/events')).json.meta.newest_seq as number;
    const follower = { scope: 'all' as const, after: newest, isWelcome: () => true, onEnd: () => undefined };
    const leftOut = () => new TextEncoder().encode('event: behind\ndata: {}\n\n');
    const open = (owner: string, more: object = {}) => {
      const stream = textReader(streams.follow({ ...follower, owner, ...more }).body.getReader());
      return async (part: string) =>
        [...(await stream.until(part)).matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq));
    };
    const consoleSees = open('console', { leftOut });
    const readerSees = open('reader');
    await Promise.all([consoleSees(': events follow'), readerSees(': events follow')]);
    await app.open();
    expect(await consoleSees(`id: ${newest + 1}\n`)).toEqual([newest + 1]);
    isFlood = true;
    await Promise.all(Array.from({ length: 50 }, () => app.open()));
    expect(await readerSees(`id: ${newest + 51}\n`)).toEqual(Array.from({ length: 51 }, (_, at) => newest + 1 + at));
    isFlood = false;
    await app.open();
    expect(await consoleSees('event: behind')).toEqual([newest + 1]);
    expect(await consoleSees(`id: ${newest + 52}\n`)).toEqual([newest + 1, newest + 52]);
  });
});
