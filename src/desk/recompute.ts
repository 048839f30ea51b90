// Putting a site's open and pending tickets under its present policy and targets: a page at a time, and where it stands is kept.

import { toWire } from '../base/clock.ts';
import { workingTimeBetween } from '../domain/calendar.ts';
import * as sla from '../domain/sla.ts';
import type { Tx } from '../store/database.ts';
import { priorityRows, type Site, siteById } from '../store/sites.ts';
import {
  advanceRecompute,
  beginInterval,
  endInterval,
  finishRecompute,
  insertRecompute,
  intervalsOfTicket,
  type Recompute,
  recomputeById,
  runningTickets,
} from '../store/sla.ts';
import { type Ticket, ticketsByIds, updateTicket } from '../store/tickets.ts';
import { authorise, findSite } from './access.ts';
import { catchUpClocks, changedColumns, termsOf } from './clocks.ts';
import { type Context, record } from './record.ts';

export interface Moved {
  ticket: Ticket;
  before: { firstResponseDueAt: number | null; resolutionDueAt: number | null };
  after: { firstResponseDueAt: number | null; resolutionDueAt: number | null };
}

const recomputeStepSize = 100;

/** Writes down that all of a site's tickets are to be recomputed; answers the number under which its steps run. */
export function startRecompute(tx: Tx, ctx: Context, name: string): number {
  authorise(ctx, 'manage');
  return insertRecompute(tx, { siteId: findSite(tx, ctx, name).id, actor: ctx.actor, at: ctx.now });
}

/** A page of tickets of a recomputation that is under way; null when it is over, or its site is gone. */
interface RecomputePage {
  recompute: Recompute;
  site: Site;
  ids: number[];
  /** The last id looked at, null when there are no more. */
  lastId: number | null;
}

export function recomputePage(tx: Tx, id: number): RecomputePage | null {
  const recompute = recomputeById(tx, id);
  const site = recompute && siteById(tx, recompute.siteId);
  return site ? { recompute, site, ...runningTickets(tx, site.id, recompute.afterId, recomputeStepSize) } : null;
}

/**
 * One step of a recomputation: a page of tickets and how far it has come commit together, so that whoever takes it up after
 * a crash goes on from there. A resolved ticket keeps the deadline that it was resolved by.
 * @returns which deadlines moved, null when it is over or its site is gone
 */
export function recomputeStep(tx: Tx, ctx: Context, id: number): { moved: Moved[]; isDone: boolean } | null {
  const page = recomputePage(tx, id);
  if (page === null) return null;
  const moved = recomputeTickets(tx, { ...ctx, actor: page.recompute.actor }, page.site, page.ids, false);
  return { moved, isDone: passPage(tx, ctx, page) };
}

/** Goes on behind a page; answers whether it was the last. */
export function passPage(tx: Tx, ctx: Context, { recompute, lastId }: RecomputePage): boolean {
  if (lastId === null) finishRecompute(tx, recompute.id);
  else advanceRecompute(tx, recompute.id, lastId, ctx.now);
  return lastId === null;
}

/** One ticket of a page alone. */
export function recomputeTicket(tx: Tx, ctx: Context, { recompute, site }: RecomputePage, ticketId: number): Moved[] {
  return recomputeTickets(tx, { ...ctx, actor: recompute.actor }, site, [ticketId], false);
}

/**
 * What a page would move, and which tickets cannot be recomputed.
 * @param afterId the last id of the page before, 0 to begin
 */
export function previewRecompute(
  tx: Tx,
  ctx: Context,
  name: string,
  afterId: number,
): { moved: Moved[]; failed: number[]; lastId: number | null } {
  authorise(ctx, 'manage');
  const site = findSite(tx, ctx, name);
  const { ids, lastId } = runningTickets(tx, site.id, afterId, recomputeStepSize);
  const failed: number[] = [];
  try {
    return { moved: recomputeTickets(tx, ctx, site, ids, true), failed, lastId };
  } catch {
    // Which of them it is: asked one by one.
    const moved = ids.flatMap((id) => {
      try {
        return recomputeTickets(tx, ctx, site, [id], true);
      } catch {
        failed.push(id);
        return [];
      }
    });
    return { moved, failed, lastId };
  }
}

function recomputeTickets(tx: Tx, ctx: Context, site: Site, ids: readonly number[], isDryRun: boolean): Moved[] {
  const terms = termsOf(site.slaPolicy);
  const targets = new Map(priorityRows.list(tx, site.id).map((priority) => [priority.id, priority]));
  const moved: Moved[] = [];
  for (const found of ticketsByIds(tx, ids)) {
    // A deadline that has passed unseen is recorded before the change that would hide it.
    const ticket = isDryRun ? found : catchUpClocks(tx, ctx, site, found);
    const own = {
      firstResponseMinutes: ticket.firstResponseTargetMinutes,
      resolutionMinutes: ticket.resolutionTargetMinutes,
    };
    const running = sla.retarget(terms, ticket, targets.get(ticket.priorityId) ?? own, pausedUnder(tx, terms, ticket));
    const isPausing = ticket.status === 'pending' && site.slaPolicy.pause_while_pending;
    const next = isPausing ? sla.pause(terms, running, ctx.now) : sla.resume(terms, running, ctx.now);
    const before = { firstResponseDueAt: ticket.firstResponseDueAt, resolutionDueAt: ticket.resolutionDueAt };
    const after = { firstResponseDueAt: next.firstResponseDueAt, resolutionDueAt: next.resolutionDueAt };
    const changes = {
      ...changed('first_response_due_at', before.firstResponseDueAt, after.firstResponseDueAt),
      ...changed('resolution_due_at', before.resolutionDueAt, after.resolutionDueAt),
    };
    if (Object.keys(changes).length > 0) moved.push({ ticket, before, after });
    Object.assign(changes, changed('sla_paused_at', ticket.slaPausedAt, next.slaPausedAt));
    if (isDryRun) continue;
    const columns = changedColumns(found, next);
    if (Object.keys(columns).length === 0 && found.slaPolicyId === site.slaPolicyId) continue;
    updateTicket(tx, found, { ...columns, slaPolicyId: site.slaPolicyId });
    if (Object.keys(changes).length === 0) continue;
    const seq = record(tx, ctx, {
      kind: 'ticket.updated',
      siteId: site.id,
      ticketId: ticket.id,
      data: { ticket_ulid: ticket.ulid, changes },
    });
    if (next.slaPausedAt === null && ticket.slaPausedAt !== null) endInterval(tx, ticket.id, ctx.now, seq);
    if (next.slaPausedAt !== null && ticket.slaPausedAt === null) beginInterval(tx, ticket.id, 'paused', ctx.now, seq);
  }
  return moved;
}

function changed(
  field: string,
  from: number | null,
  to: number | null,
): Record<string, { from: unknown; to: unknown }> {
  return from === to ? {} : { [field]: { from: toWire(from), to: toWire(to) } };
}

/** The pauses of a ticket so far as working time of another policy; one that goes on counts when it ends. */
function pausedUnder(tx: Tx, { calendar }: sla.SlaTerms, ticket: Ticket) {
  let firstResponsePausedMs = 0;
  let resolutionPausedMs = 0;
  for (const { startedAt, endedAt } of intervalsOfTicket(tx, ticket.id)) {
    if (endedAt !== null) resolutionPausedMs += workingTimeBetween(calendar, startedAt, endedAt);
    const heldUntil = Math.min(endedAt ?? Number.POSITIVE_INFINITY, ticket.firstResponseAt ?? Number.POSITIVE_INFINITY);
    if (heldUntil > startedAt && heldUntil < Number.POSITIVE_INFINITY)
      firstResponsePausedMs += workingTimeBetween(calendar, startedAt, heldUntil);
  }
  return { firstResponsePausedMs, resolutionPausedMs };
}
