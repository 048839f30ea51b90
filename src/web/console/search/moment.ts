// Dates in searches: 2026-09-11, 2026-09, 2026, today, yesterday, and 7d, 2w, 3m or 1y ago. All in the time of the browser.

import { dayStart } from '../../shared/clock.ts';

/** The first moment of the day, month or year; null if the text is none. */
export function momentOf(text: string, now: number): number | null {
  const word = text.toLowerCase();
  if (word === 'today') return dayStart(now);
  if (word === 'yesterday') return dayStart(now, 1);
  return ago(word, now) ?? dateOf(word);
}

function ago(text: string, now: number): number | null {
  const [, digits, unit] = /^(\d{1,3})([dwmy])$/.exec(text) ?? [];
  if (digits === undefined) return null;
  const count = Number(digits);
  if (unit === 'd') return dayStart(now, count);
  if (unit === 'w') return dayStart(now, 7 * count);
  const months = count * (unit === 'y' ? 12 : 1);
  const today = new Date(now);
  const first = new Date(today.getFullYear(), today.getMonth() - months, 1);
  // A month ago from the 31st is the last day of a shorter month.
  const last = new Date(first.getFullYear(), first.getMonth() + 1, 0).getDate();
  return new Date(first.getFullYear(), first.getMonth(), Math.min(today.getDate(), last)).getTime();
}

function dateOf(text: string): number | null {
  const [, year, month = '1', day = '1'] = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?$/.exec(text) ?? [];
  if (year === undefined || Number(year) < 1970) return null;
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  // The 31st of February would become a day in March.
  const isReal = date.getMonth() === Number(month) - 1 && date.getDate() === Number(day);
  return isReal ? date.getTime() : null;
}

/** A date as one can type it, some weeks ago. */
export function exampleDate(now: number): string {
  const day = new Date(dayStart(now, 30));
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}
