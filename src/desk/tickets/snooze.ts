// Opening snoozed tickets again when their time has come.

import type { Tx } from '../../engine/database.ts';
import { siteById } from '../../store/sites/sites.ts';
import { snoozesOver } from '../../store/tickets/snoozes.ts';
import { forgetFaults } from '../../store/tickets/ticket-faults.ts';
import { ticketById, updateTicket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { changeStatus } from './ticket-status.ts';

// A step must not hold up other writes: this many tickets take a few milliseconds.
const stepSize = 16;

export function snoozedUntilNow(tx: Tx, ctx: Context): number[] {
  return snoozesOver(tx, ctx.now, stepSize);
}

/** Reads each ticket again in this step: only the first who ends a snooze ends it. */
export function wakeTickets(tx: Tx, ctx: Context, ids: readonly number[]): void {
  for (const id of ids) {
    const ticket = ticketById(tx, id);
    const site = ticket && siteById(tx, ticket.siteId);
    if (!site || ticket.snoozedUntil === null || ticket.snoozedUntil > ctx.now) continue;
    if (ticket.status === 'pending') changeStatus(tx, ctx, site, ticket, 'open');
    else updateTicket(tx, ticket, { snoozedUntil: null });
  }
  forgetFaults(tx, 'snooze', ids);
}

export function wakeStep(tx: Tx, ctx: Context): { hasMore: boolean } {
  const ids = snoozedUntilNow(tx, ctx);
  wakeTickets(tx, ctx, ids);
  return { hasMore: ids.length === stepSize };
}
