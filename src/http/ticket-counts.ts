// How many tickets a list has in all: remembered until something changes, and counted between other requests where it takes long.

import { monotonicMs } from '../base/clock.ts';
import type { Desk } from '../desk/desk.ts';
import type { Tx } from '../store/database.ts';
import { createCount, type TicketCount } from '../store/ticket-count.ts';
import { isCountKept, type TicketFilter } from '../store/ticket-list.ts';

interface TicketCounts {
  /** At once where it is known or quickly found; `tx` is the view that the page was read from. */
  of(tx: Tx, filter: TicketFilter, now: number): number | Promise<number>;
}

export interface CountLimits {
  /** Counting what a filter matches costs in proportion to it: from so many on a total is kept for a while as it is. */
  many: number;
  keptMs: number;
  /** For so long a count may hold up everybody; then it goes on in steps of the second length. */
  atOnceMs: number;
  stepMs: number;
}
const usualLimits: CountLimits = { many: 100_000, keptMs: 60_000, atOnceMs: 15, stepMs: 5 };
const mostKept = 1000;

export function createTicketCounts(desk: Desk, limits: CountLimits = usualLimits): TicketCounts {
  let generation = desk.generation();
  const exact = new Map<string, number>();
  const large = new Map<string, { total: number; until: number }>();
  const underWay = new Map<string, Promise<number>>();

  function countFor(tx: Tx, count: TicketCount, milliseconds: number): boolean {
    const startedAt = monotonicMs();
    while (!count.step(tx)) if (monotonicMs() - startedAt >= milliseconds) return false;
    return true;
  }

  /** @param begun the generation that it was counted in, null where something may have changed meanwhile */
  function keep(key: string, filter: TicketFilter, total: number, now: number, begun: string | null): number {
    if (total >= limits.many && !isCountKept(filter)) {
      if (large.size > mostKept) large.clear();
      large.set(key, { total, until: now + limits.keptMs });
    }
    // What is due soon changes with the clock alone.
    else if (!filter.sla.includes('due_soon') && begun === generation) exact.set(key, total);
    return total;
  }

  async function goOn(key: string, filter: TicketFilter, count: TicketCount, begun: string): Promise<number> {
    for (let isDone = false; !isDone; ) {
      await new Promise((resolve) => setImmediate(resolve));
      isDone = desk.read((tx) => countFor(tx, count, limits.stepMs));
    }
    return keep(key, filter, count.total(), desk.now(), desk.generation() === begun ? begun : null);
  }

  return {
    of(tx, filter, now) {
      const current = desk.generation();
      if (current !== generation || exact.size > mostKept) exact.clear();
      generation = current;
      const key = JSON.stringify(filter);
      const kept = large.get(key);
      if (kept && kept.until > now) return kept.total;
      // A count that began before the last change is not shared: whoever has just written wants to see it.
      const known = exact.get(key) ?? underWay.get(`${current} ${key}`);
      if (known !== undefined) return known;
      const count = createCount(filter, now);
      if (countFor(tx, count, limits.atOnceMs)) return keep(key, filter, count.total(), now, current);
      const counting = goOn(key, filter, count, current).finally(() => underWay.delete(`${current} ${key}`));
      underWay.set(`${current} ${key}`, counting);
      return counting;
    },
  };
}

const ofDesk = new WeakMap<Desk, TicketCounts>();

/** The totals of a desk, the same for all who ask. */
export function ticketCounts(desk: Desk): TicketCounts {
  const known = ofDesk.get(desk);
  if (known) return known;
  const made = createTicketCounts(desk);
  ofDesk.set(desk, made);
  return made;
}
