// Setting a ticket aside that makes a recurring job fail.

import { DeskError } from '../domain/errors.ts';
import { hourMs } from '../domain/instant.ts';
import type { Tx } from '../store/database.ts';
import { type FaultyJob, noteFault } from '../store/tickets-set-aside.ts';
import type { Context } from './record.ts';

const retryAfterMs = hourMs;

/** Whether it is the storage's fault, or the role's, and no ticket's: then nothing would go better without this one. */
export function isNobodysFault(error: unknown): boolean {
  return error instanceof DeskError && error.code === 'unavailable';
}

/** Leaves a ticket out of a job for an hour; answers whether it was not known to fail so far. */
export function setAside(tx: Tx, ctx: Context, job: FaultyJob, ticketId: number, error: unknown): boolean {
  return noteFault(tx, {
    job,
    ticketId,
    error: error instanceof Error ? error.name : typeof error,
    failedAt: ctx.now,
    retryAt: ctx.now + retryAfterMs,
  });
}
