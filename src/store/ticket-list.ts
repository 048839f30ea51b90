// Lists of tickets: every filter and sort, walked along an index that the query names, never over the table.

import type { Instant } from '../base/clock.ts';
import { type TicketStatus, ticketStatuses } from '../domain/ticket.ts';
import { query, type Tx } from './database.ts';
import { isPartOfAuthor, parseSearch, type SearchQuery } from './search.ts';

export const ticketSorts = [
  'created_at',
  'updated_at',
  'priority',
  'first_response_due_at',
  'resolution_due_at',
] as const;
export type TicketSort = (typeof ticketSorts)[number];
export const slaFilters = ['warned', 'breached', 'due_soon', 'paused'] as const;
export type SlaFilter = (typeof slaFilters)[number];

export interface TicketFilter {
  siteId: number | null;
  statuses: readonly TicketStatus[];
  categoryIds: readonly number[];
  priorityIds: readonly number[];
  assigneeIds: readonly number[];
  isUnassigned: boolean | null;
  externalId: string | null;
  email: string | null;
  tags: readonly string[];
  search: string | null;
  createdFrom: Instant | null;
  createdTo: Instant | null;
  updatedFrom: Instant | null;
  updatedTo: Instant | null;
  sla: readonly SlaFilter[];
  includeTest: boolean;
  ids: readonly number[] | null;
}

export interface TicketPage {
  sort: TicketSort;
  direction: 'asc' | 'desc';
  limit: number;
  /** Either a number of rows to skip, or the key of the last row seen. */
  from: { offset: number } | { after: readonly number[] };
}

type Value = string | number;
interface Sql {
  text: string;
  values: Value[];
}

// The key of each order ends with the id, so that no two rows are equal and a page can begin after any of them.
const sortKeys: Record<TicketSort, readonly string[]> = {
  created_at: ['created_at', 'id'],
  updated_at: ['updated_at', 'id'],
  priority: ['priority_level', 'created_at', 'id'],
  first_response_due_at: ['first_response_sort', 'id'],
  resolution_due_at: ['resolution_sort', 'id'],
};
const indexOf: Record<TicketSort, string> = {
  created_at: 'created',
  updated_at: 'updated',
  priority: 'priority_level',
  first_response_due_at: 'first_response',
  resolution_due_at: 'resolution',
};

/** "Soon" in `sla=due_soon`: a running clock's deadline within the next two hours. */
export const dueSoonMs = 2 * 60 * 60 * 1000;
// A tag on fewer tickets than this is looked up by the tag; on more, the order's index is walked and the tag probed.
const rareTag = 2000;

const slaConditions: Record<SlaFilter, string> = {
  warned: '(first_response_warned_at IS NOT NULL OR resolution_warned_at IS NOT NULL)',
  breached: '(first_response_breached_at IS NOT NULL OR resolution_breached_at IS NOT NULL)',
  paused: 'sla_paused_at IS NOT NULL',
  due_soon: '',
};

function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}

/** The filters other than status, as conditions on `tickets`. */
function conditions(filter: TicketFilter, now: Instant): Sql[] {
  const list: Sql[] = [];
  const add = (text: string, ...values: Value[]) => list.push({ text, values });
  if (filter.siteId !== null) add('site_id = ?', filter.siteId);
  if (!filter.includeTest) add('is_test = 0');
  if (filter.categoryIds.length > 0) add(`category_id IN (${placeholders(filter.categoryIds)})`, ...filter.categoryIds);
  if (filter.priorityIds.length > 0) add(`priority_id IN (${placeholders(filter.priorityIds)})`, ...filter.priorityIds);
  if (filter.assigneeIds.length > 0) add(`assignee_id IN (${placeholders(filter.assigneeIds)})`, ...filter.assigneeIds);
  if (filter.isUnassigned !== null) add(filter.isUnassigned ? 'assignee_id IS NULL' : 'assignee_id IS NOT NULL');
  if (filter.externalId !== null) {
    add(
      `author_id IN (SELECT id FROM authors WHERE external_id = ?${siteOfAuthor(filter)})`,
      filter.externalId,
      ...siteValue(filter),
    );
  }
  if (filter.email !== null) {
    add(
      `author_id IN (SELECT id FROM authors WHERE email = ?${siteOfAuthor(filter)})`,
      filter.email,
      ...siteValue(filter),
    );
  }
  for (const tag of filter.tags)
    add('EXISTS (SELECT 1 FROM ticket_tags WHERE tag = ? AND ticket_id = tickets.id)', tag);
  if (filter.createdFrom !== null) add('created_at >= ?', filter.createdFrom);
  if (filter.createdTo !== null) add('created_at <= ?', filter.createdTo);
  if (filter.updatedFrom !== null) add('updated_at >= ?', filter.updatedFrom);
  if (filter.updatedTo !== null) add('updated_at <= ?', filter.updatedTo);
  if (filter.ids !== null) add('id IN (SELECT value FROM json_each(?))', JSON.stringify(filter.ids));
  for (const sla of filter.sla) {
    if (sla !== 'due_soon') add(slaConditions[sla]);
    else {
      add(
        `sla_paused_at IS NULL AND status IN ('open', 'pending') AND (
          (first_response_at IS NULL AND first_response_sort BETWEEN ? AND ?) OR (resolved_at IS NULL AND resolution_sort BETWEEN ? AND ?))`,
        now,
        now + dueSoonMs,
        now,
        now + dueSoonMs,
      );
    }
  }
  return list;
}

function siteOfAuthor(filter: TicketFilter): string {
  return filter.siteId === null ? '' : ' AND site_id = ?';
}

function siteValue(filter: TicketFilter): number[] {
  return filter.siteId === null ? [] : [filter.siteId];
}

/** What a list walks: a table expression that binds `tickets`, and whether it comes in the wanted order by itself. */
interface Driver {
  from: string;
  values: Value[];
  /** The name of the index, where it is one that orders by creation behind the status. */
  index?: string;
}

function isRareTag(tx: Tx, tag: string): boolean {
  const row = query<{ total: number }>(
    tx,
    'SELECT count(*) AS total FROM (SELECT 1 FROM ticket_tags WHERE tag = ? LIMIT ?)',
  ).get(tag, rareTag);
  return (row?.total ?? 0) < rareTag;
}

function driverFor(tx: Tx, filter: TicketFilter, sort: TicketSort, now: Instant): Driver {
  const by = (index: string): Driver => ({ from: `tickets INDEXED BY tickets_${index}`, values: [], index });
  if (filter.ids !== null) return { from: 'tickets', values: [] };
  if (filter.externalId !== null || filter.email !== null) return by('by_author');
  const tag = filter.tags.find((one) => isRareTag(tx, one));
  if (tag !== undefined) {
    return {
      from: '(SELECT ticket_id FROM ticket_tags WHERE tag = ?) AS tagged CROSS JOIN tickets ON tickets.id = tagged.ticket_id',
      values: [tag],
    };
  }
  if (filter.sla.includes('due_soon')) {
    const range = (index: string, column: string) =>
      `SELECT id FROM tickets INDEXED BY tickets_by_${index} WHERE status IN ('open', 'pending') AND ${column} BETWEEN ? AND ?`;
    const until = now + dueSoonMs;
    return {
      from: `(${range('first_response', 'first_response_sort')} UNION ${range('resolution', 'resolution_sort')}) AS due CROSS JOIN tickets ON tickets.id = due.id`,
      values: [now, until, now, until],
    };
  }
  if (filter.assigneeIds.length > 0) return by('by_assignee');
  const byCreation = sort === 'created_at';
  if (filter.sla.includes('breached')) return by('sla_breached');
  if (filter.sla.includes('warned')) return by('sla_warned');
  if (filter.sla.includes('paused')) return by('sla_paused');
  if (filter.isUnassigned === true && byCreation) return by('by_assignee');
  if (filter.categoryIds.length === 1 && byCreation) return by('by_category');
  if (filter.priorityIds.length === 1 && byCreation) return by('by_priority');
  return by(`by_${filter.siteId === null ? '' : 'site_'}${indexOf[sort]}`);
}

// INDEXED BY fails when the query could not use a partial index; these spell out what such an index promises.
function whereText(parts: readonly Sql[]): Sql {
  return { text: parts.map(({ text }) => text).join(' AND '), values: parts.flatMap(({ values }) => values) };
}

function statusesOf(filter: TicketFilter): readonly TicketStatus[] {
  return filter.statuses.length > 0 ? [...new Set(filter.statuses)] : ticketStatuses;
}

function pageSql(tx: Tx, filter: TicketFilter, page: TicketPage, now: Instant): Sql {
  const keys = sortKeys[page.sort];
  const order = keys.map((key) => `${key} ${page.direction}`).join(', ');
  const driver = driverFor(tx, filter, page.sort, now);
  const parts = conditions(filter, now);
  if ('after' in page.from) {
    const sign = page.direction === 'desc' ? '<' : '>';
    const key = keys.map((column) => `tickets.${column}`).join(', ');
    parts.push({ text: `(${key}) ${sign} (${placeholders(keys)})`, values: [...page.from.after] });
  }
  const offset = 'offset' in page.from ? page.from.offset : 0;
  // Each status walks its own stretch of the index in order; merging four short lists is all the sorting there is.
  const columns = keys.map((key) => `tickets.${key}`).join(', ');
  const values: Value[] = [];
  const each = statusesOf(filter).map((status) => {
    const where = whereText([{ text: 'status = ?', values: [status] }, ...parts]);
    values.push(...driver.values, ...where.values, offset + page.limit);
    const qualified = keys.map((key) => `tickets.${key} ${page.direction}`).join(', ');
    return `SELECT * FROM (SELECT ${columns} FROM ${driver.from} WHERE ${where.text.replace(/\bid IN \(SELECT value/g, 'tickets.id IN (SELECT value')} ORDER BY ${qualified} LIMIT ?)`;
  });
  return {
    text: `${each.join(' UNION ALL ')} ORDER BY ${order} LIMIT ? OFFSET ?`,
    values: [...values, page.limit, offset],
  };
}

/** Whether a filter's count is read off `ticket_counts`, whatever it comes to. */
export function isCountKept(filter: TicketFilter): boolean {
  const lists = [filter.categoryIds, filter.priorityIds, filter.assigneeIds, filter.tags, filter.sla];
  const values = [filter.isUnassigned, filter.externalId, filter.email, filter.ids, filter.search];
  const bounds = [filter.createdFrom, filter.createdTo, filter.updatedFrom, filter.updatedTo];
  return lists.every((list) => list.length === 0) && [...values, ...bounds].every((value) => value === null);
}

function countSql(tx: Tx, filter: TicketFilter, now: Instant): Sql {
  const statuses = statusesOf(filter);
  if (isCountKept(filter)) {
    const where = [`status IN (${placeholders(statuses)})`];
    if (filter.siteId !== null) where.push('site_id = ?');
    if (!filter.includeTest) where.push('is_test = 0');
    return {
      text: `SELECT coalesce(sum(total), 0) AS total FROM ticket_counts WHERE ${where.join(' AND ')}`,
      values: [...statuses, ...siteValue(filter)],
    };
  }
  const driver = driverFor(tx, filter, 'created_at', now);
  const values: Value[] = [];
  const each = statuses.map((status) => {
    const where = whereText([{ text: 'status = ?', values: [status] }, ...conditions(filter, now)]);
    values.push(...driver.values, ...where.values);
    return `SELECT count(*) AS part FROM ${driver.from} WHERE ${where.text.replace(/\bid IN \(SELECT value/g, 'tickets.id IN (SELECT value')}`;
  });
  return { text: `SELECT sum(part) AS total FROM (${each.join(' UNION ALL ')})`, values };
}

/**
 * A stretch of an index in the order of creation, and which of its rows a filter matches. The bounds of creation stand
 * aside: beside those of a slice SQLite would seek by either.
 */
export interface Walk {
  /** -1 where what is found was counted by the others and is not wanted. */
  sign: 1 | -1;
  from: string;
  /** What every row of the stretch has. */
  stretch: Sql;
  /** What the filter asks, the stretch among it. */
  where: Sql;
  createdFrom: Instant | null;
  createdTo: Instant | null;
}

/**
 * The stretches that a count may look through slice by slice; null where it is bounded, or read off, as it is. No index of a
 * list holds whether a ticket is a test, and few are: all are counted, which most filters find in the index alone, and the
 * tests, which have an index of their own, are taken off again.
 */
export function walkOf(tx: Tx, filter: TicketFilter, now: Instant): Walk[] | null {
  if (filter.search !== null || isCountKept(filter)) return null;
  const driver = driverFor(tx, filter, 'created_at', now);
  const heads = headsOf(driver.index, filter);
  if (heads === null) return null;
  const { createdFrom, createdTo } = filter;
  const asked = { ...filter, createdFrom: null, createdTo: null, includeTest: true };
  const statuses = statusesOf(filter);
  const known = isSiteKnown(tx, driver.index, filter) ? { ...asked, siteId: null } : asked;
  const rest = conditions(known, now);
  const walks: Walk[] = statuses.flatMap((status) =>
    heads.map((head) => {
      const begin = [...head, { text: 'status = ?', values: [status] }];
      const where = whereText([...begin, ...rest]);
      return { sign: 1, from: `FROM ${driver.from}`, stretch: whereText(begin), where, createdFrom, createdTo };
    }),
  );
  if (filter.includeTest) return walks;
  const test = { text: 'is_test = 1', values: [] };
  const where = whereText([
    test,
    { text: `status IN (${placeholders(statuses)})`, values: [...statuses] },
    ...conditions(asked, now),
  ]);
  const from = 'FROM tickets INDEXED BY tickets_test';
  return [...walks, { sign: -1, from, stretch: test, where, createdFrom, createdTo }];
}

/** Whether what is walked can only be of the site that is asked for. */
function isSiteKnown(tx: Tx, index: string | undefined, { siteId, categoryIds, priorityIds }: TicketFilter): boolean {
  if (siteId === null) return true;
  const isOwn = (table: 'categories' | 'priorities', id: number | undefined) =>
    query(tx, `SELECT 1 FROM ${table} WHERE id = ? AND site_id = ?`).get(id ?? 0, siteId) !== null;
  if (index === 'by_category' && isOwn('categories', categoryIds[0])) return true;
  if (index === 'by_priority' && isOwn('priorities', priorityIds[0])) return true;
  const [only, other] = query<{ id: number }>(tx, 'SELECT id FROM sites LIMIT 2').all();
  return only?.id === siteId && other === undefined;
}

/** What the columns of an index before the status are to be, one for each stretch of it; null for any other index. */
function headsOf(index: string | undefined, filter: TicketFilter): Sql[][] | null {
  const each = (column: string, values: readonly Value[]) =>
    [...new Set(values)].map((value) => [{ text: `${column} = ?`, values: [value] }]);
  switch (index) {
    case 'by_created':
      return [[]];
    case 'by_site_created':
      return each('site_id', siteValue(filter));
    case 'by_category':
      return each('category_id', filter.categoryIds);
    case 'by_priority':
      return each('priority_id', filter.priorityIds);
    case 'by_assignee':
      return filter.assigneeIds.length > 0
        ? each('assignee_id', filter.assigneeIds)
        : [[{ text: 'assignee_id IS NULL', values: [] }]];
    case 'sla_breached':
    case 'sla_warned':
    case 'sla_paused':
      return [[{ text: slaConditions[index.slice('sla_'.length) as SlaFilter], values: [] }]];
    default:
      return null;
  }
}

// A word that is in every ticket must not make one search cost as much as the whole desk.
export const maxFound = 10_000;
const maxAuthorsFound = 1000;

/** Searches: the index of words gives the newest first by itself; other orders sort what was found. */
function searchSql(tx: Tx, filter: TicketFilter, search: SearchQuery, page: TicketPage | null, now: Instant): Sql {
  const statuses =
    filter.statuses.length > 0
      ? [{ text: `status IN (${placeholders(filter.statuses)})`, values: [...filter.statuses] }]
      : [];
  const where = whereText([{ text: '1', values: [] as Value[] }, ...statuses, ...conditions(filter, now)]);
  // The newest of all that was found can be read off the index of words; whatever counts, sorts or sifts looks at a bounded part.
  const isWalked =
    page?.sort === 'created_at' && where.text.replace(/site_id = \?|is_test = 0|\b1\b|AND|\s/g, '') === '';
  const found = {
    text: isWalked
      ? `FROM ticket_search CROSS JOIN tickets ON tickets.id = ticket_search.rowid WHERE ticket_search MATCH ? AND ${where.text}`
      : `FROM (SELECT rowid AS hit FROM ticket_search WHERE ticket_search MATCH ? ORDER BY rowid DESC LIMIT ${maxFound}) AS hits
         CROSS JOIN tickets ON tickets.id = hits.hit WHERE ${where.text}`,
    values: [search.words, ...where.values],
  };
  const byAuthor =
    search.part !== null && isPartOfAuthor(tx, search.part)
      ? {
          text: `FROM tickets INDEXED BY tickets_by_author WHERE author_id IN
            (SELECT rowid FROM author_search WHERE author_search MATCH ? ORDER BY rowid DESC LIMIT ${maxAuthorsFound}) AND ${where.text}`,
          values: [search.part, ...where.values],
        }
      : null;
  const sources = byAuthor ? [found, byAuthor] : [found];
  if (page === null) {
    const values = sources.flatMap((source) => source.values);
    if (!byAuthor) return { text: `SELECT count(*) AS total ${found.text}`, values };
    return {
      text: `SELECT count(*) AS total FROM (${sources.map(({ text }) => `SELECT tickets.id ${text}`).join(' UNION ')})`,
      values,
    };
  }
  const shown = sortKeys[page.sort];
  // What was found comes in the order in which it was taken in: the one that the index of words can walk, and where
  // clocks do not lie the same as created_at.
  const keys = page.sort === 'created_at' ? ['id'] : shown;
  const after = 'after' in page.from ? page.from.after.slice(shown.length - keys.length) : [];
  const offset = 'offset' in page.from ? page.from.offset : 0;
  const columns = shown.map((key) => `tickets.${key}`).join(', ');
  const each = sources.map((source) => {
    const column = (key: string) =>
      key === 'id' && isWalked && source === found ? 'ticket_search.rowid' : `tickets.${key}`;
    const start =
      after.length === 0
        ? ''
        : ` AND (${keys.map(column).join(', ')}) ${page.direction === 'desc' ? '<' : '>'} (${placeholders(keys)})`;
    const order = keys.map((key) => `${column(key)} ${page.direction}`).join(', ');
    return {
      text: `SELECT ${columns} ${source.text}${start} ORDER BY ${order} LIMIT ?`,
      values: [...source.values, ...after],
    };
  });
  const [only] = each;
  if (only && each.length === 1) {
    return { text: `${only.text} OFFSET ?`, values: [...only.values, page.limit, offset] };
  }
  const order = keys.map((key) => `${key} ${page.direction}`).join(', ');
  return {
    text: `${each.map(({ text }) => `SELECT * FROM (${text})`).join(' UNION ')} ORDER BY ${order} LIMIT ? OFFSET ?`,
    values: [...each.flatMap(({ values }) => [...values, offset + page.limit]), page.limit, offset],
  };
}

/** The ids of one page, each with the key by which the next page begins after it. */
export function listTicketIds(
  tx: Tx,
  filter: TicketFilter,
  page: TicketPage,
  now: Instant,
): { id: number; key: number[] }[] {
  const statement = pageQuery(tx, filter, page, now);
  if (statement === null) return [];
  const rows = query<Record<string, number>>(tx, statement.text).all(...statement.values);
  return rows.map((row) => ({ id: row.id ?? 0, key: sortKeys[page.sort].map((key) => row[key] ?? 0) }));
}

/** The statement behind a page, for the test that reads its plan; null when the search has no word in it. */
export function pageQuery(tx: Tx, filter: TicketFilter, page: TicketPage, now: Instant): Sql | null {
  if (filter.search === null) return pageSql(tx, filter, page, now);
  const search = parseSearch(filter.search, filter.siteId);
  return search === null ? null : searchSql(tx, filter, search, page, now);
}

export function countQuery(tx: Tx, filter: TicketFilter, now: Instant): Sql | null {
  if (filter.search === null) return countSql(tx, filter, now);
  const search = parseSearch(filter.search, filter.siteId);
  return search === null ? null : searchSql(tx, filter, search, null, now);
}

/** How many tickets the filter matches. */
export function countTickets(tx: Tx, filter: TicketFilter, now: Instant): number {
  const statement = countQuery(tx, filter, now);
  if (statement === null) return 0;
  return query<{ total: number | null }>(tx, statement.text).get(...statement.values)?.total ?? 0;
}
