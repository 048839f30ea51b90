// Input of the verbs on triggers, timed rules and recurring tickets, in the wire's names. Shapes only: src/domain/rules/read-trigger.ts checks the rest.

import * as z from 'zod';
import { ruleMatches } from '../rules/rule.ts';
import { mostTimedMinutes, timedSinces, timedTimes } from '../rules/timed-rule.ts';
import { triggerEvents } from '../rules/trigger.ts';
import { action, condition, ruleSettings } from './channels.ts';
import { line, loosely } from './fields.ts';
import { agentTicketInput } from './tickets.ts';

const group = z.object({ match: z.enum(ruleMatches), conditions: z.array(condition).min(1).max(50) });

const parts = {
  conditions: z
    .array(z.union([group, condition]))
    .max(50)
    .meta({ examples: [[{ field: 'priority', operator: 'changed_to', value: 'urgent' }]] }),
  actions: z
    .array(action)
    .min(1)
    .max(20)
    .meta({ examples: [[{ type: 'add_tags', value: ['vip'] }]] }),
};

const trigger = {
  name: line(255).meta({ examples: ['Escalate VIPs'] }),
  on: z
    .array(z.enum(triggerEvents))
    .min(1)
    .max(triggerEvents.length)
    .transform((list) => [...new Set(list)])
    .meta({ description: 'What sets it off.', examples: [['created', 'priority_changed']] }),
  actions: parts.actions,
};

export const triggerInput = z.object({ ...trigger, ...loosely({ conditions: parts.conditions, ...ruleSettings }) });
export const triggerChangeInput = z.object({ ...trigger, conditions: parts.conditions, ...ruleSettings }).partial();
export type TriggerInput = z.output<typeof triggerInput>;
export type TriggerChangeInput = z.output<typeof triggerChangeInput>;

const { stop_processing: _, ...timedSettings } = ruleSettings;

const timedRule = {
  name: line(255).meta({ examples: ['Close what is solved'] }),
  since: z.enum(timedSinces).meta({ description: 'What the time is counted from.', examples: ['status_changed'] }),
  minutes: z
    .int()
    .min(1)
    .max(mostTimedMinutes)
    .meta({ examples: [10080] }),
  actions: parts.actions,
};
const timedRuleSettings = {
  conditions: parts.conditions.meta({ examples: [[{ field: 'status', operator: 'equals', value: 'resolved' }]] }),
  time: z.enum(timedTimes).meta({ description: 'working: only the working time of the site counts.' }),
  ...timedSettings,
};

export const timedRuleInput = z.object({ ...timedRule, ...loosely(timedRuleSettings) });
export const timedRuleChangeInput = z.object({ ...timedRule, ...timedRuleSettings }).partial();
export type TimedRuleInput = z.output<typeof timedRuleInput>;
export type TimedRuleChangeInput = z.output<typeof timedRuleChangeInput>;

/** The body of POST /tickets, as far as a desk can write it by itself. */
export const recurringTicketBody = agentTicketInput.omit({
  site_id: true,
  author_id: true,
  attachment_ids: true,
  body_format: true,
  context: true,
});
export type RecurringTicketBody = z.output<typeof recurringTicketBody>;

const recurringTicket = {
  name: line(255).meta({ examples: ['Check the backups'] }),
  schedule: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: 'Five fields of cron, in the time zone of the site.', examples: ['0 9 * * 1'] }),
  ticket: recurringTicketBody.meta({
    examples: [{ email: 'mia@example.org', subject: 'Check the backups', message: 'Restore one, and look at it.' }],
  }),
};
const { match: __, ...recurringSettings } = timedSettings;

export const recurringTicketInput = z.object({ ...recurringTicket, ...loosely(recurringSettings) });
export const recurringTicketChangeInput = z.object({ ...recurringTicket, ...recurringSettings }).partial();
export type RecurringTicketInput = z.output<typeof recurringTicketInput>;
export type RecurringTicketChangeInput = z.output<typeof recurringTicketChangeInput>;
