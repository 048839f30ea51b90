// Recomputes a site's clocks in steps, with other writes in between, and continues after a crash.

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
} from '../desk/sla/recompute.ts';
import { DeskError, notFound } from '../domain/errors.ts';
import { abandonedRecomputes } from '../store/sla/sla.ts';

interface Recomputed {
  total: number;
  becomeLate: number;
  noLongerLate: number;
  listed: Moved[];
  /** Tickets that cannot be recomputed and were left unchanged. */
  failed: number;
}

export interface Recomputer {
  run(ctx: Context, siteName: string, maxListed: number): Promise<Recomputed>;
  preview(ctx: Context, siteName: string, maxListed: number): Promise<Recomputed>;
  /** Continues recomputations that a crash or a storage fault has interrupted; returns how many were completed. */
  resume(): Promise<number>;
}

// An active recomputation makes a step every few milliseconds.
const abandonedAfterMs = 60_000;

const nothingYet = (): Recomputed => ({ total: 0, becomeLate: 0, noLongerLate: 0, listed: [], failed: 0 });

function count(done: Recomputed, moved: readonly Moved[], maxListed: number): void {
  done.total += moved.length;
  done.becomeLate += moved.filter(({ late }) => !late.from && late.to).length;
  done.noLongerLate += moved.filter(({ late }) => late.from && !late.to).length;
  done.listed.push(...moved.slice(0, maxListed - done.listed.length));
}

const letOthers = () => new Promise((resolve) => setImmediate(resolve));

export function createRecomputer(desk: Desk, log: Log): Recomputer {
  /** Each step has its own time, which must not be earlier than recent changes to a ticket. */
  const at = (ctx: Context): Context => ({ ...ctx, now: desk.now() });

  async function drive(ctx: Context, id: number, maxListed: number): Promise<Recomputed> {
    const done = nothingYet();
    for (;;) {
      const step = await oneStep(at(ctx), id, done);
      if (step === null) throw notFound('site');
      count(done, step.moved, maxListed);
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

  /** If one ticket makes a step fail, each of the page is recomputed on its own. */
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
      const done = nothingYet();
      for (let afterId: number | null = 0; afterId !== null; ) {
        const from: number = afterId;
        const page = desk.read((tx) => previewRecompute(tx, ctx, siteName, from));
        count(done, page.moved, maxListed);
        done.failed += page.failed.length;
        afterId = page.lastId;
        // Reads would never give other requests a turn by themselves.
        await letOthers();
      }
      return done;
    },
    async resume() {
      let completed = 0;
      for (const id of desk.read((tx) => abandonedRecomputes(tx, desk.now() - abandonedAfterMs))) {
        const { total, failed } = await drive(desk.context({ kind: 'desk' }, 'sla-recompute'), id, 0);
        completed += 1;
        log.info({ moved: total, failed }, 'an interrupted recomputation was completed');
      }
      return completed;
    },
  };
}
