// What reports count of one ticket, computed only from its history (docs/spec/reports.md).

import type { Instant } from '../instant.ts';
import { type Calendar, workingTimeBetween } from '../sla/calendar.ts';
import { clockOf, type SlaClock, type SlaState, slaClocks } from '../sla/clock.ts';
import type { Rating } from '../tickets/satisfaction.ts';
import type { TicketStatus } from '../tickets/ticket.ts';

export type FactKind =
  /** A public message of a human agent; with durations, it ended a customer's wait. */
  | 'reply'
  | 'first_response'
  /** From the change to resolved, or straight to closed, until it was reopened. */
  | 'resolution'
  /** The time that the ticket was open until its last resolution. */
  | 'customer_wait'
  /** Closed because its conversation goes on in another ticket. */
  | 'merge'
  | 'first_response_clock'
  | 'resolution_clock'
  /** What the customer said of the help, when they first did. */
  | 'satisfaction'
  /** The last time that they were asked for it, unless the ticket was opened again without an answer. */
  | 'satisfaction_asked'
  /** Imported without notice: no report counts it. */
  | 'silent';

export interface Fact {
  kind: FactKind;
  /** From 1, among those of its kind. */
  number: number;
  at: Instant;
  untilAt: Instant | null;
  agentId: number | null;
  calendarMs: number | null;
  workingMs: number | null;
  /** Of a resolution: the public replies before it. Of a clock: 1 if it met its deadline, otherwise 0. Of what a customer said: 1 if good; of the question: 1 if answered. */
  amount: number | null;
  isLast: boolean;
}

interface History {
  ticket: SlaState & {
    ulid: string;
    status: TicketStatus;
    isTest: boolean;
    isSpam: boolean;
    closedAt: Instant | null;
    satisfaction: Rating | null;
    satisfactionAt: Instant | null;
  };
  /** The public ones, oldest first. */
  messages: readonly { at: Instant; isAgent: boolean; agentId: number | null }[];
  /** Those that opened, moved or merged the ticket, in their order. */
  events: readonly HistoryEvent[];
  /** When the clocks stood still. */
  held: readonly { startedAt: Instant; endedAt: Instant | null }[];
  calendar: Calendar;
}

export interface HistoryEvent {
  kind: 'ticket.created' | 'ticket.status_changed' | 'ticket.merged';
  at: Instant;
  agentId: number | null;
  from: TicketStatus | null;
  to: TicketStatus | null;
  /** Of a merge: the ticket that was merged into another. */
  sourceUlid: string | null;
  isSilent: boolean;
  /** Whether the customer was asked how the help was. */
  isAsking: boolean;
}

export function factsOf(history: History): Fact[] {
  const { ticket, events, messages } = history;
  if (ticket.isTest || ticket.isSpam) return [];
  if (events.some(({ isSilent }) => isSilent)) return [fact('silent', 1, ticket.createdAt, {})];
  const durations = durationsIn(history);
  const { closings, openings } = statesOf(history);
  const replies = messages.filter((message) => message.isAgent && !isOpening(ticket, message.at));
  const resolutions = closings.filter(({ isMerge }) => !isMerge);
  const repliesUntil = countUntil(replies.map(({ at }) => at));
  return [
    ...closings.map(({ at, untilAt, agentId, isMerge }) =>
      isMerge
        ? fact('merge', 0, at, { untilAt })
        : fact('resolution', 0, at, {
            untilAt,
            agentId,
            ...durations(ticket.createdAt, at),
            amount: repliesUntil(at),
            isLast: resolutions.at(-1)?.at === at,
          }),
    ),
    ...customerWait(resolutions.at(-1), openings, durations),
    ...firstResponse(history, durations),
    ...waits(history, resolutions, durations),
    ...clockFacts(history, closings),
    ...satisfactionFacts(history, resolutions, replies),
  ].map(numbered());
}

function fact(kind: FactKind, number: number, at: Instant, rest: Partial<Fact>): Fact {
  return {
    kind,
    number,
    at,
    untilAt: null,
    agentId: null,
    calendarMs: null,
    workingMs: null,
    amount: null,
    isLast: false,
    ...rest,
  };
}

function numbered() {
  const seen = new Map<FactKind, number>();
  return (one: Fact): Fact => {
    const number = (seen.get(one.kind) ?? 0) + 1;
    seen.set(one.kind, number);
    return { ...one, number };
  };
}

type Durations = (from: Instant, to: Instant) => { calendarMs: number; workingMs: number };

/** Working time leaves out when the clocks stood still, as the ledger does. */
function durationsIn({ held, calendar }: History): Durations {
  const stretches = held
    .map(({ startedAt, endedAt }) => ({ from: startedAt, to: endedAt ?? Number.POSITIVE_INFINITY }))
    .sort((one, other) => one.from - other.from);
  const before: number[] = [];
  let sum = 0;
  for (const { from, to } of stretches) {
    before.push(sum);
    if (to < Number.POSITIVE_INFINITY) sum += workingTimeBetween(calendar, from, to);
  }
  const countFrom = countUntil(stretches.map(({ from }) => from));
  const heldUntil = (at: Instant): number => {
    const index = countFrom(at) - 1;
    const last = stretches[index];
    return last === undefined
      ? 0
      : (before[index] ?? 0) + workingTimeBetween(calendar, last.from, Math.min(at, last.to));
  };
  return (from, to) => ({
    calendarMs: to - from,
    workingMs: workingTimeBetween(calendar, from, to) - (heldUntil(to) - heldUntil(from)),
  });
}

/** How many of these ascending moments are not after another. */
function countUntil(moments: readonly Instant[]): (at: Instant) => number {
  return (at) => {
    let low = 0;
    let high = moments.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((moments[middle] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

interface Closing {
  at: Instant;
  untilAt: Instant | null;
  agentId: number | null;
  isMerge: boolean;
}

const isOver = (status: TicketStatus | null) => status === 'resolved' || status === 'closed';

function statesOf({ ticket, events }: History): { closings: Closing[]; openings: { from: Instant; to: Instant }[] } {
  const closings: Closing[] = [];
  const openings: { from: Instant; to: Instant }[] = [];
  let openSince: Instant | null = ticket.createdAt;
  let current = null as Closing | null;
  let isJustClosed = false;
  for (const { kind, at, agentId, from, to, sourceUlid } of events) {
    if (kind === 'ticket.merged' && sourceUlid === ticket.ulid && isJustClosed && current?.at === at)
      current.isMerge = true;
    if (kind !== 'ticket.status_changed') continue;
    if (to !== 'open' && openSince !== null) openings.push({ from: openSince, to: at });
    openSince = to === 'open' ? (openSince ?? at) : null;
    isJustClosed = to === 'closed' && !isOver(from);
    if (isOver(to) && current === null) {
      current = { at, untilAt: null, agentId, isMerge: false };
      closings.push(current);
    } else if (!isOver(to) && current !== null) {
      current.untilAt = at;
      current = null;
    }
  }
  if (isOver(ticket.status) && current === null) {
    // An imported ticket can be over without an event that says so.
    const at = ticket.resolvedAt ?? ticket.closedAt ?? ticket.createdAt;
    closings.push({ at, untilAt: null, agentId: null, isMerge: false });
    if (openSince !== null) openings.push({ from: openSince, to: at });
  } else if (!isOver(ticket.status) && current !== null) current.untilAt = current.at;
  return { closings, openings };
}

function customerWait(
  last: Closing | undefined,
  openings: readonly { from: Instant; to: Instant }[],
  durations: Durations,
): Fact[] {
  if (last === undefined) return [];
  let [calendarMs, workingMs] = [0, 0];
  for (const { from, to } of openings) {
    if (to > last.at || to < from) continue;
    const open = durations(from, to);
    calendarMs += open.calendarMs;
    workingMs += open.workingMs;
  }
  return [fact('customer_wait', 1, last.at, { agentId: last.agentId, calendarMs, workingMs })];
}

/** What an agent wrote to open a ticket is not a reply. */
function isOpening({ firstResponseFrom, createdAt }: SlaState, at: Instant): boolean {
  return firstResponseFrom !== null && at === createdAt;
}

function firstResponse({ ticket, messages }: History, durations: Durations): Fact[] {
  const { startedAt, doneAt } = clockOf(ticket, 'first_response');
  if (startedAt === null || doneAt === null || doneAt < startedAt) return [];
  const agentId = messages.find(({ at, isAgent }) => isAgent && at === doneAt)?.agentId ?? null;
  return [fact('first_response', 1, doneAt, { agentId, ...durations(startedAt, doneAt) })];
}

/** A resolution ends a wait without an answer: the customer no longer waits. */
function waits({ ticket, messages }: History, resolutions: readonly Closing[], durations: Durations): Fact[] {
  const facts: Fact[] = [];
  let waitsSince: Instant | null = null;
  let next = 0;
  for (const { at, isAgent, agentId } of messages) {
    for (; next < resolutions.length && (resolutions[next]?.at ?? at) < at; next += 1)
      if (waitsSince !== null && waitsSince <= (resolutions[next]?.at ?? 0)) waitsSince = null;
    if (!isAgent) waitsSince ??= at;
    else if (!isOpening(ticket, at)) {
      facts.push(fact('reply', 0, at, { agentId, ...(waitsSince === null ? {} : durations(waitsSince, at)) }));
      waitsSince = null;
    }
  }
  return facts;
}

/** A clock that stopped without its goal, because the ticket was resolved unanswered or merged, has neither ended nor fallen due. */
function clockFacts({ ticket, messages }: History, closings: readonly Closing[]): Fact[] {
  const last = closings.at(-1);
  return slaClocks.flatMap((name) => {
    const { startedAt, doneAt, dueAt, breachedAt } = clockOf(ticket, name);
    if (startedAt === null || dueAt === null || (doneAt === null && breachedAt === null)) return [];
    if (name === 'resolution' && last?.isMerge && last.untilAt === null) return [];
    const isMet = doneAt !== null && doneAt <= dueAt;
    const agents: Record<SlaClock, () => number | null> = {
      first_response: () => messages.find(({ at, isAgent }) => isAgent && at === doneAt)?.agentId ?? null,
      resolution: () => (doneAt === null ? null : (last?.agentId ?? null)),
    };
    return [fact(`${name}_clock`, 1, isMet ? doneAt : dueAt, { agentId: agents[name](), amount: isMet ? 1 : 0 })];
  });
}

/** Both are of the agent who had resolved the ticket; of one that no agent did, of who had answered last. */
function satisfactionFacts(
  { ticket, events }: History,
  resolutions: readonly Closing[],
  replies: readonly { at: Instant; agentId: number | null }[],
): Fact[] {
  const { satisfaction: rating, satisfactionAt: ratedAt } = ticket;
  const questions = events.filter(({ isAsking, at }) => isAsking && at <= (ratedAt ?? at)).map(({ at }) => at);
  const isOpenAgain = resolutions.at(-1)?.untilAt !== null;
  const askedAt = ratedAt === null && isOpenAgain ? undefined : questions.at(-1);
  const agentAt = (moment: Instant) =>
    resolutions.findLast(({ at }) => at <= moment)?.agentId ??
    replies.findLast(({ at }) => at <= moment)?.agentId ??
    null;
  const of = (kind: FactKind, at: Instant, amount: number) => fact(kind, 1, at, { agentId: agentAt(at), amount });
  if (rating === null || ratedAt === null) return askedAt === undefined ? [] : [of('satisfaction_asked', askedAt, 0)];
  return [of('satisfaction_asked', askedAt ?? ratedAt, 1), of('satisfaction', ratedAt, rating === 'good' ? 1 : 0)];
}
