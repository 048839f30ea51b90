// Checks an SLA policy: time zone, intervals, holidays, and that some working time is left.

import type { FieldErrors } from '../errors.ts';
import { dayMs, type Instant } from '../instant.ts';
import {
  addWorkingTime,
  type BusinessHours,
  epochDay,
  freshCalendar,
  isTimezone,
  minutesPerDay,
  type SlaPolicy,
  wallMinutes,
  weekdays,
} from './calendar.ts';

const maxHolidays = 2000;
const maxIntervalsPerDay = 48;
// Otherwise hours entered the wrong way round (17:00 to 09:00) would pass for a night shift.
const maxOvernightMinutes = 12 * 60;

export function validatePolicy(policy: SlaPolicy, now: Instant): FieldErrors {
  const errors: FieldErrors = {};
  const refuse = (path: string, message: string) => {
    errors[path] = [...(errors[path] ?? []), message];
  };
  const percent = policy.warnAtPercent;
  if (!Number.isInteger(percent) || percent < 1 || percent > 99) {
    refuse('warn_at_percent', 'Must be a whole number from 1 to 99.');
  }
  if (policy.holidays.length > maxHolidays) refuse('holidays', `Must have at most ${maxHolidays} dates.`);
  for (const [index, holiday] of policy.holidays.entries()) {
    if (epochDay(holiday) === null) refuse(`holidays.${index}`, 'Must be a date that exists, such as 2026-12-25.');
  }
  if (policy.businessHours === null) return errors;
  if (!isTimezone(policy.businessHours.timezone)) {
    refuse('business_hours.timezone', 'Must be an IANA time zone, such as Europe/Amsterdam.');
  }
  refuseBadIntervals(policy.businessHours.weekly, refuse);
  if (Object.keys(errors).length > 0) return errors;
  const opensAt = addWorkingTime(freshCalendar(policy.businessHours, policy.holidays), now, 1);
  if (opensAt - now > 2 * 365 * dayMs) {
    const isWeekEmpty = weekdays.every((weekday) => (policy.businessHours?.weekly[weekday] ?? []).length === 0);
    refuse(isWeekEmpty ? 'business_hours.weekly' : 'holidays', 'Leaves no working time within the next two years.');
  }
  return errors;
}

function refuseBadIntervals(weekly: BusinessHours['weekly'], refuse: (path: string, message: string) => void): void {
  const shifts: { path: string; label: string; from: number; to: number }[] = [];
  for (const [weekday, intervals] of Object.entries(weekly)) {
    const path = `business_hours.weekly.${weekday}`;
    const day = (weekdays as readonly string[]).indexOf(weekday);
    if (day < 0) refuse(path, `Must be one of ${weekdays.join(', ')}.`);
    if (intervals.length > maxIntervalsPerDay) refuse(path, `Must have at most ${maxIntervalsPerDay} intervals.`);
    for (const [index, [start, end]] of intervals.entries()) {
      const from = start === '24:00' ? null : wallMinutes(start);
      const to = wallMinutes(end);
      if (from === null) refuse(`${path}.${index}.0`, 'Must be a time from 00:00 to 23:59.');
      if (to === null) refuse(`${path}.${index}.1`, 'Must be a time from 00:00 to 24:00.');
      if (from === null || to === null) continue;
      const lengthMinutes = to < from ? to + minutesPerDay - from : to - from;
      if (lengthMinutes === 0) {
        refuse(`${path}.${index}.1`, 'Must differ from the start; a whole day is 00:00 to 24:00.');
      } else if (to < from && lengthMinutes > maxOvernightMinutes) {
        refuse(
          `${path}.${index}.1`,
          'Must be after the start, or end a night shift of at most 12 hours. Split a longer shift in two: up to 24:00, and from 00:00 on the next day.',
        );
      } else if (day >= 0) {
        const weekMinutes = day * minutesPerDay + from;
        const label = `${weekday} ${start}–${end}`;
        shifts.push({ path: `${path}.${index}.0`, label, from: weekMinutes, to: weekMinutes + lengthMinutes });
      }
    }
  }
  shifts.sort((one, other) => one.from - other.from);
  for (const [index, shift] of shifts.entries()) {
    // The last shift of the week may run into the first of the next.
    const before = index > 0 ? shifts[index - 1]! : shifts[shifts.length - 1]!;
    const reachesTo = index > 0 ? before.to : before.to - 7 * minutesPerDay;
    if (reachesTo > shift.from) refuse(shift.path, `Overlaps ${before.label}.`);
  }
}
