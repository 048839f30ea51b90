// A replica is ready only with room on its disk and a clock that agrees with the primary's.

import { afterEach, expect, test } from 'bun:test';
import { silentLog } from '../../src/base/log.ts';
import type { Cluster } from '../../src/cluster/membership.ts';
import { createHealth } from '../../src/server/health.ts';
import { type Machine, startMachine } from '../support/machines.ts';

const machines: Machine[] = [];
afterEach(async () => {
  for (const machine of machines.splice(0).reverse()) await machine.stop();
});

test('a full disk, and a clock that is minutes off, are told as the reason', async () => {
  const primary = await startMachine(null);
  machines.push(primary);
  const { data } = primary.running;
  const found = { hasRoom: true, gapMs: null as number | null };
  const cluster = {
    node: { role: () => 'replica', primaryHost: () => 'one', replicationLagMs: () => 0 },
    room: { isEnough: () => found.hasRoom },
    primaryWatch: { clockGapMs: () => found.gapMs },
  } as unknown as Cluster;
  const health = createHealth({
    desk: data.desk,
    path: data.path,
    cluster,
    keeper: { newestAt: () => null } as never,
    maxLagMs: 30_000,
    state: { isReady: true, isStopping: false, isReadable: true },
    log: silentLog,
  });
  const readyz = () => {
    const { status, body } = health('/readyz', 'GET', 'r', false);
    return [status, JSON.parse(String(body)).message];
  };
  expect(readyz()).toEqual([200, undefined]);
  found.gapMs = -300_000;
  expect(readyz()).toEqual([
    503,
    'The clocks of this machine and of the primary differ by 300 s, so the primary refuses what is forwarded.',
  ]);
  found.hasRoom = false;
  expect(readyz()).toEqual([503, 'The disk of this machine is full.']);
});
