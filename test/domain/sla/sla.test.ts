// The two clocks against a model that ticks every minute and knows no deadline, and the ledger, which must add up.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { dayMs, hourMs, type Instant, minuteMs } from '../../../src/domain/instant.ts';
import {
  addWorkingTime,
  type BusinessHours,
  compileCalendar,
  workingTimeBetween,
} from '../../../src/domain/sla/calendar.ts';
import { type SlaClock, type SlaState, type SlaTerms, slaClocks } from '../../../src/domain/sla/clock.ts';
import { type ClockLedger, explain, type LedgerEntry, type SlaInterval } from '../../../src/domain/sla/ledger.ts';
import * as sla from '../../../src/domain/sla/sla.ts';
import { caseCount } from '../../support/case-count.ts';

type Targets = { firstResponseMinutes: number | null; resolutionMinutes: number | null };
type Move =
  | { does: 'pause' | 'resume' | 'respond' | 'resolve' | 'reopen' | 'scan' }
  | { does: 'retarget'; to: Targets };

const targets = (firstResponseMinutes: number | null, resolutionMinutes: number | null): Targets => ({
  firstResponseMinutes,
  resolutionMinutes,
});
const split: [string, string][] = [
  ['09:00', '12:30'],
  ['13:00', '17:00'],
];
const zone = 'Europe/Amsterdam';
const office: BusinessHours = {
  timezone: zone,
  weekly: { mon: split, tue: split, wed: split, thu: split, fri: split },
};
const termsOf = (hours: BusinessHours | null, holidays: string[] = []): SlaTerms => ({
  calendar: compileCalendar(hours, holidays),
  warnAtPercent: 80,
});
const local = (text: string) => Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds;
// A Monday; the clocks of Amsterdam change on the Sunday after.
const begin = local('2026-03-23T00:00');

const { pause, resume, respond, resolve, reopen } = sla;
const steps = { pause, resume, respond, resolve, reopen };

/** A ticket, what a desk would store about it, and the order of its questions. */
class Life {
  readonly terms: SlaTerms;
  state: SlaState;
  readonly signals: (sla.SlaSignal & { foundAt: Instant })[] = [];
  readonly intervals: SlaInterval[] = [];

  constructor(terms: SlaTerms, createdAt: Instant, first: Targets) {
    this.terms = terms;
    this.state = sla.start(terms, createdAt, first);
  }

  move(move: Move, at: Instant): void {
    const { terms } = this;
    if (move.does === 'scan') {
      this.#take(sla.scan(terms, this.state, at), at);
      return;
    }
    this.#take(sla.catchUp(terms, this.state, at), at);
    const before = this.state;
    this.state = move.does === 'retarget' ? sla.retarget(terms, before, move.to) : steps[move.does](terms, before, at);
    const held = (state: SlaState) => (state.slaPausedAt ?? state.resolvedAt) !== null;
    const isOther = (before.resolvedAt === null) !== (this.state.resolvedAt === null);
    const open = this.intervals.at(-1);
    if (held(before) && (!held(this.state) || isOther) && open) open.endedAt = at;
    if (held(this.state) && (!held(before) || isOther)) {
      const kind = this.state.resolvedAt === null ? 'paused' : 'resolved';
      this.intervals.push({ kind, startedAt: at, endedAt: null, startedBySeq: null, endedBySeq: null });
    }
  }

  explain(clock: SlaClock, now: Instant): ClockLedger {
    return explain(this.terms, this.state, this.intervals, clock, now);
  }

  #take({ state, signals }: sla.SlaStep, at: Instant): void {
    this.state = state;
    this.signals.push(...signals.map((signal) => ({ ...signal, foundAt: at })));
  }
}

/** Counts minutes. */
class Model {
  status: 'open' | 'pending' | 'resolved' = 'open';
  readonly signals: string[] = [];
  readonly first = { name: 'first_response', target: null as number | null, used: 0, isStopped: false, said: '' };
  readonly resolution = { name: 'resolution', target: null as number | null, used: 0, isStopped: false, said: '' };
  readonly clocks = [this.first, this.resolution];
  readonly counts: readonly boolean[];

  constructor({ firstResponseMinutes, resolutionMinutes }: Targets, counts: readonly boolean[]) {
    this.counts = counts;
    this.first.target = firstResponseMinutes;
    this.resolution.target = resolutionMinutes;
  }

  tick(minute: number): void {
    if (this.status !== 'open' || !this.counts[minute]) return;
    for (const clock of this.clocks) if (!clock.isStopped) clock.used += 1;
  }

  move(move: Move, minute: number): void {
    // What is done exactly at the deadline is in time: the minute before was the last that counted.
    this.#say(minute, 'breach', (used, target) => used > target || (used === target && !this.counts[minute - 1]));
    const { status } = this;
    if (move.does === 'pause' && status === 'open') this.status = 'pending';
    if (move.does === 'resume' && status === 'pending') this.status = 'open';
    if (move.does === 'reopen' && status === 'resolved') this.status = 'open';
    if (move.does === 'resolve') this.status = 'resolved';
    if (move.does === 'respond') this.first.isStopped = true;
    if (move.does === 'retarget') {
      if (!this.first.isStopped) this.first.target = move.to.firstResponseMinutes;
      this.resolution.target = move.to.resolutionMinutes;
    }
  }

  scan(minute: number): void {
    this.#say(minute, 'breach', (used, target) => used >= target);
    this.#say(minute, 'warning', (used, target) => used * 100 >= target * 80);
  }

  #say(minute: number, kind: 'breach' | 'warning', isReached: (used: number, target: number) => boolean): void {
    if (this.status !== 'open') return;
    for (const clock of this.clocks) {
      const { target, used, isStopped, said } = clock;
      const isSaid = said === 'breach' || said === kind;
      if (target === null || isStopped || isSaid || !isReached(used, target)) continue;
      clock.said = kind;
      this.signals.push(`${minute} ${clock.name} ${kind}`);
    }
  }
}

// Nights over the change of the clocks, a split Monday, a whole Wednesday, and a holiday.
const odd: BusinessHours = {
  timezone: zone,
  weekly: { mon: split, tue: [['09:00', '17:00']], wed: [['00:00', '24:00']], thu: split, sat: [['22:00', '06:00']] },
};
const allTerms = [termsOf(null), termsOf(office), termsOf(odd, ['2026-03-26'])];
const span = 9 * 24 * 60;
const countsOf = allTerms.map(({ calendar }) =>
  Array.from({ length: span }, (_, minute) => {
    const from = begin + minute * minuteMs;
    return workingTimeBetween(calendar, from, from + minuteMs) > 0;
  }),
);
const target = fc.option(fc.integer({ min: 1, max: 1500 }), { freq: 8 });
const bothTargets = fc.tuple(target, target).map(([first, resolution]) => targets(first, resolution));
const moves = fc.oneof(
  {
    arbitrary: fc.constantFrom<Move>({ does: 'pause' }, { does: 'resume' }, { does: 'respond' }, { does: 'reopen' }),
    weight: 4,
  },
  { arbitrary: fc.constant<Move>({ does: 'resolve' }), weight: 1 },
  { arbitrary: bothTargets.map((to): Move => ({ does: 'retarget', to })), weight: 1 },
);
const histories = fc.record({
  which: fc.nat({ max: allTerms.length - 1 }),
  first: bothTargets,
  created: fc.nat({ max: 3 * 24 * 60 }),
  moves: fc.array(fc.tuple(fc.nat({ max: 2000 }), moves), { maxLength: 14 }),
  tail: fc.nat({ max: 1500 }),
});

function expectLedger(life: Life, clock: Model['first'], now: Instant): void {
  const name = clock.name as SlaClock;
  const ledger = life.explain(name, now);
  const { entries, dueAt, elapsedMs } = ledger;
  const sumOf = (some: LedgerEntry[]) => some.reduce((sum, { workingMs }) => sum + workingMs, 0);
  const counted = entries.filter(({ kind }) => kind === 'counted');
  expect(elapsedMs).toBe(clock.used * minuteMs);
  expect(sumOf(counted.filter(({ isProjected }) => !isProjected))).toBe(elapsedMs);
  let cursor: Instant | null = ledger.startedAt;
  for (const entry of entries) {
    expect(entry.from).toBe(cursor ?? now);
    cursor = entry.to;
  }
  if (ledger.stoppedAt !== null && entries.length > 0) expect(cursor).toBe(ledger.stoppedAt);
  if (ledger.targetMinutes === null) {
    expect([dueAt, ledger.remainingMs]).toEqual([null, null]);
    return;
  }
  const targetMs = ledger.targetMinutes * minuteMs;
  expect(elapsedMs + (ledger.remainingMs ?? 0)).toBe(targetMs);
  const { calendar } = life.terms;
  const deadline = dueAt ?? 0;
  const startedAt = ledger.startedAt ?? 0;
  // The deadline is the start, the target and the pauses, to the millisecond.
  expect(workingTimeBetween(calendar, startedAt, deadline)).toBe(targetMs + ledger.pausedMs);
  if (ledger.stoppedAt !== null || ledger.isPaused) return;
  expect(workingTimeBetween(calendar, now, deadline)).toBe(ledger.remainingMs ?? 0);
  const lastHold = Math.max(
    startedAt,
    ...entries.map(({ kind, to }) => (kind === 'counted' || kind === 'outside_hours' ? 0 : (to ?? 0))),
  );
  if (deadline <= lastHold) return;
  expect(sumOf(counted.filter(({ to }) => to !== null && to <= deadline))).toBe(targetMs);
}

describe('against a model that ticks every minute', () => {
  test('the same warnings and breaches in the same minutes, the same time counted, and a ledger that adds up', () => {
    fc.assert(
      fc.property(histories, ({ which, first, created, moves: list, tail }) => {
        const byMinute = new Map<number, Move[]>();
        let minute = created;
        for (const [gap, move] of list) {
          minute = Math.min(minute + gap, span - 1);
          byMinute.set(minute, [...(byMinute.get(minute) ?? []), move]);
        }
        const last = Math.min(minute + tail, span - 1);
        const terms = allTerms[which] ?? termsOf(null);
        const eager = new Life(terms, begin + created * minuteMs, first);
        const lazy = new Life(terms, begin + created * minuteMs, first);
        const model = new Model(first, countsOf[which] ?? []);
        for (let now = created; now <= last; now += 1) {
          const at = begin + now * minuteMs;
          for (const move of byMinute.get(now) ?? []) {
            model.move(move, now);
            eager.move(move, at);
            lazy.move(move, at);
          }
          model.scan(now);
          // A ticket that has nothing due is scanned less often, to keep the test short.
          if (now % 7 === 0 || eager.state.slaNextAt !== null) eager.move({ does: 'scan' }, at);
          if (lazy.state.slaNextAt !== null && lazy.state.slaNextAt <= at) lazy.move({ does: 'scan' }, at);
          if (now < last) model.tick(now);
        }
        const found = eager.signals.map(
          ({ foundAt, clock, kind }) => `${(foundAt - begin) / minuteMs} ${clock} ${kind}`,
        );
        expect(found.toSorted()).toEqual(model.signals.toSorted());
        expect(lazy.state).toEqual(eager.state);
        expect(lazy.signals).toEqual(eager.signals);
        for (const clock of model.clocks) expectLedger(eager, clock, begin + last * minuteMs);
      }),
      { numRuns: caseCount(60, 400) },
    );
  });

  test('pausing for some working time moves the deadline by it, in whatever order the pauses come', () => {
    const milliseconds = fc.nat({ max: 5 * hourMs });
    fc.assert(
      fc.property(
        fc.nat({ max: 3 * dayMs }),
        milliseconds,
        milliseconds,
        milliseconds,
        (offset, before, one, other) => {
          const [, , terms] = allTerms;
          if (!terms) throw new Error('no terms');
          const createdAt = begin + offset;
          const deadlineAfter = (pauses: number[]) => {
            const life = new Life(terms, createdAt, targets(null, 1200));
            const unpaused = life.state.resolutionDueAt ?? 0;
            let now = createdAt;
            for (const ms of pauses) {
              now = addWorkingTime(terms.calendar, now, before);
              life.move({ does: 'pause' }, now);
              now = addWorkingTime(terms.calendar, now, ms);
              life.move({ does: 'resume' }, now);
            }
            expect(workingTimeBetween(terms.calendar, unpaused, life.state.resolutionDueAt ?? 0)).toBe(one + other);
            return life.state.resolutionDueAt;
          };
          expect(deadlineAfter([one, other])).toBe(deadlineAfter([other, one]));
        },
      ),
      { numRuns: caseCount(25, 150) },
    );
  });

  test('many short pauses lose nothing to rounding', () => {
    const life = new Life(termsOf(null), begin, targets(60, null));
    for (let round = 0; round < 60; round += 1) {
      life.move({ does: 'pause' }, begin + round * 20_000);
      life.move({ does: 'resume' }, begin + round * 20_000 + 10_001);
    }
    expect(life.state.firstResponseDueAt).toBe(begin + hourMs + 60 * 10_001);
  });
});

describe('the ledger', () => {
  const lines = (ledger: ClockLedger) =>
    ledger.entries.map(({ kind, from, to, workingMs, isProjected }) => {
      const wall = (at: Instant | null) =>
        at === null
          ? '…'
          : Temporal.Instant.fromEpochMilliseconds(at)
              .toZonedDateTimeISO(zone)
              .toPlainDateTime()
              .toString()
              .slice(8, 16);
      return `${wall(from)} ${wall(to)} ${kind} ${workingMs / minuteMs}${isProjected ? ' to come' : ''}`;
    });

  test('names each stretch, and what is still to come', () => {
    const life = new Life(termsOf(office), local('2026-03-23T08:30'), targets(180, 480));
    for (const [text, does] of [
      ['23T11:00', 'respond'],
      ['23T12:00', 'pause'],
      ['23T14:00', 'resume'],
      ['23T16:00', 'resolve'],
      ['24T09:30', 'reopen'],
    ] as const) {
      life.move({ does }, local(`2026-03-${text}`));
    }
    const now = local('2026-03-24T10:00');
    expect(lines(life.explain('first_response', now))).toEqual([
      '23T08:30 23T09:00 outside_hours 0',
      '23T09:00 23T11:00 counted 120',
    ]);
    expect(lines(life.explain('resolution', now))).toEqual([
      '23T08:30 23T09:00 outside_hours 0',
      '23T09:00 23T12:00 counted 180',
      '23T12:00 23T14:00 paused 90',
      '23T14:00 23T16:00 counted 120',
      '23T16:00 24T09:30 resolved 90',
      '24T09:30 24T10:00 counted 30',
      '24T10:00 24T12:30 counted 150 to come',
    ]);
  });

  test('shows overtime as a stretch of its own', () => {
    const life = new Life(termsOf(office), local('2026-03-23T10:00'), targets(60, null));
    const ledger = life.explain('first_response', local('2026-03-23T11:30'));
    expect(lines(ledger)).toEqual(['23T10:00 23T11:00 counted 60', '23T11:00 23T11:30 counted 30']);
    expect(ledger.remainingMs).toBe(-30 * minuteMs);
  });

  test('shows the target that the deadline of a resolved ticket was made from', () => {
    const life = new Life(termsOf(office), local('2026-03-23T10:00'), targets(60, 120));
    life.move({ does: 'resolve' }, local('2026-03-23T10:30'));
    life.move({ does: 'retarget', to: targets(240, null) }, local('2026-03-23T10:40'));
    const now = local('2026-03-23T11:00');
    expect(slaClocks.map((clock) => life.explain(clock, now).targetMinutes)).toEqual([60, 120]);
    life.move({ does: 'reopen' }, now);
    expect(slaClocks.map((clock) => life.explain(clock, now).targetMinutes)).toEqual([240, null]);
  });

  test('of several years stays short', () => {
    const life = new Life(termsOf(office), begin, targets(60, 600));
    expect(life.explain('resolution', begin + 900 * dayMs).entries.length).toBeLessThan(410);
  });
});
