// The two clocks of a ticket, first response and resolution: what each event does to them, and when they signal.

import { addWorkingTime, type Calendar, endOfTime, workingTimeBetween } from './calendar.ts';
import { type Instant, minuteMs } from './instant.ts';

export const slaClocks = ['first_response', 'resolution'] as const;
export type SlaClock = (typeof slaClocks)[number];
/** Each clock in words, for the middle of a sentence. */
export const clockNames: Readonly<Record<SlaClock, string>> = {
  first_response: 'first response',
  resolution: 'resolution',
};

/** The clocks of one ticket; moments in epoch milliseconds, the names of its columns (docs/spec/api.md#tickets). */
export interface SlaState {
  createdAt: Instant;
  /** Minutes of working time; null: there is no such clock. */
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
  /** Working time in which each clock stood still: paused, and for a clock that ran again, resolved. */
  firstResponsePausedMs: number;
  resolutionPausedMs: number;
  /** The next moment at which something is due by itself; null while nothing can be. */
  slaNextAt: Instant | null;
}

/** What the clocks run by: the policy in force when the ticket was opened or last recomputed. */
export interface SlaTerms {
  calendar: Calendar;
  warnAtPercent: number;
}

export interface SlaSignal {
  clock: SlaClock;
  kind: 'warning' | 'breach';
  dueAt: Instant;
  /** Whole minutes on the wall clock, negative once the deadline has passed. */
  minutesRemaining: number;
}

export interface SlaStep {
  state: SlaState;
  signals: SlaSignal[];
}

type ClockColumn = 'targetMinutes' | 'dueAt' | 'doneAt' | 'warnedAt' | 'breachedAt' | 'pausedMs';

/** Where each clock keeps its state. */
const columnsOf = {
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
  targetMinutes: number | null;
  dueAt: Instant | null;
  /** When its goal was reached. */
  doneAt: Instant | null;
  /** Resolving a ticket stops both clocks until it is reopened. */
  stoppedAt: Instant | null;
  warnedAt: Instant | null;
  breachedAt: Instant | null;
  pausedMs: number;
}

export function clockOf(state: SlaState, clock: SlaClock): ClockState {
  const columns = columnsOf[clock];
  return {
    targetMinutes: state[columns.targetMinutes],
    dueAt: state[columns.dueAt],
    doneAt: state[columns.doneAt],
    stoppedAt: state[columns.doneAt] ?? state.resolvedAt,
    warnedAt: state[columns.warnedAt],
    breachedAt: state[columns.breachedAt],
    pausedMs: state[columns.pausedMs],
  };
}

function isRunning(clock: ClockState): clock is ClockState & { dueAt: Instant; targetMinutes: number } {
  return clock.dueAt !== null && clock.targetMinutes !== null && clock.stoppedAt === null;
}

/** When the warning is due: `warnAtPercent` of the target's working time after the start, moved out by the pauses. */
function warnMoment(terms: SlaTerms, createdAt: Instant, targetMinutes: number, pausedMs: number): Instant {
  // A target is whole minutes and a percentage whole, so this is whole milliseconds.
  return addWorkingTime(terms.calendar, createdAt, (targetMinutes * minuteMs * terms.warnAtPercent) / 100 + pausedMs);
}

function dueMoment(
  terms: SlaTerms,
  createdAt: Instant,
  targetMinutes: number | null,
  pausedMs: number,
): Instant | null {
  return targetMinutes === null ? null : addWorkingTime(terms.calendar, createdAt, targetMinutes * minuteMs + pausedMs);
}

function nextMoment(terms: SlaTerms, state: SlaState): Instant | null {
  if (state.slaPausedAt !== null) return null;
  const moments = slaClocks.flatMap((name) => {
    const clock = clockOf(state, name);
    if (!isRunning(clock) || clock.breachedAt !== null) return [];
    if (clock.warnedAt !== null) return [clock.dueAt];
    return [Math.min(warnMoment(terms, state.createdAt, clock.targetMinutes, clock.pausedMs), clock.dueAt)];
  });
  return moments.length === 0 ? null : Math.min(...moments);
}

function settled(terms: SlaTerms, state: SlaState): SlaState {
  return { ...state, slaNextAt: nextMoment(terms, state) };
}

/** The deadlines of the clocks that run, from the start, the targets and what they have been paused. */
function recomputed(terms: SlaTerms, state: SlaState): SlaState {
  if (state.resolvedAt !== null) return settled(terms, state);
  const next = { ...state };
  for (const name of slaClocks) {
    const { doneAt, targetMinutes, pausedMs } = clockOf(state, name);
    if (doneAt === null) next[columnsOf[name].dueAt] = dueMoment(terms, state.createdAt, targetMinutes, pausedMs);
  }
  return settled(terms, next);
}

function minutesUntil(dueAt: Instant, at: Instant): number {
  return Math.floor((dueAt - at) / minuteMs);
}

/** Both clocks of a ticket that is opened at `createdAt`. */
export function start(
  terms: SlaTerms,
  createdAt: Instant,
  targets: { firstResponseMinutes: number | null; resolutionMinutes: number | null },
): SlaState {
  return recomputed(terms, {
    createdAt,
    firstResponseTargetMinutes: targets.firstResponseMinutes,
    resolutionTargetMinutes: targets.resolutionMinutes,
    firstResponseDueAt: null,
    firstResponseAt: null,
    firstResponseWarnedAt: null,
    firstResponseBreachedAt: null,
    resolutionDueAt: null,
    resolvedAt: null,
    resolutionWarnedAt: null,
    resolutionBreachedAt: null,
    slaPausedAt: null,
    firstResponsePausedMs: 0,
    resolutionPausedMs: 0,
    slaNextAt: null,
  });
}

/**
 * What is due by itself at `at`: each warning and each breach once, and a clock past its deadline is breached, not warned.
 * Paused and stopped clocks never signal.
 */
export function scan(terms: SlaTerms, state: SlaState, at: Instant): SlaStep {
  return signal(terms, state, at, true);
}

/** The breaches that happened before `at` and that no scan has seen yet, recorded before what happens now. */
export function catchUp(terms: SlaTerms, state: SlaState, at: Instant): SlaStep {
  return signal(terms, state, at, false);
}

function signal(terms: SlaTerms, state: SlaState, at: Instant, isScan: boolean): SlaStep {
  if (state.slaPausedAt !== null) return { state: settled(terms, state), signals: [] };
  const next = { ...state };
  const signals: SlaSignal[] = [];
  for (const name of slaClocks) {
    const clock = clockOf(state, name);
    if (!isRunning(clock) || clock.breachedAt !== null) continue;
    // What is done at the very deadline is in time; a scan at the deadline finds nothing done.
    const isBreached = isScan ? clock.dueAt <= at : clock.dueAt < at;
    const isWarned =
      isScan &&
      clock.warnedAt === null &&
      warnMoment(terms, state.createdAt, clock.targetMinutes, clock.pausedMs) <= at;
    if (!isBreached && !isWarned) continue;
    signals.push({
      clock: name,
      kind: isBreached ? 'breach' : 'warning',
      dueAt: clock.dueAt,
      minutesRemaining: minutesUntil(clock.dueAt, at),
    });
    next[columnsOf[name][isBreached ? 'breachedAt' : 'warnedAt']] = at;
  }
  return { state: settled(terms, next), signals };
}

/** The clocks stand still from `at` on. */
export function pause(terms: SlaTerms, state: SlaState, at: Instant): SlaState {
  return state.slaPausedAt !== null || state.resolvedAt !== null
    ? state
    : settled(terms, { ...state, slaPausedAt: at });
}

/** The clocks run again; their deadlines move out by the working time that they stood still. */
export function resume(terms: SlaTerms, state: SlaState, at: Instant): SlaState {
  if (state.slaPausedAt === null) return state;
  return recomputed(
    terms,
    standStill({ ...state, slaPausedAt: null }, workingTimeBetween(terms.calendar, state.slaPausedAt, at)),
  );
}

function standStill(state: SlaState, workingMs: number): SlaState {
  const next = { ...state };
  for (const name of slaClocks) {
    const { doneAt, pausedMs } = clockOf(state, name);
    if (doneAt === null) next[columnsOf[name].pausedMs] = pausedMs + workingMs;
  }
  return next;
}

/** The first public message of a human agent stops the first-response clock. */
export function respond(terms: SlaTerms, state: SlaState, at: Instant): SlaState {
  if (state.firstResponseAt !== null) return state;
  // What holds this clock until now, a pause or being resolved, will be counted for the other one when it ends.
  const heldSince = state.slaPausedAt ?? state.resolvedAt;
  const heldMs = heldSince === null ? 0 : workingTimeBetween(terms.calendar, heldSince, at);
  const pausedMs = state.firstResponsePausedMs + heldMs;
  // A target that waited for the ticket to be opened again comes too late for this clock.
  const targetMinutes = targetBehind(terms, state, clockOf(state, 'first_response'));
  return settled(terms, {
    ...state,
    firstResponseAt: at,
    firstResponseTargetMinutes: targetMinutes,
    firstResponsePausedMs: pausedMs,
    firstResponseDueAt:
      heldMs === 0 ? state.firstResponseDueAt : dueMoment(terms, state.createdAt, targetMinutes, pausedMs),
  });
}

/** Resolved or closed: the resolution clock stops, a pause ends. */
export function resolve(terms: SlaTerms, state: SlaState, at: Instant): SlaState {
  if (state.resolvedAt !== null) return state;
  return settled(terms, { ...resume(terms, state, at), resolvedAt: at });
}

/** Open again: the deadlines move out by the working time spent resolved, so that a week in it is no breach. */
export function reopen(terms: SlaTerms, state: SlaState, at: Instant): SlaState {
  if (state.resolvedAt === null) return state;
  const restingMs = workingTimeBetween(terms.calendar, state.resolvedAt, at);
  return recomputed(terms, standStill({ ...state, resolvedAt: null }, restingMs));
}

/**
 * Other targets or another policy: the clocks that run are computed anew from their start and their pauses. What was
 * issued stays issued. A stopped clock keeps its deadline, and takes up its new target when it runs again.
 * @param terms the new policy, or the same one
 * @param paused the pauses as the new policy's working time, when that is another one
 */
export function retarget(
  terms: SlaTerms,
  state: SlaState,
  targets: { firstResponseMinutes: number | null; resolutionMinutes: number | null },
  paused?: { firstResponsePausedMs: number; resolutionPausedMs: number },
): SlaState {
  return recomputed(terms, {
    ...state,
    ...paused,
    firstResponseTargetMinutes:
      state.firstResponseAt === null ? targets.firstResponseMinutes : state.firstResponseTargetMinutes,
    resolutionTargetMinutes: targets.resolutionMinutes,
  });
}

/** The target that a deadline was made from: while a ticket is resolved, a new one waits until it is opened again. */
export function targetBehind(
  { calendar }: SlaTerms,
  state: SlaState,
  { dueAt, targetMinutes, pausedMs }: ClockState,
): number | null {
  if (state.resolvedAt === null || dueAt === endOfTime) return targetMinutes;
  return dueAt === null ? null : (workingTimeBetween(calendar, state.createdAt, dueAt) - pausedMs) / minuteMs;
}
