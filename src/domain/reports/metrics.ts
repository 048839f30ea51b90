// What each report measures, and how rows become numbers (docs/spec/reports.md).

import { minuteMs } from '../instant.ts';
import type { FilterKey } from '../tickets/filters.ts';
import type { FactKind } from './facts.ts';

export const reportTimes = ['working', 'calendar'] as const;
export type ReportTime = (typeof reportTimes)[number];

/** Filters of ticket lists that reports do not have: words, times, read marks, and what no report counts. */
export const filtersOfListsOnly = [
  'q',
  'created_from',
  'created_to',
  'updated_from',
  'updated_to',
  'is_spam',
  'include_test',
  'has_draft',
  'unread',
] as const satisfies FilterKey[];

/** Periods that move on with the day. */
export const reportPeriods = [
  'today',
  'last_7_days',
  'last_30_days',
  'last_90_days',
  'last_365_days',
  'this_month',
  'last_month',
] as const;
export type ReportPeriod = (typeof reportPeriods)[number];

/** Who sees what single agents did: everyone, each only their own, or no one. */
export const agentReports = ['all', 'own', 'off'] as const;
export type AgentReports = (typeof agentReports)[number];

/** A fact, or a ticket that was created. */
export interface ReportRow {
  ticketId: number;
  at: number;
  untilAt: number | null;
  createdAt: number;
  agentId: number | null;
  calendarMs: number | null;
  workingMs: number | null;
  amount: number | null;
  isLast: boolean;
  number: number;
  /** What it is grouped by, as it is stored. */
  group: string | number | null;
}

interface Metric {
  shape: 'count' | 'share' | 'duration' | 'amount';
  of: 'tickets' | FactKind;
  /** Of several moments of a row, the one that is in the period. */
  moment: 'at' | 'until_at';
  counts: (row: ReportRow) => boolean;
  /** Of a share: what is counted among all. */
  isHit: (row: ReportRow) => boolean;
}

const metric = (shape: Metric['shape'], of: Metric['of'], more: Partial<Metric> = {}): Metric => ({
  shape,
  of,
  moment: 'at',
  counts: () => true,
  isHit: () => false,
  ...more,
});

const isLast = (row: ReportRow) => row.isLast;
const isMet = (row: ReportRow) => row.amount === 1;

export const metrics = {
  created: metric('count', 'tickets'),
  resolved: metric('count', 'resolution', { counts: isLast }),
  reopened: metric('share', 'resolution', { isHit: ({ untilAt }) => untilAt !== null }),
  reopenings: metric('count', 'resolution', { moment: 'until_at', counts: ({ untilAt }) => untilAt !== null }),
  /** Counted back from what is open now (`backlogParts`). */
  backlog: metric('count', 'tickets'),
  first_response: metric('duration', 'first_response'),
  next_response: metric('duration', 'reply', { counts: ({ calendarMs }) => calendarMs !== null }),
  first_resolution: metric('duration', 'resolution', { counts: ({ number }) => number === 1 }),
  resolution: metric('duration', 'resolution', { counts: isLast }),
  customer_wait: metric('duration', 'customer_wait'),
  first_response_in_target: metric('share', 'first_response_clock', { isHit: isMet }),
  resolution_in_target: metric('share', 'resolution_clock', { isHit: isMet }),
  replies: metric('count', 'reply'),
  replies_to_resolution: metric('amount', 'resolution', { counts: isLast }),
  one_touch: metric('share', 'resolution', {
    counts: (row) => row.isLast && (row.amount ?? 0) > 0,
    isHit: ({ amount }) => amount === 1,
  }),
  satisfaction: metric('share', 'satisfaction', { isHit: isMet }),
  satisfaction_answered: metric('share', 'satisfaction_asked', { isHit: isMet }),
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof metrics;
export const metricNames = Object.keys(metrics) as MetricName[];
export const metricOf = (name: MetricName): Metric => metrics[name];

export const reports = {
  overview: {
    metrics: [
      'created',
      'resolved',
      'backlog',
      'first_response',
      'resolution',
      'first_response_in_target',
      'resolution_in_target',
    ],
    groupBy: 'day',
  },
  response: { metrics: ['first_response', 'next_response', 'first_response_in_target', 'replies'], groupBy: 'day' },
  resolution: {
    metrics: [
      'resolved',
      'first_resolution',
      'resolution',
      'customer_wait',
      'reopened',
      'reopenings',
      'replies_to_resolution',
      'one_touch',
    ],
    groupBy: 'day',
  },
  sla: { metrics: ['first_response_in_target', 'resolution_in_target'], groupBy: 'day' },
  load: { metrics: ['created'], groupBy: 'hour' },
  agents: { metrics: ['replies', 'next_response', 'first_response', 'resolved', 'resolution'], groupBy: 'agent' },
  satisfaction: { metrics: ['satisfaction', 'satisfaction_answered'], groupBy: 'day' },
  categories: { metrics: ['created', 'resolved', 'backlog', 'first_response', 'resolution'], groupBy: 'category' },
} as const satisfies Record<string, { metrics: readonly MetricName[]; groupBy: GroupBy }>;

export type ReportName = keyof typeof reports;
export const reportNames = Object.keys(reports) as [ReportName, ...ReportName[]];

export const timeGroups = ['day', 'week', 'month', 'hour'] as const;
export const otherGroups = ['site', 'agent', 'team', 'category', 'priority', 'source', 'tag', 'sender'] as const;
/** `field:KEY` is a select field of the site. */
export type GroupBy = (typeof timeGroups)[number] | (typeof otherGroups)[number] | `field:${string}`;

/** What the report `mail` measures: of mail, not of tickets. */
export const mailMetrics = {
  received: 'count',
  lag: 'duration',
  held: 'share',
  spam: 'share',
  not_filed: 'share',
  bounces: 'count',
  sent: 'share',
  canary: 'duration',
  canary_returned: 'share',
} as const satisfies Record<string, Metric['shape']>;
export type MailMetricName = keyof typeof mailMetrics;
export const mailMetricNames = Object.keys(mailMetrics) as MailMetricName[];
export const isMailMetric = (name: string): name is MailMetricName => Object.hasOwn(mailMetrics, name);
/** The name of that report. */
export const mailReport = 'mail';
export const mailGroups = ['day', 'week', 'month', 'site', 'mailbox', 'none'] as const;
export type MailGroup = (typeof mailGroups)[number];

export type Cell =
  | { n: number }
  | { n: number; of: number; share: number | null }
  | { n: number; median_minutes: number | null; p90_minutes: number | null }
  | { n: number; median: number | null; p90: number | null; none: number };

/** By nearest rank: a value that occurs. */
export function percentile(ascending: ArrayLike<number>, percent: number): number | null {
  return ascending[Math.max(Math.ceil((ascending.length * percent) / 100), 1) - 1] ?? null;
}

const inMinutes = (ms: number | null) => (ms === null ? null : Math.round(ms / (minuteMs / 100)) / 100);

/** Gathers the rows of one cell. */
export const createCell = (name: MetricName, time: ReportTime) => cellOf(metricOf(name), time);

export function cellOf({ shape, isHit }: Pick<Metric, 'shape' | 'isHit'>, time: ReportTime) {
  const values: number[] = [];
  let [n, hits] = [0, 0];
  return {
    add(row: ReportRow): void {
      if (shape === 'duration') values.push((time === 'working' ? row.workingMs : row.calendarMs) ?? 0);
      else if (shape === 'amount' && (row.amount ?? 0) > 0) values.push(row.amount ?? 0);
      else if (shape === 'amount' || isHit(row)) hits += 1;
      n += 1;
    },
    change(by: number): void {
      n += by;
    },
    value(): Cell {
      if (shape === 'count') return { n };
      if (shape === 'share')
        return { n: hits, of: n, share: n === 0 ? null : Math.round((hits / n) * 10_000) / 10_000 };
      const sorted = Float64Array.from(values).sort();
      const [median, p90] = [percentile(sorted, 50), percentile(sorted, 90)];
      return shape === 'duration'
        ? { n, median_minutes: inMinutes(median), p90_minutes: inMinutes(p90) }
        : { n: values.length, median, p90, none: hits };
    },
  };
}
