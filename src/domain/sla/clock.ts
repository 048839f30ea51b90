// The two SLA clocks of a ticket: their columns, their state, and when they warn and are due.

import { type Instant, minuteMs } from '../instant.ts';
import { addWorkingTime, type Calendar } from './calendar.ts';

export const slaClocks = ['first_response', 'resolution'] as const;
export type SlaClock = (typeof slaClocks)[number];
export const clockNames: Readonly<Record<SlaClock, string>> = {
  first_response: 'first response',
  resolution: 'resolution',
};

export const notBegun = 0;

/** Moments are in epoch milliseconds; names are those of the ticket's columns (docs/spec/api.md#tickets). */
export interface SlaState {
  createdAt: Instant;
  /** Null: `createdAt`. `notBegun` until the author first answers what an agent opened with a mail to them. */
  firstResponseFrom: Instant | null;
  firstResponseTargetMinutes: number | null;
  resolutionTargetMinutes: number | null;
  firstResponseDueAt: Instant | null;
  firstResponseAt: Instant | null;
  firstResponseWarnedAt: Instant | null;
  firstResponseBreachedAt: Instant | null;
  resolutionDueAt: Instant | null;
  resolvedAt: Instant | null;
  resolutionWarnedAt: Instant | null;
  resolutionBreachedAt: Instant | null;
  slaPausedAt: Instant | null;
  firstResponsePausedMs: number;
  resolutionPausedMs: number;
  slaNextAt: Instant | null;
}

export interface SlaTerms {
  calendar: Calendar;
  warnAtPercent: number;
}

type ClockColumn = 'targetMinutes' | 'dueAt' | 'doneAt' | 'warnedAt' | 'breachedAt' | 'pausedMs';

export const columnsOf = {
  first_response: {
    targetMinutes: 'firstResponseTargetMinutes',
    dueAt: 'firstResponseDueAt',
    doneAt: 'firstResponseAt',
    warnedAt: 'firstResponseWarnedAt',
    breachedAt: 'firstResponseBreachedAt',
    pausedMs: 'firstResponsePausedMs',
  },
  resolution: {
    targetMinutes: 'resolutionTargetMinutes',
    dueAt: 'resolutionDueAt',
    doneAt: 'resolvedAt',
    warnedAt: 'resolutionWarnedAt',
    breachedAt: 'resolutionBreachedAt',
    pausedMs: 'resolutionPausedMs',
  },
} as const satisfies Record<SlaClock, Record<ClockColumn, keyof SlaState>>;

export interface ClockState {
  /** Null: it has not begun. */
  startedAt: Instant | null;
  targetMinutes: number | null;
  dueAt: Instant | null;
  doneAt: Instant | null;
  stoppedAt: Instant | null;
  warnedAt: Instant | null;
  breachedAt: Instant | null;
  pausedMs: number;
}

export function clockOf(state: SlaState, clock: SlaClock): ClockState {
  const columns = columnsOf[clock];
  const from = clock === 'resolution' ? null : state.firstResponseFrom;
  return {
    startedAt: from === notBegun ? null : (from ?? state.createdAt),
    targetMinutes: state[columns.targetMinutes],
    dueAt: state[columns.dueAt],
    doneAt: state[columns.doneAt],
    stoppedAt: state[columns.doneAt] ?? state.resolvedAt,
    warnedAt: state[columns.warnedAt],
    breachedAt: state[columns.breachedAt],
    pausedMs: state[columns.pausedMs],
  };
}

export function isRunning(
  clock: ClockState,
): clock is ClockState & { startedAt: Instant; dueAt: Instant; targetMinutes: number } {
  const { startedAt, dueAt, targetMinutes, stoppedAt } = clock;
  return startedAt !== null && dueAt !== null && targetMinutes !== null && stoppedAt === null;
}

export function warnMoment(terms: SlaTerms, startedAt: Instant, targetMinutes: number, pausedMs: number): Instant {
  // Targets are whole minutes and percentages whole numbers, so this is whole milliseconds.
  return addWorkingTime(terms.calendar, startedAt, (targetMinutes * minuteMs * terms.warnAtPercent) / 100 + pausedMs);
}

export function dueMoment(
  terms: SlaTerms,
  startedAt: Instant | null,
  targetMinutes: number | null,
  pausedMs: number,
): Instant | null {
  if (startedAt === null || targetMinutes === null) return null;
  return addWorkingTime(terms.calendar, startedAt, targetMinutes * minuteMs + pausedMs);
}

/** The clock that is due first, of those that have not stopped; null without one. */
export function nearestClock(state: SlaState): { clock: SlaClock; dueAt: Instant; isBreached: boolean } | null {
  const running = slaClocks.flatMap((clock) => {
    const found = clockOf(state, clock);
    return isRunning(found) ? [{ clock, dueAt: found.dueAt, isBreached: found.breachedAt !== null }] : [];
  });
  return running.reduce<(typeof running)[number] | null>(
    (nearest, one) => (nearest === null || one.dueAt < nearest.dueAt ? one : nearest),
    null,
  );
}
