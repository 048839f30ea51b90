// Long reads in turns: other requests never wait long, no read waits for another's end, and each has a limit.

import { afterAll, expect, test } from 'bun:test';
import { createSeal } from '../../src/base/crypto.ts';
import { createDesk } from '../../src/desk/desk.ts';
import { createTurns } from '../../src/http/turns.ts';
import { manyTickets, now } from '../store/lists/many-tickets.ts';
import { fixedClock } from '../support/clock.ts';

const many = manyTickets(1);
afterAll(() => many.store.close());
const desk = createDesk(many.store, createSeal(Buffer.alloc(32, 3)), fixedClock(now));

/** Done after this many steps; each is recorded. */
function steps(name: string, count: number, log: string[]) {
  let left = count;
  return () => {
    log.push(name);
    left -= 1;
    return left <= 0;
  };
}

test('long reads take turns, and other requests run in between', async () => {
  const log: string[] = [];
  const turns = createTurns(desk, { turnMs: 0 });
  const both = [turns.run(steps('a', 3, log), 10_000), turns.run(steps('b', 2, log), 10_000)];
  setImmediate(() => log.push('a request'));
  await Promise.all(both);
  expect(log.filter((name) => name !== 'a request')).toEqual(['a', 'b', 'a', 'b', 'a']);
  expect(log.indexOf('a request')).toBeLessThan(4);
});

test('a read that takes too long is 503 with advice, and others continue', async () => {
  const log: string[] = [];
  const turns = createTurns(desk, { turnMs: 0 });
  const endless = turns.run(() => false, 0);
  const other = turns.run(steps('b', 50, log), 10_000);
  expect(await endless.catch((error) => error)).toMatchObject({
    code: 'unavailable',
    reason: 'too_slow',
    retryAfterSeconds: 30,
    message: expect.stringContaining('Narrow it'),
  });
  await other;
  expect(log.length).toBe(50);
});

test('a read that waits too long for its turns is 503 too, however little it works itself', async () => {
  const turns = createTurns(desk, { turnMs: 0 });
  const late = turns.run(() => false, 10_000, 0);
  const other = turns.run(steps('b', 5, []), 10_000, 10_000);
  expect(await late.catch((error) => error)).toMatchObject({ reason: 'too_slow' });
  await other;
});

test('a step that throws ends only its own read', async () => {
  const log: string[] = [];
  const turns = createTurns(desk, { turnMs: 0 });
  const broken = turns.run(() => {
    throw new Error('broken');
  }, 10_000);
  const other = turns.run(steps('b', 2, log), 10_000);
  expect(await broken.catch((error) => error)).toEqual(new Error('broken'));
  await other;
  expect(log).toEqual(['b', 'b']);
});
