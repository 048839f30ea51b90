// The side of a filter with the fewest tickets, from which it can be read cheaply.

import type { Instant } from '../../base/clock.ts';
import { addressDomain } from '../author-address.ts';
import { query, type Tx } from '../database.ts';
import { sitesToMerge } from '../scope.ts';
import { clockColumns, ofAnyClock } from './clock-columns.ts';
import {
  allOf,
  authorsOf,
  between,
  dueSoonMs,
  isAmong,
  isDomain,
  isUnanswered,
  ofSites,
  type Sql,
  statusesOf,
  type TicketFilter,
} from './filter.ts';

// Looking up and sorting this many rows takes a few milliseconds.
const few = 2000;
// Looking up this many rows takes less time than walking the whole index of an order.
const some = 40_000;

export interface Side {
  from: Sql;
  /** A condition that every row meets; together with the index in `from` it finds the rows. */
  where: Sql;
  /** The same rows for counting; some may appear twice. */
  counted: Sql;
  isFew: boolean;
}

const sqlOf = (text: string, ...values: Sql['values']): Sql => ({ text, values });

function sidesOf(filter: TicketFilter, now: Instant): Side[] {
  const status = isAmong('status', statusesOf(filter));
  const sides: Side[] = [];
  const add = (index: string, ...parts: Sql[]) => {
    const from = sqlOf(`tickets INDEXED BY tickets_${index}`);
    const where = allOf(parts);
    const counted = sqlOf(`SELECT 1 FROM ${from.text} WHERE ${where.text}`, ...where.values);
    sides.push({ from, where, counted, isFew: false });
  };
  const addIds = (ids: Sql, counted = ids) => {
    const from = sqlOf(`(${ids.text}) AS side CROSS JOIN tickets ON tickets.id = side.id`, ...ids.values);
    sides.push({ from, where: sqlOf('1'), counted, isFew: false });
  };
  const authors = authorsOf(filter);
  if (authors !== null) add('by_author', authors);
  if (filter.email !== null && isDomain(filter.email))
    addIds(
      sqlOf(
        `SELECT tickets.id FROM authors INDEXED BY authors_by_domain
         CROSS JOIN tickets INDEXED BY tickets_by_author ON author_id = authors.id WHERE ${addressDomain} = ?`,
        filter.email,
      ),
    );
  if (filter.isSpam) add('spam', sqlOf('is_spam = 1'));
  if (filter.isSnoozed === true) add('snoozed', sqlOf('snoozed_until IS NOT NULL'));
  if (filter.hasAttachment === true) addIds(sqlOf('SELECT DISTINCT ticket_id AS id FROM attachments'));
  for (const tag of filter.tags) addIds(sqlOf('SELECT ticket_id AS id FROM ticket_tags WHERE tag = ?', tag));
  if (filter.mentionedIds.length > 0) {
    const { text, values } = isAmong('agent_id', filter.mentionedIds);
    addIds(sqlOf(`SELECT DISTINCT ticket_id AS id FROM mentions WHERE ${text}`, ...values));
  }
  if (filter.drafterId !== null)
    addIds(sqlOf('SELECT ticket_id AS id FROM drafts WHERE agent_id = ?', filter.drafterId));
  if (filter.unreadForId !== null) {
    const { text, values } = status;
    const both = (how: string) =>
      sqlOf(
        `SELECT id FROM tickets INDEXED BY tickets_unanswered WHERE ${text} AND ${isUnanswered}
         ${how} SELECT ticket_id FROM read_marks INDEXED BY read_marks_unread WHERE agent_id = ? AND read_at IS NULL`,
        ...values,
        filter.unreadForId ?? 0,
      );
    addIds(both('UNION'), both('UNION ALL'));
  }
  if (filter.assigneeIds.length > 0) add('by_assignee', isAmong('assignee_id', filter.assigneeIds), status);
  if (filter.isUnassigned === true) add('by_assignee', sqlOf('assignee_id IS NULL'), status);
  if (filter.categoryIds.length > 0) add('by_category', isAmong('category_id', filter.categoryIds), status);
  if (filter.priorityIds.length > 0) add('by_priority', isAmong('priority_id', filter.priorityIds), status);
  if (filter.sla.includes('breached'))
    add('sla_breached', sqlOf(ofAnyClock(({ breached }) => `${breached} IS NOT NULL`)), status);
  if (filter.sla.includes('warned'))
    add('sla_warned', sqlOf(ofAnyClock(({ warned }) => `${warned} IS NOT NULL`)), status);
  if (filter.sla.includes('paused')) add('sla_paused', sqlOf('sla_paused_at IS NOT NULL'), status);
  const isMerged = sitesToMerge(filter.sites) !== null;
  const site = isMerged ? ofSites(filter.sites) : [];
  const scope = isMerged ? 'site_' : '';
  const created = between('created_at', filter.createdFrom, filter.createdTo);
  if (created.length > 0) add(`by_${scope}created`, ...site, status, ...created);
  const updated = between('updated_at', filter.updatedFrom, filter.updatedTo);
  if (updated.length > 0) add(`by_${scope}updated`, ...site, status, ...updated);
  if (filter.sla.includes('due_soon')) {
    const ranges = clockColumns.map(
      ({ index, sort }) =>
        `SELECT id FROM tickets INDEXED BY ${index} WHERE status IN ('open', 'pending') AND ${sort} BETWEEN ? AND ?`,
    );
    const both = (how: string) => sqlOf(ranges.join(` ${how} `), ...clockColumns.flatMap(() => [now, now + dueSoonMs]));
    addIds(both('UNION'), both('UNION ALL'));
  }
  return sides;
}

export function narrowest(tx: Tx, filter: TicketFilter, now: Instant): Side | null {
  if (filter.ids !== null) {
    const from = sqlOf(
      '(SELECT DISTINCT value AS id FROM json_each(?)) AS side CROSS JOIN tickets ON tickets.id = side.id',
      JSON.stringify(filter.ids),
    );
    return { from, where: sqlOf('1'), counted: sqlOf(''), isFew: true };
  }
  let least = some;
  let found: Side | null = null;
  for (const side of sidesOf(filter, now)) {
    const { text, values } = side.counted;
    const count = query<{ total: number }>(tx, `SELECT count(*) AS total FROM (SELECT 1 FROM (${text}) LIMIT ?)`);
    const total = count.get(...values, least)?.total ?? 0;
    if (total >= least) continue;
    least = total;
    found = { ...side, isFew: total < few };
  }
  return found;
}
