// Counts up to a limit what the built-in views show, reading little more of an index than what is counted.

import type { Instant } from '../../base/clock.ts';
import { query, type Tx } from '../database.ts';
import { ofAnyClock } from './clock-columns.ts';
import { allOf, conditions, isAmong, isCountKept, type Sql, statusesOf, type TicketFilter } from './filter.ts';
import { keptTotal } from './totals.ts';

function countUpTo(tx: Tx, index: string, parts: readonly Sql[], most: number): number {
  const { text, values } = allOf(parts);
  const counted = query<{ total: number }>(
    tx,
    `SELECT count(*) AS total FROM (SELECT 1 FROM tickets INDEXED BY ${index} WHERE ${text} LIMIT ?)`,
  ).get(...values, most);
  return counted?.total ?? 0;
}

// Each is looked up in its row.
const mostSnoozed = 500;

/** More than `most` if there are more; null for filters that have no such index. */
export function countQuickly(tx: Tx, filter: TicketFilter, most: number, now: Instant): number | null {
  const { assigneeIds, isUnassigned, isSnoozed, sla } = filter;
  const rest: TicketFilter = { ...filter, assigneeIds: [], isUnassigned: null, isSnoozed: null, sla: [] };
  if (!isCountKept(rest)) return null;
  const status = isAmong('status', statusesOf(filter));
  const isOfAgent = assigneeIds.length > 0 || isUnassigned === true;
  if (sla.length === 0 && isOfAgent)
    return countUpTo(tx, 'tickets_by_assignee', [...conditions(filter, now), status], most + 1);
  if (isOfAgent || isUnassigned !== null) return null;
  if (sla.length === 1 && sla[0] === 'breached' && isSnoozed === null) {
    const breached: Sql = { text: ofAnyClock(({ breached }) => `${breached} IS NOT NULL`), values: [] };
    return countUpTo(tx, 'tickets_sla_breached', [breached, ...conditions(rest, now), status], most + 1);
  }
  if (sla.length > 0 || isSnoozed !== false) return null;
  const snoozed = conditions({ ...rest, isSnoozed: true }, now);
  const resting = countUpTo(tx, 'tickets_snoozed', [...snoozed, status], mostSnoozed);
  return resting < mostSnoozed ? keptTotal(tx, rest) - resting : null;
}
