// Triggers, timed rules and what they did, on the wire.

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import { askedSoFar } from '../../../desk/rules/prepared-triggers.ts';
import { missingIn } from '../../../desk/rules/recurring-tickets.ts';
import { brokenNow } from '../../../desk/rules/triggers.ts';
import { ruleMatches } from '../../../domain/rules/rule.ts';
import { timedSinces, timedTimes } from '../../../domain/rules/timed-rule.ts';
import { type AutomationKind, type Because, triggerEvents } from '../../../domain/rules/trigger.ts';
import { referenceOf } from '../../../domain/tickets/ticket.ts';
import type { Tx } from '../../../engine/database.ts';
import { type Event, nextEvents } from '../../../store/events.ts';
import { type AutomationRun, automationCounts } from '../../../store/rules/automation.ts';
import type { RecurringTicketRow, TimedRuleRow, TriggerRow } from '../../../store/sites/catalogue.ts';
import type { Site } from '../../../store/sites/sites.ts';
import { ticketById } from '../../../store/tickets/tickets.ts';
import { presenter } from '../presenter.ts';
import { id, named, time, ulid } from '../shapes.ts';

const conditionShape = z.object({ field: z.string(), operator: z.string(), value: z.unknown(), negate: z.boolean() });

const partShape = z.union([
  z.object({ match: z.enum(ruleMatches), conditions: z.array(conditionShape) }),
  conditionShape,
]);

const parts = {
  match: z.enum(ruleMatches),
  conditions: z.array(partShape),
  actions: z.array(z.object({ type: z.string(), value: z.unknown() })),
};

const told = {
  broken: z.string().nullable().meta({
    description: 'What it names that was removed or switched off: until that is put right it does not run.',
  }),
  runs: z
    .object({ ran: z.int(), matched: z.int(), changed: z.int(), skipped: z.int() })
    .meta({ description: 'Of 30 days: how often it was asked, matched, changed something, and was cut short.' }),
};

export const triggerShape = named(
  'Trigger',
  z.object({
    id: id(),
    name: z.string(),
    position: z.int(),
    is_active: z.boolean(),
    on: z.array(z.enum(triggerEvents)),
    ...parts,
    stop_processing: z.boolean(),
    ...told,
  }),
);

export const presentTrigger = presenter(triggerShape, (rule: TriggerRow, site: Site, tx: Tx, now: number) => {
  const runs = automationCounts(tx, now, 'trigger', rule.id);
  return {
    on: rule.events,
    broken: brokenNow(tx, site, rule),
    runs: { ...runs, ran: runs.ran + askedSoFar(site, rule.id) },
  };
});

export const timedRuleShape = named(
  'TimedRule',
  z.object({
    id: id(),
    name: z.string(),
    position: z.int(),
    is_active: z.boolean(),
    since: z.enum(timedSinces),
    minutes: z.int(),
    time: z.enum(timedTimes),
    ...parts,
    ...told,
  }),
);

export const presentTimedRule = presenter(timedRuleShape, (rule: TimedRuleRow, site: Site, tx: Tx, now: number) => ({
  broken: brokenNow(tx, site, rule),
  runs: automationCounts(tx, now, 'timed_rule', rule.id),
}));

export const recurringTicketShape = named(
  'RecurringTicket',
  z.object({
    id: id(),
    name: z.string(),
    position: z.int(),
    is_active: z.boolean(),
    schedule: z.string(),
    ticket: z.record(z.string(), z.unknown()).meta({ description: 'The body of POST /tickets.' }),
    next_at: time().nullable().meta({ description: 'When it is opened next, while it is active.' }),
    broken: told.broken,
    runs: told.runs,
  }),
);

export const presentRecurringTicket = presenter(
  recurringTicketShape,
  (row: RecurringTicketRow, site: Site, tx: Tx, now: number) => {
    const missing = missingIn(tx, site, row.ticket);
    return {
      ticket: { ...row.ticket },
      next_at: row.isActive ? toWire(row.nextAt) : null,
      broken: missing && `ticket.${missing.field}: Names no ${missing.what} of the site.`,
      runs: automationCounts(tx, now, 'recurring_ticket', row.id),
    };
  },
);

export const runShape = named(
  'RuleRun',
  z.object({
    seq: z.int().meta({ description: 'The number of the first event that it caused.' }),
    at: time(),
    ticket: z.object({ ulid: ulid(), reference: z.string(), subject: z.string() }),
    caused_by: z.int().nullable().meta({ description: 'The number of the event that set it off. Null: the time did.' }),
    because: z.array(conditionShape).meta({ description: 'Conditions that held, at most five, shortened.' }),
    effects: z.array(z.object({ seq: z.int(), event: z.string(), data: z.record(z.string(), z.unknown()) })),
  }),
);

const mostEffects = 100;

/** Null once the ticket is gone. */
export function presentRun(tx: Tx, run: AutomationRun, kind: AutomationKind) {
  const ticket = ticketById(tx, run.ticketId);
  if (ticket === undefined) return null;
  const isItsOwn = ({ actor }: Event) => actor.type === 'rule' && actor.id === run.ruleId && actor.rule_kind === kind;
  const events = nextEvents(tx, ticket.id, run.firstSeq - 1, run.lastSeq, mostEffects).filter(isItsOwn);
  const why = events[0]?.data.rule as Because | undefined;
  return {
    seq: run.firstSeq,
    at: toWire(run.at),
    ticket: { ulid: ticket.ulid, reference: referenceOf(ticket.id), subject: ticket.subject },
    caused_by: run.causeSeq,
    because: why?.because ?? [],
    effects: events.map(({ seq, kind: event, data: { rule: _, ...data } }) => ({ seq, event, data })),
  };
}
