// How an SLA clock of a ticket stands, from the ticket's own times.

import type { Ticket } from '../wire.ts';

export const clockNames = ['first_response', 'resolution'] as const;
export type ClockName = (typeof clockNames)[number];

export type ClockState =
  | { kind: 'none' }
  | { kind: 'met'; at: number }
  /** Answered or resolved, but after the deadline. */
  | { kind: 'late'; at: number; overMs: number }
  /** Resolved without an answer: the clock of the first response stopped. */
  | { kind: 'stopped' }
  | { kind: 'paused'; dueAt: number; since: number }
  | { kind: 'running' | 'soon'; dueAt: number; leftMs: number }
  | { kind: 'breached'; dueAt: number; overMs: number };

type ClockTimes = Pick<
  Ticket,
  | 'first_response_due_at'
  | 'first_response_at'
  | 'first_response_warned_at'
  | 'resolution_due_at'
  | 'resolution_warned_at'
  | 'resolved_at'
  | 'sla_paused_at'
>;

const soonMs = 30 * 60_000;

export function clockState(ticket: ClockTimes, clock: ClockName, nowMs: number): ClockState {
  const isFirst = clock === 'first_response';
  const due = timeOf(isFirst ? ticket.first_response_due_at : ticket.resolution_due_at);
  const done = timeOf(isFirst ? ticket.first_response_at : ticket.resolved_at);
  const warned = isFirst ? ticket.first_response_warned_at : ticket.resolution_warned_at;
  const paused = timeOf(ticket.sla_paused_at);
  if (done !== null) {
    const overMs = due === null ? 0 : done - due;
    return overMs > 0 ? { kind: 'late', at: done, overMs } : { kind: 'met', at: done };
  }
  if (due === null) return { kind: 'none' };
  if (ticket.resolved_at !== null) return { kind: 'stopped' };
  if (paused !== null && paused < due) return { kind: 'paused', dueAt: due, since: paused };
  const leftMs = due - nowMs;
  if (leftMs <= 0) return { kind: 'breached', dueAt: due, overMs: -leftMs };
  return { kind: warned !== null || leftMs < soonMs ? 'soon' : 'running', dueAt: due, leftMs };
}

function timeOf(iso: string | null): number | null {
  return iso === null ? null : Date.parse(iso);
}
