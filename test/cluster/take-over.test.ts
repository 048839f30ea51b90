// A replica with room takes over from a primary whose disk is full.

import { afterEach, expect, test } from 'bun:test';
import { silentLog } from '../../src/base/log.ts';
import { primaryBytes } from '../../src/cluster/room.ts';
import { createRelief } from '../../src/cluster/take-over.ts';
import { createSite } from '../../src/desk/sites/sites.ts';
import { fakeConsul } from '../support/consul.ts';
import { until } from '../support/litefs.ts';
import { handOver, type Machine, startMachine } from '../support/machines.ts';

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

async function start(primary: Machine | null, freeBytes: () => number, more: Record<string, string>) {
  const machine = await startMachine(primary, { HELPDESK_MAX_SILENCE: '2s', ...more }, freeBytes);
  ending.push(machine.stop);
  return machine;
}

test('the disk of the primary fills, and the replica with room is the primary', async () => {
  const consul = await fakeConsul();
  ending.push(consul.close);
  const more = { HELPDESK_CONSUL_URL: consul.url };
  let left = primaryBytes;
  const primary = await start(null, () => left, more);
  const full = await start(primary, () => primaryBytes - 1, more);
  const roomy = await start(primary, () => primaryBytes, more);
  const promoted: Machine[] = [];
  for (const one of [full, roomy])
    one.litefs.onPromote = () => {
      promoted.push(one);
      handOver(primary, one);
    };
  const asked = primary.litefs.asked();
  await until(() => primary.litefs.asked() > asked + 10, 'some time passes');
  expect(promoted).toEqual([]);
  left -= 1;
  const roleOf = async (one: Machine) => (await one.ask('GET', '/readyz')).json.role;
  await until(async () => (await roleOf(roomy)) === 'primary', 'it takes over');
  expect(promoted).toEqual([roomy]);
  // The full machine is a replica, and stays one.
  await until(async () => (await roleOf(primary)) === 'replica', 'it has handed over');
});

test('a primary without room refuses writes, for LiteFS would end, and reads on', async () => {
  let left = primaryBytes;
  const primary = await start(null, () => left, {});
  const { desk } = primary.running.data;
  const write = (name: string) =>
    desk.write((tx) => createSite(tx, desk.context({ kind: 'command_line' }, 'test'), { name }));
  await write('Before');
  const readyz = async () => (await primary.ask('GET', '/readyz')).json;
  left = 1024;
  await until(async () => (await readyz()).message === 'The disk of this machine is full.', 'it is not ready');
  await expect(write('Full')).rejects.toThrow('The disk of the primary is full; nothing was stored.');
  expect((await primary.ask('GET', '/sign-in')).status).toBe(200);
  left = primaryBytes;
  await until(async () => (await readyz()).status === 'ready', 'it is ready again');
  expect((await write('After')).site.name).toBe('After');
});

test('a machine whose last write was refused for its disk is ready as a replica', async () => {
  let left = primaryBytes;
  const primary = await start(null, () => left, {});
  const second = await start(primary, () => primaryBytes, {});
  const { desk } = primary.running.data;
  left = 1024;
  await until(
    () =>
      desk
        .write(() => null)
        .then(
          () => false,
          () => true,
        ),
    'a write is refused',
  );
  expect(desk.trouble()).not.toBeNull();
  handOver(primary, second);
  left = primaryBytes;
  await until(async () => (await primary.ask('GET', '/readyz')).json.role === 'replica', 'it is ready');
});

test('only a fit machine with room that hears Consul takes over, and tries once in five minutes', async () => {
  const found = { isFit: true, hasRoom: true, hearsConsul: true };
  const asked: string[] = [];
  const relief = createRelief({
    peers: {
      ask: async (host, method, target) => {
        asked.push(`${method} ${host}${target}`);
        return new Response(null, { status: 503 });
      },
    },
    contact: { hearsConsul: () => found.hearsConsul },
    litefsUrl: 'http://127.0.0.1:1',
    room: { isEnoughForPrimary: () => found.hasRoom },
    log: silentLog,
  });
  await relief.relieve('one');
  relief.allow(() => found.isFit);
  for (const name of ['isFit', 'hasRoom', 'hearsConsul'] as const) {
    found[name] = false;
    await relief.relieve('one');
    found[name] = true;
  }
  expect(asked).toEqual([]);
  await relief.relieve('one');
  await relief.relieve('one');
  expect(asked).toEqual(['POST one/internal/handover']);
});
