// The indexes of lists as sources of windows.

import type { Instant } from '../../base/clock.ts';
import { query } from '../database.ts';
import { sitesToMerge } from '../scope.ts';
import { allOf, between, conditions, placeholders, type Sql, statusesOf, type TicketFilter } from './filter.ts';
import { compareKeys, type Direction, type Key, listed, type Source, sortKeys, type TicketSort } from './page.ts';

const indexOf: Record<TicketSort, string> = {
  created_at: 'created',
  updated_at: 'updated',
  priority: 'priority_level',
  first_response_due_at: 'first_response',
  resolution_due_at: 'resolution',
};

/** The part of an order's index for each status, and for each site if there are few. */
function stretchesOf(filter: TicketFilter, sort: TicketSort): { from: string; stretches: Sql[] } {
  const statuses = statusesOf(filter).map((status): Sql => ({ text: 'status = ?', values: [status] }));
  const sites = sitesToMerge(filter.sites);
  if (sites === null) return { from: `tickets INDEXED BY tickets_by_${indexOf[sort]}`, stretches: statuses };
  return {
    from: `tickets INDEXED BY tickets_by_site_${indexOf[sort]}`,
    stretches: sites.flatMap((siteId) =>
      statuses.map((status) => allOf([{ text: 'site_id = ?', values: [siteId] }, status])),
    ),
  };
}

function boundsOf(filter: TicketFilter, sort: TicketSort): [from: number | null, to: number | null] {
  if (sort === 'created_at') return [filter.createdFrom, filter.createdTo];
  if (sort === 'updated_at') return [filter.updatedFrom, filter.updatedTo];
  return [null, null];
}

export function sortedSource(
  filter: TicketFilter,
  sort: TicketSort,
  direction: Direction,
  now: Instant,
  also: Sql[] = [],
): Source {
  const keys = sortKeys[sort];
  const columns = keys.join(', ');
  const qualified = keys.map((key) => `tickets.${key}`).join(', ');
  const order = keys.map((key) => `${key} ${direction}`).join(', ');
  const { from, stretches } = stretchesOf(filter, sort);
  const { createdFrom, createdTo, updatedFrom, updatedTo } = filter;
  const rest = conditions(
    {
      ...filter,
      sites: sitesToMerge(filter.sites) === null ? filter.sites : 'all',
      ...(sort === 'created_at' ? { createdFrom: null, createdTo: null } : { createdFrom, createdTo }),
      ...(sort === 'updated_at' ? { updatedFrom: null, updatedTo: null } : { updatedFrom, updatedTo }),
    },
    now,
  );
  const isDown = direction === 'desc';
  const [least, greatest] = boundsOf(filter, sort);
  /** One bound at each end: with two, SQLite might use the wider one. */
  function window(after: Key | null, end: Key | null): Sql[] {
    const [lower, upper] = isDown ? [end, after] : [after, end];
    const parts: Sql[] = [];
    if (lower !== null && (least === null || (lower[0] ?? 0) >= least))
      parts.push({ text: `(${qualified}) ${isDown ? '>=' : '>'} (${placeholders(keys)})`, values: [...lower] });
    else parts.push(...between(keys[0] ?? '', least, null));
    if (upper !== null && (greatest === null || (upper[0] ?? 0) <= greatest))
      parts.push({ text: `(${qualified}) ${isDown ? '<' : '<='} (${placeholders(keys)})`, values: [...upper] });
    else parts.push(...between(keys[0] ?? '', null, greatest));
    return parts;
  }
  const within = (stretch: Sql, after: Key | null, end: Key | null) =>
    allOf([stretch, ...window(after, end), ...rest, ...also]);
  const joined = (each: { text: string; values: Sql['values'] }[]): Sql => ({
    text: each.map(({ text }) => text).join(' UNION ALL '),
    values: each.flatMap(({ values }) => values),
  });

  return {
    endOf(tx, after, size) {
      let nearest: Key | null = null;
      for (const stretch of stretches) {
        const { text, values } = allOf([stretch, ...window(after, null)]);
        const end = listed(tx, sort, {
          text: `SELECT ${columns} FROM ${from} WHERE ${text} ORDER BY ${order} LIMIT 1 OFFSET ?`,
          values: [...values, size - 1],
        })[0]?.key;
        const isNearer = nearest === null || (end && compareKeys(end, nearest) * (isDown ? -1 : 1) < 0);
        if (end && isNearer) nearest = end;
      }
      return nearest;
    },
    count(tx, after, end) {
      const { text, values } = joined(
        stretches.map((stretch) => {
          const where = within(stretch, after, end);
          return { text: `SELECT count(*) AS part FROM ${from} WHERE ${where.text}`, values: where.values };
        }),
      );
      if (text === '') return 0;
      return query<{ total: number }>(tx, `SELECT sum(part) AS total FROM (${text})`).get(...values)?.total ?? 0;
    },
    rows(tx, after, end, limit, offset) {
      // Each status of each site walks its own part of the index; merging these short lists is the only sorting.
      const { text, values } = joined(
        stretches.map((stretch) => {
          const where = within(stretch, after, end);
          return {
            text: `SELECT * FROM (SELECT ${columns} FROM ${from} WHERE ${where.text} ORDER BY ${order} LIMIT ?)`,
            values: [...where.values, offset + limit],
          };
        }),
      );
      if (text === '') return [];
      return listed(tx, sort, {
        text: `${text} ORDER BY ${order} LIMIT ? OFFSET ?`,
        values: [...values, limit, offset],
      });
    },
  };
}
