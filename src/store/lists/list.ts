// Ticket lists: every filter and sort walks an index that holds the filtered columns, never the table.

import type { Instant } from '../../base/clock.ts';
import type { Tx } from '../../engine/database.ts';
import { sitesIn } from '../scope.ts';
import { lookUpCandidates, pageOfCandidates, plainPageOf } from './candidate-lookup.ts';
import { type Candidates, narrowest } from './candidates.ts';
import {
  allOf,
  conditions,
  isAmong,
  isCountKept,
  isEmpty,
  placeholders,
  type Sql,
  statusesOf,
  type TicketFilter,
  withImpliedBounds,
} from './filter.ts';
import { inOne, inWindows, lazily, listed, orElse, type PageSteps, sortKeys, type TicketPage } from './page.ts';
import { searchSteps } from './search.ts';
import { boundsIn, sortedSource } from './source.ts';
import { keptTotal } from './totals.ts';

function fewSql(filter: TicketFilter, candidates: Candidates, page: TicketPage, now: Instant): Sql {
  const keys = sortKeys[page.sort];
  const parts = [candidates.where, isAmong('status', statusesOf(filter)), ...conditions(filter, now)];
  const columns = keys.map((key) => `tickets.${key}`).join(', ');
  if ('after' in page.from) {
    const sign = page.direction === 'desc' ? '<' : '>';
    parts.push({ text: `(${columns}) ${sign} (${placeholders(keys)})`, values: [...page.from.after] });
  }
  const where = allOf(parts);
  const order = keys.map((key) => `tickets.${key} ${page.direction}`).join(', ');
  return {
    text: `SELECT ${columns} FROM ${candidates.from.text} WHERE ${where.text} ORDER BY ${order} LIMIT ? OFFSET ?`,
    values: [...candidates.from.values, ...where.values, page.limit, 'offset' in page.from ? page.from.offset : 0],
  };
}

// Skipping this many rows of a list without filters takes one step.
const shallow = 1000;

/** For a list without filters: starts from the nearer end. */
function plainSteps(tx: Tx, filter: TicketFilter, page: TicketPage, now: Instant): PageSteps {
  const { sort, direction, limit, from } = page;
  const source = sortedSource(filter, sort, direction, now);
  if ('after' in from) return inOne((tx) => source.rows(tx, from.after, null, limit, 0));
  const lists = sitesIn(tx, filter.sites).length;
  if (from.offset * lists <= shallow) return inOne((tx) => source.rows(tx, null, null, limit, from.offset));
  const total = keptTotal(tx, filter);
  if (from.offset < total / 2) return inWindows(source, page);
  const shown = Math.min(limit, total - from.offset);
  if (shown <= 0) return inOne(() => []);
  const back = direction === 'desc' ? 'asc' : 'desc';
  const steps = inWindows(sortedSource(filter, sort, back, now), {
    limit: shown,
    from: { offset: total - from.offset - shown },
  });
  return { step: steps.step, rows: () => steps.rows().toReversed() };
}

export function createPage(asked: TicketFilter, page: TicketPage, now: Instant): PageSteps {
  if (isEmpty(asked)) return inOne(() => []);
  const filter = withImpliedBounds(asked);
  return lazily((tx) => {
    if (filter.search !== null) return searchSteps(tx, filter, page, now);
    if (isCountKept(filter)) return plainSteps(tx, filter, page, now);
    const candidates = narrowest(tx, filter, now);
    if (candidates?.isFew) return inOne((tx) => listed(tx, page.sort, fewSql(filter, candidates, page, now)));
    const bounds = boundsIn(tx, filter, page.sort);
    const walked = inWindows(sortedSource(filter, page.sort, page.direction, now, bounds), page);
    if (candidates === null) return walked;
    return orElse(walked, pageOfCandidates(lookUpCandidates(filter, candidates, page.sort, now), plainPageOf(page)));
  });
}
