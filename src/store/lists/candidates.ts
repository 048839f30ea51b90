// The candidate rows of a list: those that the narrowest part of its filter finds, from which it can be read cheaply.

import type { Instant } from '../../base/clock.ts';
import { query, type Tx } from '../../engine/database.ts';
import { addressDomain } from '../customers/author-address.ts';
import { sitesIn } from '../scope.ts';
import { clockColumns, ofAnyClock } from './clock-columns.ts';
import {
  allOf,
  askedColumns,
  authorsOf,
  between,
  dueSoonMs,
  isAmong,
  isDomain,
  isUnanswered,
  participationsOf,
  type Sql,
  statusesOf,
  type TicketFilter,
} from './filter.ts';

// Looking up and sorting this many rows takes a few milliseconds.
const few = 2000;
// Looking up this many rows takes less time than walking the whole index of an order.
const some = 40_000;

export interface Candidates {
  from: Sql;
  /** A condition that every row meets; together with the index in `from` it finds the rows. */
  where: Sql;
  /** The same rows for counting; some may appear twice. */
  counted: Sql;
  isFew: boolean;
}

const sqlOf = (text: string, ...values: Sql['values']): Sql => ({ text, values });

function candidatesOf(tx: Tx, filter: TicketFilter, now: Instant): Candidates[] {
  const status = isAmong('status', statusesOf(filter));
  const all: Candidates[] = [];
  const add = (index: string, ...parts: Sql[]) => {
    const from = sqlOf(`tickets INDEXED BY tickets_${index}`);
    const where = allOf(parts);
    const counted = sqlOf(`SELECT 1 FROM ${from.text} WHERE ${where.text}`, ...where.values);
    all.push({ from, where, counted, isFew: false });
  };
  const addIds = (ids: Sql, counted = ids) => {
    const from = sqlOf(`(${ids.text}) AS candidate CROSS JOIN tickets ON tickets.id = candidate.id`, ...ids.values);
    all.push({ from, where: sqlOf('1'), counted, isFew: false });
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
  const participations = participationsOf(filter);
  if (participations !== null)
    addIds(sqlOf(`SELECT DISTINCT ticket_id AS id FROM ${participations.text}`, ...participations.values));
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
  for (const { among, index } of askedColumns(filter)) add(index, among, status);
  if (filter.isUnassigned === true) add('by_assignee', sqlOf('assignee_id IS NULL'), status);
  if (filter.sla.includes('breached'))
    add('sla_breached', sqlOf(ofAnyClock(({ breached }) => `${breached} IS NOT NULL`)), status);
  if (filter.sla.includes('warned'))
    add('sla_warned', sqlOf(ofAnyClock(({ warned }) => `${warned} IS NOT NULL`)), status);
  if (filter.sla.includes('paused')) add('sla_paused', sqlOf('sla_paused_at IS NOT NULL'), status);
  const site = isAmong('site_id', sitesIn(tx, filter.sites));
  const created = between('created_at', filter.createdFrom, filter.createdTo);
  if (created.length > 0) add('by_site_created', site, status, ...created);
  const updated = between('updated_at', filter.updatedFrom, filter.updatedTo);
  if (updated.length > 0) add('by_site_updated', site, status, ...updated);
  if (filter.sla.includes('due_soon')) {
    const ranges = clockColumns.map(
      ({ index, sort }) =>
        `SELECT id FROM tickets INDEXED BY ${index} WHERE ${site.text} AND status IN ('open', 'pending') AND ${sort} BETWEEN ? AND ?`,
    );
    const both = (how: string) =>
      sqlOf(ranges.join(` ${how} `), ...clockColumns.flatMap(() => [...site.values, now, now + dueSoonMs]));
    addIds(both('UNION'), both('UNION ALL'));
  }
  return all;
}

export function narrowest(tx: Tx, filter: TicketFilter, now: Instant): Candidates | null {
  if (filter.ids !== null) {
    const from = sqlOf(
      '(SELECT DISTINCT value AS id FROM json_each(?)) AS candidate CROSS JOIN tickets ON tickets.id = candidate.id',
      JSON.stringify(filter.ids),
    );
    return { from, where: sqlOf('1'), counted: sqlOf(''), isFew: true };
  }
  let least = some;
  let found: Candidates | null = null;
  for (const candidates of candidatesOf(tx, filter, now)) {
    const { text, values } = candidates.counted;
    const count = query<{ total: number }>(tx, `SELECT count(*) AS total FROM (SELECT 1 FROM (${text}) LIMIT ?)`);
    const total = count.get(...values, least)?.total ?? 0;
    if (total >= least) continue;
    least = total;
    found = { ...candidates, isFew: total < few };
  }
  return found;
}
