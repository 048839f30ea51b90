// The rows behind a report, a few thousand at a time: facts and created tickets of one site in a stretch of time.

import type { Scope } from '../../domain/actor.ts';
import type { Instant } from '../../domain/instant.ts';
import type { FactKind } from '../../domain/reports/facts.ts';
import type { GroupBy, ReportRow } from '../../domain/reports/metrics.ts';
import { ticketStatuses } from '../../domain/tickets/ticket.ts';
import { query, type Tx } from '../../engine/database.ts';
import { allOf, conditions, isAmong, type Sql, statusesOf, type TicketFilter } from '../lists/filter.ts';

export interface RowSource {
  /** `open` are the tickets that are open or pending now, whenever they were created. */
  of: 'tickets' | 'open' | FactKind;
  moment: 'at' | 'until_at';
  siteId: number;
  from: Instant;
  /** The first moment that is not in it. */
  to: Instant;
  filter: TicketFilter;
  groupBy: GroupBy | null;
}

const rowsAtOnce = 1000;

const columns: Partial<Record<GroupBy, string>> = {
  agent: 'assignee_id',
  team: 'team_id',
  category: 'category_id',
  priority: 'priority_id',
  source: 'source',
  tag: 'tags',
  sender: 'sender_id',
};

/** What of a ticket a report is grouped by, if that is not in the facts. */
function groupColumn(groupBy: GroupBy | null): Sql | null {
  if (groupBy?.startsWith('field:'))
    return { text: 'custom_fields ->> ?', values: [`$.${JSON.stringify(groupBy.slice('field:'.length))}`] };
  const column = groupBy === null ? undefined : columns[groupBy];
  return column === undefined ? null : { text: column, values: [] };
}

/** Spam and test tickets have no facts. Null if every ticket of the site is asked for. */
function filterOfTickets(filter: TicketFilter, now: Instant): Sql | null {
  const all = { ...filter, sites: 'all' as Scope, exceptSiteIds: [], includeTest: true };
  const parts = conditions(all, now).filter(({ text }) => text !== 'is_spam = 0');
  const statuses = statusesOf(filter);
  if (statuses.length < ticketStatuses.length) parts.push(isAmong('status', statuses));
  return parts.length === 0 ? null : allOf(parts);
}

type Values = (string | number | null)[];

function rowOf(values: Values): ReportRow {
  const [ticketId, number, at, untilAt, createdAt, agentId, calendarMs, workingMs, amount, isLast, group] = values;
  return {
    ticketId: ticketId as number,
    number: number as number,
    at: at as number,
    untilAt: untilAt as number | null,
    createdAt: createdAt as number,
    agentId: agentId as number | null,
    calendarMs: calendarMs as number | null,
    workingMs: workingMs as number | null,
    amount: amount as number | null,
    isLast: isLast === 1,
    group: group ?? null,
  };
}

const firstOf = ({ of, from }: RowSource) => rowOf([-1, -1, of === 'open' ? -1 : from, from]);

interface Part {
  text: string;
  values: (string | number)[];
  key: (row: ReportRow) => number[];
}

function factPart({ of, moment, siteId, to, filter, groupBy }: RowSource, now: Instant): Part {
  const group = groupColumn(groupBy);
  const tickets = filterOfTickets(filter, now);
  const shown = group === null ? 'NULL' : `(SELECT ${group.text} FROM tickets WHERE tickets.id = f.ticket_id)`;
  const isIn =
    tickets === null ? '1' : `EXISTS (SELECT 1 FROM tickets WHERE tickets.id = f.ticket_id AND ${tickets.text})`;
  const [index, ends] =
    moment === 'at' ? ['report_facts_by_time', ''] : ['report_facts_by_end', 'AND f.until_at IS NOT NULL'];
  return {
    text: `SELECT f.ticket_id, f.number, f.at, f.until_at, f.ticket_created_at, f.agent_id, f.calendar_ms, f.working_ms,
        f.amount, f.is_last, ${shown}, ${isIn}
      FROM report_facts AS f INDEXED BY ${index}
      WHERE f.kind = ? AND f.site_id = ? ${ends} AND f.${moment} < ? AND (f.${moment}, f.ticket_id, f.number) > (?, ?, ?)
      ORDER BY f.${moment}, f.ticket_id, f.number LIMIT ${rowsAtOnce}`,
    values: [...(group?.values ?? []), ...(tickets?.values ?? []), of, siteId, to],
    key: (row) => [(moment === 'at' ? row.at : row.untilAt) ?? 0, row.ticketId, row.number],
  };
}

/** An import without notice is not a ticket that was created. */
function ticketPart({ siteId, to, filter, groupBy }: RowSource, status: string, now: Instant): Part {
  const group = groupColumn(groupBy);
  const tickets = filterOfTickets(filter, now);
  return {
    text: `SELECT id, 1, created_at, NULL, created_at, assignee_id, NULL, NULL, NULL, 0, ${group?.text ?? 'NULL'},
        is_test = 0 AND is_spam = 0 ${tickets === null ? '' : `AND ${tickets.text}`}
          AND NOT EXISTS (SELECT 1 FROM report_facts WHERE ticket_id = tickets.id AND kind = 'silent')
      FROM tickets INDEXED BY tickets_by_site_created
      WHERE site_id = ? AND status = ? AND created_at < ? AND (created_at, id) > (?, ?)
      ORDER BY created_at, id LIMIT ${rowsAtOnce}`,
    values: [...(group?.values ?? []), ...(tickets?.values ?? []), siteId, status, to],
    key: (row) => [row.at, row.ticketId],
  };
}

/** Each step reads at most a thousand rows, in the report or not; returns whether it was the last. */
export function createRowScan(source: RowSource, now: Instant, each: (row: ReportRow) => void): (tx: Tx) => boolean {
  const statuses = source.of === 'open' ? ['open', 'pending'] : ticketStatuses;
  const parts =
    source.of === 'tickets' || source.of === 'open'
      ? statuses.map((status) => ticketPart(source, status, now))
      : [factPart(source, now)];
  let after: number[] | null = null;
  return (tx) => {
    const [part] = parts;
    if (part === undefined) return true;
    // Only the place bounds the beginning, so that each step seeks to where the last one ended.
    const from = after ?? part.key(firstOf(source));
    const found = query(tx, part.text).values(...part.values, ...from) as Values[];
    let last: ReportRow | null = null;
    for (const values of found) {
      last = rowOf(values);
      if (values.at(-1) === 1) each(last);
    }
    after = last === null ? null : part.key(last);
    if (found.length < rowsAtOnce) {
      parts.shift();
      after = null;
    }
    return parts.length === 0;
  };
}
