// The working week and the holidays as a form edits them.

import { describe, expect, test } from 'bun:test';
import { durationText, minutesIn } from '../../src/web/console/settings/sla/durations.ts';
import {
  type Holiday,
  holidaysIn,
  holidaysText,
  storedHolidays,
  withHoliday,
  withoutHoliday,
} from '../../src/web/console/settings/sla/holidays.ts';
import {
  added,
  asFlag,
  begun,
  dayOf,
  dragged,
  type Grip,
  minutesInWeek,
  shiftsOf,
  weeklyOf,
  weekOf,
} from '../../src/web/console/settings/sla/week.ts';
import { dayBegins, nextClockChange, wallTime } from '../../src/web/console/zone.ts';

test.each<[string, number, Grip, number, string]>([
  ['09:00-17:00', 0, 'whole', 15, '09:15-17:15'],
  ['09:00-17:00', 0, 'whole', 600, '16:00-24:00'],
  ['09:00-17:00', 0, 'whole', -600, '00:00-08:00'],
  ['09:00-17:00', 0, 'end', 15, '09:00-17:15'],
  ['09:00-17:00', 0, 'end', -600, '09:00-09:15'],
  ['09:00-17:00', 0, 'end', 600, '09:00-24:00'],
  ['09:00-17:00', 0, 'start', -30, '08:30-17:00'],
  ['09:00-17:00', 0, 'start', 600, '16:45-17:00'],
  ['09:00-12:30,13:00-17:00', 0, 'whole', 60, '09:30-13:00,13:00-17:00'],
  ['09:00-12:30,13:00-17:00', 1, 'start', -60, '09:00-12:30,12:30-17:00'],
  ['09:00-12:30,13:00-17:00', 0, 'end', 60, '09:00-13:00,13:00-17:00'],
  ['22:00-06:00', 0, 'end', 600, '22:00-10:00'],
  ['22:00-06:00', 0, 'whole', 600, '23:45-07:45'],
])('%s, shift %d, by its %s, moved by %d minutes is %s', (day, at, grip, by, after) => {
  expect(dayOf(dragged(shiftsOf(day), at, grip, by))).toBe(after);
});

test.each([
  ['', 615, '10:15-11:15'],
  ['09:00-17:00', 20 * 60 + 7, '09:00-17:00,20:00-21:00'],
  ['09:00-17:00', 8 * 60 + 30, '08:30-09:00,09:00-17:00'],
  ['', 1439, '23:45-24:00'],
])('in "%s", a shift begun at minute %d gives %s', (day, from, after) => {
  expect(dayOf(begun(shiftsOf(day), from)?.shifts ?? [])).toBe(after);
});

test('where there are hours already, or no room at all, none are added', () => {
  expect(begun(shiftsOf('09:00-17:00'), 600)).toBeNull();
  expect(added(shiftsOf('00:00-24:00'))).toBeNull();
  expect(dayOf(added([])?.shifts ?? [])).toBe('09:00-17:00');
  expect(dayOf(added(shiftsOf('09:00-12:30'))?.shifts ?? [])).toBe('09:00-12:30,13:00-14:00');
});

test('a week is the same after it was text, and days without hours are left out', () => {
  const weekly: Record<string, [string, string][]> = {
    mon: [
      ['09:00', '12:30'],
      ['13:00', '17:00'],
    ],
    tue: [['22:00', '06:00']],
    sun: [['00:00', '24:00']],
  };
  const week = weekOf(weekly);
  expect(weeklyOf(week)).toEqual(weekly);
  expect(minutesInWeek(week)).toBe((3.5 + 4 + 8 + 24) * 60);
  expect(asFlag(week)).toBe('mon 09:00-12:30,13:00-17:00; tue 22:00-06:00; sun 00:00-24:00');
  expect(asFlag({ ...weekOf({}), mon: '09:00-17:00', tue: '09:00-17:00', thu: '09:00-17:00' })).toBe(
    'mon-tue 09:00-17:00; thu 09:00-17:00',
  );
});

test('the last end of a day is its midnight, and an earlier end is on the next day', () => {
  expect(shiftsOf('09:00-00:00')).toEqual([{ from: 540, to: 1440 }]);
  expect(shiftsOf('22:00-06:00')).toEqual([{ from: 1320, to: 1800 }]);
});

describe('holidays', () => {
  const closed: Holiday = { first: '2026-12-24', last: '2026-12-26', name: 'Christmas' };

  test('a span of one name is one entry, and goes as one', () => {
    const text = withHoliday(holidaysText({ holidays: ['2027-01-01', '2026-05-01'], holiday_names: {} }), closed);
    expect(holidaysIn(text)).toEqual([
      { first: '2026-05-01', last: '2026-05-01', name: '' },
      closed,
      { first: '2027-01-01', last: '2027-01-01', name: '' },
    ]);
    expect(storedHolidays(text)).toEqual({
      holidays: ['2026-05-01', '2026-12-24', '2026-12-25', '2026-12-26', '2027-01-01'],
      holiday_names: { '2026-12-24': 'Christmas', '2026-12-25': 'Christmas', '2026-12-26': 'Christmas' },
    });
    expect(withoutHoliday(text, closed)).toBe('2026-05-01\n2027-01-01');
  });

  test('one that is added again takes the new name, and a day stands once', () => {
    const text = withHoliday(withHoliday('', closed), { first: '2026-12-25', last: '2026-12-25', name: 'First day' });
    expect(storedHolidays(text).holidays).toEqual(['2026-12-24', '2026-12-25', '2026-12-26']);
    expect(holidaysIn(text).map(({ name }) => name)).toEqual(['Christmas', 'First day', 'Christmas']);
  });
});

test.each([
  ['Europe/Amsterdam', '2026-11-23T12:00:00Z', '2027-03-28T03:00', 60],
  ['Europe/Amsterdam', '2026-06-01T12:00:00Z', '2026-10-25T02:00', -60],
  ['Australia/Lord_Howe', '2026-11-23T12:00:00Z', '2027-04-04T01:30', -30],
])('the clocks of %s after %s change at %s by %d minutes', (zone, now, at, minutes) => {
  const change = nextClockChange(zone, Date.parse(now));
  expect([wallTime(change?.at ?? 0, zone), change?.minutes]).toEqual([at, minutes]);
});

test.each([
  ['2026-11-30', 'UTC', '2026-11-30T00:00:00.000Z'],
  ['2026-11-30', 'Pacific/Auckland', '2026-11-29T11:00:00.000Z'],
  ['2026-11-30', 'America/Los_Angeles', '2026-11-30T08:00:00.000Z'],
  ['2026-03-29', 'Europe/Amsterdam', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Amsterdam', '2026-03-29T22:00:00.000Z'],
  ['2026-04-05', 'Pacific/Auckland', '2026-04-04T11:00:00.000Z'],
])('%s begins in %s at %s', (date, zone, at) => {
  expect(new Date(dayBegins(date, zone)).toISOString()).toBe(at);
});

test.each(['UTC', 'Asia/Tokyo'])('the clocks of %s stay', (zone) => {
  expect(nextClockChange(zone, Date.parse('2026-11-23T12:00:00Z'))).toBeNull();
});

test.each([
  ['45m', 45, '45m'],
  ['4h', 240, '4h'],
  ['1h 30m', 90, '1h 30m'],
  ['1H30', undefined, ''],
  ['90 min', 90, '1h 30m'],
  ['', null, ''],
  ['0m', undefined, ''],
  ['h', undefined, ''],
  ['2 days', undefined, ''],
])('the target "%s" is %p minutes', (text, minutes, shown) => {
  expect(minutesIn(text)).toBe(minutes);
  if (minutes !== undefined) expect(durationText(minutes)).toBe(shown);
});
