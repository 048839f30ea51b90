// The two clocks of a ticket, first response and resolution: what each event does to them, and when they signal.

import { addWorkingTime, type Calendar, endOfTime, stretches, workingTimeBetween } from './calendar.ts';
import { type Instant, minuteMs } from './instant.ts';

export const slaClocks = ['first_response', 'resolution'] as const;
export type SlaClock = (typeof slaClocks)[number];

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

interface Clock {
  name: SlaClock;
  targetMinutes: number | null;
  dueAt: Instant | null;
  stoppedAt: Instant | null;
  warnedAt: Instant | null;
  breachedAt: Instant | null;
  pausedMs: number;
}

function clockOf(state: SlaState, name: SlaClock): Clock {
  return name === 'first_response'
    ? {
        name,
        targetMinutes: state.firstResponseTargetMinutes,
        dueAt: state.firstResponseDueAt,
        // A ticket that is resolved unanswered waits for no answer until it is reopened.
        stoppedAt: state.firstResponseAt ?? state.resolvedAt,
        warnedAt: state.firstResponseWarnedAt,
        breachedAt: state.firstResponseBreachedAt,
        pausedMs: state.firstResponsePausedMs,
      }
    : {
        name,
        targetMinutes: state.resolutionTargetMinutes,
        dueAt: state.resolutionDueAt,
        stoppedAt: state.resolvedAt,
        warnedAt: state.resolutionWarnedAt,
        breachedAt: state.resolutionBreachedAt,
        pausedMs: state.resolutionPausedMs,
      };
}

function isRunning(clock: Clock): clock is Clock & { dueAt: Instant; targetMinutes: number } {
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
  if (state.firstResponseAt === null) {
    next.firstResponseDueAt = dueMoment(
      terms,
      state.createdAt,
      state.firstResponseTargetMinutes,
      state.firstResponsePausedMs,
    );
  }
  next.resolutionDueAt = dueMoment(terms, state.createdAt, state.resolutionTargetMinutes, state.resolutionPausedMs);
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
    if (name === 'first_response') next[isBreached ? 'firstResponseBreachedAt' : 'firstResponseWarnedAt'] = at;
    else next[isBreached ? 'resolutionBreachedAt' : 'resolutionWarnedAt'] = at;
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
  return {
    ...state,
    firstResponsePausedMs: state.firstResponsePausedMs + (state.firstResponseAt === null ? workingMs : 0),
    resolutionPausedMs: state.resolutionPausedMs + workingMs,
  };
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

/** A stretch in which the clocks stood still, and the numbers of the events that began and ended it. */
export interface SlaInterval {
  kind: 'paused' | 'resolved';
  startedAt: Instant;
  endedAt: Instant | null;
  startedBySeq: number | null;
  endedBySeq: number | null;
}

export interface LedgerEntry {
  kind: 'counted' | 'outside_hours' | 'paused' | 'resolved';
  from: Instant;
  /** Null while it goes on. */
  to: Instant | null;
  /** Working time inside, in milliseconds: counted towards the target only where `kind` is counted. */
  workingMs: number;
  /** Still to come, if nothing else happens. */
  isProjected: boolean;
  /** The number of the event that began it, where one did. */
  bySeq: number | null;
}

export interface ClockLedger {
  clock: SlaClock;
  targetMinutes: number | null;
  startedAt: Instant;
  dueAt: Instant | null;
  stoppedAt: Instant | null;
  warnedAt: Instant | null;
  breachedAt: Instant | null;
  isPaused: boolean;
  /** Working time counted so far, and what of the target is left: negative once it is exceeded. */
  elapsedMs: number;
  remainingMs: number | null;
  pausedMs: number;
  entries: LedgerEntry[];
}

// Beyond this many stretches in one run between two pauses, that run is shown as one sum.
const maxStretches = 400;

/**
 * How one clock came about: every stretch that counted, lay outside working hours, was paused or resolved, from the start
 * to now or the stop and on to the deadline. The counted stretches up to the deadline add up to the target.
 */
export function explain(
  terms: SlaTerms,
  state: SlaState,
  intervals: readonly SlaInterval[],
  name: SlaClock,
  now: Instant,
): ClockLedger {
  const clock = clockOf(state, name);
  const { calendar } = terms;
  const stoppedAt = name === 'first_response' ? state.firstResponseAt : state.resolvedAt;
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
  let at = state.createdAt;
  let bySeq: number | null = null;
  let isHeld = false;
  const held = intervals.filter(({ startedAt }) => startedAt < until).sort((a, b) => a.startedAt - b.startedAt);
  for (const interval of held) {
    run(at, interval.startedAt, false, bySeq);
    const end = Math.min(interval.endedAt ?? until, until);
    isHeld = interval.endedAt === null;
    entries.push({
      kind: interval.kind,
      from: interval.startedAt,
      to: interval.endedAt === null && stoppedAt === null ? null : end,
      workingMs: workingTimeBetween(calendar, interval.startedAt, end),
      isProjected: false,
      bySeq: interval.startedBySeq,
    });
    at = end;
    bySeq = interval.endedBySeq;
  }
  // Overtime begins a stretch of its own, so that what was counted up to the deadline can be read off.
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
    startedAt: state.createdAt,
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

/** The target that a deadline was made from: while a ticket is resolved, a new one waits until it is opened again. */
function targetBehind(
  { calendar }: SlaTerms,
  state: SlaState,
  { dueAt, targetMinutes, pausedMs }: Clock,
): number | null {
  if (state.resolvedAt === null || dueAt === endOfTime) return targetMinutes;
  return dueAt === null ? null : (workingTimeBetween(calendar, state.createdAt, dueAt) - pausedMs) / minuteMs;
}
