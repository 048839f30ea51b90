// Numbers, dates and durations as the reader writes them.

import { signal } from '@preact/signals';
import { language } from './messages.ts';

let given: string | null = null;

/** For what the desk writes, in one step: its process is not the reader's browser. */
export function formattedAs<Written>(tag: string, write: () => Written): Written {
  given = tag;
  try {
    return write();
  } finally {
    given = null;
  }
}

/** The language of the messages, with the browser's region if it has one for that language. */
export function locale(): string {
  if (given !== null) return given;
  return navigator.languages.find((tag) => tag.split('-')[0] === language()) ?? language();
}

/** That of the agent; null for the browser's. */
const zone = signal<string | null>(null);

/** A zone that this browser does not know is not taken. */
export function readInTimeZone(wanted: string | null): void {
  zone.value = wanted !== null && Intl.supportedValuesOf('timeZone').includes(wanted) ? wanted : null;
}

// Browsers name a thousand languages and regions to the desk.
const mostKept = 100;

/** Keeps what `make` made: that takes far longer than its use, and each row of a list needs several. */
function kept<Options, Format>(make: (tag: string, options: Options) => Format): (options: Options) => Format {
  const made = new Map<string, Format>();
  return (options) => {
    const tag = locale();
    const key = `${tag} ${JSON.stringify(options)}`;
    const format = made.get(key) ?? make(tag, options);
    if (made.size >= mostKept) made.clear();
    made.set(key, format);
    return format;
  };
}

const dates = kept((tag, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, options));
const numbers = kept((tag, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(tag, options));

export function formatDate(at: string | number, options: Intl.DateTimeFormatOptions): string {
  const inZone = zone.value === null ? options : { ...options, timeZone: zone.value };
  return dates(inZone).format(new Date(at));
}

/** The same text for moments of one day. */
export function dayKey(at: string | number): string {
  return formatDate(at, { year: 'numeric', month: '2-digit', day: '2-digit' });
}

export function dateAndTime(iso: string): string {
  return formatDate(iso, { dateStyle: 'medium', timeStyle: 'short' });
}

export function day(iso: string): string {
  return formatDate(iso, { dateStyle: 'medium' });
}

const steps = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

export function ago(iso: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1000);
  if (seconds > 7 * 86_400) return day(iso);
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });
  for (const [unit, length] of steps) {
    if (seconds >= length) return format.format(-Math.floor(seconds / length), unit);
  }
  return format.format(0, 'second');
}

export function duration(seconds: number): string {
  const [unit, value] =
    seconds < 90
      ? ['second', Math.ceil(seconds)]
      : seconds <= 5400
        ? ['minute', Math.ceil(seconds / 60)]
        : ['hour', Math.ceil(seconds / 3600)];
  return numbers({ style: 'unit', unit: String(unit), unitDisplay: 'long' }).format(Number(value));
}

const spans = [...steps, ['second', 1]] as const;

/** As short as it can be. In German that would mix `5h` with `7 Min.`, so there it is `5 Std.`. */
export function narrow(value: number, unit: string): string {
  const unitDisplay = locale().startsWith('de') ? 'short' : 'narrow';
  return numbers({ style: 'unit', unit, unitDisplay }).format(value);
}

/** Its largest units, such as `2h 5m`. Less than a second is none. */
export function span(ms: number, units = 2): string {
  const whole = Math.floor(Math.abs(ms) / 1000);
  const first = spans.findIndex(([, length]) => whole >= length);
  let left = whole;
  const parts = spans
    .slice(first === -1 ? spans.length - 1 : first)
    .slice(0, units)
    .flatMap(([unit, length], at) => {
      const count = Math.floor(left / length);
      left -= count * length;
      if (at > 0 && count === 0) return [];
      return [narrow(count, unit)];
    });
  return parts.join(' ');
}

export function timeOfDay(iso: string): string {
  return formatDate(iso, { timeStyle: 'short' });
}

/** Without the year. */
export function dayAndTime(iso: string): string {
  const format = { weekday: 'short', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
  return formatDate(iso, format);
}

export function count(value: number): string {
  return numbers({}).format(value);
}

export function percent(share: number, maximumFractionDigits = 0): string {
  return numbers({ style: 'percent', maximumFractionDigits }).format(share);
}

export function timeToTheSecond(iso: string): string {
  return dates({ timeStyle: 'medium' }).format(new Date(iso));
}
