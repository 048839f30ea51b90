// Working time against a model that checks the wall clock minute by minute, and the weeks that are easy to get wrong.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { toPolicy } from '../../../src/desk/sites/settings.ts';
import { dayMs, hourMs, type Instant, minuteMs } from '../../../src/domain/instant.ts';
import { defaultSlaPolicy } from '../../../src/domain/sites/site.ts';
import {
  addWorkingTime,
  type BusinessHours,
  compileCalendar,
  endOfTime,
  type SlaPolicy,
  stretches,
  type Weekday,
  weekdays,
  workingTimeBetween,
} from '../../../src/domain/sla/calendar.ts';
import { validatePolicy } from '../../../src/domain/sla/policy.ts';
import { caseCount } from '../../support/case-count.ts';

const policyOfNewSites = toPolicy(defaultSlaPolicy);

const at = (text: string): Instant => Temporal.Instant.from(text).epochMilliseconds;
const local = (text: string, timezone: string): Instant =>
  Temporal.PlainDateTime.from(text).toZonedDateTime(timezone).epochMilliseconds;
const workweek = (...intervals: [string, string][]): BusinessHours['weekly'] => ({
  mon: intervals,
  tue: intervals,
  wed: intervals,
  thu: intervals,
  fri: intervals,
});
const amsterdam: BusinessHours = { timezone: 'Europe/Amsterdam', weekly: workweek(['09:00', '17:00']) };

describe('the calendar agrees with a clock that is read every minute', () => {
  // Twelve days around each change of the clocks, both ways, and the day that Samoa skipped.
  const windows = (
    [
      ['Europe/Amsterdam', '2026-03-24'],
      ['Europe/Amsterdam', '2026-10-20'],
      ['America/New_York', '2026-03-03'],
      ['America/New_York', '2026-10-27'],
      ['Australia/Lord_Howe', '2026-03-30'],
      ['Australia/Lord_Howe', '2026-09-29'],
      ['Asia/Kathmandu', '1985-12-27'],
      ['Pacific/Apia', '2011-12-25'],
      ['Pacific/Apia', '2012-03-27'],
      ['Africa/Casablanca', '2026-02-10'],
      ['Africa/Casablanca', '2026-03-17'],
      ['America/Havana', '2026-10-27'],
    ] as const
  ).map(([timezone, date]) => readWindow(timezone, date, 12));

  test('between, add, and the list of stretches', () => {
    fc.assert(
      fc.property(scenario(), ({ window, businessHours, holidays, from, to, ms }) => {
        const calendar = compileCalendar(businessHours, holidays);
        const counts = modelOf(window, businessHours, holidays);
        const elapsedMs = modelBetween(window, counts, from, to);
        expect(workingTimeBetween(calendar, from, to)).toBe(elapsedMs);
        expect(workingTimeBetween(calendar, to, from)).toBe(0 - elapsedMs);
        const dueAt = modelAdd(window, counts, from, ms);
        if (dueAt === null) expect(addWorkingTime(calendar, from, ms)).toBeGreaterThan(window.end);
        else expect(addWorkingTime(calendar, from, ms)).toBe(dueAt);
        let cursor = from;
        let sumMs = 0;
        let wasWorking: boolean | null = null;
        for (const stretch of stretches(calendar, from, to)) {
          expect(stretch.from).toBe(cursor);
          expect(stretch.isWorking).not.toBe(wasWorking);
          wasWorking = stretch.isWorking;
          cursor = stretch.to;
          if (stretch.isWorking) sumMs += stretch.to - stretch.from;
        }
        expect([cursor, sumMs]).toEqual([to, elapsedMs]);
      }),
      { numRuns: caseCount(50, 500) },
    );
  });

  test('add is undone by between, adds up, and does not depend on what was asked before', () => {
    fc.assert(
      fc.property(scenario(), fc.nat({ max: 30 * dayMs }), ({ businessHours, holidays, from, ms }, moreMs) => {
        const calendar = compileCalendar(businessHours, holidays);
        const dueAt = addWorkingTime(calendar, from, ms);
        fc.pre(dueAt < endOfTime - 366 * dayMs);
        expect(workingTimeBetween(calendar, from, dueAt)).toBe(ms);
        expect(addWorkingTime(calendar, dueAt, moreMs)).toBe(addWorkingTime(calendar, from, ms + moreMs));
        expect(addWorkingTime(calendar, addWorkingTime(calendar, from, moreMs), ms)).toBe(
          addWorkingTime(calendar, dueAt, moreMs),
        );
        if (ms > 0) expect(workingTimeBetween(calendar, from, dueAt - 1)).toBe(ms - 1);
        const earlier = from - 900 * dayMs;
        const untouched = compileCalendar(businessHours, [...holidays, '1975-01-01']);
        expect(workingTimeBetween(calendar, earlier, from)).toBe(workingTimeBetween(untouched, earlier, from));
        expect(addWorkingTime(calendar, from, ms)).toBe(dueAt);
      }),
      { numRuns: caseCount(30, 300) },
    );
  });

  function scenario() {
    return fc.constantFrom(...windows).chain((window) =>
      fc.record({
        window: fc.constant(window),
        businessHours: week(window.timezone),
        holidays: fc.subarray(window.dates),
        from: fc.integer({ min: window.start + dayMs, max: window.start + 6 * dayMs }),
        to: fc.integer({ min: window.start + 6 * dayMs, max: window.end - dayMs }),
        ms: fc.integer({ min: 0, max: 40 * hourMs }),
      }),
    );
  }
});

describe('a wall clock that jumps', () => {
  const nights: BusinessHours = { timezone: 'Europe/Amsterdam', weekly: { sat: [['22:00', '06:00']] } };

  test('a night shift over the skipped hour is seven hours long, over the repeated one nine', () => {
    const calendar = compileCalendar(nights, []);
    expect(workingTimeBetween(calendar, at('2026-03-28T12:00Z'), at('2026-03-29T12:00Z'))).toBe(7 * hourMs);
    expect(workingTimeBetween(calendar, at('2026-10-24T12:00Z'), at('2026-10-25T12:00Z'))).toBe(9 * hourMs);
  });

  test('an interval inside the repeated hour comes twice, inside the skipped hour not at all', () => {
    const calendar = compileCalendar({ timezone: 'Europe/Amsterdam', weekly: { sun: [['02:15', '02:45']] } }, []);
    expect(
      stretches(calendar, at('2026-10-25T00:00Z'), at('2026-10-25T02:00Z')).filter((one) => one.isWorking),
    ).toEqual([
      { from: at('2026-10-25T00:15Z'), to: at('2026-10-25T00:45Z'), isWorking: true },
      { from: at('2026-10-25T01:15Z'), to: at('2026-10-25T01:45Z'), isWorking: true },
    ]);
    expect(workingTimeBetween(calendar, at('2026-03-28T12:00Z'), at('2026-03-29T12:00Z'))).toBe(0);
  });

  test("Lord Howe's clocks move by half an hour", () => {
    const calendar = compileCalendar({ timezone: 'Australia/Lord_Howe', weekly: { sun: [['01:00', '03:00']] } }, []);
    const sunday = (date: string) => local(`${date}T12:00`, 'Australia/Lord_Howe');
    const workedOn = (date: string) => workingTimeBetween(calendar, sunday(date) - dayMs, sunday(date));
    expect(workedOn('2026-10-04')).toBe(90 * minuteMs);
    expect(workedOn('2026-04-05')).toBe(150 * minuteMs);
  });

  test('the Friday that Samoa skipped is no working day', () => {
    const calendar = compileCalendar({ timezone: 'Pacific/Apia', weekly: workweek(['09:00', '17:00']) }, []);
    const dueAt = addWorkingTime(calendar, local('2011-12-29T16:00', 'Pacific/Apia'), 2 * hourMs);
    expect(dueAt).toBe(local('2012-01-02T10:00', 'Pacific/Apia'));
  });
});

describe('holidays, nights and whole days', () => {
  test('a night shift belongs to the day it begins on', () => {
    const calendar = compileCalendar({ timezone: 'UTC', weekly: workweek(['22:00', '06:00']) }, ['2026-01-06']);
    const worked = (from: string, to: string) => workingTimeBetween(calendar, at(from), at(to));
    expect(worked('2026-01-06T00:00Z', '2026-01-06T12:00Z')).toBe(6 * hourMs);
    expect(worked('2026-01-06T12:00Z', '2026-01-07T12:00Z')).toBe(0);
    expect(worked('2026-01-07T12:00Z', '2026-01-08T12:00Z')).toBe(8 * hourMs);
  });

  test('days of 24 hours are one stretch', () => {
    const calendar = compileCalendar({ timezone: 'Europe/Amsterdam', weekly: workweek(['00:00', '24:00']) }, []);
    const week = stretches(calendar, at('2026-01-04T00:00Z'), at('2026-01-11T00:00Z'));
    expect(week.filter((stretch) => stretch.isWorking)).toEqual([
      { from: at('2026-01-04T23:00Z'), to: at('2026-01-09T23:00Z'), isWorking: true },
    ]);
  });

  test('nothing is lost between the years', () => {
    const calendar = compileCalendar({ timezone: 'UTC', weekly: workweek(['09:00', '17:00']) }, []);
    const [from, to] = [at('2019-12-30T00:00Z'), at('2030-01-07T00:00Z')];
    expect(workingTimeBetween(calendar, from, to)).toBe(((to - from) / (7 * dayMs)) * 40 * hourMs);
  });

  test('22:00 to 00:00 ends at midnight', () => {
    const calendar = compileCalendar({ timezone: 'UTC', weekly: { mon: [['22:00', '00:00']] } }, []);
    expect(workingTimeBetween(calendar, at('2026-01-05T00:00Z'), at('2026-01-07T00:00Z'))).toBe(2 * hourMs);
  });

  test('without business hours every minute counts, holidays too', () => {
    const calendar = compileCalendar(null, ['2026-01-06']);
    expect(addWorkingTime(calendar, at('2026-01-05T23:00Z'), 2 * hourMs)).toBe(at('2026-01-06T01:00Z'));
    expect(stretches(calendar, 0, dayMs)).toEqual([{ from: 0, to: dayMs, isWorking: true }]);
  });

  test('a holiday is a day of the zone, not of UTC', () => {
    const calendar = compileCalendar({ timezone: 'Pacific/Auckland', weekly: workweek(['08:00', '18:00']) }, [
      '2026-01-06',
    ]);
    const holiday = local('2026-01-06T00:00', 'Pacific/Auckland');
    expect(workingTimeBetween(calendar, holiday, holiday + dayMs)).toBe(0);
    expect(workingTimeBetween(calendar, holiday - dayMs, holiday)).toBe(10 * hourMs);
  });
});

describe('known bugs of other desks', () => {
  const due = (businessHours: BusinessHours, holidays: string[], from: string, ms: number) => {
    const dueAt = addWorkingTime(compileCalendar(businessHours, holidays), local(from, businessHours.timezone), ms);
    return Temporal.Instant.fromEpochMilliseconds(dueAt)
      .toZonedDateTimeISO(businessHours.timezone)
      .toPlainDateTime()
      .toString();
  };

  test('a target that spans two working days with a day between them off', () => {
    const weekly = { mon: amsterdam.weekly.mon!, wed: amsterdam.weekly.mon! };
    expect(due({ timezone: 'Europe/Amsterdam', weekly }, [], '2026-01-05T16:00', 2 * hourMs)).toBe(
      '2026-01-07T10:00:00',
    );
    expect(due(amsterdam, ['2026-01-06'], '2026-01-05T16:00', 2 * hourMs)).toBe('2026-01-07T10:00:00');
  });

  test('a ticket raised over lunch, in the night, or at the weekend starts when work does', () => {
    const split = { timezone: 'Europe/Amsterdam', weekly: workweek(['09:00', '12:30'], ['13:00', '17:00']) };
    expect(due(split, [], '2026-01-05T12:15', 30 * minuteMs)).toBe('2026-01-05T13:15:00');
    expect(due(split, [], '2026-01-05T12:45', 30 * minuteMs)).toBe('2026-01-05T13:30:00');
    expect(due(split, [], '2026-01-05T23:00', hourMs)).toBe('2026-01-06T10:00:00');
    expect(due(split, [], '2026-01-10T11:00', hourMs)).toBe('2026-01-12T10:00:00');
  });

  test('a target that fits exactly is due when the shift ends, not when the next begins', () => {
    expect(due(amsterdam, [], '2026-01-05T09:00', 8 * hourMs)).toBe('2026-01-05T17:00:00');
    expect(due(amsterdam, [], '2026-01-05T09:00', 8 * hourMs + 1000)).toBe('2026-01-06T09:00:01');
  });
});

describe('a policy is refused with the path of its fault', () => {
  const now = at('2026-01-05T00:00Z');
  const hours = (weekly: object, timezone = 'Europe/Amsterdam') => ({
    businessHours: { timezone, weekly: weekly as BusinessHours['weekly'] },
  });
  const rows: [string, Partial<SlaPolicy>, string[]][] = [
    ['nothing special', hours(workweek(['09:00', '12:30'], ['12:30', '17:00'])), []],
    ['the default', {}, []],
    ['a night shift', hours(workweek(['22:00', '06:00'], ['06:00', '12:00'])), []],
    ['a week without a gap', hours(Object.fromEntries(weekdays.map((day) => [day, [['00:00', '24:00']]]))), []],
    ['an unknown zone', hours(workweek(['09:00', '17:00']), 'Europe/Atlantis'), ['business_hours.timezone']],
    ['an offset for a zone', hours(workweek(['09:00', '17:00']), '+01:00'), ['business_hours.timezone']],
    ['an empty zone', hours(workweek(['09:00', '17:00']), ''), ['business_hours.timezone']],
    ['a day the wrong way round', hours({ mon: [['17:00', '09:00']] }), ['business_hours.weekly.mon.0.1']],
    ['an interval without length', hours({ mon: [['09:00', '09:00']] }), ['business_hours.weekly.mon.0.1']],
    [
      'a bad time',
      hours({ tue: [['9:00', '25:00']] }),
      ['business_hours.weekly.tue.0.0', 'business_hours.weekly.tue.0.1'],
    ],
    ['24:00 as a start', hours({ tue: [['24:00', '06:00']] }), ['business_hours.weekly.tue.0.0']],
    ['an unknown day', hours({ monday: [['09:00', '17:00']] }), ['business_hours.weekly.monday']],
    [
      'an overlap within a day',
      hours({
        mon: [
          ['09:00', '13:00'],
          ['12:30', '17:00'],
        ],
      }),
      ['business_hours.weekly.mon.1.0'],
    ],
    [
      'the same interval twice',
      hours({
        mon: [
          ['09:00', '13:00'],
          ['09:00', '13:00'],
        ],
      }),
      ['business_hours.weekly.mon.1.0'],
    ],
    [
      'an overlap with the night before',
      hours({ mon: [['22:00', '06:00']], tue: [['05:00', '12:00']] }),
      ['business_hours.weekly.tue.0.0'],
    ],
    [
      'an overlap over the end of the week',
      hours({ sun: [['22:00', '06:00']], mon: [['05:00', '12:00']] }),
      ['business_hours.weekly.mon.0.0'],
    ],
    ['a date that does not exist', { holidays: ['2026-12-25', '2026-02-30', 'Xmas'] }, ['holidays.1', 'holidays.2']],
    ['0 percent', { warnAtPercent: 0 }, ['warn_at_percent']],
    ['100 percent', { warnAtPercent: 100 }, ['warn_at_percent']],
    ['a part of a percent', { warnAtPercent: 79.5 }, ['warn_at_percent']],
    ['an empty week', hours({}), ['business_hours.weekly']],
    ['nothing but holidays', { ...hours({ mon: [['09:00', '17:00']] }), holidays: mondays(105) }, ['holidays']],
    ['a year of holidays', { ...hours({ mon: [['09:00', '17:00']] }), holidays: mondays(52) }, []],
    ['too many holidays', { holidays: Array(2001).fill('2026-01-01') }, ['holidays']],
  ];

  test.each(rows)('%s', (_name, change, paths) => {
    const errors = validatePolicy({ ...policyOfNewSites, ...change }, now);
    expect(Object.keys(errors).sort()).toEqual(paths);
    for (const messages of Object.values(errors)) expect(messages).toHaveLength(1);
  });

  test('no working time is said in words, and a ticket under such a policy still gets an answer at once', () => {
    const policy = { ...policyOfNewSites, ...hours({}) };
    expect(validatePolicy(policy, now)['business_hours.weekly']![0]).toContain('within the next two years');
    const calendar = compileCalendar(policy.businessHours, []);
    expect(addWorkingTime(calendar, now, minuteMs)).toBe(endOfTime);
    expect(addWorkingTime(compileCalendar(amsterdam, []), now, Number.MAX_SAFE_INTEGER)).toBe(endOfTime);
  });

  test('whatever it says, it is judged at once', () => {
    const text = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('00:00', '09:00', '24:00', '23:59'));
    const intervals = fc.array(fc.tuple(text, text), { maxLength: 5 });
    const anything = fc.record({
      businessHours: fc.option(
        fc.record({
          timezone: fc.oneof(
            fc.string(),
            fc.constantFrom('Europe/Amsterdam', 'Pacific/Apia', 'Etc/UTC', 'constructor'),
          ),
          weekly: fc.dictionary(fc.oneof(fc.constantFrom<string>(...weekdays), fc.string()), intervals, { maxKeys: 7 }),
        }),
      ),
      holidays: fc.array(fc.oneof(fc.string(), fc.constantFrom('2026-12-25', '+275760-09-13', '9999-12-31')), {
        maxLength: 4,
      }),
      pauseWhilePending: fc.boolean(),
      warnAtPercent: fc.oneof(fc.integer(), fc.double()),
    });
    fc.assert(
      fc.property(anything, (policy) => {
        const errors = validatePolicy(policy as SlaPolicy, now);
        if (Object.keys(errors).length > 0) return;
        const calendar = compileCalendar(policy.businessHours as BusinessHours | null, policy.holidays);
        expect(addWorkingTime(calendar, now, minuteMs) - now).toBeLessThanOrEqual(2 * 365 * dayMs + minuteMs);
      }),
      { numRuns: caseCount(30, 300) },
    );
  });

  function mondays(count: number): string[] {
    const first = Temporal.PlainDate.from('2026-01-05');
    return Array.from({ length: count }, (_, index) => first.add({ weeks: index }).toString());
  }
});

type Window = {
  timezone: string;
  start: Instant;
  end: Instant;
  dates: string[];
  /** For every minute: the local date, the date before, the weekday from 0, and the minute of the day. */
  minutes: { date: string; dateBefore: string; weekday: number; minuteOfDay: number }[];
};

function readWindow(timezone: string, date: string, days: number): Window {
  const start = Temporal.PlainDate.from(date).toZonedDateTime(timezone).epochMilliseconds;
  const end = start + days * dayMs;
  const minutes: Window['minutes'] = [];
  for (let moment = start; moment < end; moment += minuteMs) {
    const wall = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timezone);
    const previous = minutes.at(-1);
    const isSameDate = previous !== undefined && wall.day === Number(previous.date.slice(8));
    const today = isSameDate ? previous.date : wall.toPlainDate().toString();
    const dateBefore = isSameDate ? previous.dateBefore : wall.toPlainDate().subtract({ days: 1 }).toString();
    minutes.push({ date: today, dateBefore, weekday: wall.dayOfWeek - 1, minuteOfDay: wall.hour * 60 + wall.minute });
  }
  return { timezone, start, end, dates: [...new Set(minutes.map((minute) => minute.date))], minutes };
}

/** The model's only rule: is the wall clock, at this minute, inside an interval of today or of the night before? */
function modelOf(window: Window, businessHours: BusinessHours, holidays: string[]): boolean[] {
  const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  const parsed = weekdays.map((day) =>
    (businessHours.weekly[day] ?? []).map(([start, end]) => [minutesOf(start), minutesOf(end)] as const),
  );
  return window.minutes.map(({ date, dateBefore, weekday, minuteOfDay }) => {
    const isToday = parsed[weekday]!.some(([start, end]) =>
      start < end ? minuteOfDay >= start && minuteOfDay < end : minuteOfDay >= start,
    );
    const isFromYesterday = parsed[(weekday + 6) % 7]!.some(([start, end]) => end <= start && minuteOfDay < end);
    return (isToday && !holidays.includes(date)) || (isFromYesterday && !holidays.includes(dateBefore));
  });
}

function modelBetween(window: Window, counts: boolean[], from: Instant, to: Instant): number {
  let sumMs = 0;
  for (const [index, isCounted] of counts.entries()) {
    const start = window.start + index * minuteMs;
    if (isCounted) sumMs += Math.max(0, Math.min(to, start + minuteMs) - Math.max(from, start));
  }
  return sumMs;
}

function modelAdd(window: Window, counts: boolean[], from: Instant, ms: number): Instant | null {
  if (ms === 0) return from;
  let leftMs = ms;
  for (const [index, isCounted] of counts.entries()) {
    const start = Math.max(from, window.start + index * minuteMs);
    const available = window.start + (index + 1) * minuteMs - start;
    if (!isCounted || available <= 0) continue;
    if (leftMs <= available) return start + leftMs;
    leftMs -= available;
  }
  return null;
}

/** Either split and whole days, or nights that end by six, some followed by a morning that starts no earlier. */
function week(timezone: string): fc.Arbitrary<BusinessHours> {
  const time = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  const split = fc
    .uniqueArray(fc.integer({ min: 0, max: 96 }), { minLength: 2, maxLength: 4 })
    .map((quarters) => quarters.sort((one, other) => one - other).map((quarter) => quarter * 15))
    .map((minutes) => minutes.slice(0, minutes.length - (minutes.length % 2)))
    .map((minutes) => Array.from({ length: minutes.length / 2 }, (_, index) => minutes.slice(index * 2, index * 2 + 2)))
    .map((pairs) => pairs.map(([start, end]) => [time(start!), time(end!)] as [string, string]));
  const wholeDay = fc.constant([['00:00', '24:00']] as [string, string][]);
  const night = fc
    .tuple(
      fc.integer({ min: 6 * 60, max: 13 * 60 - 1 }),
      fc.integer({ min: 13 * 60, max: 24 * 60 - 1 }),
      fc.integer({ min: 0, max: 6 * 60 }),
      fc.boolean(),
    )
    .map(([morning, start, end, hasMorning]) => [
      ...(hasMorning ? [[time(morning), '13:00'] as [string, string]] : []),
      [time(start), time(end)] as [string, string],
    ]);
  const lateNights = fc.dictionary(fc.constantFrom<Weekday>(...weekdays), night, { minKeys: 1 });
  const days = fc.dictionary(
    fc.constantFrom<Weekday>(...weekdays),
    fc.oneof({ arbitrary: split, weight: 4 }, { arbitrary: wholeDay, weight: 1 }),
    { minKeys: 1 },
  );
  return fc.oneof(days, lateNights).map((weekly) => ({ timezone, weekly: { ...weekly } }));
}
