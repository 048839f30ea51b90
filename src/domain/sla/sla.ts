// What each event does to the SLA clocks of a ticket, and when they signal.

import { type Instant, minuteMs } from '../instant.ts';
import { endOfTime, workingTimeBetween } from './calendar.ts';
import {
  type ClockState,
  clockOf,
  columnsOf,
  dueMoment,
  isRunning,
  notBegun,
  type SlaClock,
  type SlaState,
  type SlaTerms,
  slaClocks,
  warnMoment,
} from './clock.ts';

export interface SlaSignal {
  clock: SlaClock;
  kind: 'warning' | 'breach';
  dueAt: Instant;
  minutesRemaining: number;
}

export interface SlaStep {
  state: SlaState;
  signals: SlaSignal[];
}

function nextMoment(terms: SlaTerms, state: SlaState): Instant | null {
  if (state.slaPausedAt !== null) return null;
  const moments = slaClocks.flatMap((name) => {
    const clock = clockOf(state, name);
    if (!isRunning(clock) || clock.breachedAt !== null) return [];
    if (clock.warnedAt !== null) return [clock.dueAt];
    return [Math.min(warnMoment(terms, clock.startedAt, clock.targetMinutes, clock.pausedMs), clock.dueAt)];
  });
  return moments.length === 0 ? null : Math.min(...moments);
}

function settled(terms: SlaTerms, state: SlaState): SlaState {
  return { ...state, slaNextAt: nextMoment(terms, state) };
}

function recomputed(terms: SlaTerms, state: SlaState): SlaState {
  if (state.resolvedAt !== null) return settled(terms, state);
  const next = { ...state };
  for (const name of slaClocks) {
    const { startedAt, doneAt, targetMinutes, pausedMs } = clockOf(state, name);
    if (doneAt === null) next[columnsOf[name].dueAt] = dueMoment(terms, startedAt, targetMinutes, pausedMs);
  }
  return settled(terms, next);
}

function minutesUntil(dueAt: Instant, at: Instant): number {
  return Math.floor((dueAt - at) / minuteMs);
}

export function start(
  terms: SlaTerms,
  createdAt: Instant,
  targets: { firstResponseMinutes: number | null; resolutionMinutes: number | null },
  firstResponseFrom: Instant | null = null,
): SlaState {
  return recomputed(terms, {
    createdAt,
    firstResponseFrom,
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

/** The author's first answer to what an agent opened starts the clock of the first response. */
export function begin(terms: SlaTerms, state: SlaState, at: Instant): SlaState {
  return state.firstResponseFrom === notBegun ? recomputed(terms, { ...state, firstResponseFrom: at }) : state;
}

/** Each warning and breach signals once. A clock past its deadline is breached, not warned. */
export function scan(terms: SlaTerms, state: SlaState, at: Instant): SlaStep {
  return signal(terms, state, at, true);
}

/** Breaches before `at` that no scan has recorded, to be recorded before the change that happens at `at`. */
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
    // An action exactly at the deadline is in time; a scan at the deadline finds the goal missed.
    const isBreached = isScan ? clock.dueAt <= at : clock.dueAt < at;
    const isWarned =
      isScan &&
      clock.warnedAt === null &&
      warnMoment(terms, clock.startedAt, clock.targetMinutes, clock.pausedMs) <= at;
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

export function pause(terms: SlaTerms, state: SlaState, at: Instant): SlaState {
  return state.slaPausedAt !== null || state.resolvedAt !== null
    ? state
    : settled(terms, { ...state, slaPausedAt: at });
}

export function resume(terms: SlaTerms, state: SlaState, at: Instant): SlaState {
  if (state.slaPausedAt === null) return state;
  return recomputed(terms, standStill(terms, { ...state, slaPausedAt: null }, state.slaPausedAt, at));
}

function standStill(terms: SlaTerms, state: SlaState, from: Instant, to: Instant): SlaState {
  const next = { ...state };
  for (const name of slaClocks) {
    const { startedAt, doneAt, pausedMs } = clockOf(state, name);
    if (doneAt === null) next[columnsOf[name].pausedMs] = pausedMs + heldBetween(terms, startedAt, from, to);
  }
  return next;
}

/** What of a pause counts for a clock: only what is after its start. */
export function heldBetween({ calendar }: SlaTerms, startedAt: Instant | null, from: Instant, to: Instant): number {
  if (startedAt === null || startedAt >= to) return 0;
  return workingTimeBetween(calendar, Math.max(from, startedAt), to);
}

export function respond(terms: SlaTerms, state: SlaState, at: Instant): SlaState {
  const clock = clockOf(state, 'first_response');
  // Until the author has answered, there is nothing to respond to.
  if (clock.doneAt !== null || clock.startedAt === null) return state;
  // The other clock counts this pause, or the time spent resolved, when it ends.
  const heldSince = state.slaPausedAt ?? state.resolvedAt;
  const heldMs = heldSince === null ? 0 : heldBetween(terms, clock.startedAt, heldSince, at);
  const pausedMs = state.firstResponsePausedMs + heldMs;
  // A target that waited for the ticket to be reopened comes too late for this clock.
  const targetMinutes = targetBehind(terms, state, clock);
  return settled(terms, {
    ...state,
    firstResponseAt: at,
    firstResponseTargetMinutes: targetMinutes,
    firstResponsePausedMs: pausedMs,
    firstResponseDueAt:
      heldMs === 0 ? state.firstResponseDueAt : dueMoment(terms, clock.startedAt, targetMinutes, pausedMs),
  });
}

export function resolve(terms: SlaTerms, state: SlaState, at: Instant): SlaState {
  if (state.resolvedAt !== null) return state;
  return settled(terms, { ...resume(terms, state, at), resolvedAt: at });
}

export function reopen(terms: SlaTerms, state: SlaState, at: Instant): SlaState {
  if (state.resolvedAt === null) return state;
  return recomputed(terms, standStill(terms, { ...state, resolvedAt: null }, state.resolvedAt, at));
}

/** Sent signals stay sent. A stopped clock gets its new target when it runs again. @param paused by the new policy */
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

/** The target behind the present deadline: a new target of a resolved ticket waits until it is reopened. */
export function targetBehind(
  { calendar }: SlaTerms,
  state: SlaState,
  { startedAt, dueAt, targetMinutes, pausedMs }: ClockState,
): number | null {
  if (state.resolvedAt === null || dueAt === endOfTime) return targetMinutes;
  return dueAt === null || startedAt === null
    ? null
    : (workingTimeBetween(calendar, startedAt, dueAt) - pausedMs) / minuteMs;
}
