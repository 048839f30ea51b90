// Recomputing a site's clocks as serve runs it: to the end, despite other writes and interruptions.

import { afterEach, describe, expect, test } from 'bun:test';
import { createSeal } from '../../src/base/crypto.ts';
import { type Log, silentLog } from '../../src/base/log.ts';
import { createDesk, type Desk } from '../../src/desk/desk.ts';
import { removeSite } from '../../src/desk/sites/removal.ts';
import { changeSite, createSite } from '../../src/desk/sites/sites.ts';
import { recomputeStep, startRecompute } from '../../src/desk/sla/recompute.ts';
import { changeTicket } from '../../src/desk/tickets/change-ticket.ts';
import { openTicket } from '../../src/desk/tickets/tickets.ts';
import { DeskError } from '../../src/domain/errors.ts';
import { siteChangeInput } from '../../src/domain/input/sites.ts';
import { openStore, query } from '../../src/engine/database.ts';
import { createRecomputer } from '../../src/jobs/recompute.ts';
import { eventsAfter } from '../../src/store/events.ts';
import { ticketById } from '../../src/store/tickets/tickets.ts';
import { fixedClock } from '../support/clock.ts';
import { migratedStore } from '../support/store.ts';

const start = Date.UTC(2026, 8, 7, 9);
const minute = 60_000;
const team = { kind: 'token', tokenId: 7, name: 'Team', abilities: ['write', 'manage'], scope: 'all' } as const;

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const store of opened.splice(0)) store.close();
});

/** A desk with this many tickets, whose site has changed its policy since they were opened. */
async function deskWith(tickets: number) {
  const { store, path } = migratedStore();
  opened.push(store);
  const clock = fixedClock(start);
  const seal = createSeal(Buffer.alloc(32, 7));
  const desk = createDesk(store, seal, clock);
  const ctx = () => desk.context(team, 'test');
  await desk.write((tx) => {
    const commandLine = desk.context({ kind: 'command_line' }, 'test');
    const { site } = createSite(tx, commandLine, { name: 'Shop', settings: { acknowledge: false } });
    for (let index = 0; index < tickets; index += 1)
      openTicket(tx, commandLine, site, { email: 'mia@example.org', subject: 'Help', message: 'It broke.' });
    return null;
  });
  await desk.write((tx) => {
    const business_hours = { timezone: 'UTC', weekly: { mon: [['09:00', '17:00']] } };
    changeSite(tx, ctx(), 'shop', siteChangeInput.parse({ sla_policy: { business_hours } }), null);
    return null;
  });
  /** Another process on the same file. */
  const another = (): Desk => {
    const other = openStore(path, 'OFF');
    opened.push(other);
    return createDesk(other, seal, clock);
  };
  const moves = () => eventsAfter(desk.store.reading, 'all', 0, 10_000).filter(({ kind }) => kind === 'ticket.updated');
  const underWay = () => query(desk.store.reading, 'SELECT * FROM sla_recomputes').all().length;
  return { desk, clock, ctx, another, moves, underWay };
}

describe('a recomputation', () => {
  test('moves every ticket once, in steps between which others write', async () => {
    const { desk, ctx, moves, underWay } = await deskWith(350);
    let isOver = false;
    let written = 0;
    const others = async () => {
      while (!isOver) {
        await desk.write(() => null);
        written += 1;
      }
    };
    const writing = others();
    const before = desk.writer.batches.steps;
    const done = await createRecomputer(desk, silentLog).run(ctx(), 'shop', 120);
    isOver = true;
    await writing;
    expect({ total: done.total, listed: done.listed.length, failed: done.failed }).toEqual({
      total: 350,
      listed: 120,
      failed: 0,
    });
    // Its start and four pages, each its own step.
    expect(desk.writer.batches.steps - before - written).toBe(5);
    expect(written).toBeGreaterThan(3);
    expect(new Set(moves().map(({ ticketId }) => ticketId)).size).toBe(350);
    expect(moves().length).toBe(350);
    expect(underWay()).toBe(0);
    expect((await createRecomputer(desk, silentLog).run(ctx(), 'shop', 120)).total).toBe(0);
  });

  test('that a crash cut short is taken up where it was, in the name of who asked, when no one has gone on with it', async () => {
    const { desk, clock, ctx, another, moves, underWay } = await deskWith(250);
    const id = await desk.write((tx) => startRecompute(tx, ctx(), 'shop'));
    await desk.write((tx) => recomputeStep(tx, ctx(), id));
    expect(moves().length).toBe(100);
    const other = createRecomputer(another(), silentLog);
    // The process that has it may still be running.
    clock.advance(minute / 2);
    expect(await other.resume()).toBe(0);
    clock.advance(minute);
    expect(await other.resume()).toBe(1);
    expect(underWay()).toBe(0);
    expect(moves().length).toBe(250);
    expect(new Set(moves().map(({ ticketId }) => ticketId)).size).toBe(250);
    expect(new Set(moves().map(({ actor }) => `${actor.type} ${actor.id}`))).toEqual(new Set(['token 7']));
    // The process that had it wakes up and finds that it is finished.
    expect(await desk.write((tx) => recomputeStep(tx, ctx(), id))).toBeNull();
    expect(await other.resume()).toBe(0);
  });

  test('that the storage cut short says so, and goes on by itself', async () => {
    const { desk, clock, ctx, moves, underWay } = await deskWith(250);
    const recomputer = createRecomputer(desk, silentLog);
    desk.writer.onCommit(() => {
      if (moves().length < 200) return;
      desk.writer.guard(() => {
        throw new DeskError('unavailable', 'The disk is away.');
      });
    });
    await expect(recomputer.run(ctx(), 'shop', 10)).rejects.toThrow('The disk is away.');
    desk.writer.guard(() => undefined);
    expect([moves().length, underWay()]).toEqual([200, 1]);
    clock.advance(2 * minute);
    desk.writer.onCommit(() => desk.writer.guard(() => undefined));
    expect(await recomputer.resume()).toBe(1);
    expect([moves().length, underWay()]).toEqual([250, 0]);
  });

  test('leaves a ticket as it is that makes it fail, and tells', async () => {
    const { desk, ctx, moves } = await deskWith(150);
    desk.store.writing.client.run("UPDATE tickets SET custom_fields = '{' WHERE id = 5");
    const told: unknown[] = [];
    const log: Log = { ...silentLog, error: (fields: object) => void told.push(fields) };
    const recomputer = createRecomputer(desk, log);
    expect(await recomputer.preview(ctx(), 'shop', 10)).toMatchObject({ total: 149, failed: 1 });
    expect(moves()).toEqual([]);
    expect(await recomputer.run(ctx(), 'shop', 10)).toMatchObject({ total: 149, failed: 1 });
    expect(moves().length).toBe(149);
    expect(told).toMatchObject([{ ticket: 5, error: 'UnreadableRow' }]);
  });

  test('ends when its site is removed meanwhile, and needs manage', async () => {
    const { desk, ctx, underWay } = await deskWith(150);
    const id = await desk.write((tx) => startRecompute(tx, ctx(), 'shop'));
    await desk.write((tx) => {
      removeSite(tx, ctx(), 'shop', 'shop', null);
      return null;
    });
    expect(underWay()).toBe(0);
    expect(await desk.write((tx) => recomputeStep(tx, ctx(), id))).toBeNull();
    const reader = { ...ctx(), actor: { ...team, abilities: ['read', 'write'] as const } };
    await expect(createRecomputer(desk, silentLog).run(reader, 'shop', 1)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(createRecomputer(desk, silentLog).preview(reader, 'shop', 1)).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  test('takes each step at its own instant: a pause that began meanwhile lies in no one’s future', async () => {
    const { desk, clock, ctx } = await deskWith(150);
    const began = ctx();
    // While the first page is recomputed, a ticket on the second starts to wait for its author.
    let isPaused = false;
    desk.writer.onCommit(() => {
      if (isPaused) return;
      isPaused = true;
      clock.advance(minute);
      void desk.write((tx) => changeTicket(tx, ctx(), 150, { status: 'pending' }, null).id);
    });
    await createRecomputer(desk, silentLog).run(began, 'shop', 10);
    const paused = ticketById(desk.store.reading, 150);
    expect(paused).toMatchObject({ slaPausedAt: start + minute, resolutionPausedMs: 0 });
  });
});
