// How many tickets each view has (docs/spec/console.md#counts).

import * as z from 'zod';
import { type Instant, monotonicMs } from '../../../base/clock.ts';
import { listScope } from '../../../desk/access.ts';
import type { Context } from '../../../desk/context.ts';
import type { Desk } from '../../../desk/desk.ts';
import { includesSite, type Scope } from '../../../domain/actor.ts';
import { DeskError } from '../../../domain/errors.ts';
import { solved, unsolved, type ViewFilter } from '../../../domain/lists/view.ts';
import type { Tx } from '../../../engine/database.ts';
import type { TicketFilter } from '../../../store/lists/filter.ts';
import { countHeldMail } from '../../../store/mail/inbound.ts';
import { named } from '../shapes.ts';
import { type Total, ticketCounts } from './ticket-counts.ts';
import { filterOf } from './ticket-query.ts';
import { presentViews, queryOfView } from './views.ts';

/** More than people tell apart at a glance. */
const mostCounted = 1000;
// All views together; what is left is counted in turns with other requests.
const atOnceMs = 8;

const viewCountShape = named(
  'ViewCount',
  z.object({
    count: z.int(),
    is_capped: z.boolean(),
    unread: z.int().optional().meta({ description: 'Only of `mine`: how many of its tickets are unread.' }),
  }),
);
export const viewCountsShape = z.record(z.string(), viewCountShape);
type ViewCounts = z.output<typeof viewCountsShape>;

const none: Total = { total: 0, isCapped: false };

/** Only of the chosen site; null where nothing can match. */
function filterOfView(tx: Tx, ctx: Context, filter: ViewFilter, chosen: Scope): TicketFilter | null {
  try {
    const found = filterOf(tx, ctx, queryOfView(filter));
    if (chosen === 'all' || found.sites === 'all') return { ...found, sites: chosen === 'all' ? found.sites : chosen };
    return { ...found, sites: found.sites.filter((id) => includesSite(chosen, id)) };
  } catch (error) {
    // The site of a saved view is gone, or out of sight for its agent by now.
    if (error instanceof DeskError) return null;
    throw error;
  }
}

function heldMail(tx: Tx, sites: Scope): Total {
  const total = countHeldMail(tx, sites, mostCounted + 1);
  return { total: Math.min(total, mostCounted), isCapped: total > mostCounted };
}

/** Of lists that share no ticket. */
async function sumOf(parts: readonly (Total | Promise<Total>)[]): Promise<Total> {
  const all = await Promise.all(parts);
  const total = all.reduce((sum, part) => sum + part.total, 0);
  const again = all.flatMap((part) => part.again ?? []);
  return {
    total: Math.min(total, mostCounted),
    isCapped: total > mostCounted || all.some((part) => part.isCapped),
    ...(again.length > 0 && { again: Math.min(...again) }),
  };
}

interface CountedViews {
  /** By key of the view. */
  counts: ViewCounts;
  /** When some of them can be counted again, although nothing has changed meanwhile. */
  again: Instant | null;
}

/** @param site only tickets of this site */
export async function countViews(desk: Desk, ctx: Context, site: string | null): Promise<CountedViews> {
  const counting = desk.read((tx) => {
    const chosen = listScope(tx, ctx, site);
    const startedAt = monotonicMs();
    return presentViews(tx, ctx).map(({ key, filter }) => {
      if (filter === null) return { key, total: heldMail(tx, chosen) };
      const found = filterOfView(tx, ctx, filter, chosen);
      if (found === null) return { key, total: none };
      const totalOf = (wanted: TicketFilter) => {
        const left = { most: mostCounted, atOnceMs: atOnceMs - (monotonicMs() - startedAt) };
        return ticketCounts(desk).of(tx, wanted, ctx.now, left);
      };
      // Of mentions, those on which something is left to do or to read.
      const [mentioned] = found.mentionedIds;
      if (key === 'mentions' && mentioned !== undefined)
        return {
          key,
          total: sumOf([
            totalOf({ ...found, statuses: unsolved }),
            totalOf({ ...found, statuses: solved, unreadForId: mentioned }),
          ]),
        };
      const total = totalOf(found);
      const [agent] = found.assigneeIds;
      return key === 'mine' && agent !== undefined
        ? { key, total, unread: totalOf({ ...found, unreadForId: agent }) }
        : { key, total };
    });
  });
  const counts: ViewCounts = {};
  let again: Instant | null = null;
  for (const { key, total, unread } of counting) {
    const all = await total;
    const unreadOnes = unread && (await unread);
    counts[key] = { count: all.total, is_capped: all.isCapped, ...(unreadOnes && { unread: unreadOnes.total }) };
    for (const { again: next } of [all, unreadOnes ?? none])
      if (next !== undefined) again = Math.min(again ?? next, next);
  }
  return { counts, again };
}

export async function viewCounts(desk: Desk, ctx: Context, site: string | null): Promise<ViewCounts> {
  return (await countViews(desk, ctx, site)).counts;
}
