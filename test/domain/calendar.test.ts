// Working time against a naive model that asks the wall clock minute by minute, and the policies that are refused.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  addWorkingTime,
  type BusinessHours,
  compileCalendar,
  defaultSlaPolicy,
  stretches,
  validatePolicy,
  weekdays,
  workingTimeBetween,
} from '../../src/domain/calendar.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Around changes of the clocks, both ways, and days that a zone skipped. */
const zones = [
  { timezone: 'Europe/Amsterdam', around: ['2026-03-28', '2026-10-24', '2026-06-10'] },
  { timezone: 'America/New_York', around: ['2026-03-07', '2026-10-31'] },
  { timezone: 'Australia/Lord_Howe', around: ['2026-04-04', '2026-10-03'] },
  { timezone: 'Asia/Kathmandu', around: ['2026-05-05'] },
  { timezone: 'Pacific/Apia', around: ['2011-12-28', '2026-02-02'] },
  { timezone: 'Africa/Casablanca', around: ['2026-02-14', '2026-03-21'] },
] as const;

function wallOf(at: number, timezone: string) {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);
  return { date: zoned.toPlainDate(), minutes: zoned.hour * 60 + zoned.minute };
}

const minutesOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

/** Whether the minute that begins at `at` counts: its wall clock stands in a shift of today, or in one of yesterday that goes on past midnight. */
function counts(at: number, { timezone, weekly }: BusinessHours, holidays: readonly string[]): boolean {
  const { date, minutes } = wallOf(at, timezone);
  const shiftsOn = (on: Temporal.PlainDate) =>
    holidays.includes(on.toString()) ? [] : (weekly[weekdays[on.dayOfWeek - 1] ?? 'mon'] ?? []);
  // The calendar day before, by the calendar, also where the zone skipped it.
  const today = shiftsOn(date).some(([from, to]) => {
    const end = minutesOf(to) <= minutesOf(from) ? 24 * 60 : minutesOf(to);
    return minutes >= minutesOf(from) && minutes < end;
  });
  const yesterday = shiftsOn(date.subtract({ days: 1 })).some(
    ([from, to]) => minutesOf(to) < minutesOf(from) && minutes < minutesOf(to),
  );
  return today || yesterday;
}

const halfHours = Array.from({ length: 49 }, (_, at) => `${String(at >> 1).padStart(2, '0')}:${at % 2 ? '30' : '00'}`);

/** Up to three shifts a day on half hours, in order, now and then one through the night. */
const dayShifts = fc.uniqueArray(fc.integer({ min: 0, max: 47 }), { minLength: 2, maxLength: 6 }).map((marks) => {
  const sorted = [...marks].sort((a, b) => a - b);
  const shifts: [string, string][] = [];
  for (let at = 0; at + 1 < sorted.length; at += 2)
    shifts.push([halfHours[sorted[at] ?? 0] ?? '', halfHours[sorted[at + 1] ?? 0] ?? '']);
  return shifts;
});
const weekly = fc.record(
  { mon: dayShifts, tue: dayShifts, wed: dayShifts, thu: dayShifts, fri: dayShifts, sat: dayShifts, sun: dayShifts },
  { requiredKeys: ['mon', 'wed'] },
);
const nightWeek = fc.constantFrom<BusinessHours['weekly']>(
  { mon: [['22:00', '06:00']], wed: [['22:00', '06:00']], fri: [['20:00', '02:30']], sun: [['23:30', '00:30']] },
  { mon: [['00:00', '24:00']], tue: [['00:00', '24:00']], sun: [['00:00', '24:00']] },
  { sat: [['01:00', '05:00']], sun: [['01:30', '03:30']], mon: [['00:00', '08:00']] },
  {
    mon: [
      ['09:00', '12:30'],
      ['13:00', '17:00'],
    ],
    thu: [
      ['09:00', '12:30'],
      ['13:00', '17:00'],
    ],
  },
);

const cases = fc.constantFrom(...zones).chain(({ timezone, around }) =>
  fc.record({
    hours: fc.oneof(weekly, nightWeek).map((week) => ({ timezone, weekly: week }) as BusinessHours),
    from: fc
      .tuple(fc.constantFrom(...around), fc.integer({ min: 0, max: 1440 }))
      .map(([date, minutes]) => Date.parse(`${date}T00:00:00Z`) + minutes * minute),
    spanMinutes: fc.integer({ min: 1, max: 4 * 1440 }),
    holidays: fc
      .uniqueArray(fc.integer({ min: 0, max: 4 }), { maxLength: 2 })
      .map((offsets) =>
        offsets.map((offset) =>
          new Date(Date.parse(`${around[0]}T00:00:00Z`) + offset * day).toISOString().slice(0, 10),
        ),
      ),
    amountMinutes: fc.integer({ min: 1, max: 1500 }),
  }),
);

describe('working time', () => {
  test('between two moments is what the wall clock says, minute by minute', () => {
    fc.assert(
      fc.property(cases, ({ hours, from, spanMinutes, holidays }) => {
        let naive = 0;
        for (let at = from; at < from + spanMinutes * minute; at += minute)
          if (counts(at, hours, holidays)) naive += minute;
        expect(workingTimeBetween(compileCalendar(hours, holidays), from, from + spanMinutes * minute)).toBe(naive);
      }),
      { numRuns: 120 },
    );
  });

  test('after an amount is the first moment by which so much has passed', () => {
    fc.assert(
      fc.property(cases, ({ hours, from, holidays, amountMinutes }) => {
        const calendar = compileCalendar(hours, holidays);
        const due = addWorkingTime(calendar, from, amountMinutes * minute);
        expect(workingTimeBetween(calendar, from, due)).toBe(amountMinutes * minute);
        expect(workingTimeBetween(calendar, from, due - 1)).toBeLessThan(amountMinutes * minute);
      }),
      { numRuns: 300 },
    );
  });

  test('adds up: two amounts one after the other are their sum, in either order', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 1, max: 900 }), ({ hours, from, holidays, amountMinutes }, more) => {
        const calendar = compileCalendar(hours, holidays);
        const there = addWorkingTime(calendar, addWorkingTime(calendar, from, amountMinutes * minute), more * minute);
        const back = addWorkingTime(calendar, addWorkingTime(calendar, from, more * minute), amountMinutes * minute);
        expect(there).toBe(addWorkingTime(calendar, from, (amountMinutes + more) * minute));
        expect(back).toBe(there);
      }),
      { numRuns: 200 },
    );
  });

  test('splits into stretches without a gap whose working parts add up', () => {
    fc.assert(
      fc.property(cases, ({ hours, from, spanMinutes, holidays }) => {
        const calendar = compileCalendar(hours, holidays);
        const to = from + spanMinutes * minute;
        const parts = stretches(calendar, from, to);
        expect(parts[0]?.from).toBe(from);
        expect(parts.at(-1)?.to).toBe(to);
        for (const [at, part] of parts.entries()) if (at > 0) expect(part.from).toBe(parts[at - 1]?.to ?? -1);
        const working = parts.filter(({ isWorking }) => isWorking).reduce((sum, part) => sum + part.to - part.from, 0);
        expect(working).toBe(workingTimeBetween(calendar, from, to));
      }),
      { numRuns: 100 },
    );
  });

  test('is every minute without business hours', () => {
    const calendar = compileCalendar(null, ['2026-12-25']);
    expect(addWorkingTime(calendar, 0, 90 * minute)).toBe(90 * minute);
    expect(workingTimeBetween(calendar, 0, day)).toBe(day);
  });

  test('does not care which year was asked about first', () => {
    const hours: BusinessHours = { timezone: 'Europe/Amsterdam', weekly: { mon: [['09:00', '17:00']] } };
    const early = Date.UTC(2001, 0, 1);
    const late = Date.UTC(2031, 0, 1);
    const one = compileCalendar(hours, ['2099-01-01']);
    const dueLate = addWorkingTime(one, late, hour);
    const dueEarly = addWorkingTime(one, early, hour);
    const other = compileCalendar(hours, ['2098-01-01']);
    expect(addWorkingTime(other, early, hour)).toBe(dueEarly);
    expect(addWorkingTime(other, late, hour)).toBe(dueLate);
  });
});

describe('what other desks got wrong', () => {
  const office: BusinessHours = {
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
  };
  const local = (text: string) =>
    Temporal.PlainDateTime.from(text).toZonedDateTime('Europe/Amsterdam').epochMilliseconds;

  test('a target that spans two working days with a holiday between them', () => {
    const calendar = compileCalendar(office, ['2026-09-09']);
    expect(addWorkingTime(calendar, local('2026-09-08T16:00'), 2 * hour)).toBe(local('2026-09-10T10:00'));
  });

  test('a lunch break burns no time', () => {
    const calendar = compileCalendar(office, []);
    expect(addWorkingTime(calendar, local('2026-09-08T12:00'), hour)).toBe(local('2026-09-08T13:30'));
    expect(workingTimeBetween(calendar, local('2026-09-08T12:30'), local('2026-09-08T13:00'))).toBe(0);
  });

  test('a Friday evening counts from Monday morning', () => {
    const calendar = compileCalendar(office, []);
    expect(addWorkingTime(calendar, local('2026-09-11T18:00'), hour)).toBe(local('2026-09-14T10:00'));
  });

  test('the night in which the clocks go back has its hour twice, the other one not at all', () => {
    const night: BusinessHours = { timezone: 'Europe/Amsterdam', weekly: { sat: [['22:00', '06:00']] } };
    const calendar = compileCalendar(night, []);
    expect(workingTimeBetween(calendar, local('2026-10-24T20:00'), local('2026-10-25T08:00'))).toBe(9 * hour);
    expect(workingTimeBetween(calendar, local('2026-03-28T20:00'), local('2026-03-29T08:00'))).toBe(7 * hour);
  });
});

describe('a policy is refused', () => {
  const now = Date.UTC(2026, 8, 1);
  const hours = (week: object, timezone = 'Europe/Amsterdam') => ({
    ...defaultSlaPolicy,
    businessHours: { timezone, weekly: week } as BusinessHours,
  });
  test.each([
    [
      'for a zone that nobody knows',
      hours({ mon: [['09:00', '17:00']] }, 'Europe/Atlantis'),
      'business_hours.timezone',
    ],
    ['for an offset in place of a zone', hours({ mon: [['09:00', '17:00']] }, '+05:30'), 'business_hours.timezone'],
    [
      'for intervals that overlap',
      hours({
        mon: [
          ['09:00', '12:00'],
          ['11:00', '17:00'],
        ],
      }),
      'business_hours.weekly.mon.1.0',
    ],
    [
      'for a night that runs into the next morning',
      hours({ mon: [['22:00', '06:00']], tue: [['05:00', '09:00']] }),
      'business_hours.weekly.tue.0.0',
    ],
    ['for the wrong way round', hours({ mon: [['17:00', '09:00']] }), 'business_hours.weekly.mon.0.1'],
    ['for no length', hours({ mon: [['09:00', '09:00']] }), 'business_hours.weekly.mon.0.1'],
    ['for a time that does not exist', hours({ mon: [['09:00', '25:00']] }), 'business_hours.weekly.mon.0.1'],
    ['for a date that does not exist', { ...defaultSlaPolicy, holidays: ['2026-12-25', '2026-02-30'] }, 'holidays.1'],
    ['for 0 percent', { ...defaultSlaPolicy, warnAtPercent: 0 }, 'warn_at_percent'],
    ['for 100 percent', { ...defaultSlaPolicy, warnAtPercent: 100 }, 'warn_at_percent'],
    ['for half a percent', { ...defaultSlaPolicy, warnAtPercent: 50.5 }, 'warn_at_percent'],
    ['for a week without work', hours({}), 'business_hours.weekly'],
  ])('%s', (_why, policy, path) => {
    expect(Object.keys(validatePolicy(policy, now))).toEqual([path]);
  });

  test('when holidays leave no working time within two years, and says so', () => {
    const holidays = Array.from({ length: 110 }, (_, week) =>
      new Date(Date.UTC(2026, 8, 7) + week * 7 * day).toISOString().slice(0, 10),
    );
    const errors = validatePolicy({ ...hours({ mon: [['09:00', '17:00']] }), holidays }, now);
    expect(errors.holidays?.[0]).toContain('no working time');
  });

  test('but not for a night, a whole day, or a shift up to midnight', () => {
    for (const week of [
      { mon: [['22:00', '06:00']] },
      { mon: [['00:00', '24:00']] },
      { mon: [['16:00', '24:00']], tue: [['00:00', '08:00']] },
    ]) {
      expect(validatePolicy(hours(week), now)).toEqual({});
    }
  });
});
