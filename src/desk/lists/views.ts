// Saved views of the ticket list (docs/spec/console.md#views).

import { type Known, tracesOf } from '../../domain/customers/traces.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import type { ViewChangeInput, ViewInput } from '../../domain/input/views.ts';
import { namesAgent } from '../../domain/lists/view.ts';
import type { Tx } from '../../engine/database.ts';
import { orderViews, sharedViews, type View, viewRows, viewsNaming, viewsOfAgent } from '../../store/lists/views.ts';
import { authorise } from '../access.ts';
import type { Context } from '../context.ts';
import { agentIdOf, changedSaved, isSeen, newSaved, requireOwner } from './saved.ts';

/** Own and shared views in the caller's order. A caller who is not an agent has no tickets of their own to see. */
export function listViews(tx: Tx, ctx: Context): View[] {
  authorise(ctx, 'read');
  const agentId = agentIdOf(ctx.actor);
  const all =
    agentId === null ? sharedViews(tx).filter(({ filter }) => !namesAgent(filter)) : viewsOfAgent(tx, agentId);
  return all.filter((view) => isSeen(tx, ctx, view));
}

function readView(tx: Tx, ctx: Context, id: number): View {
  authorise(ctx, 'read');
  const view = viewRows.get(tx, id);
  if (!view || !isSeen(tx, ctx, view)) throw notFound('view');
  return view;
}

export function createView(tx: Tx, ctx: Context, input: ViewInput): View {
  authorise(ctx, 'read');
  const { name, filter, sort = 'created_at', direction = 'desc', is_shared: isShared } = input;
  const saved = newSaved(tx, ctx, 'view', { filter, isShared });
  const row = { ...saved, name, filter, sort, direction, createdAt: ctx.now };
  return viewRows.insert(tx, row);
}

function viewToChange(tx: Tx, ctx: Context, id: number): View {
  const view = readView(tx, ctx, id);
  requireOwner(ctx, 'view', view);
  return view;
}

export function changeView(tx: Tx, ctx: Context, id: number, input: ViewChangeInput): View {
  const view = viewToChange(tx, ctx, id);
  const { is_shared: isShared, ...rest } = input;
  const change = { ...rest, ...changedSaved(tx, ctx, 'view', view, { filter: input.filter, isShared }) };
  viewRows.update(tx, id, change);
  return { ...view, ...change };
}

export function removeView(tx: Tx, ctx: Context, id: number): void {
  viewToChange(tx, ctx, id);
  viewRows.remove(tx, id);
}

export function arrangeViews(tx: Tx, ctx: Context, agentId: number, ids: readonly number[]): View[] {
  authorise(ctx, 'read');
  const known = new Set(viewsOfAgent(tx, agentId).map(({ id }) => id));
  if (new Set(ids).size !== ids.length || !ids.every((id) => known.has(id)))
    throw invalid('order', 'must name views that you see, each once.');
  orderViews(tx, agentId, ids);
  return viewsOfAgent(tx, agentId);
}

export function scrubViews(tx: Tx, person: Known): void {
  const traces = tracesOf(person, false);
  const texts = [...person.emails, ...person.names, ...person.externalIds];
  const found = new Map(texts.flatMap((text) => viewsNaming(tx, text)).map((view) => [view.id, view]));
  for (const { id, name, filter } of found.values())
    viewRows.update(tx, id, { name: traces.text(name), filter: traces.json(filter) });
}
