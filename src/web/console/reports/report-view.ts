// A report as its screen shows it: what was asked, what came, and the address of the tickets behind each number.

import type { MetricName } from '../../../domain/reports/metrics.ts';
import { pathWith, type ReportChoice } from './choice.ts';
import type { Report, ReportRow } from './wire.ts';

export interface ReportView {
  name: string;
  params: URLSearchParams;
  choice: ReportChoice;
  report: Report;
  /** In the time zone of the report. */
  today: string;
}

/** @param row undefined: of the total */
export function ticketsHref(
  { name, params }: Pick<ReportView, 'name' | 'params'>,
  metric: MetricName,
  row?: Pick<ReportRow, 'group'>,
  of: 'before' | 'today' | null = null,
): string {
  const group = row === undefined ? null : row.group === null ? '(none)' : String(row.group);
  return pathWith(name, params, { metric, group, of });
}

/** The same row of the period before: times by their place, everything else by what it is. */
export function rowBefore({ report, choice }: ReportView, row: ReportRow, index: number): ReportRow | undefined {
  const rows = report.data.previous?.rows;
  return ['day', 'week', 'month'].includes(choice.groupBy)
    ? rows?.[index]
    : rows?.find(({ group }) => group === row.group);
}
