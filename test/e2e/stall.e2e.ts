// The guard: whatever a stranger, an application or an agent sends, health checks are answered soon.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { kinds } from '../support/stall/kinds.ts';
import type { Target } from '../support/stall/target.ts';
import { type Watch, watchDesk } from '../support/stall/watch.ts';
import { helpdesk, newDirectory, type Served, serve } from './executable.ts';

const mostMs = 250;
// If even a bare server waits this long, the machine is too busy for a judgement.
const starvedMs = 1_000;
const tries = 3;

const { path, remove } = newDirectory();
const noLimits = Object.fromEntries(
  ['INGEST_CALLER', 'INGEST_SITE', 'OTHER', 'INBOUND', 'AUTH_FAILURES'].map((name) => [`HELPDESK_RATE_${name}`, '0']),
);
let running: Served;
let watch: Watch;
let target: Target;

beforeAll(async () => {
  running = await serve(path, { ...noLimits, HELPDESK_LOG_LEVEL: 'warn' });
  const site = await helpdesk(path, ['site', 'create', '--name', 'Web shop', '--json']);
  const token = await helpdesk(path, [
    'token',
    'issue',
    '--name',
    'test',
    '--abilities',
    'read,write,manage',
    '--json',
  ]);
  const { site_token: siteToken, data } = site.json();
  target = {
    url: running.url,
    pid: running.pid,
    slug: data.slug,
    siteToken,
    teamToken: token.json().token,
    inboundSecret: /inbound\/([^/"]+)/.exec(data.inbound_webhook_url)?.[1] ?? '',
    command: (args, input) => helpdesk(path, args, input),
  };
  watch = await watchDesk(running.url, running.pid);
});
afterAll(async () => {
  await watch.stop();
  running.signal('SIGTERM');
  await running.exited;
  remove();
});

test.each(kinds.map(({ name }) => name))('%s hold no one up', async (name) => {
  const kind = kinds.find((one) => one.name === name);
  for (let left = tries; ; left -= 1) {
    let tally = {};
    const stall = await watch.during(name, async () => {
      tally = (await kind?.work(target)) ?? {};
    });
    expect(stall.probes, 'the prober must have had its turn').toBeGreaterThan(3);
    if (stall.bareMs > starvedMs && left > 1) continue;
    expect(stall.bareMs, 'this machine is too busy to judge a desk on').toBeLessThan(starvedMs);
    expect(stall.worstMs, JSON.stringify({ ...stall, tally })).toBeLessThan(mostMs);
    return;
  }
});

test('the log warns of no timer, and of no request that crashed', () => {
  expect(running.errors()).not.toContain('TimeoutNegativeWarning');
  expect(running.errors()).not.toContain('request crashed');
});
