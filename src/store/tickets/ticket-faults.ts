// Tickets that a recurring job skips for a while, because they made it fail.

import type { Instant } from '../../base/clock.ts';
import { query, type Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';

const faultyJobs = ['sla scan', 'auto-close', 'snooze', 'scheduled replies'] as const;
export type FaultyJob = (typeof faultyJobs)[number];

/** A condition on `tickets` that leaves out those that a job must not try before the instant bound as `?1`. */
export const notSetAside = (job: FaultyJob) =>
  `NOT EXISTS (SELECT 1 FROM ticket_faults WHERE job = '${job}' AND ticket_id = tickets.id AND retry_at > ?1)`;

export function noteFault(
  tx: Tx,
  fault: { job: FaultyJob; ticketId: number; error: string; failedAt: Instant; retryAt: Instant },
): boolean {
  const { job, ticketId, error, failedAt, retryAt } = fault;
  const isNew = query(tx, 'SELECT 1 FROM ticket_faults WHERE job = ? AND ticket_id = ?').get(job, ticketId) === null;
  query(
    tx,
    `INSERT INTO ticket_faults (job, ticket_id, error, failed_at, retry_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (job, ticket_id) DO UPDATE SET error = excluded.error, failed_at = excluded.failed_at, retry_at = excluded.retry_at`,
  ).run(job, ticketId, error, failedAt, retryAt);
  return isNew;
}

export const forgetFaults = statement(
  'DELETE FROM ticket_faults WHERE job = ? AND ticket_id IN (SELECT value FROM json_each(?))',
).run<[job: FaultyJob, ticketIds: readonly number[]]>;

export const forgetFaultsBefore = statement('DELETE FROM ticket_faults WHERE job = ? AND failed_at < ?').run<
  [job: FaultyJob, failedBefore: Instant]
>;

export const listFaults = statement(
  'SELECT job, ticket_id AS ticketId, error, failed_at AS failedAt FROM ticket_faults ORDER BY job, ticket_id LIMIT ?',
).all<{ job: string; ticketId: number; error: string; failedAt: Instant }, [limit: number]>;
