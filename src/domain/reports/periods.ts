// The period of a report in its time zone, and the days, weeks, months or hours in it.

import type { Instant } from '../instant.ts';
import { weekdays } from '../sla/calendar.ts';

export interface Period {
  /** Dates; `to` is in it. */
  from: string;
  to: string;
  timeZone: string;
  fromAt: Instant;
  /** The first moment after it. */
  toAt: Instant;
}

const startOf = (date: Temporal.PlainDate, timeZone: string): Instant =>
  date.toZonedDateTime({ timeZone }).epochMilliseconds;

export function periodOf(from: string, to: string, timeZone: string): Period {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)];
  const toAt = startOf(last.add({ days: 1 }), timeZone);
  return { from, to, timeZone, fromAt: startOf(first, timeZone), toAt };
}

export function daysIn({ from, to }: Pick<Period, 'from' | 'to'>): number {
  return Temporal.PlainDate.from(to).since(Temporal.PlainDate.from(from)).days + 1;
}

/** As many days, just before. */
export function periodBefore({ from, to, timeZone }: Period): Period {
  const days = daysIn({ from, to });
  const back = (date: string) => Temporal.PlainDate.from(date).subtract({ days }).toString();
  return periodOf(back(from), back(to), timeZone);
}

export function dateIn(timeZone: string, at: Instant): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate();
}

interface Bucket {
  /** The first day, also if that is before the period. */
  key: string;
  fromAt: Instant;
}

export function bucketsOf({ from, to, timeZone, fromAt }: Period, by: 'day' | 'week' | 'month'): Bucket[] {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)];
  let date =
    by === 'week' ? first.subtract({ days: first.dayOfWeek - 1 }) : by === 'month' ? first.with({ day: 1 }) : first;
  const buckets: Bucket[] = [];
  while (Temporal.PlainDate.compare(date, last) <= 0) {
    buckets.push({ key: date.toString(), fromAt: Math.max(startOf(date, timeZone), fromAt) });
    date = date.add(by === 'week' ? { days: 7 } : by === 'month' ? { months: 1 } : { days: 1 });
  }
  return buckets;
}

/** The place of the bucket that a moment is in. */
export function bucketAt(buckets: readonly Bucket[], at: Instant): number {
  let low = 0;
  let high = buckets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((buckets[middle]?.fromAt ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const quarterHourMs = 15 * 60_000;

/** `mon-09`; asks for the time zone once for each quarter of an hour. */
export function hoursIn(timeZone: string): (at: Instant) => string {
  const known = new Map<number, string>();
  return (at) => {
    const quarter = Math.floor(at / quarterHourMs);
    let key = known.get(quarter);
    if (key === undefined) {
      const wall = Temporal.Instant.fromEpochMilliseconds(quarter * quarterHourMs).toZonedDateTimeISO(timeZone);
      key = `${weekdays[wall.dayOfWeek - 1]}-${String(wall.hour).padStart(2, '0')}`;
      known.set(quarter, key);
    }
    return key;
  };
}
