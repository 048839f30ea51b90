// Saved reports, and the address that each opens at.

import type { ReportName } from '../../../domain/reports/metrics.ts';
import type { ReportSchedule } from '../../../domain/reports/schedule.ts';
import type { ListFilter } from '../../../domain/tickets/filters.ts';
import { queryOf } from '../list/filters/filter.ts';
import type { ReportChoice } from './choice.ts';

type SavedQuery = Readonly<Record<string, unknown>>;

export interface SavedReport {
  id: number;
  name: string;
  report: ReportName;
  query: SavedQuery;
  is_shared: boolean;
  is_own: boolean;
  schedule: (ReportSchedule & { agent_ids: number[]; next_at: string }) | null;
}

const ownNames = ['period', 'from', 'to', 'time', 'by', 'compare', 'group_by', 'time_zone'];

/** What is kept of a report: a period that moves on with the day stays one. */
export function savedQuery(choice: ReportChoice, params: URLSearchParams): SavedQuery {
  const { period, dates, time, by, isCompared, timeZone, filter } = choice;
  const groupBy = params.get('group_by');
  return {
    ...filter,
    ...(period === null ? dates : { period }),
    ...(time === 'working' ? {} : { time }),
    ...(by === 'event' ? {} : { by }),
    ...(isCompared ? { compare: true } : {}),
    ...(groupBy === null ? {} : { group_by: choice.groupBy }),
    ...(timeZone === null ? {} : { time_zone: timeZone }),
  };
}

export function pathOfSaved({ report, query }: Pick<SavedReport, 'report' | 'query'>): string {
  const own = Object.entries(query).filter(([name]) => ownNames.includes(name));
  const filter = Object.fromEntries(Object.entries(query).filter(([name]) => !ownNames.includes(name))) as ListFilter;
  const params = new URLSearchParams(own.map(([name, value]) => [name, value === true ? '1' : String(value)]));
  for (const [name, value] of queryOf(filter)) params.set(name, value);
  const text = String(params).replaceAll('%2C', ',');
  return `/reports/${report}${text === '' ? '' : `?${text}`}`;
}
