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

async function startReplica() {
  const primary = await startMachine(null);
  machines.push(primary);
  const { data } = primary.running;
  const found = { hasRoom: true, gapMs: null as number | null, isMissing: false, isCutOff: false, lagMs: 0 };
  const cluster = {
    node: {
      role: () => 'replica',
      isPrimary: () => false,
      primaryHost: () => (found.isMissing ? null : 'one'),
      replicationLagMs: () => found.lagMs,
    },
    room: { isEnough: () => found.hasRoom },
    primaryWatch: { clockGapMs: () => found.gapMs, isMissing: () => found.isMissing },
    contact: { isCutOff: () => found.isCutOff },
  } as unknown as Cluster;
  const health = createHealth({
    desk: data.desk,
    path: data.path,
    cluster,
    snapshots: { newestAt: () => null } as never,
    maxLagMs: 30_000,
    state: { isReady: true, isStopping: false, isReadable: true },
    log: silentLog,
  });
  const told = (path: string) => {
    const { status, body } = health(path, 'GET', 'r', false);
    return { answer: status, ...JSON.parse(String(body)) };
  };
  const readyz = () => {
    const { answer, message } = told('/readyz');
    return [answer, message];
  };
  return { found, told, readyz };
}

test('a full disk, and a clock that is minutes off, are told as the reason', async () => {
  const { found, readyz } = await startReplica();
  expect(readyz()).toEqual([200, undefined]);
  found.gapMs = -300_000;
  expect(readyz()).toEqual([
    503,
    'The clocks of this machine and of the primary differ by 300 s, so the primary refuses what is forwarded.',
  ]);
  found.hasRoom = false;
  expect(readyz()).toEqual([503, 'The disk of this machine is full.']);
});

test('a replica that misses its primary reads on and takes no writes, until its data is too old', async () => {
  const { found, told, readyz } = await startReplica();
  expect(told('/readyz')).toMatchObject({ role: 'replica', writes: true });
  expect(told('/readyz/writes')).toMatchObject({ answer: 200, writes: true });
  found.isMissing = true;
  expect(told('/readyz')).toMatchObject({ answer: 200, writes: false });
  expect(told('/readyz/writes')).toMatchObject({
    answer: 503,
    message: 'There is no primary at the moment, so nothing was stored.',
  });
  found.lagMs = 31_000;
  expect(readyz()).toEqual([503, 'The data of this machine is 31 s old, because it hears nothing from the primary.']);
});

test('a machine that hears neither a primary nor Consul is not ready: the others may have newer data', async () => {
  const { found, readyz } = await startReplica();
  found.isCutOff = true;
  expect(readyz()).toEqual([200, undefined]);
  found.isMissing = true;
  expect(readyz()).toEqual([
    503,
    'This machine hears neither a primary nor Consul, so the others may have newer data.',
  ]);
});
