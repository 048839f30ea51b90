// Who sees and changes what is saved for oneself or for everyone: views and reports.

import { type Actor, can, isInScope, scopeOf } from '../../domain/actor.ts';
import { DeskError, invalid } from '../../domain/errors.ts';
import type { ViewFilter } from '../../domain/lists/view.ts';
import type { Tx } from '../../engine/database.ts';
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

export function sitesOf({ actor }: By): readonly number[] | null {
  const scope = scopeOf(actor);
  return scope === 'all' ? null : scope;
}

/** @param kept how many are shared already, and how many may be */
export function requireSharing(ctx: Context, what: 'view' | 'report', kept: { shared: number; most: number }): void {
  if (!can(ctx.actor, 'write'))
    throw new DeskError('forbidden', `Sharing a ${what} needs the ability "write".`, { reason: 'missing_ability' });
  if (kept.shared >= kept.most)
    throw invalid(
      'is_shared',
      `cannot be true: the desk has ${kept.shared} shared ${what}s, and ${kept.most} is the limit.`,
    );
}

export function requireVisibleSite(tx: Tx, ctx: Context, { site_id: name }: ViewFilter): void {
  if (name !== undefined) findSite(tx, ctx, String(name));
  else if (ctx.actor.kind === 'token') requireWholeDesk(ctx);
}

export function requireOwner(ctx: Context, what: 'view' | 'report', saved: Saved): void {
  if (isOwn(ctx, saved) || can(ctx.actor, 'manage')) return;
  throw new DeskError('forbidden', `Only who made this ${what}, or someone who manages the desk, can change it.`, {
    reason: 'not_yours',
  });
}
