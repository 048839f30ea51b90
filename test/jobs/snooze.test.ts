// The end of snoozes: each ticket opens once, however many desks look, whatever fails, and in small steps.

import { afterEach, describe, expect, test } from 'bun:test';
import { createSeal } from '../../src/base/crypto.ts';
import { createDesk, type Desk } from '../../src/desk/desk.ts';
import { createSite } from '../../src/desk/sites/sites.ts';
import { changeTicket } from '../../src/desk/tickets/change-ticket.ts';
import { openTicket } from '../../src/desk/tickets/tickets.ts';
import { openStore, query } from '../../src/engine/database.ts';
import { wakeAll } from '../../src/jobs/ticket-scans.ts';
import { eventsAfter } from '../../src/store/events.ts';
import { beginRemoval } from '../../src/store/sites/removals.ts';
import { snoozesOverText } from '../../src/store/tickets/snoozes.ts';
import { listFaults } from '../../src/store/tickets/ticket-faults.ts';
import { fixedClock } from '../support/clock.ts';
import { migratedStore } from '../support/store.ts';

const start = Date.UTC(2026, 8, 7, 9);
const hour = 3_600_000;

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const store of opened.splice(0)) store.close();
});

async function snoozedTickets(total: number) {
  const { store, path } = migratedStore();
  opened.push(store);
  const clock = fixedClock(start);
  const seal = createSeal(Buffer.alloc(32, 7));
  const desk = createDesk(store, seal, clock);
  const ctx = () => desk.context({ kind: 'command_line' }, 'test');
  await desk.write((tx) => {
    const { site } = createSite(tx, ctx(), { name: 'Shop', settings: { acknowledge: false } });
    for (let at = 0; at < total; at += 1) {
      const { ticket } = openTicket(tx, ctx(), site, { email: 'mia@example.org', subject: 'Help', message: 'Broken.' });
      changeTicket(tx, ctx(), ticket.id, { snoozed_until: start + hour }, null);
    }
  });
  const another = (): Desk => {
    const other = openStore(path, 'OFF');
    opened.push(other);
    return createDesk(other, seal, clock);
  };
  const woken = () =>
    eventsAfter(desk.store.reading, 'all', 0, 10_000)
      .filter(({ kind, data }) => kind === 'ticket.status_changed' && data.new_status === 'open')
      .map(({ ticketId, actor }) => `${ticketId} ${actor.type}`);
  const statuses = () =>
    query<{ status: string; total: number }>(
      desk.store.reading,
      'SELECT status, count(*) AS total FROM tickets WHERE snoozed_until IS NULL GROUP BY 1',
    ).all();
  return { desk, clock, another, woken, statuses, ctx };
}

test('nothing is written before the time', async () => {
  const { desk, clock, woken } = await snoozedTickets(3);
  clock.set(start + hour - 1);
  const before = desk.writer.batches.steps;
  await wakeAll(desk);
  expect(desk.writer.batches.steps).toBe(before);
  expect(woken()).toEqual([]);
});

test('at its time every ticket opens once, by the desk, in steps that let others go first', async () => {
  const { desk, clock, woken, statuses } = await snoozedTickets(100);
  clock.set(start + hour);
  const before = desk.writer.batches.steps;
  await wakeAll(desk);
  await wakeAll(desk);
  expect(woken()).toEqual(Array.from({ length: 100 }, (_, at) => `${at + 1} desk`));
  expect(statuses()).toEqual([{ status: 'open', total: 100 }]);
  expect(desk.writer.batches.steps - before).toBeGreaterThan(6);
});

test('two desks side by side open each ticket once', async () => {
  const { desk, clock, another, woken } = await snoozedTickets(90);
  const other = another();
  clock.set(start + hour);
  await Promise.all([wakeAll(desk), wakeAll(other), wakeAll(desk)]);
  expect(woken()).toHaveLength(90);
  expect(new Set(woken()).size).toBe(90);
});

test('a desk that stopped in the middle goes on where it was', async () => {
  const { desk, clock, another, woken } = await snoozedTickets(90);
  clock.set(start + hour);
  let steps = 0;
  desk.writer.guard(() => {
    steps += 1;
    if (steps > 4) throw new Error('the process ends here');
  });
  await expect(wakeAll(desk)).rejects.toThrow('the process ends here');
  expect(woken().length).toBeGreaterThan(0);
  expect(woken().length).toBeLessThan(90);
  await wakeAll(another());
  expect(woken()).toHaveLength(90);
  expect(new Set(woken()).size).toBe(90);
});

test('who ends the snooze at the same moment is the only one', async () => {
  const { desk, clock, woken, ctx } = await snoozedTickets(1);
  clock.set(start + hour);
  await Promise.all([
    desk.write((tx) => changeTicket(tx, ctx(), 1, { snoozed_until: null }, null).id),
    wakeAll(desk),
    wakeAll(desk),
  ]);
  expect(woken()).toEqual(['1 command_line']);
});

describe('it is not stopped', () => {
  test('by a ticket that cannot be read, which is tried again in an hour', async () => {
    const { desk, clock, woken } = await snoozedTickets(40);
    desk.store.writing.client.run("UPDATE tickets SET custom_fields = '{' WHERE id = 2");
    clock.set(start + hour);
    await wakeAll(desk);
    expect(woken()).toHaveLength(39);
    expect(listFaults(desk.store.reading, 10)).toMatchObject([{ job: 'snooze', ticketId: 2 }]);
    desk.store.writing.client.run("UPDATE tickets SET custom_fields = '{}' WHERE id = 2");
    await wakeAll(desk);
    expect(woken()).toHaveLength(39);
    clock.advance(hour + 1);
    await wakeAll(desk);
    expect(woken()).toHaveLength(40);
    expect(listFaults(desk.store.reading, 10)).toEqual([]);
  });

  test('by a site that is being removed', async () => {
    const { desk, clock, woken } = await snoozedTickets(40);
    await desk.write((tx) => {
      beginRemoval(tx, 1, clock.now());
      return null;
    });
    clock.set(start + hour);
    await wakeAll(desk);
    expect(woken()).toEqual([]);
  });
});

test('what is over is found by an index', async () => {
  const { desk } = await snoozedTickets(1);
  const [first] = query<{ detail: string }>(desk.store.reading, `EXPLAIN QUERY PLAN ${snoozesOverText}`).all();
  expect(first?.detail).toBe('SEARCH tickets USING INDEX tickets_snoozed (snoozed_until<?)');
});
