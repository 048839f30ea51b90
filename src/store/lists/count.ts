// Counts the matches of a filter in steps, so that a large count does not hold up other requests.

import { type Instant, monotonicMs } from '../../base/clock.ts';
import { query, type Tx } from '../../engine/database.ts';
import { type CandidateLookup, lookUpCandidates } from './candidate-lookup.ts';
import { type Candidates, narrowest } from './candidates.ts';
import { ofAnyClock } from './clock-columns.ts';
import {
  allOf,
  conditions,
  isAmong,
  isCountKept,
  isEmpty,
  type Sql,
  statusesOf,
  type TicketFilter,
  withImpliedBounds,
} from './filter.ts';
import { type Key, type Source, windowSize } from './page.ts';
import { type CountSteps, countSearch } from './search.ts';
import { sortedSource } from './source.ts';
import { keptTotal } from './totals.ts';

function atOnce(count: (tx: Tx) => number): CountSteps {
  let total = 0;
  return {
    step(tx) {
      total = count(tx);
      return true;
    },
    total: () => total,
    isCapped: () => false,
  };
}

function countCandidates(tx: Tx, filter: TicketFilter, { from, where }: Candidates, now: Instant): number {
  const all = allOf([where, isAmong('status', statusesOf(filter)), ...conditions(filter, now)]);
  return (
    query<{ total: number }>(tx, `SELECT count(*) AS total FROM ${from.text} WHERE ${all.text}`).get(
      ...from.values,
      ...all.values,
    )?.total ?? 0
  );
}

function countFound({ step, found }: CandidateLookup): CountSteps {
  return { step, total: () => found.length, isCapped: () => false };
}

export function sourceToCount(filter: TicketFilter, now: Instant): Source {
  // Only the index by the time of the last update holds both times.
  const isOfUpdates = filter.updatedFrom !== null || filter.updatedTo !== null;
  return sortedSource(filter, isOfUpdates ? 'updated_at' : 'created_at', 'asc', now);
}

function countWindows(filter: TicketFilter, now: Instant, firstSize: number): CountSteps {
  const source = sourceToCount(filter, now);
  const window = windowSize(firstSize);
  let total = 0;
  let after: Key | null = null;
  return {
    step(tx) {
      const startedAt = monotonicMs();
      const end = source.endOf(tx, after, window.size());
      total += source.count(tx, after, end);
      after = end;
      window.took(monotonicMs() - startedAt);
      return end === null;
    },
    total: () => total,
    isCapped: () => false,
  };
}

/** Tickets that change between two steps may be counted in either state. @param most where counting stops */
export function createCount(
  asked: TicketFilter,
  now: Instant,
  { firstSize = 2000, most = Number.POSITIVE_INFINITY } = {},
): CountSteps {
  const filter = withImpliedBounds(asked);
  let steps: CountSteps | null = null;
  function begin(tx: Tx): CountSteps {
    if (isEmpty(filter)) return atOnce(() => 0);
    if (filter.search !== null) return countSearch(tx, filter, now);
    if (isCountKept(filter)) return atOnce((tx) => keptTotal(tx, filter));
    const quick = most === Number.POSITIVE_INFINITY ? null : countQuickly(tx, filter, most, now);
    if (quick !== null) return atOnce(() => quick);
    const candidates = narrowest(tx, filter, now);
    if (candidates?.isFew) return atOnce((tx) => countCandidates(tx, filter, candidates, now));
    if (candidates !== null) return countFound(lookUpCandidates(filter, candidates, 'created_at', now));
    return countWindows(filter, now, firstSize);
  }
  return {
    step(tx) {
      steps ??= begin(tx);
      return steps.step(tx) || steps.total() > most;
    },
    total: () => Math.min(steps?.total() ?? 0, most),
    isCapped: () => steps !== null && (steps.isCapped() || steps.total() > most),
  };
}

// Counts up to a limit what the built-in views show, reading little more of an index than what is counted.
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
function countQuickly(tx: Tx, filter: TicketFilter, most: number, now: Instant): number | null {
  const { assigneeIds, isUnassigned, teamIds, isSnoozed, sla } = filter;
  const ofNone = { assigneeIds: [], isUnassigned: null, teamIds: [] };
  const rest: TicketFilter = { ...filter, ...ofNone, isSnoozed: null, sla: [] };
  if (!isCountKept(rest)) return null;
  const status = isAmong('status', statusesOf(filter));
  if (teamIds.length > 0)
    return sla.length > 0 || assigneeIds.length > 0 || isUnassigned !== null
      ? null
      : countUpTo(tx, 'tickets_by_team', [...conditions(filter, now), status], most + 1);
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
