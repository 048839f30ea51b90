// The numbers of a cell, and how they are written.

import type { Cell, MetricName, ReportTime } from '../../../domain/reports/metrics.ts';
import { metricOf } from '../../../domain/reports/metrics.ts';
import { count, narrow, percent } from '../../shared/format.ts';

export type Part = 'main' | 'p90';

/** What a chart draws; null: there is nothing to draw. */
export function numberOf(cell: Cell | undefined, part: Part = 'main'): number | null {
  if (cell === undefined) return null;
  if ('share' in cell) return cell.share;
  if ('median_minutes' in cell) return part === 'p90' ? cell.p90_minutes : cell.median_minutes;
  if ('median' in cell) return part === 'p90' ? cell.p90 : cell.median;
  return cell.n;
}

/** How many things the cell is about. */
export function sizeOf(cell: Cell | undefined): number {
  if (cell === undefined) return 0;
  if ('of' in cell) return cell.of;
  return 'none' in cell ? cell.n + cell.none : cell.n;
}

const minutesPerHour = 60;
const minutesPerDay = 24 * 60;

/** Working time is told in hours: a working day is not 24 of them. */
export function durationText(minutes: number, time: ReportTime): string {
  if (minutes < 1) return narrow(Math.round(minutes * 60), 'second');
  const most = time === 'working' ? Number.POSITIVE_INFINITY : 2 * minutesPerDay;
  const whole = Math.round(minutes);
  if (whole < minutesPerHour) return narrow(whole, 'minute');
  const [large, small, size] =
    whole < most ? (['hour', 'minute', minutesPerHour] as const) : (['day', 'hour', minutesPerDay] as const);
  const rest = Math.round((whole % size) / (small === 'minute' ? 1 : minutesPerHour));
  const first = Math.floor(whole / size);
  // Of many hours, minutes say nothing.
  if (first >= 10) return narrow(Math.round(whole / size), large);
  const isCarried = small === 'hour' && rest === 24;
  return rest === 0 || isCarried
    ? narrow(isCarried ? first + 1 : first, large)
    : `${narrow(first, large)} ${narrow(rest, small)}`;
}

export function valueText(metric: MetricName, value: number | null, time: ReportTime): string {
  if (value === null) return '–';
  switch (metricOf(metric).shape) {
    case 'share':
      // What is not all is never told as all.
      return percent(Math.floor(value * 1000 + 1e-6) / 1000, 1);
    case 'duration':
      return durationText(value, time);
    default:
      return count(value);
  }
}

export function cellText(metric: MetricName, cell: Cell | undefined, time: ReportTime, part: Part = 'main'): string {
  return valueText(metric, numberOf(cell, part), time);
}

interface Change {
  text: string;
  /** Null: neither is better. */
  isBetter: boolean | null;
}

/** Against the period before: in percent, of shares in points. Null: there is nothing to compare with. */
export function changeOf(metric: MetricName, cell: Cell | undefined, before: Cell | undefined): Change | null {
  const [is, was] = [numberOf(cell), numberOf(before)];
  if (is === null || was === null) return null;
  const { shape } = metricOf(metric);
  const sign = (value: number) => (value > 0 ? '+' : value < 0 ? '−' : '±');
  if (shape === 'share') {
    const points = Math.round((is - was) * 100);
    const isGood = metric !== 'reopened';
    return {
      text: `${sign(points)}${count(Math.abs(points))}`,
      isBetter: points === 0 ? null : points > 0 === isGood,
    };
  }
  if (was === 0) return null;
  const share = Math.round(((is - was) / was) * 100) / 100;
  const isBetter = shape !== 'duration' || share === 0 ? null : share < 0;
  return { text: `${sign(share)}${percent(Math.abs(share))}`, isBetter };
}
