// Finding what a caller names, inside what the caller may see, and nothing else.

import { type Ability, can, isInScope, type Scope, scopeOf } from '../domain/actor.ts';
import { DeskError, notFound } from '../domain/errors.ts';
import { isUlid } from '../domain/ulid.ts';
import type { Tx } from '../engine/database.ts';
import { type Site, siteById, siteBySlug, siteByUlid } from '../store/sites/sites.ts';
import { type Ticket, ticketById, ticketByUlid } from '../store/tickets/tickets.ts';
import type { Context } from './context.ts';

export function authorise(ctx: Context, ability: Ability): void {
  if (!can(ctx.actor, ability)) {
    throw new DeskError('forbidden', `This credential lacks the ability "${ability}".`, { reason: 'missing_ability' });
  }
}

/** 403 for a team token: one that leaked must not make further credentials. */
export function requirePerson({ actor }: Context): void {
  if (actor.kind === 'token')
    throw new DeskError('forbidden', 'Only people manage people and tokens: sign in.', { reason: 'person_needed' });
}

export function requireWholeDesk(ctx: Context): void {
  if (scopeOf(ctx.actor) !== 'all') {
    throw new DeskError('forbidden', 'This credential does not reach every site.', { reason: 'site_scoped' });
  }
}

/** By id, ulid or slug, wherever it is. */
export function siteNamed(tx: Tx, name: string): Site | undefined {
  if (/^\d{1,15}$/.test(name)) return siteById(tx, Number(name));
  return isUlid(name) ? siteByUlid(tx, name) : siteBySlug(tx, name);
}

/** 404 also outside the actor's scope. */
export function findSite(tx: Tx, ctx: Context, name: string | number): Site {
  const site = siteNamed(tx, String(name));
  if (!site || !isInScope(ctx.actor, site.id)) throw notFound('site');
  return site;
}

export function listScope(tx: Tx, ctx: Context, siteName: string | number | null): Scope {
  authorise(ctx, 'read');
  return siteName === null ? scopeOf(ctx.actor) : [findSite(tx, ctx, siteName).id];
}

/** 404 also outside the actor's scope. */
export function findTicket(tx: Tx, ctx: Context, name: string | number): Ticket {
  const text = String(name);
  const ticket = /^\d{1,15}$/.test(text)
    ? ticketById(tx, Number(text))
    : isUlid(text)
      ? ticketByUlid(tx, text)
      : undefined;
  // A ticket may exist a little longer than its removed site.
  if (!ticket || !isInScope(ctx.actor, ticket.siteId) || !siteById(tx, ticket.siteId)) throw notFound('ticket');
  return ticket;
}

/** A removed site has no tickets any more. */
export function siteOfTicket(tx: Tx, { siteId }: Pick<Ticket, 'siteId'>): Site {
  const site = siteById(tx, siteId);
  if (site === undefined) throw notFound('ticket');
  return site;
}

export function requireVersion(etags: readonly string[] | null, current: string): void {
  if (etags !== null && !etags.includes('*') && !etags.includes(current)) {
    throw new DeskError('precondition_failed', 'Someone else has changed this in the meantime. Read it again.');
  }
}

/** Whatever the role of another agent. */
export function requireOwnNote({ actor }: Context, note: { agentId: number | null; isAutomated?: boolean }): void {
  if (actor.kind !== 'agent' || note.agentId !== actor.agentId || note.isAutomated)
    throw new DeskError('forbidden', 'Only its writer can change this note.', { reason: 'other_agent' });
}
