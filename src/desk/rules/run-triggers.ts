// Runs the triggers of what a step has changed, in the same transaction, and those that they set off (docs/spec/automation.md#chains).

import { monotonicMs } from '../../base/clock.ts';
import { DeskError } from '../../domain/errors.ts';
import type { EventData, EventKind } from '../../domain/event.ts';
import { TooSlow } from '../../domain/rules/condition.ts';
import { type JudgedTicket, judgeTrigger } from '../../domain/rules/judge-trigger.ts';
import { type SiteWords, stateBefore, TicketFields, type TicketLookups } from '../../domain/rules/ticket-fields.ts';
import type { TimedSince } from '../../domain/rules/timed-rule.ts';
import {
  type AutomationKind,
  type Because,
  chainLimits,
  changeOf,
  type TicketChange,
  type TriggerAction,
  type TriggerCondition,
} from '../../domain/rules/trigger.ts';
import { workingTimeBetween } from '../../domain/sla/calendar.ts';
import { truncate } from '../../domain/text.ts';
import type { Tx } from '../../engine/database.ts';
import { inSavepoint } from '../../engine/savepoints.ts';
import { authorById } from '../../store/customers/authors.ts';
import { skippedRulesOf } from '../../store/events.ts';
import { countAutomation, insertRun } from '../../store/rules/automation.ts';
import { putMoment, removeMoment } from '../../store/rules/timed-rules.ts';
import { timedRuleRows } from '../../store/sites/catalogue.ts';
import { type Site, siteById } from '../../store/sites/sites.ts';
import { type Message, messageByUlid } from '../../store/tickets/messages.ts';
import { participantsOf } from '../../store/tickets/participants.ts';
import { type Ticket, ticketById } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { record } from '../record.ts';
import { policyOf, termsOf } from '../sla/clocks.ts';
import { dropPendingAfter, type PendingChange, pendingAfter, pendingTotal, takePending } from './pending-changes.ts';
import { noteAsked, type ReadyTrigger, readyTriggers } from './prepared-triggers.ts';
import { type Cause, isWriterProven, runAction } from './trigger-actions.ts';

/** What one step may still do. */
interface Budget {
  effects: number;
  /** Throws `TooSlow` once the time of the step is up. */
  check(): void;
}

const budgets = new WeakMap<Tx, Budget>();

/** One for all rules of a step. */
export function budgetOf(tx: Tx): Budget {
  let budget = budgets.get(tx);
  if (budget === undefined) {
    const startedAt = monotonicMs();
    const check = () => {
      if (monotonicMs() - startedAt > chainLimits.timeMs) throw new TooSlow();
    };
    budget = { effects: chainLimits.effects, check };
    budgets.set(tx, budget);
  }
  return budget;
}

/** What a step that failed has left is none of the next one's. */
export function beginStep(tx: Tx): void {
  takePending(tx);
  budgets.delete(tx);
}

interface Change {
  ctx: Context;
  siteId: number;
  ticketId: number;
  what: TicketChange;
  /** The last of its events. */
  seq: number;
  chain: readonly string[];
  isOfMachine: boolean;
}

/** Call it at the end of each step: it looks at each changed ticket one time. */
export function runTriggers(tx: Tx): void {
  const queue = changesOf(tx, takePending(tx));
  for (let change = queue.shift(); change !== undefined; change = queue.shift()) {
    look(tx, change, budgetOf(tx));
    queue.push(...changesOf(tx, takePending(tx)));
  }
  budgets.delete(tx);
}

/** One for each ticket and each rule that changed it, in the order of their first events. */
function changesOf(tx: Tx, pending: readonly PendingChange[]): Change[] {
  noteMoments(tx, pending);
  const groups = new Map<string, PendingChange[]>();
  for (const one of pending) {
    const key = `${one.ticketId} ${one.ctx.rule?.chain.join(' ') ?? ''}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()].flatMap((group) => {
    const what = changeOf(group);
    const { ctx, siteId, ticketId, seq } = group.at(-1) as PendingChange;
    if (what.events.length === 0) return [];
    const isOfMachine = ctx.rule?.isOfMachine ?? isAutomatic(tx, what);
    return [{ ctx, siteId, ticketId, what, seq, chain: ctx.rule?.chain ?? [], isOfMachine }];
  });
}

/** When tickets came into the states that timed rules of their sites wait for. */
function noteMoments(tx: Tx, pending: readonly PendingChange[]): void {
  for (const { ctx, kind, siteId, ticketId, data } of pending) {
    const rules = timedRuleRows.list(tx, siteId);
    if (rules.length === 0) continue;
    for (const since of new Set(rules.filter(({ isActive }) => isActive).map((rule) => rule.since)))
      if (since === 'assigned' && kind === 'ticket.assigned' && data.changes?.assigned_to?.to === null)
        removeMoment(tx, ticketId, since);
      else if (isMoment(tx, since, kind, data, ticketId)) putMoment(tx, siteId, ticketId, since, ctx.now);
  }
}

function isMoment(tx: Tx, since: TimedSince, kind: EventKind, data: EventData, ticketId: number): boolean {
  const isOpening = kind === 'ticket.created';
  switch (since) {
    case 'created':
      return isOpening;
    case 'status_changed':
      return isOpening || kind === 'ticket.status_changed';
    case 'assigned':
      return kind === 'ticket.assigned';
    case 'last_customer_message':
      if (isOpening) return ticketById(tx, ticketId)?.lastCustomerMessageAt != null;
      return kind === 'ticket.replied' && data.is_agent !== true;
    case 'last_agent_message':
      return kind === 'ticket.replied' && data.is_agent === true && data.is_automated !== true;
  }
}

/** Automatic answers are filed as notes that the desk adds. */
function isAutomatic(tx: Tx, { events, messageUlid }: TicketChange): boolean {
  if (!events.includes('note') || messageUlid === null) return false;
  return messageByUlid(tx, messageUlid)?.isAutomated === true;
}

function look(tx: Tx, change: Change, budget: Budget): void {
  const site = siteById(tx, change.siteId);
  if (site === undefined) return;
  const ready = readyTriggers(tx, site);
  const asked = ready.asked(change.what.events);
  if (asked.length === 0) return;
  noteAsked(site, ready);
  const skipped: Skipped[] = [];
  let judged: JudgedTicket | null = null;
  let ticket = ticketById(tx, change.ticketId);
  for (const one of asked) {
    if (ticket === undefined || ticket.isSpam || ticket.mergedIntoId !== null) break;
    if (change.chain.length > 0 && change.chain.includes(markOf('trigger', one.rule.id))) continue;
    one.ran += 1;
    judged ??= judgedTicket(tx, change.ctx, site, ticket, change.what, ready.words);
    const held = judge(one, judged, budget);
    if (held === 'too slow') skipped.push({ one, why: 'too slow' });
    if (held === null || held === 'too slow') continue;
    if (change.chain.length >= chainLimits.depth) skipped.push({ one, why: 'too deep' });
    else {
      const why: Because = { kind: 'trigger', id: one.rule.id, name: one.rule.name, because: shownOf(held) };
      const ruled = { why, chain: [...change.chain, markOf('trigger', one.rule.id)], isOfMachine: change.isOfMachine };
      const isByAgent = change.ctx.actor.kind === 'agent' || change.ctx.actor.kind === 'command_line';
      const cause = { seq: change.seq, messageUlid: change.what.messageUlid, isByAgent };
      const done = act(tx, asRule(change.ctx, site, ruled), site, ticket.id, one.rule.actions, cause, budget);
      if (done.isCutShort) skipped.push({ one, why: 'too many effects' });
      if (done.hasChanged) {
        ticket = ticketById(tx, change.ticketId);
        judged = null;
      }
    }
    if (one.rule.stopProcessing) break;
  }
  tellSkipped(tx, change, skipped);
}

export const markOf = (kind: AutomationKind, id: number): string => `${kind}-${id}`;

function judge(
  { test }: ReadyTrigger,
  judged: JudgedTicket,
  { check }: Budget,
): TriggerCondition[] | null | 'too slow' {
  try {
    return judgeTrigger(test, judged, check);
  } catch (error) {
    if (error instanceof TooSlow) return 'too slow';
    throw error;
  }
}

export function judgedTicket(
  tx: Tx,
  ctx: Context,
  site: Site,
  ticket: Ticket,
  change: TicketChange,
  words: SiteWords,
): JudgedTicket {
  const lookups = lookupsOf(tx, ctx, site, ticket, change.messageUlid);
  let before: TicketFields | null = null;
  return {
    change,
    after: new TicketFields(ticket, lookups, words, ctx.now),
    before: () => (before ??= new TicketFields(stateBefore(ticket, change), lookups, words, ctx.now)),
  };
}

function lookupsOf(tx: Tx, ctx: Context, site: Site, ticket: Ticket, messageUlid: string | null): TicketLookups {
  let message: Message | null | undefined;
  return {
    message() {
      if (message === undefined) message = messageUlid === null ? null : (messageByUlid(tx, messageUlid) ?? null);
      if (message === null) return null;
      return { body: message.body, isVerified: isWriterProven(tx, message) };
    },
    author: () => authorById(tx, ticket.authorId) ?? { email: '', name: null },
    participants: () =>
      participantsOf(tx, ticket.id).flatMap(({ person, removedAt }) => (removedAt === null ? [person] : [])),
    isWorkingTime: () => workingTimeBetween(termsOf(policyOf(tx, site, ticket)).calendar, ctx.now, ctx.now + 1000) > 0,
  };
}

export function asRule(ctx: Context, site: Site, rule: NonNullable<Context['rule']>): Context {
  const { kind: ruleKind, id: ruleId, name } = rule.why;
  return { ...ctx, address: null, actor: { kind: 'rule', siteId: site.id, ruleId, name, ruleKind }, rule };
}

/** Each action is done whole or not at all, and counted in the numbers of the rule. */
export function act(
  tx: Tx,
  ctx: Context,
  site: Site,
  ticketId: number,
  actions: readonly TriggerAction[],
  cause: Cause,
  budget: Budget,
): { hasChanged: boolean; isCutShort: boolean } {
  const seqs: number[] = [];
  const refused: string[] = [];
  let isCutShort = false;
  for (const action of actions) {
    if (budget.effects === 0) {
      isCutShort = true;
      break;
    }
    const before = pendingTotal(tx);
    const outcome = inSavepoint(tx, () => runAction(tx, ctx, site, ticketId, action, cause));
    if ('error' in outcome) {
      dropPendingAfter(tx, before);
      refused.push(`${action.type}: ${reasonOf(outcome.error)}`);
      continue;
    }
    const told = pendingAfter(tx, before);
    if (told.length === 0) continue;
    budget.effects -= 1;
    seqs.push(...told.map(({ seq }) => seq));
  }
  const { why } = ctx.rule as NonNullable<Context['rule']>;
  countAutomation(tx, ctx.now, why.kind, why.id, {
    matched: 1,
    changed: Number(seqs.length > 0),
    skipped: Number(isCutShort || refused.length > 0),
  });
  const [first] = seqs;
  if (first !== undefined) insertRun(tx, first, seqs.at(-1) ?? first, cause.seq, why.kind, why.id, ticketId, ctx.now);
  if (refused.length > 0) tellRefused(tx, ctx, ticketId, refused);
  return { hasChanged: seqs.length > 0, isCutShort };
}

/** A rule that fails must not keep anyone from changing a ticket: history and the doctor say so instead. */
function reasonOf(error: unknown): string {
  if (error instanceof DeskError) return [error.message, ...Object.values(error.errors ?? {}).flat()].join(' ');
  return error instanceof Error ? `It failed (${error.name}).` : 'It failed.';
}

const mostRefusedCharacters = 1000;

/** Once for each ticket and rule. */
function tellRefused(tx: Tx, ctx: Context, ticketId: number, refused: readonly string[]): void {
  const ticket = ticketById(tx, ticketId);
  if (!ticket || ctx.actor.kind !== 'rule') return;
  if (skippedRulesOf(tx, ticketId, ctx.actor.ruleKind ?? null).has(ctx.actor.ruleId)) return;
  record(tx, ctx, {
    kind: 'ticket.updated',
    siteId: ticket.siteId,
    ticketId,
    data: { ticket_ulid: ticket.ulid, rule_skipped: truncate(refused.join(' '), mostRefusedCharacters) },
  });
}

interface Skipped {
  one: ReadyTrigger;
  why: 'too slow' | 'too deep' | 'too many effects';
}

const mostNamed = 10;

function tellSkipped(tx: Tx, { ctx, ticketId }: Change, skipped: readonly Skipped[]): void {
  const ticket = skipped.length === 0 ? undefined : ticketById(tx, ticketId);
  if (!ticket) return;
  for (const { one } of skipped) countAutomation(tx, ctx.now, 'trigger', one.rule.id, { skipped: 1 });
  for (const why of new Set(skipped.map((each) => each.why))) {
    const rules = skipped
      .filter((each) => each.why === why)
      .map(({ one }) => ({ id: one.rule.id, name: one.rule.name }));
    const { rule: _, ...desk } = ctx;
    record(
      tx,
      { ...desk, actor: { kind: 'desk' } },
      {
        kind: 'ticket.updated',
        siteId: ticket.siteId,
        ticketId,
        data: {
          ticket_ulid: ticket.ulid,
          rules_skipped: { why, total: rules.length, first: rules.slice(0, mostNamed) },
        },
      },
    );
  }
}

const mostHeld = 5;
const mostValueCharacters = 80;

/** As much of what held as history keeps. */
export function shownOf(held: readonly TriggerCondition[]): TriggerCondition[] {
  const short = (value: unknown) => (typeof value === 'string' ? truncate(value, mostValueCharacters) : value);
  return held.slice(0, mostHeld).map(({ field, operator, value, negate }) => {
    const shown = Array.isArray(value) ? value.slice(0, mostHeld).map(short) : short(value);
    return { field, operator, value: shown as TriggerCondition['value'], negate };
  });
}
