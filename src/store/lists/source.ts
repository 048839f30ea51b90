// The indexes of lists as sources of windows.

import type { Instant } from '../../base/clock.ts';
import type { Direction, TicketSort } from '../../domain/tickets/ticket.ts';
import { query, type Tx } from '../../engine/database.ts';
import { sitesIn } from '../scope.ts';
import { allOf, between, conditions, placeholders, type Sql, statusesOf, type TicketFilter } from './filter.ts';
import { compareKeys, type Key, listed, type Source, sortKeys } from './page.ts';

const indexOf: Record<TicketSort, string> = {
  created_at: 'created',
  updated_at: 'updated',
  priority: 'priority_level',
  first_response_due_at: 'first_response',
  resolution_due_at: 'resolution',
  next_due_at: 'next_due',
};

/** The part of an order's index for each site and status. */
function stretchesOf(tx: Tx, filter: TicketFilter): Sql[] {
  const statuses = statusesOf(filter);
  return sitesIn(tx, filter.sites).flatMap((siteId) =>
    statuses.map((status): Sql => ({ text: 'site_id = ? AND status = ?', values: [siteId, status] })),
  );
}

type Bounds = readonly [least: number | null, greatest: number | null];

function boundsOf({ createdFrom, createdTo, updatedFrom, updatedTo }: TicketFilter, sort: TicketSort): Bounds {
  if (sort === 'created_at') return [createdFrom, createdTo];
  // Nothing is updated before it is created.
  if (sort === 'updated_at')
    return [createdFrom === null ? updatedFrom : Math.max(createdFrom, updatedFrom ?? createdFrom), updatedTo];
  return [null, null];
}

/** Those of the filter, and for an order by priority the levels that its priorities have. */
export function boundsIn(tx: Tx, filter: TicketFilter, sort: TicketSort): Bounds {
  if (sort !== 'priority' || filter.priorityIds.length === 0) return boundsOf(filter, sort);
  const levels = query<{ least: number | null; greatest: number | null; isChanging: number }>(
    tx,
    `SELECT min(level) AS least, max(level) AS greatest,
       EXISTS (SELECT 1 FROM priority_levels WHERE priority_id IN (SELECT value FROM json_each(?1))) AS isChanging
     FROM priorities WHERE id IN (SELECT value FROM json_each(?1))`,
  ).get(JSON.stringify(filter.priorityIds));
  return levels === null || levels.isChanging === 1 ? [null, null] : [levels.least, levels.greatest];
}

export function sortedSource(
  filter: TicketFilter,
  sort: TicketSort,
  direction: Direction,
  now: Instant,
  bounds: Bounds = boundsOf(filter, sort),
): Source {
  const keys = sortKeys[sort];
  const columns = keys.join(', ');
  const order = keys.map((key) => `${key} ${direction}`).join(', ');
  const from = `tickets INDEXED BY tickets_by_site_${indexOf[sort]}`;
  let known: Sql[] | null = null;
  const stretchesIn = (tx: Tx) => {
    known ??= stretchesOf(tx, filter);
    return known;
  };
  const { createdFrom, createdTo, updatedFrom, updatedTo } = filter;
  const rest = conditions(
    {
      ...filter,
      sites: 'all',
      ...(sort === 'created_at' ? { createdFrom: null, createdTo: null } : { createdFrom, createdTo }),
      ...(sort === 'updated_at' ? { updatedFrom: null, updatedTo: null } : { updatedFrom, updatedTo }),
    },
    now,
  );
  const isDown = direction === 'desc';
  const sign = isDown ? -1 : 1;
  const piecesOf = piecesIn('tickets', keys, isDown, bounds);
  const within = (stretch: Sql, piece: Sql) => allOf([stretch, piece, ...rest]);

  /** The key of the last of this many entries; null if fewer are left. */
  function endIn(tx: Tx, stretch: Sql, after: Key | null, until: Key | null, size: number): Key | null {
    let left = size;
    for (const piece of piecesOf(after, until)) {
      const { text, values } = allOf([stretch, piece]);
      const [end] = listed(tx, sort, {
        text: `SELECT ${columns} FROM ${from} WHERE ${text} ORDER BY ${order} LIMIT 1 OFFSET ?`,
        values: [...values, left - 1],
      });
      if (end) return end.key;
      left -= totalOf(tx, { text: `SELECT count(*) AS total FROM ${from} WHERE ${text}`, values });
    }
    return null;
  }

  // The stretch that ended the last window: its entries are the densest, so it bounds the others soon.
  let densest = 0;
  return {
    endOf(tx, after, size) {
      let nearest: Key | null = null;
      const first = densest;
      const stretches = stretchesIn(tx);
      for (const at of [first, ...stretches.keys()]) {
        const stretch = stretches[at];
        if (stretch === undefined || (at === first && nearest !== null)) continue;
        const end = endIn(tx, stretch, after, nearest, size);
        if (end === null || (nearest !== null && compareKeys(end, nearest) * sign >= 0)) continue;
        nearest = end;
        densest = at;
      }
      return nearest;
    },
    count(tx, after, end) {
      const pieces = piecesOf(after, end);
      const parts = stretchesIn(tx).flatMap((stretch) =>
        pieces.map((piece) => {
          const where = within(stretch, piece);
          return { text: `SELECT count(*) AS part FROM ${from} WHERE ${where.text}`, values: where.values };
        }),
      );
      return inStatements(parts).reduce(
        (sum, { text, values }) => sum + totalOf(tx, { text: `SELECT sum(part) AS total FROM (${text})`, values }),
        0,
      );
    },
    rows(tx, after, end, limit, offset) {
      // Each status of each site walks its own part of the index; merging these short lists is the only sorting.
      const pieces = piecesOf(after, end);
      const parts = stretchesIn(tx).flatMap((stretch) =>
        pieces.map((piece) => {
          const where = within(stretch, piece);
          return {
            text: `SELECT * FROM (SELECT ${columns} FROM ${from} WHERE ${where.text} ORDER BY ${order} LIMIT ?)`,
            values: [...where.values, offset + limit],
          };
        }),
      );
      const [only, ...more] = inStatements(parts);
      if (only === undefined) return [];
      const best = ({ text, values }: Sql, most: number, skipped: number) =>
        listed(tx, sort, {
          text: `${text} ORDER BY ${order} LIMIT ? OFFSET ?`,
          values: [...values, most, skipped],
        });
      if (more.length === 0) return best(only, limit, offset);
      return [only, ...more]
        .flatMap((one) => best(one, offset + limit, 0))
        .sort((one, other) => compareKeys(one.key, other.key) * sign)
        .slice(offset, offset + limit);
    },
  };
}

// SQLite allows 500 parts in a statement, and plans long ones slowly.
const mostParts = 240;

/** All parts, in as few statements as there can be. */
function inStatements(parts: readonly Sql[]): Sql[] {
  const statements: Sql[] = [];
  for (let at = 0; at < parts.length; at += mostParts) statements.push(joined(parts.slice(at, at + mostParts)));
  return statements;
}

export const joined = (each: readonly Sql[]): Sql => ({
  text: each.map(({ text }) => text).join(' UNION ALL '),
  values: each.flatMap(({ values }) => values),
});

export function totalOf(tx: Tx, { text, values }: Sql): number {
  return query<{ total: number | null }>(tx, text).get(...values)?.total ?? 0;
}

/** In pieces that SQLite seeks: for a comparison of whole keys, it would pass over all equal beginnings. */
export function piecesIn(table: string, keys: readonly string[], isDown: boolean, [least, greatest]: Bounds) {
  const front = keys.slice(0, -1).map((key) => `${table}.${key}`);
  const id = `${table}.id`;
  const first = front[0] ?? '';
  const whole = `(${front.join(', ')})`;
  const isInBounds = ([value = 0]: Key) =>
    (least === null || value >= least) && (greatest === null || value <= greatest);
  const frontOf = (key: Key) => key.slice(0, -1);
  const idOf = (key: Key) => key.at(-1) ?? 0;
  const behindId = (key: Key): Sql => ({ text: `${id} ${isDown ? '<' : '>'} ?`, values: [idOf(key)] });
  const upToId = (key: Key): Sql => ({ text: `${id} ${isDown ? '>=' : '<='} ?`, values: [idOf(key)] });
  const equal = (key: Key): Sql => allOf(front.map((name, at) => ({ text: `${name} = ?`, values: [key[at] ?? 0] })));
  /** One bound: with two, SQLite might use the wider one. */
  function beside(key: Key | null, operator: '<' | '>', bound: number | null): Sql[] {
    const isNarrower =
      key !== null && (bound === null || (operator === '<' ? (key[0] ?? 0) <= bound : (key[0] ?? 0) >= bound));
    if (isNarrower) return [{ text: `${whole} ${operator} (${placeholders(front)})`, values: frontOf(key) }];
    return operator === '<' ? between(first, null, bound) : between(first, bound, null);
  }
  return (after: Key | null, end: Key | null): Sql[] => {
    if (after !== null && end !== null && compareKeys(frontOf(after), frontOf(end)) === 0)
      return isInBounds(after) ? [allOf([equal(after), behindId(after), upToId(end)])] : [];
    const [lower, upper] = isDown ? [end, after] : [after, end];
    return [
      ...(after !== null && isInBounds(after) ? [allOf([equal(after), behindId(after)])] : []),
      allOf([...beside(lower, '>', least), ...beside(upper, '<', greatest)]),
      ...(end !== null && isInBounds(end) ? [allOf([equal(end), upToId(end)])] : []),
    ];
  };
}
