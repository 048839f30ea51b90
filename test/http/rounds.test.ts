// Requests that arrive together share the event loop with what comes behind them.

import { expect, test } from 'bun:test';
import { createRounds } from '../../src/http/rounds.ts';

/** Work that takes time of a clock of its own. */
function bench(roundMs: number) {
  let now = 0;
  const log: string[] = [];
  const rounds = createRounds({ roundMs }, () => now);
  const ask = (name: string, ms: number) =>
    rounds.run(() => {
      now += ms;
      log.push(name);
      return name;
    });
  return { ask, log };
}

test('as many as fit into a round are served at once, the others in order, with other work in between', async () => {
  const { ask, log } = bench(10);
  const asked = ['a', 'b', 'c', 'd', 'e'].map((name) => ask(name, 6));
  expect(log).toEqual(['a', 'b']);
  setImmediate(() => log.push('health'));
  expect(await Promise.all(asked)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(log).toEqual(['a', 'b', 'c', 'd', 'health', 'e']);
});

test('who comes later is served after those who wait', async () => {
  const { ask, log } = bench(10);
  const asked = [ask('long', 30), ask('waits', 1)];
  await asked[0];
  asked.push(ask('new', 1));
  await Promise.all(asked);
  expect(log).toEqual(['long', 'waits', 'new']);
});

test('a round that is over leaves no wait behind', async () => {
  const { ask, log } = bench(10);
  await ask('long', 30);
  await new Promise((resolve) => setImmediate(resolve));
  void ask('next', 1);
  expect(log).toEqual(['long', 'next']);
});

test('a failure ends only its own work', async () => {
  const rounds = createRounds();
  const failing = rounds.run(() => {
    throw new Error('broken');
  });
  expect(await failing.catch((error) => error)).toEqual(new Error('broken'));
  expect(await rounds.run(() => Promise.resolve(1))).toBe(1);
});
