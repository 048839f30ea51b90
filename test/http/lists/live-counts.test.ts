// Counting views for open consoles: once per agent, not too often, and only in a small share of the time.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentActor } from '../../../src/domain/actor.ts';
import { abilitiesOf } from '../../../src/domain/people/roles.ts';
import { createLiveCounts } from '../../../src/http/streams/live-counts.ts';
import { createLiveFeed } from '../../../src/http/streams/live-feed.ts';
import type { countViews } from '../../../src/http/wire/lists/view-counts.ts';
import { noFilter } from '../../store/lists/many-tickets.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { countTickets } from '../../support/ticket-lists.ts';

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

/** All in one step: the desk itself keeps the counts that take long on a slow machine, and counts them again. */
const allTickets: typeof countViews = async (desk, ctx) => {
  const count = desk.read((tx) => countTickets(tx, noFilter, ctx.now));
  return { counts: { open: { count, is_capped: false } }, again: null };
};

function counting(limits: { everyMs: number; idleMs: number; rest: number }, views = allTickets) {
  let passed: number | null = null;
  const told: { agentId: number; open: number }[] = [];
  const counted: { agentId: number }[] = [];
  const counts = createLiveCounts({
    desk: app.desk,
    feed: createLiveFeed(app.desk),
    isStopping: () => isStopping,
    limits,
    passedMs: () => passed ?? performance.now(),
    views(desk, ctx, site) {
      counted.push({ agentId: (ctx.actor as AgentActor).agentId });
      return views(desk, ctx, site);
    },
    tell(agentId, bytes) {
      const { open } = JSON.parse(/^data: (.*)$/m.exec(new TextDecoder().decode(bytes))?.[1] ?? '');
      told.push({ agentId, open: open.count });
    },
  });
  /** From the first call on, time passes only by it. */
  const pass = (ms: number) => {
    passed = (passed ?? 0) + ms;
  };
  return { ...counts, told, counted, pass };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(2);
}

test('an agent with many streams is counted once, and told only what has changed', async () => {
  const { follow, told, counted, last } = counting({ everyMs: 20, idleMs: 60_000, rest: 0 });
  for (let at = 0; at < 5; at += 1) follow(actor(1));
  await until(() => told.length === 1);
  expect(counted).toHaveLength(1);
  expect(new TextDecoder().decode(last(1) ?? new Uint8Array())).toStartWith('event: counts\n');
  await app.asTeam('PATCH', `/api/v1/sites/${app.site.slug}`, { description: 'Changes no count' });
  await until(() => counted.length > 1);
  await app.open();
  await until(() => told.length === 2);
  expect(told.map(({ open }) => open)).toEqual([0, 1]);
});

test('while nothing is written, counts are taken again only after the longest time', async () => {
  const { follow, counted, pass } = counting({ everyMs: 1, idleMs: 20, rest: 0 });
  pass(0);
  follow(actor(1));
  await until(() => counted.length === 1);
  pass(19);
  // It has looked several times by now.
  await sleep(100);
  expect(counted).toHaveLength(1);
  pass(1);
  await until(() => counted.length === 2);
});

test('what the desk had kept is counted again when it can be, although nothing else changes', async () => {
  let rounds = 0;
  const { follow, told } = counting({ everyMs: 10, idleMs: 60_000, rest: 0 }, async (desk) => {
    rounds += 1;
    return { counts: { open: { count: rounds, is_capped: false } }, again: rounds === 3 ? null : desk.now() };
  });
  follow(actor(1));
  await until(() => told.length === 3);
  expect(told.map(({ open }) => open)).toEqual([1, 2, 3]);
  await sleep(150);
  expect(rounds).toBe(3);
});

test('between two counts of an agent there is a pause', async () => {
  const { follow, told, counted, pass } = counting({ everyMs: 10, idleMs: 25, rest: 25 });
  pass(0);
  for (let id = 1; id <= 8; id += 1) follow(actor(id));
  await until(() => told.length === 8);
  for (const round of [1, 2, 3]) {
    await app.open();
    pass(9);
    // It has looked several times by now.
    await sleep(50);
    expect(counted).toHaveLength(8 * round);
    pass(1);
    await until(() => told.length === 8 * (round + 1));
  }
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
