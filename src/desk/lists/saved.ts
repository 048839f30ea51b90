// Who sees and changes what is saved for oneself or for everyone: views and reports.

import { type Actor, can, isInScope, scopeOf } from '../../domain/actor.ts';
import { DeskError, invalid } from '../../domain/errors.ts';
import { mostViews, type ViewFilter } from '../../domain/lists/view.ts';
import { mostSavedReports } from '../../domain/reports/schedule.ts';
import type { Tx } from '../../engine/database.ts';
import { countSaved } from '../../store/lists/saved.ts';
import { findSite, requireWholeDesk, siteNamed } from '../access.ts';
import type { Context } from '../context.ts';

export interface Saved {
  /** Null: no agent made it, or they are gone. */
  agentId: number | null;
  isShared: boolean;
  filter: ViewFilter;
  /** The sites of who said what it shows. Null: every site. */
  siteIds: readonly number[] | null;
}

type By = Pick<Context, 'actor'>;

export const agentIdOf = (actor: Actor): number | null => (actor.kind === 'agent' ? actor.agentId : null);

export function isOwn({ actor }: By, { agentId }: Pick<Saved, 'agentId'>): boolean {
  return agentId !== null && agentId === agentIdOf(actor);
}

/** Their own, also of a site that is gone; of what is shared, nothing of a site that they do not see. */
export function isSeen(tx: Tx, by: By, saved: Saved): boolean {
  return isOwn(by, saved) || (saved.isShared && isOfVisibleSite(tx, by, saved.filter) && isOfColleague(by, saved));
}

/** What someone searches for names customers of their sites: what is of every site is not for agents of other sites. */
function isOfColleague({ actor }: By, { siteIds, filter }: Saved): boolean {
  const scope = scopeOf(actor);
  return (
    scope === 'all' || siteIds === null || filter.site_id !== undefined || siteIds.some((id) => scope.includes(id))
  );
}

function isOfVisibleSite(tx: Tx, { actor }: By, { site_id: name }: ViewFilter): boolean {
  const site = name === undefined ? undefined : siteNamed(tx, String(name));
  return name === undefined || (site !== undefined && isInScope(actor, site.id));
}

function sitesOf({ actor }: By): readonly number[] | null {
  const scope = scopeOf(actor);
  return scope === 'all' ? null : scope;
}

type What = 'view' | 'report';

const kept = {
  view: { count: countSaved('views'), most: mostViews },
  report: { count: countSaved('saved_reports'), most: mostSavedReports },
} as const;

function requireSharing(tx: Tx, ctx: Context, what: What): void {
  const { count, most } = kept[what];
  if (!can(ctx.actor, 'write'))
    throw new DeskError('forbidden', `Sharing a ${what} needs the ability "write".`, { reason: 'missing_ability' });
  const { shared } = count(tx, null);
  if (shared >= most.shared)
    throw invalid(
      'is_shared',
      `cannot be true: the desk has ${shared} shared ${what}s, and ${most.shared} is the limit.`,
    );
}

function requireVisibleSite(tx: Tx, ctx: Context, { site_id: name }: ViewFilter): void {
  if (name !== undefined) findSite(tx, ctx, String(name));
  else if (ctx.actor.kind === 'token') requireWholeDesk(ctx);
}

/** Whose a new one is, and who sees it. Without `isShared`, that of an agent is theirs. */
export function newSaved(
  tx: Tx,
  ctx: Context,
  what: What,
  { filter, isShared: asked }: { filter: ViewFilter; isShared: boolean | undefined },
): Omit<Saved, 'filter'> {
  const agentId = agentIdOf(ctx.actor);
  const isShared = asked ?? agentId === null;
  requireVisibleSite(tx, ctx, filter);
  if (agentId === null && !isShared)
    throw invalid('is_shared', `must be true: only an agent has ${what}s of their own.`);
  if (isShared) requireSharing(tx, ctx, what);
  const { count, most } = kept[what];
  const { own } = count(tx, agentId);
  if (own >= most.own)
    throw invalid('name', `cannot be added: you have ${own} ${what}s, and ${most.own} is the limit.`);
  return { agentId, isShared, siteIds: sitesOf(ctx) };
}

/** Who sees one that gets another filter, or is shared or not from now on. */
export function changedSaved(
  tx: Tx,
  ctx: Context,
  what: What,
  before: Saved,
  { filter, isShared = before.isShared }: { filter: ViewFilter | undefined; isShared: boolean | undefined },
): Pick<Saved, 'isShared'> & Partial<Pick<Saved, 'siteIds'>> {
  if (filter !== undefined) requireVisibleSite(tx, ctx, filter);
  if (isShared && !before.isShared) requireSharing(tx, ctx, what);
  if (!isShared && before.isShared && !isOwn(ctx, before))
    throw invalid('is_shared', `cannot be false: the ${what} belongs to someone else.`);
  const isSaid = filter !== undefined || (isShared && !before.isShared);
  return { isShared, ...(isSaid ? { siteIds: sitesOf(ctx) } : {}) };
}

export function requireOwner(ctx: Context, what: What, saved: Saved): void {
  if (isOwn(ctx, saved) || can(ctx.actor, 'manage')) return;
  throw new DeskError('forbidden', `Only its maker, or someone who manages the desk, can change this ${what}.`, {
    reason: 'not_yours',
  });
}
