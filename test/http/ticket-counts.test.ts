// Totals of lists: exact while they are small, kept for a minute where they are large, and counted between other requests.

import { afterAll, describe, expect, test } from 'bun:test';
import { fixedClock } from '../../src/base/clock.ts';
import { createSeal } from '../../src/base/crypto.ts';
import { createDesk } from '../../src/desk/desk.ts';
import { type CountLimits, createTicketCounts } from '../../src/http/ticket-counts.ts';
import type { TicketFilter } from '../../src/store/ticket-list.ts';
import { now as beginning, manyTickets, noFilter } from '../store/many-tickets.ts';

const many = manyTickets(300);
afterAll(() => many.store.close());
const clock = fixedClock(beginning);
const desk = createDesk(many.store, createSeal(Buffer.alloc(32, 3)), clock);
const unassigned: TicketFilter = { ...noFilter, isUnassigned: true };
const one: TicketFilter = { ...noFilter, categoryIds: [many.categoryIds[0] ?? 0] };

function counting(limits: Partial<CountLimits>) {
  const counts = createTicketCounts(desk, { many: 20, keptMs: 60_000, atOnceMs: 1000, stepMs: 1000, ...limits });
  return (filter: TicketFilter) => desk.read((tx) => ({ total: counts.of(tx, filter, clock.now()) })).total;
}

const truly = (filter: TicketFilter) => counting({ many: 1_000_000 })(filter) as number;
/** One ticket less, or more again, for both filters. */
const change = (isUnassigned: boolean) =>
  desk.write((tx) => {
    tx.client.run('UPDATE tickets SET assignee_id = ?, category_id = ? WHERE id IN (SELECT min(id) FROM tickets)', [
      isUnassigned ? null : (many.agentIds[0] ?? 0),
      isUnassigned ? (many.categoryIds[0] ?? 0) : (many.categoryIds[1] ?? 0),
    ]);
    tx.client.run('UPDATE tickets SET is_test = 0 WHERE id IN (SELECT min(id) FROM tickets)');
    return null;
  });

describe('a total of many', () => {
  test('is kept for a minute whatever changes, and not for longer', async () => {
    await change(true);
    const totalOf = counting({});
    const before = truly(unassigned);
    expect(before).toBeGreaterThan(20);
    expect(totalOf(unassigned)).toBe(before);
    await change(false);
    expect(truly(unassigned)).toBe(before - 1);
    clock.advance(59_999);
    expect(totalOf(unassigned)).toBe(before);
    clock.advance(1);
    expect(totalOf(unassigned)).toBe(before - 1);
    // And from here on for a minute again.
    await change(true);
    clock.advance(59_999);
    expect(totalOf(unassigned)).toBe(before - 1);
    clock.advance(1);
    expect(totalOf(unassigned)).toBe(before);
  });

  test('is never kept where it costs nothing to read it off', async () => {
    const totalOf = counting({});
    const before = totalOf(noFilter) as number;
    expect(before).toBeGreaterThan(20);
    await desk.write((tx) => {
      tx.client.run("UPDATE tickets SET status = 'closed' WHERE status = 'open'");
      return null;
    });
    expect(totalOf({ ...noFilter, statuses: ['open'] })).toBe(0);
    expect(totalOf(noFilter)).toBe(before);
  });
});

test('a total of few follows every change at once', async () => {
  const totalOf = counting({ many: 1000 });
  await change(true);
  const before = totalOf(one) as number;
  await change(false);
  expect(totalOf(one)).toBe(before - 1);
  await change(true);
  expect(totalOf(one)).toBe(before);
});

describe('a count that takes long', () => {
  test('goes on between other requests, is shared by those who ask meanwhile, and is right', async () => {
    const totalOf = counting({ atOnceMs: 0, stepMs: 0 });
    const expected = truly(unassigned);
    const first = totalOf(unassigned);
    expect(first).toBeInstanceOf(Promise);
    expect(totalOf(unassigned)).toBe(first);
    let turns = 0;
    const turn = () => {
      turns += 1;
      if (turns < 1000) setImmediate(turn);
    };
    setImmediate(turn);
    expect(await first).toBe(expected);
    expect(turns).toBeGreaterThan(1);
    turns = 1000;
    // Now it is known.
    expect(totalOf(unassigned)).toBe(expected);
  });

  test('is begun anew for whoever has changed something meanwhile', async () => {
    const totalOf = counting({ atOnceMs: 0, stepMs: 0, many: 1000 });
    await change(true);
    const first = totalOf(unassigned);
    await change(false);
    const second = totalOf(unassigned);
    expect(second).not.toBe(first);
    expect(await second).toBe(truly(unassigned));
    await first;
    // What was counted across a change is not remembered as what is.
    expect(await totalOf(unassigned)).toBe(truly(unassigned));
  });
});
