// A replica ends when its primary is lost and LiteFS has not noticed, and only then.

import { afterEach, describe, expect, test } from 'bun:test';
import { fileURLToPath } from 'node:url';
import { createSeal } from '../../src/base/crypto.ts';
import { silentLog } from '../../src/base/log.ts';
import { createPeers } from '../../src/cluster/peers.ts';
import { createPrimaryWatch } from '../../src/cluster/primary-watch.ts';
import type { Role } from '../../src/cluster/role.ts';
import { fixedClock } from '../support/clock.ts';
import { fakeConsul } from '../support/consul.ts';
import { fakeLiteFS, replicate, until } from '../support/litefs.ts';
import { clusterKey, startMachine } from '../support/machines.ts';
import { startProgram } from '../support/programs.ts';
import { serve } from '../support/serving.ts';

const leaseMs = 120;
const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

const yes = () => Response.json({ is_primary: true });
const no = () => Response.json({ is_primary: false });
const unreachable = (): Response => {
  throw new TypeError('connection refused');
};

function watch(longestMs = leaseMs) {
  const state = { role: 'replica' as Role, host: 'one' as string | null, lagMs: (10 * leaseMs) as number | null };
  const seen = {
    hearsConsul: true,
    turn: async () => true,
    answer: unreachable as () => Response,
    asked: 0,
    lost: 0,
    looks: 0,
    full: [] as string[],
    learnt: [] as (readonly string[])[],
  };
  const clock = fixedClock(Date.UTC(2026, 8, 11));
  // Each question takes as long as the pause before it, whatever the machine does.
  let passed = 0;
  const made = createPrimaryWatch({
    node: {
      role: () => {
        seen.looks += 1;
        passed += longestMs / 8;
        return state.role;
      },
      primaryHost: () => state.host,
      replicationLagMs: () => state.lagMs,
      learnPrimaries: (hosts) => void seen.learnt.push(hosts),
    },
    peers: {
      ask: async (_host, _method, path) => {
        if (path.endsWith('/primaries')) return Response.json(['zero']);
        seen.asked += 1;
        return seen.answer();
      },
    },
    contact: { hearsConsul: () => seen.hearsConsul, takesTurn: () => seen.turn() },
    leaseMs: longestMs,
    onFullDisk: async (host) => void seen.full.push(host),
    log: silentLog,
    clock,
    passedMs: () => passed,
  });
  made.start(() => {
    seen.lost += 1;
  });
  ending.push(made.stop);
  /** So many more times it has looked whom to ask. */
  const rounds = async (count: number) => {
    const before = seen.looks;
    await until(() => seen.looks > before + count, 'it looks');
  };
  return { state, seen, rounds, made, clock };
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
    await Bun.sleep(leaseMs);
    expect([seen.lost, seen.asked]).toEqual([1, asked]);
  });

  test('waits while another replica has its turn', async () => {
    const { seen, rounds } = watch();
    let turns = 0;
    seen.turn = async () => {
      turns += 1;
      return false;
    };
    await rounds(14);
    expect(seen.lost).toBe(0);
    expect(turns).toBeGreaterThan(2);
    seen.turn = async () => true;
    await until(() => seen.lost > 0, 'it ends');
  });

  test('ends without a turn when Consul gives none, unless Consul is away', async () => {
    const { seen, rounds } = watch();
    seen.turn = async () => {
      seen.hearsConsul = false;
      throw new Error('Consul answered 403');
    };
    await rounds(14);
    expect(seen.lost).toBe(0);
    seen.turn = () => Promise.reject(new Error('Consul answered 403'));
    seen.hearsConsul = true;
    await until(() => seen.lost > 0, 'it ends');
  });

  test('asks again before it ends: one answer of the primary, and the wait begins again', async () => {
    const { seen, rounds } = watch();
    let turn = 0;
    seen.answer = () => {
      turn += 1;
      return turn % 4 ? unreachable() : yes();
    };
    await rounds(40);
    expect(seen.lost).toBe(0);
  });

  type Change = { state?: object; seen?: object };
  const refuses = () => {
    const date = new Date(Date.UTC(2026, 8, 11) - 90_000).toUTCString();
    return new Response(null, { status: 503, headers: { date } });
  };
  test.each<[string, Change]>([
    ['answers that it is', { seen: { answer: yes } }],
    ['sends news', { state: { lagMs: leaseMs } }],
    ['is not known', { state: { host: null } }],
    ['is this machine', { state: { role: 'primary', host: null } }],
    ['may be the only one that Consul hears', { seen: { hearsConsul: false } }],
    ['refuses the question because the clocks differ', { seen: { answer: refuses } }],
  ])('stays when the primary %s', async (_, { state = {}, seen = {} }) => {
    const made = watch();
    Object.assign(made.state, state);
    Object.assign(made.seen, seen);
    await made.rounds(20);
    expect(made.seen.lost).toBe(0);
  });

  test('knows how far the clock of the primary is away, when it is over a minute', async () => {
    const { state, seen, rounds, made, clock } = watch();
    state.lagMs = 0;
    const at = (ms: number) => {
      seen.answer = () =>
        Response.json({ is_primary: true }, { headers: { date: new Date(clock.now() + ms).toUTCString() } });
    };
    at(30_000);
    await rounds(2);
    expect(made.clockGapMs()).toBeNull();
    for (const ms of [-300_000, 300_000]) {
      at(ms);
      await rounds(2);
      expect(made.clockGapMs()).toBe(ms);
    }
    seen.answer = unreachable;
    await rounds(2);
    expect(made.clockGapMs()).toBeNull();
  });

  test('tells that the disk of the primary is full only when the primary says so', async () => {
    const { state, seen, rounds } = watch();
    state.lagMs = 0;
    for (const told of [
      { is_primary: true, has_room: true },
      { is_primary: true },
      { is_primary: false, has_room: false },
    ]) {
      seen.answer = () => Response.json(told);
      await rounds(2);
    }
    expect(seen.full).toEqual([]);
    seen.answer = () => Response.json({ is_primary: true, has_room: false });
    await until(() => seen.full.length > 0, 'it tells');
    expect(seen.full[0]).toBe('one');
  });

  test('asks as soon as it starts: it may be the primary itself before the next question', async () => {
    const { seen } = watch(600_000);
    seen.answer = yes;
    await until(() => seen.learnt.length > 0, 'it learns');
  });

  test('takes a primary for missing when neither its LiteFS nor its desk says anything for half of a lease', async () => {
    const { state, seen, rounds, made } = watch();
    // So that it never ends.
    seen.hearsConsul = false;
    await rounds(2);
    expect(made.isMissing()).toBe(false);
    await until(made.isMissing, 'it is missed');
    state.lagMs = 0;
    expect(made.isMissing()).toBe(false);
    state.lagMs = 10 * leaseMs;
    seen.answer = yes;
    await until(() => !made.isMissing(), 'it answers');
    seen.answer = unreachable;
    await until(made.isMissing, 'it is missed again');
    // The next one gets as much time.
    state.host = 'two';
    await until(() => !made.isMissing(), 'another one is named');
    await until(made.isMissing, 'that one is missed, too');
    state.role = 'primary';
    expect(made.isMissing()).toBe(false);
  });

  test('learns once from each primary which machines were it before', async () => {
    const { state, seen, rounds } = watch();
    state.lagMs = 0;
    await rounds(1);
    seen.answer = yes;
    await rounds(3);
    expect(seen.learnt).toEqual([['zero']]);
    state.host = 'two';
    await rounds(3);
    expect(seen.learnt).toEqual([['zero'], ['zero']]);
  });

  test('does not end again soon when a restart has brought no news', async () => {
    const { state, seen } = watch(24);
    state.lagMs = null;
    await until(() => seen.lost > 0, 'it tries once more');
    // Thirty leases of eight looks each, after the first look.
    expect(seen.looks).toBe(30 * 8 + 2);
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

test('desk and supervisor end with a code that has a service manager start both again', async () => {
  const primary = await startMachine(null);
  const consul = await fakeConsul();
  // Like a machine that is stopped: connections are accepted, and nothing is answered.
  const hung = await serve(() => new Promise<Response>(() => undefined));
  const litefs = await fakeLiteFS();
  ending.push(primary.stop, consul.close, () => hung.stop(true), litefs.close);
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
    HELPDESK_CONSUL_URL: consul.url,
    HELPDESK_MAX_SILENCE: '250ms',
  });
  ending.push(() => program.kill('SIGKILL'));
  await program.begun;
  let isOver = false;
  void program.ended.then(() => {
    isOver = true;
  });
  litefs.setLag(60_000);
  // Its questions to Consul are its clock, of a sixteenth of a second: the lease of three seconds is over.
  const asked = consul.asked();
  await until(() => consul.asked() > asked + 80, 'some time passes');
  expect(isOver).toBe(false);
  // The primary still answers; when it hangs, the replica ends.
  litefs.namePrimary(String(hung.port));
  expect(await program.ended).toEqual({ code: 75, signal: null });
  const output = await program.output;
  expect(output).not.toContain('starts again');
}, 30_000);
