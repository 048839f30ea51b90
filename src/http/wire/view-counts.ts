// How many tickets each view has (docs/spec/console.md#counts).

import * as z from 'zod';
import { monotonicMs } from '../../base/clock.ts';
import { listScope } from '../../desk/access.ts';
import type { Context } from '../../desk/context.ts';
import type { Desk } from '../../desk/desk.ts';
import { includesSite, type Scope } from '../../domain/actor.ts';
import { DeskError } from '../../domain/errors.ts';
import type { ViewFilter } from '../../domain/view.ts';
import type { Tx } from '../../store/database.ts';
import { countHeldMail } from '../../store/inbound.ts';
import type { TicketFilter } from '../../store/ticket-list/filter.ts';
import { named } from './shapes.ts';
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

/** By key of the view. @param site only tickets of this site */
export async function viewCounts(desk: Desk, ctx: Context, site: string | null): Promise<ViewCounts> {
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
      const total = totalOf(found);
      const [agent] = found.assigneeIds;
      return key === 'mine' && agent !== undefined
        ? { key, total, unread: totalOf({ ...found, unreadForId: agent }) }
        : { key, total };
    });
  });
  const counted: ViewCounts = {};
  for (const { key, total, unread } of counting) {
    const { total: count, isCapped } = await total;
    counted[key] = { count, is_capped: isCapped, ...(unread && { unread: (await unread).total }) };
  }
  return counted;
}
