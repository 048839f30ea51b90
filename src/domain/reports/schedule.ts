// When a saved report is mailed, and what period each mail is about (docs/spec/reports.md#by-mail).

import type { Instant } from '../instant.ts';
import { type Weekday, weekdays } from '../sla/calendar.ts';
import { dateIn } from './periods.ts';

export const scheduleUnits = ['week', 'month'] as const;
/** Every month has it. */
export const lastDayOfMonth = 28;
export const mostReportReaders = 50;
export const mostSavedReports = { own: 100, shared: 200 } as const;

export interface ReportSchedule {
  every: (typeof scheduleUnits)[number];
  /** Of a weekly mail. */
  weekday: Weekday;
  /** Of a monthly mail. */
  day: number;
  /** By the clock on the wall, as "08:00". */
  at: string;
  time_zone: string;
}

const step = ({ every }: ReportSchedule) => (every === 'week' ? { weeks: 1 } : { months: 1 });

/** The first time after a moment. */
export function nextMailAt(schedule: ReportSchedule, after: Instant): Instant {
  const { every, weekday, day, at, time_zone: timeZone } = schedule;
  const today = dateIn(timeZone, after);
  const inThis =
    every === 'week'
      ? today.add({ days: weekdays.indexOf(weekday) + 1 - today.dayOfWeek })
      : today.with({ day: Math.min(day, lastDayOfMonth) });
  const momentOn = (date: Temporal.PlainDate) => date.toZonedDateTime({ timeZone, plainTime: at }).epochMilliseconds;
  const first = momentOn(inThis);
  return first > after ? first : momentOn(inThis.add(step(schedule)));
}

/** The last time that was due, however long the desk has been down. @param since the first time that was due */
export function lastMailAt(schedule: ReportSchedule, since: Instant, now: Instant): Instant {
  let last = since;
  for (let next = nextMailAt(schedule, last); next <= now; next = nextMailAt(schedule, last)) last = next;
  return last;
}

/** The week or month up to the day before. */
export function mailedPeriod(schedule: ReportSchedule, mailAt: Instant): { from: string; to: string } {
  const date = dateIn(schedule.time_zone, mailAt);
  return { from: date.subtract(step(schedule)).toString(), to: date.subtract({ days: 1 }).toString() };
}
