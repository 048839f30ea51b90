// Until when a ticket can be snoozed.

import { expect, test } from 'bun:test';
import { snoozeTimeIn, snoozeTimes } from '../../src/web/console/ticket/dialogs/snooze-times.ts';

const shown = (now: Date) =>
  snoozeTimes(now).map(({ name, at }) => `${name} ${at.getDate()}.${at.getMonth() + 1}. ${at.getHours()}`);

test.each([
  // A Wednesday.
  [
    new Date(2026, 10, 18, 10, 20),
    ['laterToday 18.11. 13', 'tomorrow 19.11. 9', 'nextWeek 23.11. 9', 'nextMonth 1.12. 9'],
  ],
  // In the evening, later today is too late.
  [new Date(2026, 10, 18, 16), ['tomorrow 19.11. 9', 'nextWeek 23.11. 9', 'nextMonth 1.12. 9']],
  // On a Monday, next week is the next Monday; on a Sunday, not tomorrow.
  [new Date(2026, 10, 16, 20), ['tomorrow 17.11. 9', 'nextWeek 23.11. 9', 'nextMonth 1.12. 9']],
  [new Date(2026, 10, 22, 20), ['tomorrow 23.11. 9', 'nextWeek 30.11. 9', 'nextMonth 1.12. 9']],
  [new Date(2026, 11, 31, 20), ['tomorrow 1.1. 9', 'nextWeek 4.1. 9', 'nextMonth 1.1. 9']],
])('on %s they are %p', (now, times) => {
  expect(shown(now)).toEqual(times);
});

test('a time of one’s own lies in the coming year', () => {
  const now = new Date(2026, 10, 18, 10);
  expect(snoozeTimeIn('2026-11-18T10:01', now)).toEqual(new Date(2026, 10, 18, 10, 1));
  for (const wrong of ['', 'tomorrow', '2026-11-18T10:00', '2026-11-18T09:59', '2027-11-19T10:00'])
    expect(snoozeTimeIn(wrong, now), wrong).toBeNull();
});
