// Rules that act on changes and on time, and what they did.

import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { RecurringTicketBody } from '../../domain/input/automation.ts';
import type { RuleMatch } from '../../domain/rules/rule.ts';
import type { TimedSince, TimedTime } from '../../domain/rules/timed-rule.ts';
import type { AutomationKind, TriggerAction, TriggerEvent, TriggerPart } from '../../domain/rules/trigger.ts';
import { createdAt, flag, id, json, siteId, version } from './columns.ts';

export const triggers = sqliteTable('triggers', {
  id: id(),
  siteId: siteId(),
  name: text('name').notNull(),
  position: integer('position').notNull(),
  isActive: flag('is_active').notNull(),
  events: json('events').$type<TriggerEvent[]>().notNull(),
  match: text('match').$type<RuleMatch>().notNull(),
  conditions: json('conditions').$type<TriggerPart[]>().notNull(),
  actions: json('actions').$type<TriggerAction[]>().notNull(),
  stopProcessing: flag('stop_processing').notNull(),
  version: version(),
  createdAt: createdAt(),
});

export const timedRules = sqliteTable('timed_rules', {
  id: id(),
  siteId: siteId(),
  name: text('name').notNull(),
  position: integer('position').notNull(),
  isActive: flag('is_active').notNull(),
  since: text('since').$type<TimedSince>().notNull(),
  minutes: integer('minutes').notNull(),
  time: text('time').$type<TimedTime>().notNull(),
  match: text('match').$type<RuleMatch>().notNull(),
  conditions: json('conditions').$type<TriggerPart[]>().notNull(),
  actions: json('actions').$type<TriggerAction[]>().notNull(),
  version: version(),
  createdAt: createdAt(),
});

export const recurringTickets = sqliteTable('recurring_tickets', {
  id: id(),
  siteId: siteId(),
  name: text('name').notNull(),
  position: integer('position').notNull(),
  isActive: flag('is_active').notNull(),
  schedule: text('schedule').notNull(),
  ticket: json('ticket').$type<RecurringTicketBody>().notNull(),
  nextAt: integer('next_at'),
  version: version(),
  createdAt: createdAt(),
});

export const automationRuns = sqliteTable('automation_runs', {
  firstSeq: integer('first_seq').primaryKey(),
  lastSeq: integer('last_seq').notNull(),
  causeSeq: integer('cause_seq'),
  kind: text('kind').$type<AutomationKind>().notNull(),
  ruleId: integer('rule_id').notNull(),
  ticketId: integer('ticket_id').notNull(),
  at: integer('at').notNull(),
});
