// Holidays from a calendar file: whole days, once or each year, and nothing of what else such files hold.

import { expect, test } from 'bun:test';
import { holidaysInCalendar } from '../../../src/web/console/settings/sla/calendar-file.ts';

const calendar = (...events: string[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...events.map((event) => `BEGIN:VEVENT\n${event}\nEND:VEVENT`),
    'END:VCALENDAR',
  ].join('\n');
const read = (...events: string[]) => holidaysInCalendar(calendar(...events), '2026-11-24');

test('a day, some days, and a day of each year', () => {
  expect(
    read(
      'DTSTART;VALUE=DATE:20261225\nDTEND;VALUE=DATE:20261227\nSUMMARY:Christmas\\, both days',
      'DTSTART;VALUE=DATE:20270101\nSUMMARY;LANGUAGE=en:New\n  Year',
      'DTSTART;VALUE=DATE:20200427\nDTEND;VALUE=DATE:20200428\nRRULE:FREQ=YEARLY\nSUMMARY:King’s Day',
    ),
  ).toEqual({
    found: [
      { first: '2026-12-25', last: '2026-12-26', name: 'Christmas, both days' },
      { first: '2027-01-01', last: '2027-01-01', name: 'New Year' },
      ...[2026, 2027, 2028, 2029, 2030, 2031].map((year) => ({
        ...{ first: `${year}-04-27`, last: `${year}-04-27`, name: 'King’s Day' },
      })),
    ],
    leftOut: 0,
  });
  // 29 February is a day of leap years only.
  expect(read('DTSTART;VALUE=DATE:20240229\nRRULE:FREQ=YEARLY\nSUMMARY:Leap')?.found.map(({ first }) => first)).toEqual(
    ['2028-02-29'],
  );
});

test.each([
  ['a time of day', 'DTSTART:20261225T090000Z\nSUMMARY:Meeting'],
  ['an end with a time', 'DTSTART;VALUE=DATE:20261225\nDTEND:20261226T000000'],
  ['another repeat', 'DTSTART;VALUE=DATE:20261102\nRRULE:FREQ=YEARLY;BYDAY=1MO;BYMONTH=11'],
  ['a cancelled day', 'DTSTART;VALUE=DATE:20261225\nSTATUS:CANCELLED'],
  ['a day of an earlier year', 'DTSTART;VALUE=DATE:20251225'],
  ['a day in the far future', 'DTSTART;VALUE=DATE:20991225'],
  ['a date that does not exist', 'DTSTART;VALUE=DATE:20260231'],
  ['half a year', 'DTSTART;VALUE=DATE:20260101\nDTEND;VALUE=DATE:20260701'],
  ['no start', 'SUMMARY:Nothing'],
])('leaves out %s', (_, event) => {
  expect(read(event)).toEqual({ found: [], leftOut: 1 });
});

test('the alarm of an event says nothing about it, and names are short and on one line', () => {
  const alarm = 'BEGIN:VALARM\nDTSTART;VALUE=DATE:20261231\nSUMMARY:Wake up\nEND:VALARM';
  expect(read(`DTSTART;VALUE=DATE:20261226\n${alarm}\nSUMMARY:Boxing\\nDay ${'x'.repeat(300)}`)?.found).toEqual([
    { first: '2026-12-26', last: '2026-12-26', name: `Boxing Day ${'x'.repeat(89)}` },
  ]);
});

test('a file that is no calendar is refused, and a hostile one is read at once', () => {
  expect(holidaysInCalendar('<html>', '2026-11-24')).toBeNull();
  const many = holidaysInCalendar(
    calendar(...Array.from({ length: 5000 }, () => 'DTSTART;VALUE=DATE:20261225')),
    '2026-11-24',
  );
  expect(many?.found).toHaveLength(2000);
  expect(holidaysInCalendar(`BEGIN:VCALENDAR\nBEGIN:VEVENT${'\nBEGIN:X'.repeat(50_000)}`, '2026-11-24')?.found).toEqual(
    [],
  );
});
