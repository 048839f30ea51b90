// The role of a machine, from LiteFS, the mount and a rival: in doubt it does not write.

import { afterAll, describe, expect, test } from 'bun:test';
import { silentLog } from '../../src/base/log.ts';
import { askInfo, hasReached, openMount } from '../../src/cluster/litefs.ts';
import { createNode, type Node, type NodeOptions } from '../../src/cluster/node.ts';
import type { Role } from '../../src/cluster/role.ts';
import { DeskError } from '../../src/domain/errors.ts';
import { type FakeLiteFS, fakeLiteFS, positionOf, until } from '../support/litefs.ts';

const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing.splice(0)) close();
});

async function setUp(options: Partial<NodeOptions> = {}): Promise<{ litefs: FakeLiteFS; node: Node }> {
  const litefs = await fakeLiteFS();
  const node = createNode({
    mount: openMount(litefs.database),
    litefsUrl: litefs.url,
    log: silentLog,
    pollMs: 5,
    ...options,
  });
  closing.push(node.stop, litefs.close);
  return { litefs, node };
}

function refusal(node: Node): DeskError | null {
  try {
    node.requirePrimary();
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(DeskError);
    return error as DeskError;
  }
}

describe('the role', () => {
  const rows: [why: string, info: boolean | null, named: string | null, role: Role, sentence: RegExp | null][] = [
    ['LiteFS says so and no file names another', true, null, 'primary', null],
    ['LiteFS says that it is not', false, 'node-1', 'replica', /the primary is node-1/],
    ['no one is the primary: no file proves nothing', false, null, 'replica', /no primary at the moment/],
    ['LiteFS says so while the file names another', true, 'node-1', 'conflict', /Two machines/],
    ['LiteFS does not answer', null, null, 'unknown', /LiteFS does not answer/],
    ['LiteFS does not answer, the file is there', null, 'node-1', 'unknown', /LiteFS does not answer/],
  ];
  for (const [why, info, named, role, sentence] of rows) {
    test(`is ${role}: ${why}`, async () => {
      const { litefs, node } = await setUp();
      litefs.setPrimary(info);
      litefs.namePrimary(named);
      expect(await node.refresh()).toBe(role);
      expect(node.isPrimary()).toBe(role === 'primary');
      const refused = refusal(node);
      expect(refused === null).toBe(sentence === null);
      if (sentence !== null) {
        expect(refused).toMatchObject({ code: 'unavailable', reason: undefined, retryAfterSeconds: 2 });
        expect(refused?.message).toMatch(sentence);
      }
    });
  }

  test('before LiteFS was ever asked is not primary', async () => {
    const { litefs, node } = await setUp({ pollMs: 60_000 });
    litefs.setPrimary(true);
    expect(node.role()).toBe('unknown');
    expect(refusal(node)?.code).toBe('unavailable');
  });

  test('ends the moment the file names another, before LiteFS is asked again', async () => {
    const { litefs, node } = await setUp({ pollMs: 60_000 });
    litefs.setPrimary(true);
    await node.refresh();
    expect(node.isPrimary()).toBe(true);
    litefs.namePrimary('node-2');
    expect(refusal(node)?.message).toContain('node-2');
    expect(node.role()).toBe('replica');
    expect(node.primaryHost()).toBe('node-2');
  });

  test('ends when LiteFS has said nothing for too long', async () => {
    const { litefs, node } = await setUp({ pollMs: 60_000, staleMs: 500 });
    litefs.setPrimary(true);
    await node.refresh();
    expect(node.isPrimary()).toBe(true);
    await until(() => node.role() === 'unknown', 'what was said long ago counts for nothing');
  });

  test('outlives one late answer of LiteFS, until what it said before is stale', async () => {
    let isLate = false;
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: async () => {
        if (isLate) await Bun.sleep(4_000);
        return Response.json({ isPrimary: true });
      },
    });
    closing.push(() => void server.stop(true));
    const { node } = await setUp({ pollMs: 60_000, staleMs: 30_000, litefsUrl: `http://127.0.0.1:${server.port}` });
    expect(await node.refresh()).toBe('primary');
    isLate = true;
    expect(await node.refresh()).toBe('primary');
    expect(refusal(node)).toBeNull();
  });

  test('is followed by polling, and each change is told once', async () => {
    const { litefs, node } = await setUp();
    const told: Role[] = [];
    node.onChange(() => {
      throw new Error('a listener of someone');
    });
    const end = node.onChange((role) => told.push(role));
    litefs.setPrimary(false);
    litefs.namePrimary('node-1');
    await until(() => told.length === 1, 'replica');
    litefs.namePrimary(null);
    litefs.setPrimary(true);
    await until(() => told.includes('primary'), 'primary');
    litefs.setPrimary(null);
    await until(() => told.at(-1) === 'unknown', 'unknown');
    expect(told).toEqual(['replica', 'primary', 'unknown']);
    node.learnPrimaries(['node-2', 'node-1']);
    // The one that was seen last stays the first: it may be a rival.
    expect(node.formerPrimaries()).toEqual(['node-1', 'node-2']);
    end();
    litefs.setPrimary(true);
    await until(() => node.isPrimary(), 'primary again');
    expect(told).toHaveLength(3);
  });
});

describe('two primaries', () => {
  test('when the one before still takes itself for it, this one does not write until that is over', async () => {
    let isRival = true;
    const asked: string[] = [];
    const { litefs, node } = await setUp({
      staleMs: 200,
      askRival: (host) => {
        asked.push(host);
        return Promise.resolve(isRival);
      },
    });
    const told: Role[] = [];
    node.onChange((role) => told.push(role));
    litefs.setPrimary(false);
    litefs.namePrimary('node-1');
    await node.refresh();
    expect(asked).toEqual([]);
    litefs.namePrimary(null);
    litefs.setPrimary(true);
    await until(() => node.role() === 'conflict', 'both say so');
    expect(asked[0]).toBe('node-1');
    expect(refusal(node)?.message).toContain('Two machines');
    expect(told).toEqual(['replica', 'conflict']);
    isRival = false;
    await until(() => node.isPrimary(), 'the other one yielded');
  });

  test('a machine that is promoted does not write before the one before it has answered, or has been given up', async () => {
    const answer = Promise.withResolvers<boolean>();
    const { litefs, node } = await setUp({ askRival: () => answer.promise });
    litefs.setPrimary(false);
    litefs.namePrimary('node-1');
    await node.refresh();
    litefs.namePrimary(null);
    litefs.setPrimary(true);
    const before = litefs.asked();
    await until(() => litefs.asked() > before, 'LiteFS has said yes');
    await Bun.sleep(50);
    expect(node.isPrimary()).toBe(false);
    answer.resolve(false);
    await until(() => node.isPrimary(), 'the other one is none');
  });

  test('are not seen in an old answer: LiteFS is asked again before a rival is told', async () => {
    const { litefs, node } = await setUp({ pollMs: 60_000 });
    litefs.setPrimary(true);
    await node.refresh();
    expect(await node.claimsPrimary()).toBe(true);
    litefs.setPrimary(false);
    expect(node.role()).toBe('primary');
    expect(await node.claimsPrimary()).toBe(false);
    expect(node.role()).toBe('replica');
  });

  test('are over at the first no, and not at a machine that does not answer', async () => {
    const answers = [true, null, false];
    const { litefs, node } = await setUp({ pollMs: 60_000, askRival: () => Promise.resolve(answers.shift() ?? null) });
    litefs.namePrimary('node-1');
    litefs.setPrimary(false);
    await node.refresh();
    litefs.namePrimary(null);
    litefs.setPrimary(true);
    const roles: Role[] = [];
    for (let asked = 0; asked < 3; asked += 1) roles.push(await node.refresh());
    expect(roles).toEqual(['conflict', 'conflict', 'primary']);
  });

  test('the one before yields as well when it hears of the other', async () => {
    const { litefs, node } = await setUp({ staleMs: 100 });
    litefs.setPrimary(true);
    await until(() => node.isPrimary(), 'primary');
    node.noteRival();
    expect(node.role()).toBe('conflict');
    expect(await node.claimsPrimary()).toBe(true);
    await until(() => node.isPrimary(), 'the other one is not heard of any more');
  });
});

describe('a position', () => {
  test('is waited for until it is there', async () => {
    const { litefs, node } = await setUp();
    litefs.setPosition(0xff);
    const seen: boolean[] = [];
    const waiting = node.reach(positionOf(0x100), 20_000, new AbortController().signal).then((reached) => {
      seen.push(reached);
    });
    await Bun.sleep(60);
    expect(seen).toEqual([]);
    litefs.setPosition(0x100);
    await waiting;
    expect(seen).toEqual([true]);
  });

  test('that does not come is given up in time, or when no one waits any more', async () => {
    const { litefs, node } = await setUp();
    litefs.setPosition(1);
    expect(await node.reach(positionOf(2), 30, new AbortController().signal)).toBe(false);
    expect(await node.reach(positionOf(2), 60_000, AbortSignal.timeout(30))).toBe(false);
  });

  test('is waited for by so many at most; the others are told at once', async () => {
    const { litefs, node } = await setUp();
    litefs.setPosition(1);
    const ending = new AbortController();
    const waiting = Array.from({ length: 256 }, () => node.reach(positionOf(2), 60_000, ending.signal));
    expect(await node.reach(positionOf(2), 60_000, ending.signal)).toBe(false);
    ending.abort();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([false]));
  });

  test('is compared by its number alone', () => {
    expect(hasReached(positionOf(10), positionOf(9))).toBe(true);
    expect(hasReached(positionOf(0x10), positionOf(0xf))).toBe(true);
    expect(hasReached(positionOf(9), positionOf(9).replaceAll('c', 'a'))).toBe(true);
    expect(hasReached(positionOf(8), positionOf(9))).toBe(false);
  });
});

describe('what the mount shows', () => {
  test('is read as LiteFS writes it, and nothing else is believed', async () => {
    const { litefs, node } = await setUp();
    const mount = openMount(litefs.database);
    const fresh = () => {
      mount.forgetReads();
      return mount;
    };
    expect([mount.namedPrimary(), mount.position(), mount.lagMs()]).toEqual([null, null, null]);
    litefs.setPosition(26);
    litefs.setLag(120);
    expect(fresh().position()).toBe('000000000000001a/cccccccccccccccc');
    expect(mount.lagMs()).toBe(120);
    litefs.setLag(2 ** 31 - 1);
    expect(fresh().lagMs()).toBeNull();
    for (const name of ['', '-x', 'a b', 'a/b', 'a@b', 'x'.repeat(300), 'a\nb']) {
      litefs.namePrimary(name);
      expect(fresh().namedPrimary()).toBeNull();
    }
    for (const name of ['node-1', 'fdaa:0:2::3', '10.0.0.1', '148e21b7c45089']) {
      litefs.namePrimary(name);
      expect(fresh().namedPrimary()).toBe(name);
    }
    litefs.namePrimary('node-1');
    litefs.setPrimary(false);
    litefs.setLag(40);
    await node.refresh();
    expect(node.replicationLagMs()).toBe(40);
  });

  test('is read once in a turn of the event loop, and again before a transaction and in the next turn', async () => {
    const { litefs, node } = await setUp({ pollMs: 60_000 });
    const mount = openMount(litefs.database);
    litefs.setPosition(1);
    const first = mount.position();
    litefs.setPosition(2);
    expect(mount.position()).toBe(first);
    await new Promise((resolve) => setImmediate(resolve));
    expect(mount.position()).not.toBe(first);

    litefs.setPrimary(true);
    await node.refresh();
    const before = node.position();
    litefs.setPosition(3);
    expect(node.position()).toBe(before);
    node.requirePrimary();
    expect(node.position()).not.toBe(before);
  });
});

describe('LiteFS', () => {
  const answers: [why: string, answer: () => Response | Promise<Response>, isPrimary: boolean | null][] = [
    ['says that it is', () => Response.json({ isPrimary: true }), true],
    ['says that it is not', () => Response.json({ isPrimary: false }), false],
    ['does not know', () => Response.json({}), null],
    ['says it in another form', () => Response.json({ isPrimary: 'true' }), null],
    ['fails', () => Response.json({ isPrimary: true }, { status: 500 }), null],
    ['sends no JSON', () => new Response('<html>'), null],
    ['sends null', () => new Response('null'), null],
    ['sends far too much', () => new Response(`{"isPrimary": true, "x": "${'x'.repeat(100_000)}"}`), null],
    ['points elsewhere', () => Response.redirect('http://127.0.0.1:1/info'), null],
  ];
  for (const [why, answer, isPrimary] of answers) {
    test(`${isPrimary === null ? 'is not believed when it' : ''} ${why}`.trim(), async () => {
      const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer });
      expect(await askInfo(`http://127.0.0.1:${server.port}`)).toEqual(isPrimary === null ? null : { isPrimary });
      void server.stop(true);
    });
  }

  test('is late when it does not answer in time', async () => {
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => Bun.sleep(4_000).then(() => Response.json({ isPrimary: true })),
    });
    expect(await askInfo(`http://127.0.0.1:${server.port}`)).toBe('late');
    void server.stop(true);
  });

  test('is not believed when no one is there', async () => {
    expect(await askInfo('http://127.0.0.1:1')).toBeNull();
  });
});
