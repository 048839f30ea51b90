// What limits crowds of mail: a queue with turns, a gate, and a pace for each sender.

import { expect, test } from 'bun:test';
import { createGate } from '../../src/base/gate.ts';
import { DeskError } from '../../src/domain/errors.ts';
import { createFilingQueue } from '../../src/jobs/filing-queue.ts';
import { createPace } from '../../src/jobs/pace.ts';

const tooMany = () => new DeskError('unavailable', 'Too many.');

const faultOf = (promise: Promise<unknown> | null) =>
  promise?.then(
    () => null,
    (error: unknown) => error,
  );

/** Work that continues until told to stop. */
function held() {
  const begun: string[] = [];
  const finish = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => finish.set(name, () => resolve(name)));
  };
  const end = async (name: string) => {
    finish.get(name)?.();
    await Bun.sleep(0);
  };
  return { begun, work, end };
}

test('the queue runs so many at the same time, and gives each site its turn', async () => {
  const { begun, work, end } = held();
  let drained = 0;
  const queue = createFilingQueue({ atOnce: 2, most: 10, onDrained: () => (drained += 1) });
  const first = queue.add(1, work('a1'));
  for (const name of ['a2', 'a3', 'a4']) void queue.add(1, work(name));
  void queue.add(2, work('b1'));
  expect(begun).toEqual(['a1', 'a2']);
  await end('a1');
  expect(await first).toBe('a1');
  await end('a2');
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1']);
  await end('a3');
  await end('b1');
  expect(drained).toBe(0);
  await end('a4');
  expect(drained).toBe(1);
});

test('the queue takes no more than it may, and goes on after work that failed', async () => {
  const { begun, work, end } = held();
  const queue = createFilingQueue({ atOnce: 1, most: 2 });
  void queue.add(1, work('a'));
  const failing = faultOf(queue.add(1, () => Promise.reject(new Error('no'))));
  void queue.add(1, work('c'));
  expect(queue.reserve()).toBeNull();
  expect(queue.add(1, work('d'))).toBeNull();
  await end('a');
  expect(await failing).toEqual(new Error('no'));
  await Bun.sleep(0);
  expect(begun).toEqual(['a', 'c']);
});

test('a stopped queue lets what runs finish, refuses what waits, and takes nothing', async () => {
  const { begun, work, end } = held();
  const queue = createFilingQueue({ atOnce: 1, most: 5 });
  const running = queue.add(1, work('a'));
  const waiting = faultOf(queue.add(1, work('b')));
  const stopped = queue.stop();
  expect(await waiting).toMatchObject({ code: 'unavailable' });
  expect(queue.add(1, work('c'))).toBeNull();
  await end('a');
  await stopped;
  expect(await running).toBe('a');
  expect(begun).toEqual(['a']);
});

test('the gate lets some in, has some wait, and turns the others away', async () => {
  const { begun, work, end } = held();
  const gate = createGate({ atOnce: 1, waiting: 1, waitMs: 10_000, refusal: tooMany });
  const first = gate.pass('', work('a'));
  const second = gate.pass('', work('b'));
  const third = faultOf(gate.pass('', work('c')));
  expect(await third).toMatchObject({ code: 'unavailable', message: 'Too many.' });
  await Bun.sleep(0);
  await end('a');
  expect(await first).toBe('a');
  await Bun.sleep(0);
  await end('b');
  expect(await second).toBe('b');
  expect(begun).toEqual(['a', 'b']);
  // Work that failed inside has left too.
  await faultOf(gate.pass('', () => Promise.reject(new Error('no'))));
  void gate.pass('', work('d'));
  await Bun.sleep(0);
  expect(begun).toContain('d');
});

test('the gate turns away work that has waited too long', async () => {
  const { work, end } = held();
  const gate = createGate({ atOnce: 1, waiting: 5, waitMs: 10, refusal: tooMany });
  const first = gate.pass('', work('a'));
  expect(await faultOf(gate.pass('', work('b')))).toMatchObject({ code: 'unavailable' });
  await end('a');
  await first;
});

test('the pace lets a burst through and spreads the rest, each sender alone', () => {
  const pace = createPace(6);
  const turns = (key: string, now: number, many: number) => Array.from({ length: many }, () => pace.takeTurn(key, now));
  expect(turns('mia', 0, 8)).toEqual([0, 0, 0, 0, 0, 0, 10_000, 20_000]);
  expect(pace.takeTurn('tom', 0)).toBe(0);
  // The places of the last two are taken, and one becomes free every ten seconds.
  expect(pace.takeTurn('mia', 20_000)).toBe(10_000);
  expect(turns('mia', 10 * 60_000, 7)).toEqual([0, 0, 0, 0, 0, 0, 10_000]);
});

test('a pace of 0 holds up no one', () => {
  const pace = createPace(0);
  expect(Array.from({ length: 1000 }, () => pace.takeTurn('mia', 0)).some((wait) => wait > 0)).toBe(false);
});
