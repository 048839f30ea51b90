// Counts the matches of a filter in steps, so that a large count does not hold up other requests.

import { type Instant, monotonicMs } from '../../base/clock.ts';
import { query, type Tx } from '../database.ts';
import {
  allOf,
  conditions,
  isAmong,
  isCountKept,
  isEmpty,
  statusesOf,
  type TicketFilter,
  withImpliedBounds,
} from './filter.ts';
import { type Key, type Source, windowSize } from './page.ts';
import { countQuickly } from './quick-count.ts';
import { type CountSteps, countSearch } from './search.ts';
import { narrowest, type Side } from './sides.ts';
import { createSieve, type Sieve } from './sieve.ts';
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

function countSide(tx: Tx, filter: TicketFilter, { from, where }: Side, now: Instant): number {
  const all = allOf([where, isAmong('status', statusesOf(filter)), ...conditions(filter, now)]);
  return (
    query<{ total: number }>(tx, `SELECT count(*) AS total FROM ${from.text} WHERE ${all.text}`).get(
      ...from.values,
      ...all.values,
    )?.total ?? 0
  );
}

function countSifted({ step, found }: Sieve): CountSteps {
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
    const side = narrowest(tx, filter, now);
    if (side?.isFew) return atOnce((tx) => countSide(tx, filter, side, now));
    if (side !== null) return countSifted(createSieve(filter, side, 'created_at', now));
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

export function countTickets(tx: Tx, filter: TicketFilter, now: Instant): number {
  const count = createCount(filter, now);
  while (!count.step(tx));
  return count.total();
}
