// Computes a report, or the tickets behind one of its cells, in steps of a few milliseconds.

import type { Instant } from '../../domain/instant.ts';
import {
  type Cell,
  createCell,
  type GroupBy,
  type MetricName,
  metricOf,
  type ReportRow,
  type ReportTime,
} from '../../domain/reports/metrics.ts';
import { bucketAt, bucketsOf, hoursIn, type Period } from '../../domain/reports/periods.ts';
import type { Tx } from '../../engine/database.ts';
import type { TicketFilter } from '../lists/filter.ts';
import { createRowScan, type RowSource } from './rows.ts';

export interface ReportQuestion {
  metrics: readonly MetricName[];
  /** With the time zone in which hours are told. */
  sites: readonly { id: number; timeZone: string }[];
  period: Period;
  time: ReportTime;
  /** By the time of the event, or by that of the ticket's creation. */
  by: 'event' | 'cohort';
  groupBy: GroupBy | null;
  filter: TicketFilter;
  /** What only one agent did. */
  onlyAgentId: number | null;
  now: Instant;
}

/** Of a time: the first day. Null: nothing is set. */
export type GroupKey = string | number | null;

interface ReportResult {
  rows: { group: GroupKey; cells: Map<MetricName, Cell> }[];
  total: Map<MetricName, Cell>;
}

/**
 * One row that counts for a metric, or takes from it.
 * @param upTo of a backlog by time: the row counts at the end of so many of the first buckets
 */
type Count = (metric: MetricName, row: ReportRow, groups: readonly GroupKey[], by: 1 | -1, upTo?: number) => void;

interface Scan {
  of: RowSource['of'];
  moment: RowSource['moment'];
  isToTheEnd: boolean;
  take: (row: ReportRow) => void;
}

const assigneeOf = ({ group }: ReportRow) => (typeof group === 'number' ? group : null);

const whenever = Number.MAX_SAFE_INTEGER;

/** Calls `count` for all that is in the report. Returns whether it was the last step. */
function createCount(asked: ReportQuestion, count: Count): (tx: Tx) => boolean {
  const { period, by, groupBy, metrics, now } = asked;
  const buckets = groupBy === 'day' || groupBy === 'week' || groupBy === 'month' ? bucketsOf(period, groupBy) : [];
  const isTime = buckets.length > 0;
  const isCohort = by === 'cohort';
  const inPeriod = (at: number) => at >= period.fromAt && at < period.toAt;
  // What falls due later has not fallen due.
  const lastAt = Math.min(period.toAt, now + 1);
  let hourOf = (_: Instant): string => '';

  const groupsOf = (row: ReportRow, at: Instant, siteId: number): GroupKey[] => {
    if (groupBy === null) return [];
    if (isTime) return [buckets[bucketAt(buckets, at)]?.key ?? null];
    if (groupBy === 'hour') return [hourOf(at)];
    if (groupBy === 'site') return [siteId];
    if (groupBy === 'agent') return [row.agentId];
    if (groupBy === 'tag') {
      const tags = JSON.parse(String(row.group ?? '[]')) as string[];
      return tags.length === 0 ? [null] : tags;
    }
    return [row.group];
  };

  /** What is open now, and back from there: a change after the end of a time did not count at it. */
  const backlog = (siteId: number, by: 1 | -1, of: 'at' | 'untilAt' | 'now') => (row: ReportRow) => {
    if (asked.onlyAgentId !== null && row.group !== asked.onlyAgentId) return;
    const at = of === 'now' ? whenever : (row[of] ?? whenever);
    if (isTime) count('backlog', row, [], by, at >= period.toAt ? buckets.length : bucketAt(buckets, at));
    else if (at >= period.toAt) {
      // An hour of the week has no end at which it could be counted.
      const groups = groupBy === 'hour' ? [] : groupsOf({ ...row, agentId: assigneeOf(row) }, at, siteId);
      count('backlog', row, groups, by);
    }
  };

  const scansOf = (siteId: number): Scan[] => {
    const scans = new Map<string, Scan>();
    const add = (of: Scan['of'], moment: Scan['moment'], isToTheEnd: boolean, take: Scan['take']) => {
      const key = `${of} ${moment}`;
      const before = scans.get(key);
      scans.set(key, {
        of,
        moment,
        isToTheEnd: isToTheEnd || before?.isToTheEnd === true,
        take: (row) => {
          before?.take(row);
          take(row);
        },
      });
    };
    for (const name of metrics) {
      if (name === 'backlog') {
        add('open', 'at', true, backlog(siteId, 1, 'now'));
        add('tickets', 'at', true, backlog(siteId, -1, 'at'));
        for (const end of ['resolution', 'merge'] as const) {
          add(end, 'at', true, backlog(siteId, 1, 'at'));
          add(end, 'until_at', true, backlog(siteId, -1, 'untilAt'));
        }
        continue;
      }
      const { of, moment, counts } = metricOf(name);
      const isOfCohort = isCohort && of !== 'tickets';
      // A fact is never before its ticket, so that those of a cohort begin with it.
      add(of, isOfCohort ? 'at' : moment, isOfCohort, (row) => {
        const at = isOfCohort ? row.createdAt : moment === 'at' ? row.at : (row.untilAt ?? 0);
        if (!inPeriod(at) || (!isOfCohort && at >= lastAt) || row.at > now || !counts(row)) return;
        if (asked.onlyAgentId !== null && row.agentId !== asked.onlyAgentId) return;
        count(name, row, groupsOf(row, at, siteId), 1);
      });
    }
    return [...scans.values()];
  };

  const steps = asked.sites.flatMap(({ id: siteId, timeZone }) =>
    scansOf(siteId).map(({ of, moment, isToTheEnd, take }) => {
      const source: RowSource = {
        ...{ of, moment, siteId, groupBy, filter: asked.filter },
        from: period.fromAt,
        to: isToTheEnd ? whenever : period.toAt,
      };
      const step = createRowScan(source, now, take);
      const hours = groupBy === 'hour' ? hoursIn(timeZone) : hourOf;
      return (tx: Tx) => {
        hourOf = hours;
        return step(tx);
      };
    }),
  );
  return (tx) => {
    const [step] = steps;
    if (step === undefined) return true;
    if (step(tx)) steps.shift();
    return steps.length === 0;
  };
}

export function createReport(asked: ReportQuestion): { step: (tx: Tx) => boolean; result: () => ReportResult } {
  const { metrics, time } = asked;
  const cells = () => new Map(metrics.map((name) => [name, createCell(name, time)]));
  const rows = new Map<GroupKey, ReturnType<typeof cells>>(timesOf(asked).map((key) => [key, cells()]));
  const times = [...rows.values()];
  const changes = new Array<number>(times.length + 1).fill(0);
  const total = cells();
  const step = createCount(asked, (name, row, groups, by, upTo) => {
    if (upTo !== undefined) {
      changes[upTo] = (changes[upTo] ?? 0) + by;
      return;
    }
    for (const group of groups) {
      const own = rows.get(group) ?? cells();
      rows.set(group, own);
      add(own.get(name));
    }
    add(total.get(name));

    function add(cell: ReturnType<typeof createCell> | undefined) {
      if (name === 'backlog') cell?.change(by);
      else cell?.add(row);
    }
  });
  return {
    step,
    result() {
      let open = changes.at(-1) ?? 0;
      if (times.length > 0) total.get('backlog')?.change(open);
      for (let at = times.length - 1; at >= 0; at -= 1) {
        times[at]?.get('backlog')?.change(open);
        open += changes[at] ?? 0;
      }
      const valuesOf = (row: ReturnType<typeof cells>) => new Map([...row].map(([name, cell]) => [name, cell.value()]));
      return {
        rows: [...rows].map(([group, row]) => ({ group, cells: valuesOf(row) })),
        total: valuesOf(total),
      };
    },
  };
}

function timesOf({ groupBy, period }: ReportQuestion): string[] {
  return groupBy === 'day' || groupBy === 'week' || groupBy === 'month'
    ? bucketsOf(period, groupBy).map(({ key }) => key)
    : [];
}

/** The ids of the tickets of one cell, newest first. @param group undefined: of the total */
export function createMembers(
  asked: ReportQuestion,
  metric: MetricName,
  group: GroupKey | undefined,
): { step: (tx: Tx) => boolean; ids: () => number[] } {
  const found = new Map<number, number>();
  const times = timesOf(asked);
  const place = group === undefined ? times.length - 1 : times.indexOf(String(group));
  const step = createCount({ ...asked, metrics: [metric] }, (_, { ticketId }, groups, by, upTo) => {
    const isIn = upTo === undefined ? group === undefined || groups.includes(group) : upTo > place;
    if (isIn) found.set(ticketId, (found.get(ticketId) ?? 0) + by);
  });
  return { step, ids: () => [...found].flatMap(([id, n]) => (n > 0 ? [id] : [])).sort((one, other) => other - one) };
}
