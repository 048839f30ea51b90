// What a report is asked: in the address, and in the query to the desk. Both use the names of the API.

import { isDate } from '../../../domain/instant.ts';
import {
  filtersOfListsOnly,
  otherGroups,
  type ReportName,
  type ReportPeriod,
  type ReportTime,
  reportNames,
  reportPeriods,
  reports,
  reportTimes,
  timeGroups,
} from '../../../domain/reports/metrics.ts';
import type { ListFilter } from '../../../domain/tickets/filters.ts';
import { filterOfParams, queryOf } from '../list/filters/filter.ts';
import { type Dates, datesBefore, datesOf, daysIn } from './dates.ts';

export interface ReportChoice {
  /** Null: its own dates. */
  period: ReportPeriod | null;
  dates: Dates;
  time: ReportTime;
  by: 'event' | 'cohort';
  isCompared: boolean;
  groupBy: string;
  timeZone: string | null;
  filter: ListFilter;
}

const usualPeriod: ReportPeriod = 'last_30_days';
/** A chart has at most about as many points as are still seen one by one. */
const mostPoints = 400;

export function reportOf(name: string | null): ReportName | null {
  return name === null ? 'overview' : (reportNames.find((one) => one === name) ?? null);
}

const isField = (group: string) => /^field:[a-z0-9_-]{1,64}$/i.test(group);
export const isTimeGroup = (group: string) => (timeGroups as readonly string[]).includes(group) && group !== 'hour';

/** @param today in the time zone of the report */
export function choiceOf(report: ReportName, params: URLSearchParams, today: string): ReportChoice {
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? ''];
  const hasDates = isDate(from) && isDate(to) && from <= to;
  const named = reportPeriods.find((one) => one === params.get('period'));
  const period = hasDates ? null : (named ?? usualPeriod);
  const dates = period === null ? { from, to } : datesOf(period, today);
  const filter = filterOfParams(params);
  for (const key of filtersOfListsOnly) delete filter[key];
  return {
    period,
    dates,
    time: reportTimes.find((one) => one === params.get('time')) ?? 'working',
    by: params.get('by') === 'cohort' ? 'cohort' : 'event',
    isCompared: params.get('compare') === '1',
    groupBy: groupOf(report, params.get('group_by'), daysIn(dates)),
    timeZone: params.get('time_zone'),
    filter,
  };
}

/** Days, weeks or months as the length of the period allows. */
function usualTime(days: number): string {
  return days <= 62 ? 'day' : days <= 366 ? 'week' : 'month';
}

export function offersTime(group: string, days: number): boolean {
  return days / { day: 1, week: 7 }[group as 'day']! <= mostPoints || group === 'month';
}

function groupOf(report: ReportName, asked: string | null, days: number): string {
  const usual = reports[report].groupBy;
  const own = usual === 'day' ? usualTime(days) : usual;
  if (asked === null) return own;
  if (isTimeGroup(asked)) return offersTime(asked, days) ? asked : usualTime(days);
  const isKnown = asked === 'hour' || (otherGroups as readonly string[]).includes(asked) || isField(asked);
  return isKnown ? asked : own;
}

/** The query to the desk. @param siteId what the rail shows; a site in the filter is meant instead */
export function queryFor(choice: ReportChoice, siteId: number | null): URLSearchParams {
  const { dates, time, by, isCompared, groupBy, timeZone, filter } = choice;
  const query = new URLSearchParams({ ...dates, group_by: groupBy, time, by });
  if (isCompared) query.set('compare', '1');
  if (timeZone !== null) query.set('time_zone', timeZone);
  const site = filter.site_id ?? siteId;
  for (const [key, value] of queryOf(site === null ? filter : { ...filter, site_id: site })) query.set(key, value);
  return query;
}

/** Whose tickets a list shows. */
export interface Behind {
  metric: string;
  /** Null: of the total. */
  group: string | null;
  /** Not of the period, but of the one before, or of this day. */
  of: 'before' | 'today' | null;
  page: number;
}

export function behindOf(params: URLSearchParams): Behind | null {
  const metric = params.get('metric');
  if (metric === null) return null;
  const of = params.get('of');
  return {
    metric,
    group: params.get('group'),
    of: of === 'before' || of === 'today' ? of : null,
    page: Math.max(1, Math.floor(Number(params.get('page') ?? 1)) || 1),
  };
}

/** The query for the tickets behind a number. */
export function behindQuery(choice: ReportChoice, siteId: number | null, behind: Behind, today: string) {
  const { metric, group, of, page } = behind;
  const dates = of === 'before' ? datesBefore(choice.dates) : of === 'today' ? datesOf('today', today) : choice.dates;
  const query = queryFor({ ...choice, dates, isCompared: false }, siteId);
  if (of === 'today') query.set('group_by', 'none');
  query.set('metric', metric);
  if (group !== null) query.set('group', group);
  query.set('page', String(page));
  query.set('per_page', '50');
  return query;
}

const ofList = ['metric', 'group', 'of', 'page'];

/** The address with other values: null takes one away. Tickets that are shown are so no more. */
export function pathWith(
  report: string,
  params: URLSearchParams,
  change: Readonly<Record<string, string | null>>,
): string {
  const next = new URLSearchParams(params);
  for (const name of ofList) next.delete(name);
  for (const [name, value] of Object.entries(change)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  const query = String(next).replaceAll('%2C', ',');
  return `/reports/${report}${query === '' ? '' : `?${query}`}`;
}

/** The address with another filter. */
export function pathWithFilter(report: string, params: URLSearchParams, filter: ListFilter): string {
  const wanted = queryOf(filter);
  const without = Object.fromEntries([...queryOf(filterOfParams(params)).keys()].map((key) => [key, null]));
  return pathWith(report, params, { ...without, ...Object.fromEntries(wanted) });
}
