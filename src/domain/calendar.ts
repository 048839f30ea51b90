// Working time: which moments count, how much of it lies between two of them, and when an amount of it is used up.

import type { FieldErrors } from './errors.ts';
import { dayMs, type Instant, minuteMs } from './instant.ts';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** Intervals are `HH:MM` on the wall clock of `timezone`; one that ends at or before its start ends on the next day. */
export type BusinessHours = { timezone: string; weekly: Partial<Record<Weekday, [string, string][]>> };

export type SlaPolicy = {
  businessHours: BusinessHours | null;
  holidays: string[];
  pauseWhilePending: boolean;
  warnAtPercent: number;
};

export const defaultSlaPolicy: SlaPolicy = {
  businessHours: null,
  holidays: [],
  pauseWhilePending: true,
  warnAtPercent: 80,
};

/**
 * A compiled calendar. A moment counts if the wall clock of the zone, at that moment, stands inside an interval, so a
 * skipped hour is absent and a repeated one counts twice. A shift belongs to the day it begins on: a holiday removes
 * the whole of it, also what lies after midnight, and leaves the rest of the shift begun the evening before. Without
 * business hours every minute counts and holidays do not apply, since there is no zone in which they would be days.
 */
export type Calendar = {
  readonly zone: { readonly timezone: string; readonly shifts: Shift[][]; readonly holidays: Set<number> } | null;
  firstBlock: number;
  endBlock: number;
  readonly starts: Instant[];
  readonly ends: Instant[];
  readonly workedBeforeMs: number[];
};

type Stretch = { from: Instant; to: Instant; isWorking: boolean };

/** Working time is known from 1970 up to here (the year 2209); whatever would be due later is due here. */
export const endOfTime: Instant = 240 * 364 * dayMs;

/** The calendar of a policy that has passed `validatePolicy`; the same one again for the same hours and holidays. */
export function compileCalendar(businessHours: BusinessHours | null, holidays: readonly string[]): Calendar {
  const key = businessHours === null ? 'null' : JSON.stringify([businessHours, holidays]);
  const calendar = compiled.get(key) ?? freshCalendar(businessHours, holidays);
  compiled.delete(key);
  compiled.set(key, calendar);
  if (compiled.size > maxCompiled) compiled.delete(compiled.keys().next().value ?? key);
  return calendar;
}

/** The first moment, at or after `from`, by which `ms` of working time have passed. */
export function addWorkingTime(calendar: Calendar, from: Instant, ms: number): Instant {
  if (ms <= 0) return from;
  if (calendar.zone === null) return Math.min(from + ms, endOfTime);
  cover(calendar, from, from);
  const goalMs = workedUntil(calendar, from) + ms;
  while (totalWorkedMs(calendar) < goalMs) {
    if (calendar.endBlock >= endBlockOfTime) return endOfTime;
    appendBlock(calendar);
  }
  const index = firstIndex(calendar.workedBeforeMs, (workedMs) => workedMs >= goalMs) - 1;
  return calendar.starts[index]! + goalMs - calendar.workedBeforeMs[index]!;
}

/** Working milliseconds between two moments; negative when `to` is the earlier one. */
export function workingTimeBetween(calendar: Calendar, from: Instant, to: Instant): number {
  if (calendar.zone === null) return to - from;
  cover(calendar, Math.min(from, to), Math.max(from, to));
  return workedUntil(calendar, to) - workedUntil(calendar, from);
}

/** The time between two moments as alternating stretches of working and other time. */
export function stretches(calendar: Calendar, from: Instant, to: Instant): Stretch[] {
  if (to <= from) return [];
  if (calendar.zone === null) return [{ from, to, isWorking: true }];
  cover(calendar, from, to);
  const found: Stretch[] = [];
  let cursor = from;
  for (let index = firstIndex(calendar.ends, (end) => end > from); index < calendar.starts.length; index += 1) {
    const start = Math.max(calendar.starts[index]!, from);
    if (start >= to) break;
    if (start > cursor) found.push({ from: cursor, to: start, isWorking: false });
    cursor = Math.min(calendar.ends[index]!, to);
    found.push({ from: start, to: cursor, isWorking: true });
  }
  if (cursor < to) found.push({ from: cursor, to, isWorking: false });
  return found;
}

/** What is wrong with a policy, by path below `sla_policy` in the wire's names; empty when nothing is. */
export function validatePolicy(policy: SlaPolicy, now: Instant): FieldErrors {
  const errors: FieldErrors = {};
  const refuse = (path: string, message: string) => {
    errors[path] = [...(errors[path] ?? []), message];
  };
  const percent = policy.warnAtPercent;
  if (!Number.isInteger(percent) || percent < 1 || percent > 99) {
    refuse('warn_at_percent', 'Must be a whole number from 1 to 99.');
  }
  if (policy.holidays.length > maxHolidays) refuse('holidays', `Must not have more than ${maxHolidays} dates.`);
  for (const [index, holiday] of policy.holidays.entries()) {
    if (epochDay(holiday) === null) refuse(`holidays.${index}`, 'Must be a date that exists, as 2026-12-25.');
  }
  if (policy.businessHours === null) return errors;
  if (!isTimezone(policy.businessHours.timezone)) {
    refuse('business_hours.timezone', 'Must be a time zone of the IANA database, as Europe/Amsterdam.');
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

/** From and to, in milliseconds after the midnight that begins the shift's day. */
type Shift = { fromMs: number; toMs: number };

const compiled = new Map<string, Calendar>();
// A scan goes through the sites in no order: with fewer kept than there are sites, each ticket would compile its own anew.
const maxCompiled = 500;
const maxHolidays = 2000;
const maxIntervalsPerDay = 48;
// A day's hours the wrong way round (17:00 to 09:00) would otherwise pass for a night shift.
const maxOvernightMinutes = 12 * 60;
const minutesPerDay = 24 * 60;

// A calendar is worked out in blocks of about a year, when somebody first asks about one.
const blockMs = 364 * dayMs;
const endBlockOfTime = endOfTime / blockMs;
const blockOf = (instant: Instant) => Math.min(Math.max(Math.floor(instant / blockMs), 0), endBlockOfTime - 1);

function freshCalendar(businessHours: BusinessHours | null, holidays: readonly string[]): Calendar {
  const tables = { firstBlock: 0, endBlock: 0, starts: [], ends: [], workedBeforeMs: [] };
  if (businessHours === null) return { zone: null, ...tables };
  const { timezone, weekly } = businessHours;
  if (!isTimezone(timezone)) throw new RangeError(`Unknown time zone ${timezone}`);
  const shifts = weekdays.map((weekday) => shiftsOf(weekly[weekday] ?? []));
  const days = new Set(holidays.map(epochDay).filter((day) => day !== null));
  return { zone: { timezone, shifts, holidays: days }, ...tables };
}

function shiftsOf(intervals: [string, string][]): Shift[] {
  return intervals
    .map(([start, end]) => ({ from: wallMinutes(start) ?? 0, to: wallMinutes(end) ?? 0 }))
    .filter(({ from, to }) => from !== to)
    .map(({ from, to }) => ({ fromMs: from * minuteMs, toMs: (to < from ? to + minutesPerDay : to) * minuteMs }))
    .sort((one, other) => one.fromMs - other.fromMs);
}

function cover(calendar: Calendar, from: Instant, to: Instant): void {
  const first = blockOf(from);
  const end = blockOf(to) + 1;
  const isEmpty = calendar.firstBlock === calendar.endBlock;
  if (isEmpty || first < calendar.firstBlock) {
    const oldEnd = isEmpty ? first : calendar.endBlock;
    for (const table of [calendar.starts, calendar.ends, calendar.workedBeforeMs]) table.length = 0;
    calendar.firstBlock = first;
    calendar.endBlock = first;
    while (calendar.endBlock < oldEnd) appendBlock(calendar);
  }
  while (calendar.endBlock < end) appendBlock(calendar);
}

function appendBlock(calendar: Calendar): void {
  const { zone } = calendar;
  const from = calendar.endBlock * blockMs;
  calendar.endBlock += 1;
  if (zone === null) return;
  for (const piece of piecesOfOneOffset(zone.timezone, from, from + blockMs)) {
    const lastDay = Math.floor((piece.to + piece.offsetMs - 1) / dayMs);
    // The day before as well: its night shift may reach into this piece.
    for (let day = Math.floor((piece.from + piece.offsetMs) / dayMs) - 1; day <= lastDay; day += 1) {
      if (zone.holidays.has(day)) continue;
      const midnight = day * dayMs - piece.offsetMs;
      for (const shift of zone.shifts[weekdayIndex(day)]!) {
        const start = Math.max(midnight + shift.fromMs, piece.from);
        const end = Math.min(midnight + shift.toMs, piece.to);
        if (start < end) appendWorking(calendar, start, end);
      }
    }
  }
}

function appendWorking(calendar: Calendar, start: Instant, end: Instant): void {
  const last = calendar.ends.length - 1;
  if (last >= 0 && start <= calendar.ends[last]!) {
    calendar.ends[last] = Math.max(end, calendar.ends[last]!);
    return;
  }
  calendar.workedBeforeMs.push(totalWorkedMs(calendar));
  calendar.starts.push(start);
  calendar.ends.push(end);
}

/** Between two changes of the zone's offset the wall clock runs evenly, so there plain arithmetic is right. */
function piecesOfOneOffset(timezone: string, from: Instant, to: Instant) {
  const pieces: { from: Instant; to: Instant; offsetMs: number }[] = [];
  let moment: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timezone);
  while (moment !== null && moment.epochMilliseconds < to) {
    const next: Temporal.ZonedDateTime | null = moment.getTimeZoneTransition('next');
    pieces.push({
      from: moment.epochMilliseconds,
      to: Math.min(next?.epochMilliseconds ?? to, to),
      offsetMs: moment.offsetNanoseconds / 1_000_000,
    });
    moment = next;
  }
  return pieces;
}

function totalWorkedMs(calendar: Calendar): number {
  const last = calendar.ends.length - 1;
  return last < 0 ? 0 : calendar.workedBeforeMs[last]! + calendar.ends[last]! - calendar.starts[last]!;
}

function workedUntil(calendar: Calendar, instant: Instant): number {
  const index = firstIndex(calendar.ends, (end) => end > instant);
  if (index === calendar.ends.length) return totalWorkedMs(calendar);
  return calendar.workedBeforeMs[index]! + Math.max(0, instant - calendar.starts[index]!);
}

/** The first index of an ascending list for which `holds` is true; its length when there is none. */
function firstIndex(ascending: readonly number[], holds: (value: number) => boolean): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(ascending[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

// 1970-01-01 was a Thursday.
function weekdayIndex(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** Days since 1970-01-01; null for a text that is no date. */
function epochDay(date: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return null;
  try {
    return Temporal.PlainDate.from(date).toZonedDateTime('UTC').epochMilliseconds / dayMs;
  } catch {
    return null;
  }
}

// Temporal also takes offsets (+05:30), which know no daylight saving time and are no IANA name.
function isTimezone(timezone: string): boolean {
  if (!/^[A-Za-z]/.test(timezone)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timezone);
    return true;
  } catch {
    return false;
  }
}

/** Minutes after midnight of `HH:MM`, 24:00 included; null for a text that is no time of day. */
function wallMinutes(time: string): number | null {
  if (time === '24:00') return minutesPerDay;
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time);
  return match === null ? null : Number(match[1]) * 60 + Number(match[2]);
}

function refuseBadIntervals(weekly: BusinessHours['weekly'], refuse: (path: string, message: string) => void): void {
  const shifts: { path: string; label: string; from: number; to: number }[] = [];
  for (const [weekday, intervals] of Object.entries(weekly)) {
    const path = `business_hours.weekly.${weekday}`;
    const day = (weekdays as readonly string[]).indexOf(weekday);
    if (day < 0) refuse(path, `Must be one of ${weekdays.join(', ')}.`);
    if (intervals.length > maxIntervalsPerDay) refuse(path, `Must not have more than ${maxIntervalsPerDay} intervals.`);
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
          'Lies before the start, and a night shift is at most 12 hours long; write a longer one as two intervals, to 24:00 and from 00:00 of the next day.',
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
    // The last shift of the week may reach into the first of the next.
    const before = index > 0 ? shifts[index - 1]! : shifts[shifts.length - 1]!;
    const reachesTo = index > 0 ? before.to : before.to - 7 * minutesPerDay;
    if (reachesTo > shift.from) refuse(shift.path, `Overlaps ${before.label}.`);
  }
}
