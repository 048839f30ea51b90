// The SLA ledger: how a deadline came about, stretch by stretch.

import { type Instant, minuteMs } from '../instant.ts';
import { stretches, workingTimeBetween } from './calendar.ts';
import { clockOf, type SlaClock, type SlaState, type SlaTerms } from './clock.ts';
import { targetBehind } from './sla.ts';

export const slaIntervalKinds = ['paused', 'resolved', 'spam'] as const;
export type SlaIntervalKind = (typeof slaIntervalKinds)[number];

export const ledgerEntryKinds = ['counted', 'outside_hours', ...slaIntervalKinds] as const;
export type LedgerEntryKind = (typeof ledgerEntryKinds)[number];

/** A stretch in which the clocks stood still, and the events that started and ended it. */
export interface SlaInterval {
  kind: SlaIntervalKind;
  startedAt: Instant;
  endedAt: Instant | null;
  startedBySeq: number | null;
  endedBySeq: number | null;
}

export interface LedgerEntry {
  kind: LedgerEntryKind;
  from: Instant;
  to: Instant | null;
  /** Counts towards the target only where `kind` is `counted`. */
  workingMs: number;
  isProjected: boolean;
  bySeq: number | null;
}

export interface ClockLedger {
  clock: SlaClock;
  targetMinutes: number | null;
  /** Null: it has not begun. */
  startedAt: Instant | null;
  dueAt: Instant | null;
  stoppedAt: Instant | null;
  warnedAt: Instant | null;
  breachedAt: Instant | null;
  isPaused: boolean;
  elapsedMs: number;
  remainingMs: number | null;
  pausedMs: number;
  entries: LedgerEntry[];
}

// A run between two pauses with more stretches than this is shown as one sum.
const maxStretches = 400;

/** From the start to now, or the stop, and on to the deadline. The counted stretches up to the deadline add up to the target. */
export function explain(
  terms: SlaTerms,
  state: SlaState,
  intervals: readonly SlaInterval[],
  name: SlaClock,
  now: Instant,
): ClockLedger {
  const clock = clockOf(state, name);
  const { calendar } = terms;
  const stoppedAt = clock.doneAt;
  const until = stoppedAt ?? now;
  const entries: LedgerEntry[] = [];
  const run = (from: Instant, to: Instant, isProjected: boolean, bySeq: number | null) => {
    if (to <= from) return;
    const parts = stretches(calendar, from, to);
    if (parts.length > maxStretches) {
      entries.push({
        kind: 'counted',
        from,
        to,
        workingMs: workingTimeBetween(calendar, from, to),
        isProjected,
        bySeq,
      });
      return;
    }
    for (const [at, part] of parts.entries()) {
      entries.push({
        kind: part.isWorking ? 'counted' : 'outside_hours',
        from: part.from,
        to: part.to,
        workingMs: part.isWorking ? part.to - part.from : 0,
        isProjected,
        bySeq: at === 0 ? bySeq : null,
      });
    }
  };
  const { startedAt } = clock;
  let at = startedAt ?? until;
  let bySeq: number | null = null;
  let isHeld = false;
  const held = intervals
    .filter((interval) => startedAt !== null && interval.startedAt < until && (interval.endedAt ?? until) > startedAt)
    .sort((a, b) => a.startedAt - b.startedAt);
  for (const interval of held) {
    run(at, interval.startedAt, false, bySeq);
    const from = Math.max(interval.startedAt, startedAt ?? 0);
    const end = Math.min(interval.endedAt ?? until, until);
    isHeld = interval.endedAt === null;
    entries.push({
      kind: interval.kind,
      from,
      to: interval.endedAt === null && stoppedAt === null ? null : end,
      workingMs: workingTimeBetween(calendar, from, end),
      isProjected: false,
      bySeq: interval.startedBySeq,
    });
    at = end;
    bySeq = interval.endedBySeq;
  }
  // Overtime starts a stretch of its own, so that the time counted up to the deadline can be read off.
  const overdueFrom = clock.dueAt !== null && clock.dueAt > at && clock.dueAt < until ? clock.dueAt : until;
  run(at, overdueFrom, false, bySeq);
  run(overdueFrom, until, false, null);
  const elapsedMs = entries.reduce((sum, entry) => (entry.kind === 'counted' ? sum + entry.workingMs : sum), 0);
  const targetMinutes = targetBehind(terms, state, clock);
  const targetMs = targetMinutes === null ? null : targetMinutes * minuteMs;
  if (stoppedAt === null && !isHeld && clock.dueAt !== null && clock.dueAt > until) run(until, clock.dueAt, true, null);
  return {
    clock: name,
    targetMinutes,
    startedAt,
    dueAt: clock.dueAt,
    stoppedAt,
    warnedAt: clock.warnedAt,
    breachedAt: clock.breachedAt,
    isPaused: isHeld && stoppedAt === null,
    elapsedMs,
    remainingMs: targetMs === null ? null : targetMs - elapsedMs,
    pausedMs: clock.pausedMs,
    entries,
  };
}
