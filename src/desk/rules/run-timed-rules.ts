// Carries out timed rules for tickets that have been in a state for long enough (docs/spec/automation.md#timed-rules).

import { TooSlow } from '../../domain/rules/condition.ts';
import { judgeTrigger, prepareTrigger } from '../../domain/rules/judge-trigger.ts';
import { brokenBy } from '../../domain/rules/read-trigger.ts';
import type { TimedSince } from '../../domain/rules/timed-rule.ts';
import type { TicketChange } from '../../domain/rules/trigger.ts';
import type { Tx } from '../../engine/database.ts';
import { countAutomation } from '../../store/rules/automation.ts';
import {
  activeTimedRules,
  endGathering,
  forgetMoments,
  isGathering,
  lastEventAt,
  type Moment,
  momentsBetween,
  moveGathering,
  nextGathering,
  progressOf,
  putMoment,
  putProgress,
  timesOfTickets,
} from '../../store/rules/timed-rules.ts';
import { type TimedRuleRow, timedRuleRows } from '../../store/sites/catalogue.ts';
import { type Site, siteById } from '../../store/sites/sites.ts';
import { messageById, newestMessageId } from '../../store/tickets/messages.ts';
import { ticketById } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { kindsOfFields, triggerSurroundings, wordsOf } from './prepared-triggers.ts';
import { act, asRule, budgetOf, judgedTicket, markOf, shownOf } from './run-triggers.ts';
import { longEnoughFor } from './timed-rules.ts';

const momentsOfPage = 16;

interface DueMoments {
  ruleId: number;
  siteId: number;
  moments: readonly Moment[];
}

/** The next tickets of each rule; nothing for a rule whose moments are still being gathered. Reads only what is due. */
export function dueTimed(tx: Tx, now: number): DueMoments[] {
  return activeTimedRules(tx).flatMap(({ id: ruleId, siteId }) => {
    const site = siteById(tx, siteId);
    const rule = site && timedRuleRows.get(tx, siteId, ruleId);
    const moments = rule === undefined ? [] : momentsDue(tx, site as Site, rule, now, momentsOfPage);
    return moments.length === 0 ? [] : [{ ruleId, siteId, moments }];
  });
}

function momentsDue(tx: Tx, site: Site, rule: TimedRuleRow, now: number, limit: number): Moment[] {
  const progress = progressOf(tx, rule.id);
  if (progress === undefined || isGathering(tx, site.id, rule.since)) return [];
  const until = longEnoughFor(site, rule, now);
  if (until <= progress.passedAt) return [];
  return momentsBetween(tx, site.id, rule.since, progress.passedAt, progress.passedId, until, limit);
}

/** One ticket of one rule. Looks again in this step: only the first who does acts. */
export function runTimed(tx: Tx, ctx: Context, siteId: number, ruleId: number): null {
  const site = siteById(tx, siteId);
  const rule = site && timedRuleRows.get(tx, siteId, ruleId);
  if (!site || !rule?.isActive) return null;
  const [next] = momentsDue(tx, site, rule, ctx.now, 1);
  if (next === undefined) return null;
  putProgress(tx, rule.id, next.at, next.ticketId);
  carryOut(tx, ctx, site, rule, next.ticketId);
  return null;
}

/** After a ticket made a step fail: the others must not wait for it. */
export function passTimed(tx: Tx, ctx: Context, siteId: number, ruleId: number): null {
  const site = siteById(tx, siteId);
  const rule = site && timedRuleRows.get(tx, siteId, ruleId);
  const [next] = site && rule ? momentsDue(tx, site, rule, ctx.now, 1) : [];
  if (next === undefined) return null;
  putProgress(tx, ruleId, next.at, next.ticketId);
  countAutomation(tx, ctx.now, 'timed_rule', ruleId, { skipped: 1 });
  return null;
}

function carryOut(tx: Tx, ctx: Context, site: Site, rule: TimedRuleRow, ticketId: number): void {
  const ticket = ticketById(tx, ticketId);
  if (!ticket || ticket.isSpam || ticket.mergedIntoId !== null) return;
  const surroundings = triggerSurroundings(tx, site, 'active');
  if (brokenBy(rule, surroundings) !== null) return;
  const newest = newestMessageId(tx, ticket.id);
  const messageUlid = (newest === null ? undefined : messageById(tx, newest))?.ulid ?? null;
  const change: TicketChange = { events: [], changes: new Map(), messageUlid };
  const judged = judgedTicket(tx, ctx, site, ticket, change, wordsOf(site, surroundings));
  const budget = budgetOf(tx);
  countAutomation(tx, ctx.now, 'timed_rule', rule.id, { ran: 1 });
  let held: ReturnType<typeof judgeTrigger>;
  try {
    held = judgeTrigger(prepareTrigger(rule, kindsOfFields(surroundings)), judged, budget.check);
  } catch (error) {
    if (!(error instanceof TooSlow)) throw error;
    countAutomation(tx, ctx.now, 'timed_rule', rule.id, { skipped: 1 });
    return;
  }
  if (held === null) return;
  const why = { kind: 'timed_rule', id: rule.id, name: rule.name, because: shownOf(held) } as const;
  const ruled = { why, chain: [markOf('timed_rule', rule.id)], isOfMachine: false };
  act(
    tx,
    asRule(ctx, site, ruled),
    site,
    ticket.id,
    rule.actions,
    { seq: null, messageUlid, isByAgent: false },
    budget,
  );
}

const ticketsAtOnce = 200;

export const isGatheringLeft = (tx: Tx): boolean => nextGathering(tx) !== undefined;

/** Gathers the moments of some older tickets, for rules that are new. */
export function gatherSome(tx: Tx): null {
  const next = nextGathering(tx);
  if (next === undefined) return null;
  const { siteId, since, afterId } = next;
  const tickets = timesOfTickets(tx, afterId, ticketsAtOnce);
  for (const ticket of tickets) {
    if (ticket.siteId !== siteId) continue;
    const at = momentOf(tx, since, ticket);
    if (at !== null) putMoment(tx, siteId, ticket.id, since, at);
  }
  const last = tickets.at(-1);
  if (last === undefined || tickets.length < ticketsAtOnce) endGathering(tx, siteId, since);
  else moveGathering(tx, siteId, since, last.id);
  return null;
}

function momentOf(tx: Tx, since: TimedSince, ticket: ReturnType<typeof timesOfTickets>[number]): number | null {
  switch (since) {
    case 'created':
      return ticket.createdAt;
    case 'last_customer_message':
      return ticket.lastCustomerMessageAt;
    case 'last_agent_message':
      return ticket.lastAgentMessageAt;
    case 'status_changed':
      return lastEventAt(tx, ticket.id, 'ticket.status_changed')?.at ?? ticket.createdAt;
    case 'assigned':
      return ticket.assigneeId === null
        ? null
        : (lastEventAt(tx, ticket.id, 'ticket.assigned')?.at ?? ticket.createdAt);
  }
}

/** Of moments that every rule of their site has passed. Returns how many it removed at most. */
export function forgetPassed(tx: Tx, limit: number): number {
  const places = new Map<string, { siteId: number; since: TimedSince; passedAt: number }>();
  for (const { id, siteId } of activeTimedRules(tx)) {
    const rule = timedRuleRows.get(tx, siteId, id);
    const passedAt = progressOf(tx, id)?.passedAt ?? 0;
    if (rule === undefined) continue;
    const key = `${siteId} ${rule.since}`;
    const known = places.get(key);
    places.set(key, { siteId, since: rule.since, passedAt: Math.min(known?.passedAt ?? passedAt, passedAt) });
  }
  return [...places.values()].reduce(
    (most, { siteId, since, passedAt }) => Math.max(most, forgetMoments(tx, siteId, since, passedAt, limit)),
    0,
  );
}
