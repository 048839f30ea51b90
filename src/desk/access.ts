// Finding what a caller names, inside what the caller may see, and nothing else.

import { type Ability, can, isInScope, scopeOf } from '../domain/actor.ts';
import { DeskError, notFound } from '../domain/errors.ts';
import { isUlid } from '../domain/ulid.ts';
import type { Tx } from '../store/database.ts';
import { type Site, siteById, siteBySlug, siteByUlid } from '../store/sites.ts';
import { type Ticket, ticketById, ticketByUlid } from '../store/tickets.ts';
import type { Context } from './record.ts';

/** 403 unless the credential has the ability (docs/spec/api.md#errors). */
export function authorise(ctx: Context, ability: Ability): void {
  if (!can(ctx.actor, ability)) {
    throw new DeskError('forbidden', `This credential lacks the ability "${ability}".`, { reason: 'missing_ability' });
  }
}

/** 403 for a credential that is confined to one site. */
export function requireWholeDesk(ctx: Context): void {
  if (scopeOf(ctx.actor) !== null) {
    throw new DeskError('forbidden', 'This credential is confined to one site.', { reason: 'site_scoped' });
  }
}

/** The site by id, ulid or slug; 404 also when it lies outside the actor's scope. */
export function findSite(tx: Tx, ctx: Context, name: string | number): Site {
  const text = String(name);
  const site = /^\d{1,15}$/.test(text)
    ? siteById(tx, Number(text))
    : isUlid(text)
      ? siteByUlid(tx, text)
      : siteBySlug(tx, text);
  if (!site || !isInScope(ctx.actor, site.id)) throw notFound('site');
  return site;
}

/** The ticket by ulid or id; 404 also when it lies outside the actor's scope. */
export function findTicket(tx: Tx, ctx: Context, name: string | number): Ticket {
  const text = String(name);
  const ticket = /^\d{1,15}$/.test(text)
    ? ticketById(tx, Number(text))
    : isUlid(text)
      ? ticketByUlid(tx, text)
      : undefined;
  // A ticket may outlive its site by the time that a removal takes.
  if (!ticket || !isInScope(ctx.actor, ticket.siteId) || !siteById(tx, ticket.siteId)) throw notFound('ticket');
  return ticket;
}

/** Refuses a change that is based on an older state than the present one (If-Match, 412). */
export function requireVersion(etags: readonly string[] | null, current: string): void {
  if (etags !== null && !etags.includes('*') && !etags.includes(current)) {
    throw new DeskError('precondition_failed', 'Somebody else has changed this meanwhile; read it again.');
  }
}
