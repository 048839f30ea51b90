// Working time: which moments count, how much of it is between two moments, and when a given amount has passed.

import { dayMs, type Instant, minuteMs } from '../instant.ts';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** Intervals are `HH:MM` in `timezone`. One that ends at or before its start ends on the next day. */
export type BusinessHours = { timezone: string; weekly: Partial<Record<Weekday, [string, string][]>> };

export type SlaPolicy = {
  businessHours: BusinessHours | null;
  holidays: string[];
  pauseWhilePending: boolean;
  warnAtPercent: number;
};

/** A skipped hour is absent, a repeated one counts twice. A holiday removes the whole shifts that start on it. */
export type Calendar = {
  readonly zone: { readonly timezone: string; readonly shifts: Shift[][]; readonly holidays: Set<number> } | null;
  firstBlock: number;
  endBlock: number;
  readonly starts: Instant[];
  readonly ends: Instant[];
  readonly workedBeforeMs: number[];
};

type Stretch = { from: Instant; to: Instant; isWorking: boolean };

/** Working time is computed from 1970 up to this moment (the year 2209). Anything due later is due here. */
export const endOfTime: Instant = 240 * 364 * dayMs;

export function compileCalendar(businessHours: BusinessHours | null, holidays: readonly string[]): Calendar {
  const key = businessHours === null ? 'null' : JSON.stringify([businessHours, holidays]);
  const calendar = compiled.get(key) ?? freshCalendar(businessHours, holidays);
  compiled.delete(key);
  compiled.set(key, calendar);
  if (compiled.size > maxCompiled) compiled.delete(compiled.keys().next().value ?? key);
  return calendar;
}

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

export function workingTimeBetween(calendar: Calendar, from: Instant, to: Instant): number {
  if (calendar.zone === null) return to - from;
  cover(calendar, Math.min(from, to), Math.max(from, to));
  return workedUntil(calendar, to) - workedUntil(calendar, from);
}

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

type Shift = { fromMs: number; toMs: number };

const compiled = new Map<string, Calendar>();
// A scan visits the sites in no particular order: a cache smaller than the number of sites would always miss.
const maxCompiled = 500;
export const minutesPerDay = 24 * 60;

const blockMs = 364 * dayMs;
const endBlockOfTime = endOfTime / blockMs;
const blockOf = (instant: Instant) => Math.min(Math.max(Math.floor(instant / blockMs), 0), endBlockOfTime - 1);

export function freshCalendar(businessHours: BusinessHours | null, holidays: readonly string[]): Calendar {
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
    // The day before as well: its night shift may end inside this piece.
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

/** Between two changes of the offset, local time is linear and plain arithmetic is right. */
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

function weekdayIndex(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

export function epochDay(date: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return null;
  try {
    return Temporal.PlainDate.from(date).toZonedDateTime('UTC').epochMilliseconds / dayMs;
  } catch {
    return null;
  }
}

// Temporal also accepts offsets (+05:30), which are not IANA names and ignore daylight saving time.
export function isTimezone(timezone: string): boolean {
  if (!/^[A-Za-z]/.test(timezone)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timezone);
    return true;
  } catch {
    return false;
  }
}

export function wallMinutes(time: string): number | null {
  if (time === '24:00') return minutesPerDay;
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time);
  return match === null ? null : Number(match[1]) * 60 + Number(match[2]);
}
