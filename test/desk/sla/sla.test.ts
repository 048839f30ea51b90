// The two clocks through every change of a ticket, with the desk's verbs and a machine clock that the test moves.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createDesk } from '../../../src/desk/desk.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { previewRecompute, recomputeStep, startRecompute } from '../../../src/desk/sla/recompute.ts';
import { closeResolved, explainSla, previewScan, scanStep } from '../../../src/desk/sla/sla.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import { addNote, replyAsAgent, replyAsCustomer } from '../../../src/desk/tickets/replies.ts';
import type { SiteChangeInput } from '../../../src/domain/input/sites.ts';
import type { TicketStatus } from '../../../src/domain/tickets/ticket.ts';
import { ledgerShape, presentLedger } from '../../../src/http/wire/sla/sla.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import { priorityRows } from '../../../src/store/sites/catalogue.ts';
import type { Ticket } from '../../../src/store/tickets/tickets.ts';
import { caseCount } from '../../support/case-count.ts';
import { minute, start, type Workbench, workbench } from '../workbench.ts';

const hour = 60 * minute;
const day = 24 * hour;
// Friday 2026-09-11, 11:30 in Amsterdam.
const office = {
  business_hours: {
    timezone: 'Europe/Amsterdam',
    weekly: Object.fromEntries(
      ['mon', 'tue', 'wed', 'thu', 'fri'].map((name) => [
        name,
        [
          ['09:00', '12:30'],
          ['13:00', '17:00'],
        ],
      ]),
    ),
  },
};
const local = (text: string) => Temporal.PlainDateTime.from(text).toZonedDateTime('Europe/Amsterdam').epochMilliseconds;

let bench: Workbench;
beforeEach(() => {
  bench = workbench();
});
afterEach(() => bench.close());

const site = (change: object) =>
  bench.do((tx, ctx) => changeSite(tx, ctx, String(bench.site.id), change as SiteChangeInput, null));
const set = (ticket: Ticket, change: object) => bench.do((tx, ctx) => changeTicket(tx, ctx, ticket.id, change, null));
const status = (ticket: Ticket, to: TicketStatus) => set(ticket, { status: to });
const reply = (ticket: Ticket) => bench.do((tx, ctx) => replyAsAgent(tx, ctx, ticket.id, { body: 'Here you are.' }));
const customer = (ticket: Ticket) =>
  bench.do((tx, ctx) => {
    const current = bench.ticket(ticket.id);
    const author = authorById(tx, current.authorId);
    if (!author) throw new Error('no author');
    return replyAsCustomer(
      tx,
      { ...ctx, actor: { kind: 'author', siteId: current.siteId, authorId: author.id, name: author.name } },
      current,
      author,
      { body: 'More.' },
    );
  });
const scan = () =>
  bench
    .do((tx, ctx) => scanStep(tx, { ...ctx, actor: { kind: 'scan' } }))
    .signals.map(({ clock, kind }) => `${clock} ${kind}`);
const kinds = () => bench.events.map(({ kind, data }) => `${kind}${data.sla_type ? ` ${data.sla_type}` : ''}`);
/** First response 480, resolution 2880 minutes, like the starter priority Normal. */
const open = (input = {}) => bench.ticket(bench.open(input).ticket.id);
const at = (ms: number) => bench.clock.set(start + ms);

describe('warnings and breaches', () => {
  test('each comes once, the warning at 80 percent, the breach at the deadline', () => {
    const ticket = open();
    expect(ticket.firstResponseDueAt).toBe(start + 480 * minute);
    expect(ticket.resolutionDueAt).toBe(start + 2880 * minute);
    at(384 * minute - 1);
    expect(scan()).toEqual([]);
    at(384 * minute);
    expect(scan()).toEqual(['first_response warning']);
    expect(bench.events.map(({ kind, actor, data }) => [kind, actor.type, data.minutes_remaining])).toEqual([
      ['ticket.sla_warning', 'scan', 96],
    ]);
    expect(scan()).toEqual([]);
    at(480 * minute);
    expect(scan()).toEqual(['first_response breach']);
    expect(scan()).toEqual([]);
    at(2880 * minute + day);
    expect(scan()).toEqual(['resolution breach']);
    expect(scan()).toEqual([]);
    const after = bench.ticket(ticket.id);
    expect(after.firstResponseWarnedAt).toBe(start + 384 * minute);
    expect(after.firstResponseBreachedAt).toBe(start + 480 * minute);
    expect(after.resolutionWarnedAt).toBeNull();
    expect(after.slaNextAt).toBeNull();
  });

  test('a desk that was down over the deadline breaches at once and does not warn', () => {
    open();
    at(30 * day);
    expect(scan()).toEqual(['first_response breach', 'resolution breach']);
    expect(bench.events.every(({ data }) => Number(data.minutes_remaining) < 0)).toBe(true);
  });

  test('an alert for midnight is issued at midnight', () => {
    site({
      sla_policy: {
        business_hours: {
          timezone: 'UTC',
          weekly: Object.fromEntries(
            ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((name) => [name, [['00:00', '24:00']]]),
          ),
        },
      },
    });
    bench.clock.set(Date.UTC(2026, 8, 11, 16));
    const ticket = open();
    expect(ticket.firstResponseDueAt).toBe(Date.UTC(2026, 8, 12));
    bench.clock.set(Date.UTC(2026, 8, 12));
    expect(scan()).toEqual(['first_response breach']);
  });

  test('a ticket raised outside working hours starts with the next shift', () => {
    site({ sla_policy: office });
    bench.clock.set(local('2026-09-12T10:00'));
    expect(open({ priority_id: 4 }).firstResponseDueAt).toBe(local('2026-09-14T10:00'));
  });

  test('two scanners never signal the same thing', () => {
    for (let index = 0; index < 30; index += 1) open();
    at(480 * minute);
    const other = createDesk(bench.desk.store, bench.desk.seal, bench.clock);
    const both = [bench.desk, other].map((desk) =>
      desk.write((tx) => scanStep(tx, desk.context({ kind: 'scan' }, 'scan'))),
    );
    return Promise.all(both).then((steps) => {
      expect(steps.flatMap(({ signals }) => signals).length).toBe(30);
    });
  });

  test('a test ticket is never due', () => {
    expect(open({ is_test: true }).slaNextAt).toBeNull();
    at(30 * day);
    expect(scan()).toEqual([]);
  });

  test('a dry run tells the same and changes nothing', () => {
    open();
    at(480 * minute);
    const before = bench.everything();
    expect(bench.do((tx, ctx) => previewScan(tx, ctx)).signals.map(({ clock, kind }) => `${clock} ${kind}`)).toEqual([
      'first_response breach',
    ]);
    expect(bench.everything()).toEqual(before);
  });
});

describe('the first response', () => {
  test('is the first public message of an agent, not a note and not the customer', () => {
    const ticket = open();
    at(hour);
    bench.do((tx, ctx) => addNote(tx, ctx, ticket.id, { body: 'Hm.' }));
    customer(ticket);
    expect(bench.ticket(ticket.id).firstResponseAt).toBeNull();
    at(2 * hour);
    reply(ticket);
    at(3 * hour);
    reply(ticket);
    expect(bench.ticket(ticket.id).firstResponseAt).toBe(start + 2 * hour);
    at(30 * hour);
    expect(scan()).toEqual([]);
  });

  test('after the deadline but before the scan records the breach before the stop', () => {
    const ticket = open();
    at(480 * minute + 20_000);
    reply(ticket);
    expect(kinds()).toEqual(['ticket.sla_breached first_response', 'ticket.replied']);
    const { firstResponseBreachedAt, firstResponseAt } = bench.ticket(ticket.id);
    expect(firstResponseBreachedAt).not.toBeNull();
    expect(firstResponseBreachedAt ?? 0).toBeLessThanOrEqual(firstResponseAt ?? 0);
    expect(scan()).toEqual([]);
  });

  test('at the very deadline is in time', () => {
    const ticket = open();
    at(480 * minute);
    reply(ticket);
    expect(bench.ticket(ticket.id).firstResponseBreachedAt).toBeNull();
  });
});

describe('pausing', () => {
  test('waiting on the customer burns no time: the deadlines move out by what was waited', () => {
    const ticket = open();
    at(hour);
    status(ticket, 'pending');
    expect(bench.ticket(ticket.id).slaPausedAt).toBe(start + hour);
    expect(bench.ticket(ticket.id).slaNextAt).toBeNull();
    at(10 * day);
    expect(scan()).toEqual([]);
    customer(ticket);
    const resumed = bench.ticket(ticket.id);
    expect([resumed.status, resumed.slaPausedAt]).toEqual(['open', null]);
    expect(resumed.firstResponseDueAt).toBe(start + 480 * minute + 10 * day - hour);
    expect(resumed.resolutionDueAt).toBe(start + 2880 * minute + 10 * day - hour);
    expect(resumed.resolutionPausedMs).toBe(10 * day - hour);
  });

  test('only working time of a pause counts', () => {
    site({ sla_policy: office });
    bench.clock.set(local('2026-09-11T16:00'));
    const ticket = open({ priority_id: 4 });
    bench.clock.set(local('2026-09-11T16:30'));
    status(ticket, 'pending');
    bench.clock.set(local('2026-09-14T09:15'));
    status(ticket, 'open');
    expect(bench.ticket(ticket.id).resolutionPausedMs).toBe(45 * minute);
    expect(bench.ticket(ticket.id).firstResponseDueAt).toBe(local('2026-09-14T09:45'));
  });

  test('does not happen where the policy says so', () => {
    site({ sla_policy: { pause_while_pending: false } });
    const ticket = open();
    at(hour);
    status(ticket, 'pending');
    expect(bench.ticket(ticket.id).slaPausedAt).toBeNull();
    at(480 * minute);
    expect(scan()).toEqual(['first_response breach']);
  });

  test('after a deadline that no scan has seen records the breach first', () => {
    const ticket = open();
    at(481 * minute);
    status(ticket, 'pending');
    expect(kinds()).toEqual(['ticket.sla_breached first_response', 'ticket.status_changed']);
  });

  test('an answer while pending stops the first-response clock in time', () => {
    const ticket = open();
    at(hour);
    status(ticket, 'pending');
    at(3 * day);
    reply(ticket);
    const answered = bench.ticket(ticket.id);
    expect([answered.firstResponseAt, answered.firstResponseBreachedAt]).toEqual([start + 3 * day, null]);
    at(4 * day);
    status(ticket, 'open');
    expect(bench.ticket(ticket.id).resolutionDueAt).toBe(start + 2880 * minute + 4 * day - hour);
    expect(scan()).toEqual([]);
  });
});

describe('resolving, closing, reopening', () => {
  test.each(['resolved', 'closed'] as const)('%s stops the clocks, and a week later reopening is no breach', (to) => {
    const ticket = open();
    at(10 * hour - 2 * hour - minute);
    reply(ticket);
    at(10 * hour);
    status(ticket, to);
    const stopped = bench.ticket(ticket.id);
    expect([stopped.resolvedAt, stopped.slaNextAt]).toEqual([start + 10 * hour, null]);
    at(7 * day + 10 * hour);
    expect(scan()).toEqual([]);
    customer(ticket);
    const reopened = bench.ticket(ticket.id);
    expect([reopened.status, reopened.resolvedAt, reopened.closedAt]).toEqual(['open', null, null]);
    expect(reopened.resolutionDueAt).toBe(start + 2880 * minute + 7 * day);
    expect(reopened.resolutionPausedMs).toBe(7 * day);
    expect(scan()).toEqual([]);
    at(7 * day + 2880 * minute);
    expect(scan()).toContain('resolution breach');
  });

  test('late resolving records the breach before the stop', () => {
    const ticket = open();
    reply(ticket);
    at(2880 * minute + 1);
    status(ticket, 'resolved');
    expect(kinds()).toEqual(['ticket.sla_breached resolution', 'ticket.status_changed']);
  });

  test('a ticket resolved unanswered waits for no answer, and goes on waiting when reopened', () => {
    const ticket = open();
    at(hour);
    status(ticket, 'resolved');
    at(3 * day);
    expect(scan()).toEqual([]);
    status(ticket, 'open');
    expect(bench.ticket(ticket.id).firstResponseDueAt).toBe(start + 480 * minute + 3 * day - hour);
    expect(scan()).toEqual([]);
  });

  test('resolving out of pending ends the pause', () => {
    const ticket = open();
    at(hour);
    status(ticket, 'pending');
    at(2 * hour);
    status(ticket, 'resolved');
    expect([bench.ticket(ticket.id).slaPausedAt, bench.ticket(ticket.id).resolutionPausedMs]).toEqual([null, hour]);
    at(3 * hour);
    status(ticket, 'open');
    expect(bench.ticket(ticket.id).resolutionDueAt).toBe(start + 2880 * minute + 2 * hour);
  });

  test('a merged ticket has no clock any more, the other one keeps its own', () => {
    const source = open();
    const target = open();
    bench.do((tx, ctx) => mergeTickets(tx, ctx, source.id, target.id));
    expect(bench.ticket(source.id).slaNextAt).toBeNull();
    at(480 * minute);
    expect(bench.do((tx, ctx) => scanStep(tx, ctx)).signals.map(({ ticket }) => ticket.id)).toEqual([target.id]);
  });

  test('what has been resolved for auto_close_days is closed, no more and no less', () => {
    site({ settings: { auto_close_days: 7 } });
    const old = open();
    const young = open();
    status(old, 'resolved');
    at(day);
    status(young, 'resolved');
    at(7 * day);
    expect(bench.do((tx, ctx) => closeResolved(tx, { ...ctx, actor: { kind: 'scan' } }, 100))).toBe(1);
    expect(bench.events.map(({ kind, actor }) => [kind, actor.type])).toEqual([['ticket.status_changed', 'scan']]);
    expect([bench.ticket(old.id).status, bench.ticket(young.id).status]).toEqual(['closed', 'resolved']);
    expect(bench.ticket(old.id).resolvedAt).toBe(start);
  });
});

describe('another priority or policy', () => {
  test('a new priority moves the running deadlines, from the start and the pauses', () => {
    const ticket = open();
    at(hour);
    status(ticket, 'pending');
    at(2 * hour);
    set(ticket, { priority_id: 4 });
    at(3 * hour);
    status(ticket, 'open');
    expect(bench.ticket(ticket.id).firstResponseDueAt).toBe(start + 60 * minute + 2 * hour);
    expect(bench.ticket(ticket.id).resolutionDueAt).toBe(start + 480 * minute + 2 * hour);
  });

  test('a deadline that moves into the future again leaves the breach on record and is not breached twice', () => {
    const ticket = open({ priority_id: 4 });
    at(61 * minute);
    expect(scan()).toEqual(['first_response breach']);
    set(ticket, { priority_id: 1 });
    const changed = bench.ticket(ticket.id);
    expect(changed.firstResponseBreachedAt).toBe(start + 61 * minute);
    expect(changed.firstResponseDueAt).toBe(start + 1440 * minute);
    at(1441 * minute);
    expect(scan()).not.toContain('first_response breach');
  });

  test('a priority without targets has no clocks', () => {
    bench.do((tx) => priorityRows.update(tx, 2, { firstResponseMinutes: null, resolutionMinutes: null }));
    const ticket = open();
    expect([ticket.firstResponseDueAt, ticket.resolutionDueAt, ticket.slaNextAt]).toEqual([null, null, null]);
  });

  test('a changed policy is for new tickets, and for open ones when it is asked for, after a dry run', () => {
    bench.clock.set(local('2026-09-11T12:00'));
    const ticket = open({ priority_id: 4 });
    site({ sla_policy: office });
    expect(bench.ticket(ticket.id).firstResponseDueAt).toBe(local('2026-09-11T13:00'));
    expect(open({ priority_id: 4 }).firstResponseDueAt).toBe(local('2026-09-11T13:30'));
    const before = bench.everything();
    const preview = bench.do((tx, ctx) => previewRecompute(tx, ctx, String(bench.site.id), 0));
    expect(preview.moved.map((moved) => [moved.ticket.id, moved.after.firstResponseDueAt])).toEqual([
      [ticket.id, local('2026-09-11T13:30')],
    ]);
    expect(bench.everything()).toEqual(before);
    bench.do((tx, ctx) => recomputeStep(tx, ctx, startRecompute(tx, ctx, String(bench.site.id))));
    expect(bench.ticket(ticket.id).firstResponseDueAt).toBe(local('2026-09-11T13:30'));
  });
});

describe('recomputing', () => {
  const name = () => String(bench.site.id);
  const recompute = (isDryRun = false) =>
    bench
      .do((tx, ctx) =>
        isDryRun
          ? previewRecompute(tx, ctx, name(), 0).moved
          : (recomputeStep(tx, ctx, startRecompute(tx, ctx, name()))?.moved ?? []),
      )
      .map(({ ticket }) => ticket.id);

  test('records a breach that no scan has seen before the deadline moves away, by the policy it was missed under', () => {
    bench.clock.set(local('2026-09-11T16:30'));
    const ticket = open({ priority_id: 4 });
    bench.clock.set(local('2026-09-11T17:31'));
    site({ sla_policy: office });
    expect(recompute(true)).toEqual([ticket.id]);
    expect(bench.ticket(ticket.id).firstResponseBreachedAt).toBeNull();
    expect(recompute()).toEqual([ticket.id]);
    expect(kinds()).toEqual(['ticket.sla_breached first_response', 'ticket.updated']);
    const { firstResponseDueAt, firstResponseBreachedAt } = bench.ticket(ticket.id);
    expect([firstResponseDueAt, firstResponseBreachedAt]).toEqual([
      local('2026-09-14T09:30'),
      local('2026-09-11T17:31'),
    ]);
    bench.clock.set(local('2026-09-14T09:31'));
    expect(scan()).not.toContain('first_response breach');
  });

  test('counts the pause of a pending ticket that became spam once', () => {
    const ticket = open({ priority_id: 4 });
    status(ticket, 'pending');
    bench.clock.advance(hour);
    set(ticket, { is_spam: true });
    expect(recompute(true)).toEqual([]);
    bench.clock.advance(hour);
    set(ticket, { is_spam: false });
    status(ticket, 'open');
    expect(bench.ticket(ticket.id).resolutionPausedMs).toBe(2 * hour);
    expect(recompute(true)).toEqual([]);
  });

  test('measures the pauses so far by the new calendar', () => {
    bench.clock.set(local('2026-09-10T16:00'));
    const ticket = open({ priority_id: 4 });
    bench.clock.set(local('2026-09-10T16:30'));
    status(ticket, 'pending');
    bench.clock.set(local('2026-09-11T09:30'));
    status(ticket, 'open');
    expect(bench.ticket(ticket.id).resolutionPausedMs).toBe(17 * hour);
    site({ sla_policy: office });
    recompute();
    const { resolutionPausedMs, firstResponseDueAt } = bench.ticket(ticket.id);
    expect([resolutionPausedMs, firstResponseDueAt]).toEqual([hour, local('2026-09-11T10:00')]);
  });

  test('pauses what is pending, or lets it run, as the new policy says, and the ledger knows', () => {
    site({ sla_policy: { pause_while_pending: false } });
    const ticket = open();
    at(hour);
    status(ticket, 'pending');
    site({ sla_policy: { pause_while_pending: true } });
    at(2 * hour);
    recompute();
    expect([bench.ticket(ticket.id).slaPausedAt, bench.ticket(ticket.id).slaNextAt]).toEqual([start + 2 * hour, null]);
    site({ sla_policy: { pause_while_pending: false } });
    at(3 * hour);
    expect(recompute()).toEqual([ticket.id]);
    const running = bench.ticket(ticket.id);
    expect([running.slaPausedAt, running.resolutionPausedMs]).toEqual([null, hour]);
    const { clocks } = bench.do((tx, ctx) => explainSla(tx, ctx, ticket.id));
    expect(clocks[1]?.entries.map(({ kind, workingMs }) => [kind, workingMs])).toEqual([
      ['counted', 2 * hour],
      ['paused', hour],
      ['counted', 2880 * minute - 2 * hour],
    ]);
    at(4 * hour);
    status(ticket, 'open');
    expect(bench.ticket(ticket.id).resolutionPausedMs).toBe(hour);
  });

  test("takes up a priority's new targets", () => {
    const ticket = open();
    bench.do((tx) => priorityRows.update(tx, 2, { firstResponseMinutes: 60, resolutionMinutes: null }));
    expect(recompute()).toEqual([ticket.id]);
    const { firstResponseDueAt, resolutionDueAt } = bench.ticket(ticket.id);
    expect([firstResponseDueAt, resolutionDueAt]).toEqual([start + hour, null]);
  });

  test('leaves alone what is resolved, a test, or another site, and what does not move', () => {
    const resolved = open();
    const trial = open({ is_test: true });
    const open1 = open();
    status(resolved, 'resolved');
    const before = [resolved, trial].map(({ id }) => bench.ticket(id));
    expect(recompute()).toEqual([]);
    expect(bench.ticket(open1.id).version).toBe(open1.version);
    site({ sla_policy: office });
    expect(recompute()).toEqual([open1.id]);
    expect([resolved, trial].map(({ id }) => bench.ticket(id))).toEqual(before);
    expect(recompute()).toEqual([]);
  });

  test('goes through a large site page by page', () => {
    const ids = Array.from({ length: 250 }, () => open().id);
    site({ sla_policy: office });
    const seen: number[] = [];
    let pages = 0;
    const id = bench.do((tx, ctx) => startRecompute(tx, ctx, name()));
    for (let isDone = false; !isDone; pages += 1) {
      const page = bench.do((tx, ctx) => recomputeStep(tx, ctx, id));
      seen.push(...(page?.moved ?? []).map(({ ticket }) => ticket.id));
      isDone = page?.isDone ?? true;
    }
    expect([seen, pages]).toEqual([ids, 3]);
    // Nothing more happens after the end.
    expect(bench.do((tx, ctx) => recomputeStep(tx, ctx, id))).toBeNull();
  });
});

describe('the ledger', () => {
  const steps = fc.array(
    fc.record({
      after: fc.integer({ min: 1, max: 3000 }),
      act: fc.constantFrom('pending', 'open', 'resolved', 'closed', 'reply', 'customer', 'priority', 'spam', 'no spam'),
    }),
    { maxLength: 8 },
  );

  test('adds up to the deadline, to the second, whatever happened', () => {
    fc.assert(
      fc.property(steps, fc.boolean(), (history, isOffice) => {
        bench.close();
        bench = workbench();
        if (isOffice) site({ sla_policy: office });
        const ticket = open();
        for (const { after, act } of history) {
          bench.clock.advance(after * minute);
          try {
            if (act === 'reply') reply(ticket);
            else if (act === 'customer') customer(ticket);
            else if (act === 'spam' || act === 'no spam') set(ticket, { is_spam: act === 'spam' });
            else if (act === 'priority') set(ticket, { priority_id: 3 });
            else status(ticket, act as TicketStatus);
          } catch (error) {
            if (!(error instanceof Error && error.message.includes('cannot become'))) throw error;
          }
        }
        bench.clock.advance(17 * minute);
        const now = bench.clock.now();
        const ledger = bench.do((tx, ctx) => explainSla(tx, ctx, ticket.id));
        expect(ledgerShape.parse(presentLedger(ledger))).toEqual(presentLedger(ledger));
        for (const clock of ledger.clocks) {
          const counted = clock.entries.filter(({ kind }) => kind === 'counted');
          const past = counted
            .filter(({ isProjected }) => !isProjected)
            .reduce((sum, { workingMs }) => sum + workingMs, 0);
          expect(past).toBe(clock.elapsedMs);
          for (const [index, entry] of clock.entries.entries())
            if (index > 0) expect(entry.from).toBe(clock.entries[index - 1]?.to ?? now);
          if (clock.targetMinutes !== null)
            expect(clock.elapsedMs + (clock.remainingMs ?? 0)).toBe(clock.targetMinutes * minute);
          const { isSpam, resolvedAt, slaPausedAt, slaNextAt } = bench.ticket(ticket.id);
          if (isSpam && resolvedAt === null) expect([slaPausedAt !== null, slaNextAt]).toEqual([true, null]);
          const isRunning = clock.stoppedAt === null && !clock.isPaused && bench.ticket(ticket.id).resolvedAt === null;
          if (!isRunning || clock.targetMinutes === null || (clock.dueAt ?? 0) < now) continue;
          const whole = counted.reduce((sum, { workingMs }) => sum + workingMs, 0);
          expect(whole).toBe(clock.targetMinutes * minute);
          expect(clock.entries.at(-1)?.to).toBe(clock.dueAt);
        }
      }),
      { numRuns: caseCount(15, 200) },
    );
  }, 30_000);

  test('names the event that began each pause', () => {
    const ticket = open();
    at(hour);
    status(ticket, 'pending');
    const seq = bench.events.at(-1)?.seq;
    at(2 * hour);
    const { clocks, isPaused } = bench.do((tx, ctx) => explainSla(tx, ctx, ticket.id));
    expect(isPaused).toBe(true);
    expect(clocks[0]?.entries.map(({ kind, workingMs, bySeq }) => [kind, workingMs, bySeq])).toEqual([
      ['counted', hour, null],
      ['paused', hour, seq ?? -1],
    ]);
    expect(clocks[0]?.remainingMs).toBe(420 * minute);
  });
});
