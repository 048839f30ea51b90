// Holidays in a calendar file (iCalendar, RFC 5545): whole days, once or each year. Everything else in it is left out and counted.

import { nextDate } from '../../zone.ts';
import type { Holiday } from './holidays.ts';

/** As the message says. */
export const mostFileBytes = 500_000;
const mostEvents = 2000;
const mostNameCharacters = 100;
const longestDays = 31;
const yearsAhead = 5;

interface CalendarHolidays {
  found: Holiday[];
  /** Events with a time of day, that repeat otherwise, or of other years. */
  leftOut: number;
}

type Event = Partial<Record<'DTSTART' | 'DTEND' | 'SUMMARY' | 'RRULE' | 'RDATE' | 'STATUS', string>>;

/** @param today such as "2026-11-24": holidays of this year and the next five count */
export function holidaysInCalendar(text: string, today: string): CalendarHolidays | null {
  if (!/^\s*BEGIN:VCALENDAR/i.test(text)) return null;
  const year = Number(today.slice(0, 4));
  const events = eventsIn(text);
  const all = events.map((event) => holidaysOf(event, year));
  return { found: all.flat(), leftOut: all.filter((some) => some.length === 0).length };
}

/** The properties of each event, without those of its alarms. */
function eventsIn(text: string): Event[] {
  const events: Event[] = [];
  let event: Event | null = null;
  let inside = 0;
  // Long lines go on in the next one, after a space.
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const [name = ''] = line.slice(0, colon).toUpperCase().split(';');
    const value = line.slice(colon + 1).trim();
    if (name === 'BEGIN' && value.toUpperCase() === 'VEVENT' && event === null) event = {};
    else if (event !== null && name === 'BEGIN') inside += 1;
    else if (event !== null && name === 'END' && inside > 0) inside -= 1;
    else if (event !== null && name === 'END') {
      events.push(event);
      event = null;
      if (events.length === mostEvents) break;
    } else if (event !== null && inside === 0) Object.assign(event, { [name]: value });
  }
  return events;
}

function holidaysOf({ DTSTART, DTEND, SUMMARY = '', RRULE, RDATE, STATUS }: Event, year: number): Holiday[] {
  const first = dateIn(DTSTART);
  const end = DTEND === undefined ? null : dateIn(DTEND);
  const isYearly = RRULE !== undefined && /^FREQ=YEARLY(;INTERVAL=1)?$/i.test(RRULE);
  if (first === null || (DTEND !== undefined && end === null)) return [];
  if (STATUS?.toUpperCase() === 'CANCELLED' || RDATE !== undefined || (RRULE !== undefined && !isYearly)) return [];
  // The end of a whole day is the day after.
  const days = end === null ? 1 : Math.max(1, (Date.parse(end) - Date.parse(first)) / dayMs);
  if (days > longestDays) return [];
  const name = plainText(SUMMARY);
  const years = isYearly ? Array.from({ length: yearsAhead + 1 }, (_, at) => String(year + at)) : [first.slice(0, 4)];
  return years
    .filter((one) => Number(one) >= year && Number(one) <= year + yearsAhead && one >= first.slice(0, 4))
    .map((one) => one + first.slice(4))
    .filter(isDate)
    .map((from) => ({ first: from, last: daysAfter(from, days - 1), name }));
}

const dayMs = 86_400_000;

const isDate = (date: string) => {
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
};

/** Null for a moment with a time of day. */
function dateIn(value: string | undefined): string | null {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(value ?? '') ?? [];
  const date = `${year}-${month}-${day}`;
  return year !== undefined && isDate(date) ? date : null;
}

function daysAfter(date: string, days: number): string {
  let last = date;
  for (let at = 0; at < days; at += 1) last = nextDate(last);
  return last;
}

const plainText = (text: string) =>
  text
    .replace(/\\n/gi, ' ')
    .replace(/\\([,;\\])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, mostNameCharacters);
