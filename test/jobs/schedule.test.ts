// The scan as in serve: catching up at start, step by step, and two desks on one database.

import { afterEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { createSeal } from '../../src/base/crypto.ts';
import { type Log, silentLog } from '../../src/base/log.ts';
import { createDesk, type Desk } from '../../src/desk/desk.ts';
import { addAgent } from '../../src/desk/people/agents.ts';
import { priorities } from '../../src/desk/sites/catalogue/priorities.ts';
import { createSite } from '../../src/desk/sites/sites.ts';
import { closeResolved, previewScan } from '../../src/desk/sla/sla.ts';
import { changeTicket } from '../../src/desk/tickets/change-ticket.ts';
import { openTicket } from '../../src/desk/tickets/tickets.ts';
import { DeskError } from '../../src/domain/errors.ts';
import { openStore, query } from '../../src/engine/database.ts';
import { createLocalBlobs } from '../../src/files/blobs.ts';
import { type JobRun, startScheduler } from '../../src/jobs/schedule.ts';
import { closeAll, scan, scanDue } from '../../src/jobs/ticket-scans.ts';
import { sortByLevels } from '../../src/jobs/upkeep.ts';
import { measures } from '../../src/store/database-figures.ts';
import { eventsAfter } from '../../src/store/events.ts';
import { siteById } from '../../src/store/sites/sites.ts';
import { slaTexts } from '../../src/store/sla/sla.ts';
import { listFaults } from '../../src/store/tickets/ticket-faults.ts';
import { copyLevels, hasLevelsToCopy } from '../../src/store/tickets/tickets.ts';
import { fixedClock } from '../support/clock.ts';
import { temporaryFolder } from '../support/folders.ts';
import { migratedStore } from '../support/store.ts';

const start = Date.UTC(2026, 8, 7, 9);
const minute = 60_000;
const day = 24 * 60 * minute;

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const store of opened.splice(0)) store.close();
});

/** A desk with an owner and this many tickets, each on its own site if asked for. */
async function deskWith(tickets: number, sites = 1) {
  const { store, path } = migratedStore();
  opened.push(store);
  const clock = fixedClock(start);
  const seal = createSeal(Buffer.alloc(32, 7));
  const desk = createDesk(store, seal, clock);
  await desk.write((tx) => {
    const ctx = desk.context({ kind: 'command_line' }, 'test');
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
    eventsAfter(desk.store.reading, 'all', 0, 10_000)
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

  test('of two processes side by side signals each thing once', async () => {
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
    const [event] = eventsAfter(desk.store.reading, 'all', (queued[0]?.seq ?? 0) - 1, 1);
    expect(event?.kind).toBe('ticket.sla_warning');
  });
});

describe('a ticket that makes a job fail', () => {
  /** A log that keeps its errors. */
  const listening = () => {
    const told: Record<string, unknown>[] = [];
    const log: Log = { ...silentLog, error: (fields: object) => void told.push({ ...fields }) };
    return { log, told };
  };
  const spoil = (desk: Desk, id: number, text = '{') =>
    desk.store.writing.client.run('UPDATE tickets SET custom_fields = ? WHERE id = ?', [text, id]);

  test('is set aside by the scan, told once, and tried again in an hour; all others go on', async () => {
    const { desk, clock, told } = await deskWith(130);
    clock.set(start + 480 * minute);
    for (let id = 1; id <= 60; id += 1) spoil(desk, id);
    const { log, told: logged } = listening();
    expect(await scan(desk, log)).toBe(70);
    expect(new Set(told()).size).toBe(70);
    expect(logged.length).toBe(60);
    expect(logged[0]).toMatchObject({ job: 'sla scan', ticket: 1, error: 'UnreadableRow' });
    expect(measures(desk.store.reading, clock.now())).toMatchObject({ faultyTickets: 60, slaLagMs: 0 });
    // It is skipped for an hour, and other due tickets are scanned.
    clock.advance(59 * minute);
    expect(await scan(desk, log)).toBe(0);
    clock.advance(2 * minute);
    for (let id = 1; id <= 59; id += 1) spoil(desk, id, '{}');
    expect(await scan(desk, log)).toBe(59);
    expect(logged.length).toBe(60);
    expect(listFaults(desk.store.reading, 10)).toEqual([
      { job: 'sla scan', ticketId: 60, error: 'UnreadableRow', failedAt: clock.now() },
    ]);
    clock.advance(61 * minute);
    spoil(desk, 60, '{}');
    expect(await scan(desk, log)).toBe(1);
    expect(listFaults(desk.store.reading, 10)).toEqual([]);
  });

  test('is named by a dry run, and by a scan as of a time to come, which ends', async () => {
    const { desk, clock } = await deskWith(3);
    spoil(desk, 2);
    const ctx = { ...desk.context({ kind: 'scan' }, 'test'), now: start + 480 * minute };
    const preview = desk.read((tx) => previewScan(tx, ctx));
    expect(preview.signals.map(({ ticket }) => ticket.id)).toEqual([1, 3]);
    expect(preview.failed).toEqual([2]);
    const ran = await scanDue(desk, () => ctx);
    expect(ran.done.map(({ ticket }) => ticket.id)).toEqual([1, 3]);
    expect(ran.failed.map(({ ticketId }) => ticketId)).toEqual([2]);
    // A ticket that is no longer scanned is forgotten after a day.
    clock.advance(2 * day);
    desk.store.writing.client.run('UPDATE tickets SET sla_next_at = NULL WHERE id = 2');
    await scan(desk);
    expect(listFaults(desk.store.reading, 10)).toEqual([]);
  });

  test('does not keep others from being closed', async () => {
    const { desk, clock } = await deskWith(8);
    const ctx = () => desk.context({ kind: 'command_line' }, 'test');
    for (let id = 1; id <= 8; id += 1)
      await desk.write((tx) => changeTicket(tx, ctx(), id, { status: 'resolved' }, null));
    clock.advance(7 * day);
    spoil(desk, 1);
    const { log, told: logged } = listening();
    await closeAll(desk, log);
    await closeAll(desk, log);
    const closed = query<{ id: number }>(desk.store.reading, "SELECT id FROM tickets WHERE status = 'closed'").all();
    expect(closed.map(({ id }) => id).sort()).toEqual([2, 3, 4, 5, 6, 7, 8]);
    expect(logged).toMatchObject([{ job: 'auto-close', ticket: 1 }]);
  });

  test('is not what the storage is blamed on', async () => {
    const { desk, clock } = await deskWith(2);
    clock.set(start + 480 * minute);
    desk.writer.guard(() => {
      throw new DeskError('unavailable', 'This machine cannot write.');
    });
    await expect(scan(desk)).rejects.toThrow('This machine cannot write.');
    desk.writer.guard(() => undefined);
    expect(listFaults(desk.store.reading, 10)).toEqual([]);
    expect(await scan(desk)).toBe(2);
  });
});

describe("a priority's level that is changed", () => {
  const levels = (desk: Desk) =>
    query<{ level: number; total: number }>(
      desk.store.reading,
      'SELECT priority_level AS level, count(*) AS total FROM tickets GROUP BY 1 ORDER BY 1',
    ).all();
  const change = (desk: Desk, level: number) =>
    desk.write(
      (tx) => priorities.change(tx, desk.context({ kind: 'command_line' }, 'test'), '1', 2, { level }, null).row.id,
    );

  test('is what few tickets sort by immediately', async () => {
    const { desk } = await deskWith(200);
    await change(desk, 300);
    expect(levels(desk)).toEqual([{ level: 300, total: 200 }]);
    expect(desk.read((tx) => hasLevelsToCopy(tx))).toBe(false);
  });

  test('comes to many tickets in steps, also when a crash or another change comes between, and to new ones at once', async () => {
    const { desk, another } = await deskWith(450);
    const before = desk.writer.batches.steps;
    await change(desk, 300);
    expect(levels(desk)).toEqual([{ level: 2, total: 450 }]);
    expect(await desk.write((tx) => copyLevels(tx))).toBe(true);
    expect(levels(desk)).toEqual([
      { level: 2, total: 250 },
      { level: 300, total: 200 },
    ]);
    await change(desk, 400);
    await desk.write((tx) => {
      const site = siteById(tx, 1);
      if (!site) throw new Error('no site');
      const input = { email: 'mia@example.org', subject: 'New', message: 'It broke.' };
      return openTicket(tx, desk.context({ kind: 'command_line' }, 'test'), site, input).ticket.id;
    });
    await sortByLevels(another());
    expect(levels(desk)).toEqual([{ level: 400, total: 451 }]);
    expect(desk.read((tx) => hasLevelsToCopy(tx))).toBe(false);
    // Three steps of another process, and four of this one.
    expect(desk.writer.batches.steps - before).toBe(4);
    await sortByLevels(desk);
    expect(desk.writer.batches.steps - before).toBe(4);
  });
});

describe('auto-close', () => {
  test('takes a bounded number in all, not of each site', async () => {
    const { desk, clock } = await deskWith(5, 4);
    const ctx = () => desk.context({ kind: 'command_line' }, 'test');
    for (let id = 1; id <= 20; id += 1)
      await desk.write((tx) => changeTicket(tx, ctx(), id, { status: 'resolved' }, null));
    clock.advance(7 * day);
    const step = () => desk.write((tx) => closeResolved(tx, desk.context({ kind: 'scan' }, 'test'), 8));
    expect([await step(), await step(), await step(), await step()]).toEqual([8, 8, 4, 0]);
  });
});

/** The scheduler with nothing else to do. */
function schedulerOf(desk: Desk, removeSites = () => Promise.resolve(), runs = new Map<string, JobRun>()) {
  const folder = temporaryFolder();
  return startScheduler({
    desk,
    runs,
    blobs: createLocalBlobs(join(folder, 'attachments')),
    mailBlobs: createLocalBlobs(join(folder, 'inbound')),
    log: silentLog,
    flushUses: () => Promise.resolve(),
    auditKeepMs: 400 * day,
    recoverMail: () => Promise.resolve(0),
    removeSites,
    resumeRecomputes: () => Promise.resolve(0),
    removeErased: () => Promise.resolve(),
    checkMailboxes: async () => undefined,
    keepSnapshots: () => Promise.resolve(),
    noteStorage: () => Promise.resolve(),
    scanFiles: null,
  });
}

describe('the scheduler', () => {
  test('knows of each job how its last run ended', async () => {
    const { desk, clock } = await deskWith(0);
    const runs = new Map<string, JobRun>();
    const isOver = Promise.withResolvers<void>();
    const jobs = schedulerOf(
      desk,
      async () => {
        // The job ends right after this.
        setTimeout(isOver.resolve);
        throw new Error('The disk is gone.');
      },
      runs,
    );
    await isOver.promise;
    jobs.stop();
    await desk.writer.close();
    expect(runs.get('removals')).toEqual({
      endedAt: clock.now(),
      ms: expect.any(Number),
      error: 'The disk is gone.',
    });
  });

  test('runs each job by itself, a moment after its start', async () => {
    const { desk } = await deskWith(0);
    let runs = 0;
    const jobs = schedulerOf(desk, async () => {
      runs += 1;
    });
    expect(runs).toBe(0);
    while (runs === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    jobs.stop();
    await desk.writer.close();
    expect(runs).toBe(1);
  });

  test('catches up at its start with what fell due while the desk was down', async () => {
    const { desk, clock, told } = await deskWith(3);
    clock.set(start + 30 * day);
    const jobs = schedulerOf(desk);
    try {
      while (told().length < 6) await new Promise((resolve) => setImmediate(resolve));
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
    expect(rows[0]?.detail).toBe(plan);
    // Tickets set aside are looked up by their own key.
    for (const { detail } of rows.slice(1))
      expect(detail).toMatch(/^CORRELATED|USING PRIMARY KEY \(job=\? AND ticket_id=\?\)/);
  });
});
