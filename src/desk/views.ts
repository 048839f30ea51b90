// Saved views of the ticket list (docs/spec/console.md#views).

import { type Actor, can, isInScope, scopeOf } from '../domain/actor.ts';
import { DeskError, invalid, notFound } from '../domain/errors.ts';
import type { ViewChangeInput, ViewInput } from '../domain/input/views.ts';
import { type Known, tracesOf } from '../domain/traces.ts';
import { mostViews, namesAgent, type ViewFilter } from '../domain/view.ts';
import type { Tx } from '../store/database.ts';
import {
  countViews,
  deleteView,
  insertView,
  orderViews,
  sharedViews,
  updateView,
  type View,
  viewById,
  viewsNaming,
  viewsOfAgent,
} from '../store/views.ts';
import { authorise, findSite, requireWholeDesk, siteNamed } from './access.ts';
import type { Context } from './context.ts';

const agentIdOf = (actor: Actor): number | null => (actor.kind === 'agent' ? actor.agentId : null);

/** Own and shared views in the caller's order. A caller who is no agent has no tickets of their own to see. */
export function listViews(tx: Tx, ctx: Context): View[] {
  authorise(ctx, 'read');
  const agentId = agentIdOf(ctx.actor);
  const all =
    agentId === null ? sharedViews(tx).filter(({ filter }) => !namesAgent(filter)) : viewsOfAgent(tx, agentId);
  return all.filter((view) => isSeen(tx, ctx, view));
}

export function readView(tx: Tx, ctx: Context, id: number): View {
  authorise(ctx, 'read');
  const view = viewById(tx, id);
  if (!view || !isSeen(tx, ctx, view)) throw notFound('view');
  return view;
}

/** Their own views, also of a site that is gone; of the shared ones, none of a site that they do not see. */
function isSeen(tx: Tx, ctx: Context, view: View): boolean {
  return isOwn(ctx, view) || (view.isShared && isOfVisibleSite(tx, ctx, view.filter) && isOfColleague(ctx, view));
}

/** What someone searches for names customers of their sites: a view of every site is not for agents of other sites. */
function isOfColleague({ actor }: Context, { siteIds, filter }: View): boolean {
  const scope = scopeOf(actor);
  return (
    scope === 'all' || siteIds === null || filter.site_id !== undefined || siteIds.some((id) => scope.includes(id))
  );
}

function sitesOf({ actor }: Context): readonly number[] | null {
  const scope = scopeOf(actor);
  return scope === 'all' ? null : scope;
}

function isOfVisibleSite(tx: Tx, ctx: Context, { site_id: name }: ViewFilter): boolean {
  const site = name === undefined ? undefined : siteNamed(tx, String(name));
  return name === undefined || (site !== undefined && isInScope(ctx.actor, site.id));
}

export function isOwn({ actor }: Context, { agentId }: View): boolean {
  return agentId !== null && agentId === agentIdOf(actor);
}

function requireSharing(tx: Tx, ctx: Context): void {
  if (!can(ctx.actor, 'write'))
    throw new DeskError('forbidden', 'Sharing a view needs the ability "write".', { reason: 'missing_ability' });
  const { shared } = countViews(tx, 0);
  if (shared >= mostViews.shared)
    throw invalid(
      'is_shared',
      `cannot be true: the desk has ${shared} shared views, and ${mostViews.shared} is the limit.`,
    );
}

function requireSite(tx: Tx, ctx: Context, { site_id: name }: ViewFilter): void {
  if (name !== undefined) findSite(tx, ctx, String(name));
  else if (ctx.actor.kind === 'token') requireWholeDesk(ctx);
}

export function createView(tx: Tx, ctx: Context, input: ViewInput): View {
  authorise(ctx, 'read');
  const agentId = agentIdOf(ctx.actor);
  const isShared = input.is_shared ?? agentId === null;
  requireSite(tx, ctx, input.filter);
  if (agentId === null && !isShared) throw invalid('is_shared', 'must be true: only an agent has views of their own.');
  if (isShared) requireSharing(tx, ctx);
  const { own } = agentId === null ? { own: 0 } : countViews(tx, agentId);
  if (own >= mostViews.own)
    throw invalid('name', `cannot be added: you have ${own} views, and ${mostViews.own} is the limit.`);
  const { name, filter, sort = 'created_at', direction = 'desc' } = input;
  const row = { agentId, name, filter, sort, direction, isShared, siteIds: sitesOf(ctx), createdAt: ctx.now };
  return { ...row, id: insertView(tx, row) };
}

function viewToChange(tx: Tx, ctx: Context, id: number): View {
  const view = readView(tx, ctx, id);
  if (isOwn(ctx, view) || can(ctx.actor, 'manage')) return view;
  throw new DeskError('forbidden', 'Only who made this view, or someone who manages the desk, can change it.', {
    reason: 'not_yours',
  });
}

export function changeView(tx: Tx, ctx: Context, id: number, input: ViewChangeInput): View {
  const view = viewToChange(tx, ctx, id);
  if (input.filter !== undefined) requireSite(tx, ctx, input.filter);
  if (input.is_shared === true && !view.isShared) requireSharing(tx, ctx);
  if (input.is_shared === false && !isOwn(ctx, view))
    throw invalid('is_shared', 'cannot be false: the view belongs to someone else.');
  const { is_shared: isShared = view.isShared, ...rest } = input;
  const isSaid = input.filter !== undefined || (isShared && !view.isShared);
  const change = { ...rest, isShared, ...(isSaid ? { siteIds: sitesOf(ctx) } : {}) };
  updateView(tx, id, change);
  return { ...view, ...change };
}

export function removeView(tx: Tx, ctx: Context, id: number): void {
  viewToChange(tx, ctx, id);
  deleteView(tx, id);
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
    updateView(tx, id, { name: traces.text(name), filter: traces.json(filter) });
}
