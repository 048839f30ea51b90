// Sets aside a ticket that makes a recurring job fail.

import { DeskError } from '../../domain/errors.ts';
import { hourMs } from '../../domain/instant.ts';
import type { Tx } from '../../engine/database.ts';
import { type FaultyJob, noteFault } from '../../store/tickets/ticket-faults.ts';
import type { Context } from '../context.ts';

const retryAfterMs = hourMs;

/** Whether the storage or the role is at fault, so that skipping this ticket would not help. */
export function failsEveryTicket(error: unknown): boolean {
  return error instanceof DeskError && error.code === 'unavailable';
}

/** Skips the ticket for an hour. Returns whether it failed for the first time. */
export function setAside(tx: Tx, ctx: Context, job: FaultyJob, ticketId: number, error: unknown): boolean {
  return noteFault(tx, {
    job,
    ticketId,
    error: error instanceof Error ? error.name : typeof error,
    failedAt: ctx.now,
    retryAt: ctx.now + retryAfterMs,
  });
}
