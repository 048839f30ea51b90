// Recomputing a site's clocks: step after step, between which others write, and taken up again where a crash cut it short.

import { errorFields, type Log } from '../base/log.ts';
import type { Context } from '../desk/context.ts';
import type { Desk } from '../desk/desk.ts';
import {
  type Moved,
  passPage,
  previewRecompute,
  recomputePage,
  recomputeStep,
  recomputeTicket,
  startRecompute,
} from '../desk/recompute.ts';
import { DeskError, notFound } from '../domain/errors.ts';
import { abandonedRecomputes } from '../store/sla.ts';

interface Recomputed {
  total: number;
  /** The first of those that moved. */
  listed: Moved[];
  /** Tickets that cannot be recomputed, and were left as they are. */
  failed: number;
}

export interface Recomputer {
  run(ctx: Context, siteName: string, maxListed: number): Promise<Recomputed>;
  /** What it would move; changes nothing. */
  preview(ctx: Context, siteName: string, maxListed: number): Promise<Recomputed>;
  /** Goes on with what a crash or a fault of the storage has cut short; answers how many were completed. */
  resume(): Promise<number>;
}

// A recomputation under way makes a step every few milliseconds.
const abandonedAfterMs = 60_000;

/** Requests that have arrived meanwhile go first. */
const letOthers = () => new Promise((resolve) => setImmediate(resolve));

export function createRecomputer(desk: Desk, log: Log): Recomputer {
  /** Every step has its own instant: what happened to a ticket a moment ago must not lie in its future. */
  const at = (ctx: Context): Context => ({ ...ctx, now: desk.now() });

  async function drive(ctx: Context, id: number, maxListed: number): Promise<Recomputed> {
    const done: Recomputed = { total: 0, listed: [], failed: 0 };
    for (;;) {
      const step = await oneStep(at(ctx), id, done);
      if (step === null) throw notFound('site');
      done.total += step.moved.length;
      done.listed.push(...step.moved.slice(0, maxListed - done.listed.length));
      if (step.isDone) return done;
      await letOthers();
    }
  }

  async function oneStep(ctx: Context, id: number, done: Recomputed) {
    try {
      return await desk.write((tx) => recomputeStep(tx, ctx, id));
    } catch (error) {
      if (error instanceof DeskError) throw error;
      return await oneByOne(ctx, id, done);
    }
  }

  /** Where one ticket makes the step fail, each of the page is taken alone. */
  async function oneByOne(ctx: Context, id: number, done: Recomputed) {
    const page = desk.read((tx) => recomputePage(tx, id));
    if (page === null) return null;
    const moved: Moved[] = [];
    for (const ticketId of page.ids) {
      try {
        moved.push(...(await desk.write((tx) => recomputeTicket(tx, ctx, page, ticketId))));
      } catch (error) {
        if (error instanceof DeskError) throw error;
        done.failed += 1;
        log.error({ ticket: ticketId, ...errorFields(error) }, 'the clocks of a ticket could not be recomputed');
      }
    }
    return { moved, isDone: await desk.write((tx) => passPage(tx, ctx, page)) };
  }

  return {
    run: async (ctx, siteName, maxListed) =>
      drive(ctx, await desk.write((tx) => startRecompute(tx, ctx, siteName)), maxListed),
    async preview(ctx, siteName, maxListed) {
      const done: Recomputed = { total: 0, listed: [], failed: 0 };
      for (let afterId: number | null = 0; afterId !== null; ) {
        const from: number = afterId;
        const page = desk.read((tx) => previewRecompute(tx, ctx, siteName, from));
        done.total += page.moved.length;
        done.failed += page.failed.length;
        done.listed.push(...page.moved.slice(0, maxListed - done.listed.length));
        afterId = page.lastId;
        // Reading alone never lets anybody else have a turn.
        await letOthers();
      }
      return done;
    },
    async resume() {
      let completed = 0;
      for (const id of desk.read((tx) => abandonedRecomputes(tx, desk.now() - abandonedAfterMs))) {
        const { total, failed } = await drive(desk.context({ kind: 'desk' }, 'sla-recompute'), id, 0);
        completed += 1;
        log.info({ moved: total, failed }, 'a recomputation that had been cut short was completed');
      }
      return completed;
    },
  };
}
