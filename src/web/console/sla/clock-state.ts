// How an SLA clock of a ticket stands, from the ticket's own times.

import type { SlaClock } from '../../../domain/sla/clock.ts';
import type { Ticket } from '../wire.ts';

export type ClockState =
  | { kind: 'none' }
  /** Begins when the customer first answers what an agent mailed. */
  | { kind: 'awaiting' }
  | { kind: 'met'; at: number }
  /** Answered or resolved, but after the deadline. */
  | { kind: 'late'; at: number; overMs: number }
  /** Resolved without an answer: the clock of the first response stopped. */
  | { kind: 'stopped' }
  | { kind: 'paused'; dueAt: number; since: number }
  | { kind: 'running' | 'soon'; dueAt: number; leftMs: number }
  | { kind: 'breached'; dueAt: number; overMs: number };

/** The times of each clock in a ticket: when it is due, when it was met, and when it warned. */
const timesOf = {
  first_response: { due: 'first_response_due_at', met: 'first_response_at', warned: 'first_response_warned_at' },
  resolution: { due: 'resolution_due_at', met: 'resolved_at', warned: 'resolution_warned_at' },
} as const satisfies Record<SlaClock, Record<'due' | 'met' | 'warned', keyof Ticket>>;

type TimesOf<Clock extends SlaClock> = (typeof timesOf)[Clock][keyof (typeof timesOf)[Clock]];
type ClockTimes = Pick<Ticket, TimesOf<SlaClock> | 'resolved_at' | 'sla_paused_at' | 'awaits_author'>;

const soonMs = 30 * 60_000;

export function clockState(ticket: ClockTimes, clock: SlaClock, nowMs: number): ClockState {
  const times = timesOf[clock];
  const due = timeOf(ticket[times.due]);
  const done = timeOf(ticket[times.met]);
  const warned = ticket[times.warned];
  const paused = timeOf(ticket.sla_paused_at);
  if (done !== null) {
    const overMs = due === null ? 0 : done - due;
    return overMs > 0 ? { kind: 'late', at: done, overMs } : { kind: 'met', at: done };
  }
  if (clock === 'first_response' && ticket.awaits_author) return { kind: 'awaiting' };
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
