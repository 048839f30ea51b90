// Moments in the time zone of a site, and when its clocks change.

import { locale } from '../shared/format.ts';

/** Not in the agent's own zone. */
export function inZone(at: number, zone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale(), { ...options, timeZone: zone }).format(at);
}

const dateAt = (date: string) => Date.parse(`${date}T00:00:00Z`);

export function dateText(date: string): string {
  return inZone(dateAt(date), 'UTC', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
}

export function dateRange(first: string, last: string): string {
  const format = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' });
  return format.formatRange(dateAt(first), dateAt(last));
}

const mondayMs = Date.UTC(2024, 0, 1);
const dayMs = 86_400_000;

/** Monday is 0. */
export const dayName = (day: number, weekday: 'long' | 'short' = 'long') =>
  inZone(mondayMs + day * dayMs, 'UTC', { weekday });

export function nextDate(date: string): string {
  return new Date(dateAt(date) + dayMs).toISOString().slice(0, 10);
}

/** As in "2026-11-20T16:40". */
export function wallTime(at: number, zone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: zone });
  return format.format(at).replace(' ', 'T');
}

const offsetMinutes = (at: number, zone: string) => (Date.parse(`${wallTime(at, zone)}Z`) - at) / 60_000;

const minuteMs = 60_000;

/** When a day like 2026-11-20 begins there. */
export function dayBegins(date: string, zone: string): number {
  const guess = dateAt(date) - offsetMinutes(dateAt(date), zone) * minuteMs;
  // The clocks may change between that and the day.
  return dateAt(date) - offsetMinutes(guess, zone) * minuteMs;
}

/** The next time that the clocks change, within a year and a little. Null: they do not. */
export function nextClockChange(zone: string, now: number): { at: number; minutes: number } | null {
  const whole = Math.floor(now / minuteMs) * minuteMs;
  const before = offsetMinutes(whole, zone);
  for (let day = 1; day <= 380; day += 1) {
    let late = whole + day * dayMs;
    if (offsetMinutes(late, zone) === before) continue;
    let early = late - dayMs;
    while (late - early > minuteMs) {
      const middle = Math.floor((early + late) / 2 / minuteMs) * minuteMs;
      if (offsetMinutes(middle, zone) === before) early = middle;
      else late = middle;
    }
    return { at: late, minutes: offsetMinutes(late, zone) - before };
  }
  return null;
}
