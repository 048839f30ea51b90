// Periods of reports, as dates without a time zone.

import { dayMs } from '../../../domain/instant.ts';
import type { ReportPeriod } from '../../../domain/reports/metrics.ts';

export interface Dates {
  from: string;
  /** In the period too. */
  to: string;
}

const momentOf = (date: string) => Date.parse(`${date}T00:00:00Z`);

export function plusDays(date: string, days: number): string {
  return new Date(momentOf(date) + days * dayMs).toISOString().slice(0, 10);
}

export function daysIn({ from, to }: Dates): number {
  return Math.round((momentOf(to) - momentOf(from)) / dayMs) + 1;
}

/** As many days, just before. */
export function datesBefore(dates: Dates): Dates {
  const days = daysIn(dates);
  return { from: plusDays(dates.from, -days), to: plusDays(dates.to, -days) };
}

const firstOfMonth = (date: string) => `${date.slice(0, 8)}01`;

export function datesOf(period: ReportPeriod, today: string): Dates {
  if (period === 'today') return { from: today, to: today };
  if (period === 'this_month') return { from: firstOfMonth(today), to: today };
  if (period === 'last_month') {
    const to = plusDays(firstOfMonth(today), -1);
    return { from: firstOfMonth(to), to };
  }
  const days = Number(/\d+/.exec(period)?.[0]);
  return { from: plusDays(today, 1 - days), to: today };
}

export function dateIn(timeZone: string, at: number): string {
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }).format(at);
}
