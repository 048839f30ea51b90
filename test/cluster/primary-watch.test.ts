// A replica ends when its primary is lost and LiteFS has not noticed, and only then.

import { afterEach, describe, expect, test } from 'bun:test';
import { fileURLToPath } from 'node:url';
import { createSeal } from '../../src/base/crypto.ts';
import { silentLog } from '../../src/base/log.ts';
import { createPeers } from '../../src/cluster/peers.ts';
import { createPrimaryWatch } from '../../src/cluster/primary-watch.ts';
import type { Role } from '../../src/cluster/role.ts';
import { fakeLiteFS, replicate, until } from '../support/litefs.ts';
import { clusterKey, startMachine } from '../support/machines.ts';
import { startProgram } from '../support/programs.ts';
import { serve } from '../support/serving.ts';

const maxLagMs = 120;
const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

const yes = () => Response.json({ is_primary: true });
const no = () => Response.json({ is_primary: false });
const unreachable = (): Response => {
  throw new TypeError('connection refused');
};

function watch(random = 0) {
  const state = { role: 'replica' as Role, host: 'one' as string | null, lagMs: (10 * maxLagMs) as number | null };
  const seen = { hearsConsul: true, answer: unreachable as () => Response, asked: 0, lost: 0, lostAfter: 0 };
  const begun = performance.now();
  const made = createPrimaryWatch({
    node: { role: () => state.role, primaryHost: () => state.host, replicationLagMs: () => state.lagMs },
    peers: {
      ask: async () => {
        seen.asked += 1;
        return seen.answer();
      },
    },
    contact: { hearsConsul: () => seen.hearsConsul },
    maxLagMs,
    log: silentLog,
    random: () => random,
  });
  made.start(() => {
    seen.lost += 1;
    seen.lostAfter = performance.now() - begun;
  });
  ending.push(made.stop);
  /** So many more questions, or the time of so many where none is asked. */
  const rounds = async (count: number) => {
    const before = seen.asked;
    const from = performance.now();
    await until(
      () => seen.asked >= before + count || (state.host === null && performance.now() - from > (count * maxLagMs) / 6),
      'it asks',
    );
  };
  return { state, seen, rounds, made };
}

describe('a replica that hears nothing from its primary', () => {
  test.each([
    ['does not answer', unreachable],
    ['answers no', no],
    ['answers something else', () => new Response('[]')],
    ['fails', () => new Response(null, { status: 503 })],
  ])('ends, once, when the primary %s', async (_, answer) => {
    const { seen } = watch();
    seen.answer = answer;
    await until(() => seen.lost > 0, 'it ends');
    expect(seen.asked).toBeGreaterThan(1);
    const { asked } = seen;
    await Bun.sleep(maxLagMs);
    expect([seen.lost, seen.asked]).toEqual([1, asked]);
  });

  test('ends later or sooner than the others, by chance', async () => {
    const patient = watch(0.99);
    await until(() => patient.seen.lost > 0, 'it ends');
    expect(patient.seen.lostAfter).toBeGreaterThan(maxLagMs * 0.8);
  });

  test('asks again before it ends: one sign of the primary, and the wait begins again', async () => {
    const { state, seen, rounds } = watch(0.99);
    for (let turn = 0; turn < 4; turn += 1) {
      seen.answer = unreachable;
      await rounds(2);
      if (turn % 2) state.lagMs = 0;
      else seen.answer = yes;
      await rounds(2);
      state.lagMs = 10 * maxLagMs;
    }
    expect(seen.lost).toBe(0);
  });

  type Change = { state?: object; seen?: object };
  const refuses = () => {
    const date = new Date(Date.now() - 90_000).toUTCString();
    return new Response(null, { status: 503, headers: { date } });
  };
  test.each<[string, Change]>([
    ['answers that it is', { seen: { answer: yes } }],
    ['sends news', { state: { lagMs: maxLagMs } }],
    ['is not known', { state: { host: null } }],
    ['is this machine', { state: { role: 'primary', host: null } }],
    ['may be the only one that Consul hears', { seen: { hearsConsul: false } }],
    ['refuses the question because the clocks differ', { seen: { answer: refuses } }],
  ])('stays when the primary %s', async (_, { state = {}, seen = {} }) => {
    const made = watch();
    Object.assign(made.state, state);
    Object.assign(made.seen, seen);
    await made.rounds(10);
    expect(made.seen.lost).toBe(0);
  });

  test('knows how far the clock of the primary is away, when it is over a minute', async () => {
    const { seen, rounds, made } = watch();
    const at = (ms: number) => {
      seen.answer = () =>
        Response.json({ is_primary: true }, { headers: { date: new Date(Date.now() + ms).toUTCString() } });
    };
    at(30_000);
    await rounds(2);
    expect(made.clockGapMs()).toBeNull();
    for (const ms of [-300_000, 300_000]) {
      at(ms);
      await rounds(2);
      expect(Math.abs((made.clockGapMs() ?? 0) - ms)).toBeLessThan(5_000);
    }
    seen.answer = unreachable;
    await rounds(2);
    expect(made.clockGapMs()).toBeNull();
  });

  test('does not end again soon when a restart has brought no news', async () => {
    const { state, seen, rounds } = watch();
    state.lagMs = null;
    await rounds(20);
    expect(seen.lost).toBe(0);
    await until(() => seen.lost > 0, 'it tries once more');
    expect(seen.lostAfter).toBeGreaterThan(10 * maxLagMs);
  });
});

test('a primary says that it is one only while it is sure, and takes no question for a rival', async () => {
  const primary = await startMachine(null);
  ending.push(primary.stop);
  const peers = createPeers(createSeal(Buffer.from(clusterKey, 'base64')), 'http://127.0.0.1:{hostname}', 'other');
  const ask = async () => (await (await peers.ask(primary.host, 'GET', '/internal/primary')).json()).is_primary;
  expect(await ask()).toBe(true);
  expect((await primary.ask('GET', '/readyz')).json.role).toBe('primary');
  primary.litefs.setPrimary(null);
  await until(async () => !(await ask()), 'LiteFS does not answer');
  primary.litefs.setPrimary(false);
  primary.litefs.namePrimary('other');
  await until(async () => (await primary.ask('GET', '/readyz')).json.role === 'replica', 'a replica');
  expect(await ask()).toBe(false);
});

test('desk and keeper end with a code that has a service manager start both again', async () => {
  const primary = await startMachine(null);
  const consul = await serve(() => Response.json('10.0.0.1:8300'));
  // Like a machine that is stopped: connections are accepted, and nothing is answered.
  const hung = await serve(() => new Promise<Response>(() => undefined));
  const litefs = await fakeLiteFS();
  ending.push(
    primary.stop,
    () => consul.stop(true),
    () => hung.stop(true),
    litefs.close,
  );
  litefs.setPrimary(false);
  litefs.namePrimary(primary.host);
  litefs.setPosition(1);
  litefs.setLag(0);
  replicate(primary.litefs.database, litefs.database);
  const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
  const { config } = primary;
  const program = startProgram([process.execPath, main, 'serve', '--port', '0'], {
    HELPDESK_DATA: `${config.HELPDESK_DATA}-replica`,
    HELPDESK_SECRET_KEY: clusterKey,
    HELPDESK_LITEFS_DIR: litefs.mount,
    HELPDESK_LITEFS_URL: litefs.url,
    HELPDESK_PEER_URL: 'http://127.0.0.1:{hostname}',
    HELPDESK_CONSUL_URL: `http://127.0.0.1:${consul.port}`,
    HELPDESK_MAX_LAG: '1s',
  });
  ending.push(() => program.kill('SIGKILL'));
  await program.begun;
  let isOver = false;
  void program.ended.then(() => {
    isOver = true;
  });
  litefs.setLag(60_000);
  await Bun.sleep(1_500);
  expect(isOver).toBe(false);
  // The primary still answers; when it hangs, the replica ends.
  litefs.namePrimary(String(hung.port));
  expect(await program.ended).toEqual({ code: 75, signal: null });
  const output = await program.output;
  expect(output).not.toContain('starts again');
}, 30_000);
