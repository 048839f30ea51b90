// When a recurring ticket is opened: cron for the desk, and a choice for people where that can say it.

import { locale } from '../../../shared/format.ts';
import { t } from './messages.ts';

/** `own`: five fields of cron, as they are typed. */
export const schedulePaces = ['day', 'weekdays', 'week', 'month', 'own'] as const;
export type SchedulePace = (typeof schedulePaces)[number];

export interface Schedule {
  pace: SchedulePace;
  /** From 0, a Sunday, to 6. */
  weekday: number;
  dayOfMonth: number;
  /** Such as 09:00. */
  time: string;
}

const usual: Schedule = { pace: 'own', weekday: 1, dayOfMonth: 1, time: '09:00' };

const inRange = (text: string | undefined, least: number, most: number) =>
  text !== undefined && Number(text) >= least && Number(text) <= most;

export function scheduleOf(cron: string): Schedule {
  const [, minute = '', hour = '', day = '', weekday = ''] =
    /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}) \* (\*|1-5|[0-7])$/.exec(cron.trim()) ?? [];
  if (!inRange(minute || undefined, 0, 59) || !inRange(hour || undefined, 0, 23)) return usual;
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (day !== '*')
    return weekday === '*' && inRange(day, 1, 31) ? { ...usual, pace: 'month', dayOfMonth: Number(day), time } : usual;
  if (weekday === '*') return { ...usual, pace: 'day', time };
  if (weekday === '1-5') return { ...usual, pace: 'weekdays', time };
  return { ...usual, pace: 'week', weekday: Number(weekday) % 7, time };
}

/** Not for one's own. */
export function cronOf({ pace, weekday, dayOfMonth, time }: Schedule): string {
  const [hour = '0', minute = '0'] = time.split(':').map((part) => String(Number(part)));
  const day = pace === 'month' ? dayOfMonth : '*';
  return `${minute} ${hour} ${day} * ${pace === 'week' ? weekday : pace === 'weekdays' ? '1-5' : '*'}`;
}

// The first of this month was a Sunday.
const dayInUtc = (weekday: number) => Date.UTC(2023, 0, 1 + weekday);
export const weekdayName = (weekday: number): string =>
  new Intl.DateTimeFormat(locale(), { weekday: 'long', timeZone: 'UTC' }).format(dayInUtc(weekday));

const timeText = (time: string) =>
  new Intl.DateTimeFormat(locale(), { timeStyle: 'short', timeZone: 'UTC' }).format(new Date(`2023-01-01T${time}Z`));

export function scheduleText(cron: string): string {
  const { pace, weekday, dayOfMonth, time } = scheduleOf(cron);
  switch (pace) {
    case 'day':
      return t.everyDayAt(timeText(time));
    case 'weekdays':
      return t.everyWorkdayAt(timeText(time));
    case 'week':
      return t.everyWeekAt(weekdayName(weekday), timeText(time));
    case 'month':
      return t.everyMonthAt(String(dayOfMonth), timeText(time));
    default:
      return t.bySchedule(cron.trim());
  }
}
