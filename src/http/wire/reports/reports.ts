// Reports: their query, their answer as JSON or CSV, and the tickets behind a number (docs/spec/reports.md).

import * as z from 'zod';
import { type Instant, monotonicMs } from '../../../base/clock.ts';
import type { Context } from '../../../desk/context.ts';
import type { Desk } from '../../../desk/desk.ts';
import { onlyAgentShown } from '../../../desk/reports/report-access.ts';
import { csvLine } from '../../../domain/csv.ts';
import { DeskError } from '../../../domain/errors.ts';
import { timeZone } from '../../../domain/input/fields.ts';
import { isDate } from '../../../domain/instant.ts';
import {
  type Cell,
  filtersOfListsOnly,
  type GroupBy,
  isMailMetric,
  type MailGroup,
  type MailMetricName,
  type MetricName,
  mailGroups,
  mailMetricNames,
  mailMetrics,
  mailReport,
  metricNames,
  metricOf,
  otherGroups,
  type ReportName,
  reportNames,
  reports,
  reportTimes,
  timeGroups,
} from '../../../domain/reports/metrics.ts';
import { dateIn, daysIn, type Period, periodBefore, periodOf } from '../../../domain/reports/periods.ts';
import type { Tx } from '../../../engine/database.ts';
import { readDeskSettings } from '../../../store/desk-settings.ts';
import { allMailboxes } from '../../../store/mail/mailboxes.ts';
import { agentById } from '../../../store/people/agents.ts';
import { teamById } from '../../../store/people/teams.ts';
import { countFactsDue } from '../../../store/reports/facts.ts';
import { createMailReport } from '../../../store/reports/mail-report.ts';
import { createMembers, createReport, type GroupKey, type ReportQuestion } from '../../../store/reports/report.ts';
import { sitesIn } from '../../../store/scope.ts';
import { anyCategory, anyPriority, senderRows } from '../../../store/sites/catalogue.ts';
import { siteById } from '../../../store/sites/sites.ts';
import { ticketsByIds } from '../../../store/tickets/tickets.ts';
import { stepFor, turnsOf } from '../../turns.ts';
import { filterOf, filterQuery } from '../lists/ticket-query.ts';
import { createLookups } from '../lookups.ts';
import * as query from '../queries.ts';
import { pageBody } from '../respond.ts';
import { named } from '../shapes.ts';
import { presentTicket } from '../tickets/ticket.ts';

const mostDays = 3700;
const usualDays = 30;
// In turns with other requests: of its own work, and with theirs.
const mostMs = 20_000;
const inAllMs = 60_000;
const atOnceMs = 10;
const mostGroups = 1000;

const date = () =>
  z
    .string()
    .refine(isDate, { error: 'must be a date such as 2026-09-11.' })
    .meta({ format: 'date', examples: ['2026-09-11'] });

const groupBy = z
  .string()
  .regex(new RegExp(`^(?:${[...timeGroups, ...otherGroups].join('|')}|mailbox|none|field:[a-z0-9_-]{1,64})$`, 'i'), {
    error: `must be none, ${[...timeGroups, ...otherGroups].join(', ')} or field: with the key of a field.`,
  })
  .meta({
    description: `${[...timeGroups, ...otherGroups].join(', ')}, field:KEY for a field of the site, or none; of the report mail also mailbox. Each report has its own default.`,
  });

type ListOnly = (typeof filtersOfListsOnly)[number];
const notOfReports = Object.fromEntries(filtersOfListsOnly.map((name) => [name, true])) as Record<ListOnly, true>;

export const reportQuery = z.object({
  from: date()
    .optional()
    .meta({ description: `A date; without it, the last ${usualDays} days.` }),
  to: date().optional().meta({ description: 'A date, which is in the period; without it, today.' }),
  time_zone: timeZone().optional().meta({
    description: "Where days begin; without it, the desk's. Hours of the report load are in that of each site.",
  }),
  time: z
    .enum(reportTimes)
    .optional()
    .meta({ description: 'How durations are measured; without it, in working time.' }),
  by: z.enum(['event', 'cohort']).optional().meta({
    description: 'event: what happened in the period. cohort: what became of the tickets that were created in it.',
  }),
  group_by: groupBy.optional(),
  compare: query.boolean().optional().meta({ description: 'Adds the same number of days before.' }),
  ...filterQuery.omit(notOfReports).shape,
});
export const reportAnswerQuery = reportQuery.extend({
  format: z.enum(['json', 'csv']).optional().meta({ description: 'csv answers as CSV, as Accept does.' }),
});
export const reportTicketsQuery = reportQuery.omit({ compare: true }).extend({
  metric: z.enum(metricNames as [MetricName, ...MetricName[]]),
  group: z.string().max(255).optional().meta({
    description:
      'As in the rows of the report; (none) for the row whose group is null. Without it, the tickets behind the total.',
  }),
  ...query.paging,
});
type ReportQuery = z.output<typeof reportQuery>;

const amount = () => z.number().nullable();
const cellShapes = {
  count: named('ReportCount', z.object({ n: z.int() })),
  share: named('ReportShare', z.object({ n: z.int(), of: z.int(), share: amount() })),
  duration: named('ReportDuration', z.object({ n: z.int(), median_minutes: amount(), p90_minutes: amount() })),
  amount: named('ReportAmount', z.object({ n: z.int(), median: amount(), p90: amount(), none: z.int() })),
} as const;
type CellShape = z.ZodOptional<(typeof cellShapes)[keyof typeof cellShapes]>;
/** Of every report, also of `mail`. */
const shapeOf = (name: MetricName | MailMetricName) => (isMailMetric(name) ? mailMetrics[name] : metricOf(name).shape);
const allMetrics = [...metricNames, ...mailMetricNames] as [MetricName, ...(MetricName | MailMetricName)[]];
const cells = Object.fromEntries(allMetrics.map((name) => [name, cellShapes[shapeOf(name)].optional()])) as Record<
  MetricName | MailMetricName,
  CellShape
>;
const cellsShape = named('ReportNumbers', z.object(cells));
const rowShape = named(
  'ReportRow',
  z.object({
    group: z.union([z.string(), z.int()]).nullable(),
    label: z.string().nullable().meta({ description: 'Its name; null for what has none, or was removed.' }),
    ...cells,
  }),
);
const periodShape = z.object({ from: z.string(), to: z.string() });
export const reportShape = z.object({
  data: z.object({
    rows: z.array(rowShape),
    total: cellsShape,
    previous: z.object({ rows: z.array(rowShape), total: cellsShape }).nullable(),
  }),
  meta: z.object({
    report: z.enum([...reportNames, mailReport]),
    metrics: z.array(z.enum(allMetrics)),
    group_by: z.string().nullable(),
    time: z.enum(reportTimes),
    by: z.enum(['event', 'cohort']),
    time_zone: z.string(),
    ...periodShape.shape,
    previous: periodShape.nullable(),
    groups_left_out: z.int().meta({ description: `Of the least; an answer has at most ${mostGroups} groups.` }),
    facts_due: z.int().meta({ description: 'Tickets that are not counted yet, after an upgrade or an import.' }),
  }),
});

function questionOf(tx: Tx, ctx: Context, name: ReportName, asked: ReportQuery): ReportQuestion {
  const report = reports[name];
  if (asked.group_by === 'mailbox') throw new DeskError('malformed', 'Only the report mail is grouped by mailbox.');
  const filter = filterOf(tx, ctx, asked);
  const timeZone = asked.time_zone ?? readDeskSettings(tx).timeZone;
  const chosen = asked.group_by === undefined ? report.groupBy : asked.group_by;
  const group = chosen === 'none' ? null : (chosen as GroupBy);
  return {
    metrics: report.metrics,
    sites: sitesIn(tx, filter.sites).flatMap((id) => {
      const site = filter.exceptSiteIds.includes(id) ? undefined : siteById(tx, id);
      const own = site?.slaPolicy.business_hours?.timezone;
      return site === undefined ? [] : [{ id, timeZone: asked.time_zone ?? own ?? timeZone }];
    }),
    period: periodAsked(asked, timeZone, ctx.now),
    time: asked.time ?? 'working',
    by: asked.by ?? 'event',
    groupBy: group,
    filter,
    onlyAgentId: onlyAgentShown(tx, ctx, { name, groupBy: group, assigneeIds: filter.assigneeIds }),
    now: ctx.now,
  };
}

function periodAsked({ from, to }: ReportQuery, timeZone: string, now: Instant): Period {
  const last = to ?? dateIn(timeZone, now).toString();
  const first =
    from ??
    Temporal.PlainDate.from(last)
      .subtract({ days: usualDays - 1 })
      .toString();
  if (first > last) throw new DeskError('malformed', 'from must not be after to.');
  const days = daysIn({ from: first, to: last });
  if (days > mostDays) throw new DeskError('malformed', `from must be at most ${mostDays} days before to.`);
  return periodOf(first, last, timeZone);
}

async function inTurns(desk: Desk, step: (tx: Tx) => boolean): Promise<void> {
  const startedAt = monotonicMs();
  if (desk.read((tx) => stepFor(tx, step, atOnceMs))) return;
  const spentMs = monotonicMs() - startedAt;
  await turnsOf(desk).run(step, mostMs - spentMs, inAllMs);
}

function labelOf(tx: Tx, { groupBy, sites }: ReportQuestion, group: GroupKey): string | null {
  if (group === null) return null;
  const id = Number(group);
  switch (groupBy) {
    case 'site':
      return siteById(tx, id)?.name ?? null;
    case 'agent':
      return agentById(tx, id)?.name ?? null;
    case 'team':
      return teamById(tx, id)?.name ?? null;
    case 'category':
      return anyCategory(tx, id)?.name ?? null;
    case 'priority':
      return anyPriority(tx, id)?.name ?? null;
    case 'sender':
      return sites.map((site) => senderRows.get(tx, site.id, id)).find((found) => found !== undefined)?.address ?? null;
    default:
      return String(group);
  }
}

const isInOrder = (group: GroupBy | null) => group !== null && (timeGroups as readonly string[]).includes(group);

async function computed(desk: Desk, asked: ReportQuestion) {
  const report = createReport(asked);
  await inTurns(desk, report.step);
  const { rows, total } = report.result();
  const [first] = asked.metrics;
  const size = (cells: Map<MetricName, Cell>) => (first === undefined ? 0 : (cells.get(first)?.n ?? 0));
  if (!isInOrder(asked.groupBy)) rows.sort((one, other) => size(other.cells) - size(one.cells));
  const shown = rows.slice(0, mostGroups);
  return desk.read((tx) => ({
    rows: shown.map(({ group, cells }) => ({ group, label: labelOf(tx, asked, group), ...Object.fromEntries(cells) })),
    total: Object.fromEntries(total),
    leftOut: rows.length - shown.length,
  }));
}

export async function readReport(desk: Desk, ctx: Context, name: ReportName, query: ReportQuery) {
  const asked = desk.read((tx) => questionOf(tx, ctx, name, query));
  const { leftOut, ...data } = await computed(desk, asked);
  const { period } = asked;
  const before = query.compare === true ? periodBefore(period) : null;
  const earlier = before === null ? null : await computed(desk, { ...asked, period: before });
  return {
    data: { ...data, previous: earlier === null ? null : { rows: earlier.rows, total: earlier.total } },
    meta: {
      report: name,
      metrics: [...asked.metrics],
      group_by: asked.groupBy,
      time: asked.time,
      by: asked.by,
      time_zone: period.timeZone,
      from: period.from,
      to: period.to,
      previous: before === null ? null : { from: before.from, to: before.to },
      groups_left_out: leftOut,
      facts_due: desk.read(countFactsDue),
    },
  };
}

type ReportBody = Awaited<ReturnType<typeof readReport>> | Awaited<ReturnType<typeof readMailReport>>;

/** The filters of tickets say nothing of mail. */
const ofMail: readonly string[] = ['from', 'to', 'time_zone', 'group_by', 'compare', 'site_id', 'format'];

/** How mail goes (docs/spec/reports.md#mail). */
export async function readMailReport(desk: Desk, ctx: Context, asked: ReportQuery) {
  const other = Object.entries(asked).find(([name, value]) => value !== undefined && !ofMail.includes(name));
  if (other !== undefined) throw new DeskError('malformed', `The report mail does not take ${other[0]}.`);
  const groupBy = mailGroups.find((one) => one === (asked.group_by ?? 'day'));
  if (groupBy === undefined) throw new DeskError('malformed', `group_by must be one of ${mailGroups.join(', ')}.`);
  const { period, siteIds } = desk.read((tx) => {
    const filter = filterOf(tx, ctx, asked);
    const timeZone = asked.time_zone ?? readDeskSettings(tx).timeZone;
    return {
      period: periodAsked(asked, timeZone, ctx.now),
      siteIds: sitesIn(tx, filter.sites).filter((id) => !filter.exceptSiteIds.includes(id)),
    };
  });
  const computedOf = async (of: Period) => {
    const report = createMailReport({ siteIds, period: of, groupBy, now: ctx.now });
    await inTurns(desk, report.step);
    const { rows, total } = report.result();
    return desk.read((tx) => ({
      rows: rows.map(({ group, cells }) => ({
        group,
        label: mailLabelOf(tx, groupBy, group),
        ...Object.fromEntries(cells),
      })),
      total: Object.fromEntries(total),
    }));
  };
  const before = asked.compare === true ? periodBefore(period) : null;
  const data = await computedOf(period);
  return {
    data: { ...data, previous: before === null ? null : await computedOf(before) },
    meta: {
      report: mailReport,
      metrics: [...mailMetricNames],
      group_by: groupBy === 'none' ? null : groupBy,
      ...({ time: 'calendar', by: 'event', time_zone: period.timeZone, from: period.from, to: period.to } as const),
      previous: before === null ? null : { from: before.from, to: before.to },
      ...{ groups_left_out: 0, facts_due: 0 },
    },
  };
}

function mailLabelOf(tx: Tx, groupBy: MailGroup, group: string | number | null): string | null {
  if (group === null) return null;
  if (groupBy === 'site') return siteById(tx, Number(group))?.name ?? null;
  if (groupBy === 'mailbox') return allMailboxes(tx).find(({ id }) => id === group)?.address ?? null;
  return String(group);
}

/** A line for each group, then the total; each number of a cell has its column. */
export function reportCsv({ data, meta }: ReportBody): string {
  const columns = meta.metrics.flatMap((name) => {
    const shape = shapeOf(name);
    return Object.keys(cellShapes[shape].shape).map((part) => ({ name, part }));
  });
  const line = (heading: (string | number | null)[], cells: object) =>
    csvLine([
      ...heading,
      ...columns.map(({ name, part }) => {
        const cell = (cells as Record<string, Record<string, number | null> | undefined>)[name];
        return cell?.[part] ?? null;
      }),
    ]);
  return [
    csvLine([
      'period',
      'group',
      'label',
      ...columns.map(({ name, part }) => (part === 'n' ? name : `${name}_${part}`)),
    ]),
    ...data.rows.map((row) => line([`${meta.from}/${meta.to}`, row.group, row.label], row)),
    line([`${meta.from}/${meta.to}`, 'total', null], data.total),
    ...(data.previous?.rows ?? []).map((row) =>
      line([`${meta.previous?.from}/${meta.previous?.to}`, row.group, row.label], row),
    ),
    ...(data.previous
      ? [line([`${meta.previous?.from}/${meta.previous?.to}`, 'total', null], data.previous.total)]
      : []),
  ].join('');
}

function keyOf(text: string | undefined, groupBy: GroupBy | null): GroupKey | undefined {
  if (text === undefined) return undefined;
  if (text === '(none)') return null;
  const isId = groupBy !== null && ['site', 'agent', 'team', 'category', 'priority', 'sender'].includes(groupBy);
  return isId ? Number(text) : text;
}

/** The tickets behind one number, newest first. */
export async function reportTickets(
  desk: Desk,
  baseUrl: string,
  ctx: Context,
  name: ReportName,
  query_: z.output<typeof reportTicketsQuery>,
  url: URL,
) {
  const asked = desk.read((tx) => questionOf(tx, ctx, name, query_));
  if (!asked.metrics.includes(query_.metric))
    throw new DeskError('malformed', `metric must be one of ${asked.metrics.join(', ')}.`);
  const members = createMembers(asked, query_.metric, keyOf(query_.group, asked.groupBy));
  await inTurns(desk, members.step);
  const ids = members.ids();
  const page = query.pageOf(query_);
  const from = (page.page - 1) * page.perPage;
  return desk.read((tx) => {
    const tickets = ticketsByIds(tx, ids.slice(from, from + page.perPage));
    const look = createLookups(tx, { listed: tickets, reader: ctx.actor });
    const data = tickets.map((ticket) => presentTicket(ticket, look));
    return pageBody(baseUrl, url, data, page, ids.length);
  });
}
