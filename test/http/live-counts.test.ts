// Counting views for open consoles: once per agent, not too often, and only in a small share of the time.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentActor } from '../../src/domain/actor.ts';
import { abilitiesOf } from '../../src/domain/roles.ts';
import { createLiveFeed } from '../../src/http/event-streams/live-feed.ts';
import { createLiveCounts } from '../../src/http/live/live-counts.ts';
import { type TestApp, testApp } from '../support/app.ts';

let app: TestApp;
let isStopping = false;
beforeEach(async () => {
  app = await testApp();
  isStopping = false;
});
afterEach(async () => {
  isStopping = true;
  await app.close();
});

const actor = (agentId: number): AgentActor => ({
  kind: 'agent',
  agentId,
  name: 'Kim',
  role: 'owner',
  abilities: abilitiesOf('owner'),
  scope: 'all',
  sessionId: agentId,
});

function counting(limits: { everyMs: number; idleMs: number; rest: number }) {
  const told: { agentId: number; open: number; at: number }[] = [];
  let reads = 0;
  const desk = {
    ...app.desk,
    read: ((reading) => {
      reads += 1;
      return app.desk.read(reading);
    }) as typeof app.desk.read,
  };
  const counts = createLiveCounts({
    desk,
    feed: createLiveFeed(app.desk),
    isStopping: () => isStopping,
    limits,
    tell(agentId, bytes) {
      const { open } = JSON.parse(/^data: (.*)$/m.exec(new TextDecoder().decode(bytes))?.[1] ?? '');
      told.push({ agentId, open: open.count, at: performance.now() });
    },
  });
  return { ...counts, told, reads: () => reads };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(2);
}

test('an agent with many streams is counted once, and told only what has changed', async () => {
  const { follow, told, reads, last } = counting({ everyMs: 20, idleMs: 60_000, rest: 0 });
  for (let at = 0; at < 5; at += 1) follow(actor(1));
  await until(() => told.length === 1);
  // One count can take several steps on a slow machine.
  const steps = reads();
  expect(new TextDecoder().decode(last(1) ?? new Uint8Array())).toStartWith('event: counts\n');
  await app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { description: 'Changes no count' });
  await until(() => reads() > steps);
  await app.open();
  await until(() => told.length === 2);
  expect(told.map(({ open }) => open)).toEqual([0, 1]);
});

test('while nothing is written, counts are taken again only after the longest time', async () => {
  const { follow, told, reads } = counting({ everyMs: 10, idleMs: 400, rest: 0 });
  follow(actor(1));
  await until(() => told.length === 1);
  const steps = reads();
  const since = performance.now();
  await until(() => reads() > steps);
  expect(performance.now() - since).toBeGreaterThan(250);
});

test('between two counts of an agent there is a pause, and after each one other work has its time', async () => {
  const { follow, told } = counting({ everyMs: 100, idleMs: 60_000, rest: 25 });
  for (let id = 1; id <= 8; id += 1) follow(actor(id));
  const writing = setInterval(() => void app.open(), 15);
  await until(() => told.filter(({ agentId }) => agentId === 1).length >= 4);
  clearInterval(writing);
  const times = told.filter(({ agentId }) => agentId === 1).map(({ at }) => at);
  for (const [at, time] of times.entries()) if (at > 0) expect(time - (times[at - 1] ?? 0)).toBeGreaterThan(95);
  expect(new Set(told.map(({ agentId }) => agentId)).size).toBe(8);
});

test('an agent whose last stream has ended is counted no longer', async () => {
  const { follow, leave, told, last } = counting({ everyMs: 10, idleMs: 60_000, rest: 0 });
  follow(actor(1));
  follow(actor(1));
  await until(() => told.length === 1);
  leave(1);
  await app.open();
  await until(() => told.length === 2);
  leave(1);
  expect(last(1)).toBeNull();
  await app.open();
  await sleep(60);
  expect(told).toHaveLength(2);
  follow(actor(1));
  await until(() => told.length === 3);
  expect(told.at(-1)?.open).toBe(2);
});
