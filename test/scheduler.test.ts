// The scan as serve runs it: catching up at start, step by step, and two desks on one database.

import { afterEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { fixedClock } from '../src/base/clock.ts';
import { createSeal } from '../src/base/crypto.ts';
import { silentLog } from '../src/base/log.ts';
import { createDesk, type Desk } from '../src/desk/desk.ts';
import { addAgent } from '../src/desk/people.ts';
import { createSite } from '../src/desk/sites.ts';
import { closeResolved } from '../src/desk/sla.ts';
import { changeTicket, openTicket } from '../src/desk/tickets.ts';
import { createLocalBlobs } from '../src/files/blobs.ts';
import { scan, startScheduler } from '../src/scheduler.ts';
import { openStore, query } from '../src/store/database.ts';
import { eventsAfter } from '../src/store/events.ts';
import { slaTexts } from '../src/store/sla.ts';
import { migratedStore, temporaryFolder } from './support/store.ts';

const start = Date.UTC(2026, 8, 7, 9);
const minute = 60_000;
const day = 24 * 60 * minute;

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const store of opened.splice(0)) store.close();
});

/** A desk with an owner and so many tickets, each on a site of its own if asked for. */
async function deskWith(tickets: number, sites = 1) {
  const { store, path } = migratedStore();
  opened.push(store);
  const clock = fixedClock(start);
  const seal = createSeal(Buffer.alloc(32, 7));
  const desk = createDesk(store, seal, clock);
  await desk.write((tx) => {
    const ctx = desk.context({ kind: 'operator' }, 'test');
    addAgent(tx, ctx, { email: 'kim@example.org', name: 'Kim', role: 'owner' });
    for (let at = 0; at < sites; at += 1) {
      const { site } = createSite(tx, ctx, {
        name: `Shop ${at}`,
        settings: { acknowledge: false, auto_close_days: 7 },
      });
      for (let index = 0; index < tickets; index += 1)
        openTicket(tx, ctx, site, { email: 'mia@example.org', subject: 'Help', message: 'It broke.' });
    }
  });
  /** Another process on the same file. */
  const another = (): Desk => {
    const other = openStore(path, 'OFF');
    opened.push(other);
    return createDesk(other, seal, clock);
  };
  const told = () =>
    eventsAfter(desk.store.reading, null, 0, 10_000)
      .filter(({ kind }) => kind.startsWith('ticket.sla_'))
      .map(({ kind, ticketId, data }) => `${ticketId} ${kind} ${data.sla_type}`);
  return { desk, clock, another, told };
}

describe('the scan', () => {
  test('goes on until nothing is due any more, however many steps it takes', async () => {
    const { desk, clock, told } = await deskWith(230);
    clock.set(start + 480 * minute);
    expect(await scan(desk)).toBe(230);
    expect(new Set(told()).size).toBe(230);
    expect(await scan(desk)).toBe(0);
  });

  test('lets others have their turn between its steps', async () => {
    const { desk, clock } = await deskWith(400);
    clock.set(start + 480 * minute);
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    await scan(desk);
    isOver = true;
    expect(turns).toBeGreaterThan(4);
  });

  test('of two processes at once signals each thing once', async () => {
    const { desk, clock, another, told } = await deskWith(150);
    const other = another();
    for (const at of [384, 480, 2304, 2880]) {
      clock.set(start + at * minute);
      const [one, two] = await Promise.all([scan(desk), scan(other)]);
      expect(one + two).toBe(150);
    }
    expect(told().length).toBe(600);
    expect(new Set(told()).size).toBe(600);
  });

  test('queues the mail to the owner in the transaction of the event, once', async () => {
    const { desk, clock } = await deskWith(1);
    clock.set(start + 384 * minute);
    await scan(desk);
    await scan(desk);
    const queued = query<{ event: string; recipient: string; seq: number }>(
      desk.store.reading,
      'SELECT event, recipient, event_seq AS seq FROM deliveries',
    ).all();
    expect(queued.map(({ event, recipient }) => [event, recipient])).toEqual([['mail.sla_warning', 'kim@example.org']]);
    const [event] = eventsAfter(desk.store.reading, null, (queued[0]?.seq ?? 0) - 1, 1);
    expect(event?.kind).toBe('ticket.sla_warning');
  });
});

describe('auto-close', () => {
  test('takes a bounded number in all, not of each site', async () => {
    const { desk, clock } = await deskWith(5, 4);
    const ctx = () => desk.context({ kind: 'operator' }, 'test');
    for (let id = 1; id <= 20; id += 1)
      await desk.write((tx) => changeTicket(tx, ctx(), id, { status: 'resolved' }, null));
    clock.advance(7 * day);
    const step = () => desk.write((tx) => closeResolved(tx, desk.context({ kind: 'scan' }, 'test'), 8));
    expect([await step(), await step(), await step(), await step()]).toEqual([8, 8, 4, 0]);
  });
});

describe('the scheduler', () => {
  test('catches up at its start with what fell due while the desk was down', async () => {
    const { desk, clock, told } = await deskWith(3);
    clock.set(start + 30 * day);
    const folder = temporaryFolder();
    const jobs = startScheduler({
      desk,
      blobs: createLocalBlobs(join(folder, 'attachments')),
      mailBlobs: createLocalBlobs(join(folder, 'inbound')),
      log: silentLog,
      flushTokenUses: () => Promise.resolve(),
      recoverMail: () => Promise.resolve(0),
      keepSnapshots: () => Promise.resolve(),
    });
    try {
      const until = performance.now() + 4000;
      while (told().length < 6 && performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
      expect(told().sort()).toEqual(
        [1, 2, 3].flatMap((id) => [`${id} ticket.sla_breached first_response`, `${id} ticket.sla_breached resolution`]),
      );
    } finally {
      jobs.stop();
      await desk.writer.close();
    }
  });
});

describe('what the jobs look at is found by an index', () => {
  test.each([
    ['due', 'SEARCH tickets USING COVERING INDEX tickets_by_sla_next (sla_next_at<?)'],
    ['resolved', 'SEARCH tickets USING INDEX tickets_resolved (site_id=? AND resolved_at<?)'],
    ['running', 'SEARCH tickets USING INTEGER PRIMARY KEY (rowid>?)'],
  ] as const)('%s', async (name, plan) => {
    const { desk } = await deskWith(1);
    const rows = query<{ detail: string }>(desk.store.reading, `EXPLAIN QUERY PLAN ${slaTexts[name]}`).all();
    expect(rows.map(({ detail }) => detail)).toEqual([plan]);
  });
});
