// Applies a site's present SLA policy and targets to its open and pending tickets, page by page.

import { toWire } from '../../base/clock.ts';
import { clockOf, isRunning, slaClocks } from '../../domain/sla/clock.ts';
import * as sla from '../../domain/sla/sla.ts';
import type { Tx } from '../../engine/database.ts';
import { priorityRows } from '../../store/sites/catalogue.ts';
import { type Site, siteById } from '../../store/sites/sites.ts';
import {
  advanceRecompute,
  beginInterval,
  endInterval,
  finishRecompute,
  insertRecompute,
  type Recompute,
  recomputeById,
  runningTickets,
} from '../../store/sla/sla.ts';
import { type Ticket, ticketsByIds, updateTicket } from '../../store/tickets/tickets.ts';
import { authorise, findSite } from '../access.ts';
import { audit, siteTarget } from '../audit.ts';
import type { Context } from '../context.ts';
import { record } from '../record.ts';
import { catchUpClocks, changedColumns, pausedUnder, termsOf } from './clocks.ts';

export interface Moved {
  ticket: Ticket;
  before: { firstResponseDueAt: number | null; resolutionDueAt: number | null };
  after: { firstResponseDueAt: number | null; resolutionDueAt: number | null };
  late: { from: boolean; to: boolean };
}

/** A clock that still runs is past its deadline. */
function isLate(state: sla.SlaStep['state'], now: number): boolean {
  const at = state.slaPausedAt ?? now;
  return slaClocks.some((name) => {
    const clock = clockOf(state, name);
    return isRunning(clock) && clock.dueAt <= at;
  });
}

const recomputeStepSize = 100;

export function startRecompute(tx: Tx, ctx: Context, name: string): number {
  authorise(ctx, 'manage');
  const site = findSite(tx, ctx, name);
  audit(tx, ctx, { action: 'sla_policy.recomputed', target: siteTarget(site), siteId: site.id });
  return insertRecompute(tx, { siteId: site.id, actor: ctx.actor, at: ctx.now });
}

interface RecomputePage {
  recompute: Recompute;
  site: Site;
  ids: number[];
  lastId: number | null;
}

export function recomputePage(tx: Tx, id: number): RecomputePage | null {
  const recompute = recomputeById(tx, id);
  const site = recompute && siteById(tx, recompute.siteId);
  return site ? { recompute, site, ...runningTickets(tx, site.id, recompute.afterId, recomputeStepSize) } : null;
}

/** The progress commits with the page. Resolved tickets keep their deadlines. Null when it is over. */
export function recomputeStep(tx: Tx, ctx: Context, id: number): { moved: Moved[]; isDone: boolean } | null {
  const page = recomputePage(tx, id);
  if (page === null) return null;
  const moved = recomputeTickets(tx, { ...ctx, actor: page.recompute.actor }, page.site, page.ids, false);
  return { moved, isDone: passPage(tx, ctx, page) };
}

export function passPage(tx: Tx, ctx: Context, { recompute, lastId }: RecomputePage): boolean {
  if (lastId === null) finishRecompute(tx, recompute.id);
  else advanceRecompute(tx, recompute.id, lastId, ctx.now);
  return lastId === null;
}

export function recomputeTicket(tx: Tx, ctx: Context, { recompute, site }: RecomputePage, ticketId: number): Moved[] {
  return recomputeTickets(tx, { ...ctx, actor: recompute.actor }, site, [ticketId], false);
}

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
    // Record a deadline that passed unnoticed before the change that would hide it.
    const ticket = isDryRun ? found : catchUpClocks(tx, ctx, site, found);
    const own = {
      firstResponseMinutes: ticket.firstResponseTargetMinutes,
      resolutionMinutes: ticket.resolutionTargetMinutes,
    };
    const running = sla.retarget(terms, ticket, targets.get(ticket.priorityId) ?? own, pausedUnder(tx, terms, ticket));
    const isPausing = ticket.isSpam || (ticket.status === 'pending' && site.slaPolicy.pause_while_pending);
    const next = isPausing ? sla.pause(terms, running, ctx.now) : sla.resume(terms, running, ctx.now);
    const before = { firstResponseDueAt: ticket.firstResponseDueAt, resolutionDueAt: ticket.resolutionDueAt };
    const after = { firstResponseDueAt: next.firstResponseDueAt, resolutionDueAt: next.resolutionDueAt };
    const changes = {
      ...changed('first_response_due_at', before.firstResponseDueAt, after.firstResponseDueAt),
      ...changed('resolution_due_at', before.resolutionDueAt, after.resolutionDueAt),
    };
    if (Object.keys(changes).length > 0) {
      const late = { from: isLate(found, ctx.now), to: isLate(next, ctx.now) };
      moved.push({ ticket, before, after, late });
    }
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
