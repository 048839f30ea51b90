// Views of the ticket list on the wire (docs/spec/console.md#views).

import * as z from 'zod';
import type { Context } from '../../../desk/context.ts';
import { isOwn } from '../../../desk/lists/saved.ts';
import { listViews } from '../../../desk/lists/views.ts';
import { can } from '../../../domain/actor.ts';
import { viewInput } from '../../../domain/input/views.ts';
import { builtInViews, namesAgent, type ViewFilter } from '../../../domain/lists/view.ts';
import type { Tx } from '../../../engine/database.ts';
import type { View } from '../../../store/lists/views.ts';
import { presenter } from '../presenter.ts';
import { id, maybeTime, named } from '../shapes.ts';
import { queryOfSaved } from './saved-query.ts';
import { filterQuery, type TicketListQuery, ticketListQuery } from './ticket-query.ts';

export const viewShape = named(
  'View',
  z.object({
    id: id().nullable().meta({ description: 'Null for a built-in view.' }),
    key: z.string().meta({ examples: ['mine', '7'] }),
    name: z.string(),
    filter: viewInput.shape.filter.nullable().meta({ description: 'Null for held mail, which is no list of tickets.' }),
    sort: ticketListQuery.shape.sort.unwrap(),
    direction: ticketListQuery.shape.direction.unwrap(),
    is_shared: z.boolean(),
    is_own: z.boolean(),
    created_at: maybeTime(),
  }),
);
type PresentedView = z.output<typeof viewShape>;

export const presentView = presenter(viewShape, (view: View, ctx: Context) => ({
  key: String(view.id),
  is_own: isOwn(ctx, view),
}));

function builtInOf({ actor }: Context): PresentedView[] {
  return builtInViews
    .filter(({ filter }) => (filter === null ? can(actor, 'manage') : actor.kind === 'agent' || !namesAgent(filter)))
    .map((view) => ({
      ...view,
      id: null,
      filter: view.filter as PresentedView['filter'],
      is_shared: true,
      is_own: false,
      created_at: null,
    }));
}

export function presentViews(tx: Tx, ctx: Context): PresentedView[] {
  return [...builtInOf(ctx), ...listViews(tx, ctx).map((view) => presentView(view, ctx))];
}

/** What the list is asked for with this filter; 422 naming the part that the list does not take. */
export function queryOfView(filter: ViewFilter): TicketListQuery {
  return queryOfSaved(filterQuery, filter, 'filter', 'is not a filter of the ticket list.');
}
