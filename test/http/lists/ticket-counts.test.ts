// Totals of lists: exact while they are small, kept for a minute when they are large, and counted between other
// requests.

import { afterAll, describe, expect, test } from 'bun:test';
import { createSeal } from '../../../src/base/crypto.ts';
import { createDesk } from '../../../src/desk/desk.ts';
import { type CountLimits, createTicketCounts, type Total } from '../../../src/http/wire/lists/ticket-counts.ts';
import type { TicketFilter } from '../../../src/store/lists/filter.ts';
import { now as beginning, manyTickets, noFilter } from '../../store/lists/many-tickets.ts';
import { fixedClock } from '../../support/clock.ts';

const many = manyTickets(300);
afterAll(() => many.store.close());
const clock = fixedClock(beginning);
const desk = createDesk(many.store, createSeal(Buffer.alloc(32, 3)), clock);
const unassigned: TicketFilter = { ...noFilter, isUnassigned: true };
/** No index has these alone. */
const assigned: TicketFilter = { ...noFilter, isUnassigned: false };
const one: TicketFilter = { ...noFilter, categoryIds: [many.categoryIds[0] ?? 0] };

function counting(limits: Partial<CountLimits>) {
  const counts = createTicketCounts(desk, {
    many: 20,
    keptMs: 60_000,
    longMs: 1000,
    rest: 25,
    atOnceMs: 1000,
    answerMs: 10_000,
    firstWindow: 2000,
    ...limits,
  });
  return (filter: TicketFilter) => desk.read((tx) => ({ total: counts.of(tx, filter, clock.now()) })).total;
}

function known(total: Total | Promise<Total>): number {
  if (total instanceof Promise) throw new Error('it is not known at once');
  expect(total.isCapped).toBe(false);
  return total.total;
}

const truly = (filter: TicketFilter) => known(counting({ many: 1_000_000 })(filter));
/** One ticket less, or one more, for both filters. */
const change = (isUnassigned: boolean) =>
  desk.write((tx) => {
    tx.client.run('UPDATE tickets SET assignee_id = ?, category_id = ? WHERE id IN (SELECT min(id) FROM tickets)', [
      isUnassigned ? null : (many.agentIds[0] ?? 0),
      isUnassigned ? (many.categoryIds[0] ?? 0) : (many.categoryIds[1] ?? 0),
    ]);
    tx.client.run('UPDATE tickets SET is_test = 0 WHERE id IN (SELECT min(id) FROM tickets)');
    return null;
  });

describe('a large total', () => {
  test('is kept for a minute, whatever changes', async () => {
    await change(true);
    const totalOf = counting({});
    const before = truly(unassigned);
    expect(before).toBeGreaterThan(20);
    expect(known(totalOf(unassigned))).toBe(before);
    await change(false);
    expect(truly(unassigned)).toBe(before - 1);
    clock.advance(59_999);
    expect(known(totalOf(unassigned))).toBe(before);
    clock.advance(1);
    expect(known(totalOf(unassigned))).toBe(before - 1);
    // From here on for another minute.
    await change(true);
    clock.advance(59_999);
    expect(known(totalOf(unassigned))).toBe(before - 1);
    clock.advance(1);
    expect(known(totalOf(unassigned))).toBe(before);
  });

  test('is not kept when it can be read from the table of counts', async () => {
    const totalOf = counting({});
    const before = known(totalOf(noFilter));
    expect(before).toBeGreaterThan(20);
    await desk.write((tx) => {
      tx.client.run("UPDATE tickets SET status = 'closed' WHERE status = 'open'");
      return null;
    });
    expect(known(totalOf({ ...noFilter, statuses: ['open'] }))).toBe(0);
    expect(known(totalOf(noFilter))).toBe(before);
  });
});

test('a total that was slow to count is kept as long as its cost asks for, says until when, and is then counted again', async () => {
  await change(true);
  const totalOf = counting({ many: 1000, longMs: 0 });
  const before = known(totalOf(one));
  await change(false);
  const kept = totalOf(one) as Total;
  expect(kept.total).toBe(before);
  expect(kept.again).toBeWithin(clock.now() + 1, clock.now() + 59_000);
  clock.set(kept.again ?? 0);
  expect(known(totalOf(one))).toBe(before - 1);
  expect(totalOf(one)).not.toBe(kept);
  await change(true);
});

test('a small total follows every change at once', async () => {
  const totalOf = counting({ many: 1000 });
  await change(true);
  const before = known(totalOf(one));
  await change(false);
  expect(known(totalOf(one))).toBe(before - 1);
  await change(true);
  expect(known(totalOf(one))).toBe(before);
});

describe('a slow count', () => {
  const slowly = { atOnceMs: 0, many: 1000, firstWindow: 5 };

  test('runs in turns with other requests, is shared by requests that arrive meanwhile, and is right', async () => {
    const totalOf = counting(slowly);
    const expected = truly(assigned);
    const first = totalOf(assigned);
    expect(first).toBeInstanceOf(Promise);
    const second = totalOf(assigned);
    let turns = 0;
    const turn = () => {
      turns += 1;
      if (turns < 1000) setImmediate(turn);
    };
    setImmediate(turn);
    expect(await first).toEqual({ total: expected, isCapped: false });
    expect(await second).toEqual({ total: expected, isCapped: false });
    turns = 1000;
    // Now the total is known.
    expect(known(totalOf(assigned))).toBe(expected);
  });

  test('answers with the count so far when time is up, and continues for the next request', async () => {
    const totalOf = counting({ ...slowly, answerMs: 0 });
    const expected = truly(assigned);
    // No one has a turn before the timer: it runs out while this waits.
    const hold = () => {
      const until = performance.now() + 5;
      while (performance.now() < until);
    };
    setImmediate(hold);
    const first = await totalOf(assigned);
    expect(first.total).toBeLessThanOrEqual(expected);
    for (let asked = totalOf(assigned); asked instanceof Promise; asked = totalOf(assigned)) await asked;
    expect(known(totalOf(assigned))).toBe(expected);
  });

  test('starts again for a client that has changed something since', async () => {
    const totalOf = counting(slowly);
    await change(true);
    const first = totalOf(assigned);
    await change(false);
    expect((await totalOf(assigned)).total).toBe(truly(assigned));
    await first;
    // A count across a change is not kept as the current one.
    expect((await totalOf(assigned)).total).toBe(truly(assigned));
  });
});
