// Totals of ticket lists: cached until something changes, and counted in turns when counting takes long.

import { type Instant, monotonicMs } from '../../../base/clock.ts';
import type { Desk } from '../../../desk/desk.ts';
import type { Tx } from '../../../engine/database.ts';
import { createCount } from '../../../store/lists/count.ts';
import { isCountKept, type TicketFilter } from '../../../store/lists/filter.ts';
import type { CountSteps } from '../../../store/lists/search.ts';
import { stepFor, turnsOf } from '../../turns.ts';

export interface Total {
  total: number;
  isCapped: boolean;
  /** Of a total that is not of this moment, or not whole: when a newer one can be had. */
  again?: Instant;
}

interface Asking {
  /** Where counting stops. */
  most?: number;
  /** How long counting may block other requests; without it, `CountLimits.atOnceMs`. */
  atOnceMs?: number;
}

interface TicketCounts {
  of(tx: Tx, filter: TicketFilter, now: number, asking?: Asking): Total | Promise<Total>;
}

export interface CountLimits {
  /** A total of at least `many` is reused for `keptMs` even when tickets change. */
  many: number;
  /** One that took `longMs` to count is so for `rest` times as long as it took, and no longer than `keptMs`. */
  longMs: number;
  rest: number;
  keptMs: number;
  /** A count blocks other requests for this long, then continues in turns. */
  atOnceMs: number;
  /** After this time the answer has the count so far, and counting continues for the next request. */
  answerMs: number;
  firstWindow: number;
}
export const usualCountLimits: CountLimits = {
  many: 100_000,
  longMs: 30,
  rest: 25,
  keptMs: 60_000,
  atOnceMs: 15,
  answerMs: 100,
  firstWindow: 2000,
};
const mostKept = 1000;
const longestCountMs = 30_000;

export function createTicketCounts(desk: Desk, limits: CountLimits = usualCountLimits): TicketCounts {
  let generation = desk.generation();
  const exact = new Map<string, Total>();
  const large = new Map<string, Required<Total>>();
  const underWay = new Map<string, { count: CountSteps; done: Promise<Total> }>();

  /** @param begun the generation that was counted; null if something may have changed meanwhile */
  function keep(
    key: string,
    filter: TicketFilter,
    count: CountSteps,
    begun: string | null,
    now: number,
    spentMs: number,
  ): Total {
    const total = { total: count.total(), isCapped: count.isCapped() };
    const isMany = total.total >= limits.many;
    if ((isMany || spentMs >= limits.longMs) && !isCountKept(filter)) {
      if (large.size > mostKept) large.clear();
      const keptMs = isMany ? limits.keptMs : Math.min(limits.keptMs, Math.ceil(spentMs * limits.rest));
      large.set(key, { ...total, again: now + keptMs });
    }
    // The set of tickets due soon changes with time, without any write.
    else if (!filter.sla.includes('due_soon') && begun === generation) exact.set(key, total);
    return total;
  }

  async function goOn(
    key: string,
    filter: TicketFilter,
    count: CountSteps,
    begun: string,
    already: number,
  ): Promise<Total> {
    let spentMs = already;
    await turnsOf(desk).run((tx) => {
      const startedAt = monotonicMs();
      const isDone = count.step(tx);
      spentMs += monotonicMs() - startedAt;
      return isDone;
    }, longestCountMs);
    return keep(key, filter, count, desk.generation() === begun ? begun : null, desk.now(), spentMs);
  }

  function inTime(count: CountSteps, done: Promise<Total>): Promise<Total> {
    const soFar = Promise.withResolvers<Total>();
    const partial = () => ({ total: count.total(), isCapped: true, again: desk.now() });
    const timer = setTimeout(() => soFar.resolve(partial()), limits.answerMs);
    return Promise.race([done, soFar.promise]).finally(() => clearTimeout(timer));
  }

  return {
    of(tx, filter, now, { most, atOnceMs = limits.atOnceMs } = {}) {
      const current = desk.generation();
      if (current !== generation || exact.size > mostKept) exact.clear();
      generation = current;
      const key = most === undefined ? JSON.stringify(filter) : `${most} ${JSON.stringify(filter)}`;
      const kept = large.get(key);
      if (kept && kept.again > now) return kept;
      const known = exact.get(key);
      if (known !== undefined) return known;
      // A count that started before the last change is not shared: a caller must see its own writes.
      const shared = underWay.get(`${current} ${key}`);
      if (shared !== undefined) return inTime(shared.count, shared.done);
      const count = createCount(filter, now, {
        firstSize: limits.firstWindow,
        ...(most === undefined ? {} : { most }),
      });
      const startedAt = monotonicMs();
      if (atOnceMs > 0 && stepFor(tx, count.step, atOnceMs))
        return keep(key, filter, count, current, now, monotonicMs() - startedAt);
      const done = goOn(key, filter, count, current, monotonicMs() - startedAt).finally(() =>
        underWay.delete(`${current} ${key}`),
      );
      underWay.set(`${current} ${key}`, { count, done });
      return inTime(count, done);
    },
  };
}

const ofDesk = new WeakMap<Desk, TicketCounts>();

/** @param limits of the first call for a desk */
export function ticketCounts(desk: Desk, limits = usualCountLimits): TicketCounts {
  const known = ofDesk.get(desk);
  if (known) return known;
  const made = createTicketCounts(desk, limits);
  ofDesk.set(desk, made);
  return made;
}
