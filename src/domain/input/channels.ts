// Input of the verbs on webhook channels and inbound rules, in the wire's names.

import * as z from 'zod';
import { webhookEvents } from '../event.ts';
import { channelTypes } from '../outbox/channel.ts';
import { defaultHeaderPrefix, headerPrefixProblem } from '../outbox/header-prefix.ts';
import { idActions, ruleMatches } from '../rules/rule.ts';
import { line, loosely, moment, resourceId } from './fields.ts';
import { asMeant } from './lenient.ts';
import { addressee } from './tickets.ts';

const webhookUrl = z
  .string()
  .max(2048)
  .refine((text) => URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol), {
    error: 'must be an http or https URL.',
    abort: true,
  })
  .refine((text) => new URL(text).username === '' && new URL(text).password === '', {
    error: 'must not contain a user name or password.',
  })
  .meta({ format: 'uri', examples: ['https://hooks.example.org/helpdesk'] });

export const headerPrefix = z
  .string()
  .superRefine((text, check) => {
    const problem = headerPrefixProblem(text);
    if (problem !== null) check.addIssue({ code: 'custom', message: problem });
  })
  .meta({
    description: 'Prefix of the headers for event, delivery and signature. Custom channels only.',
    minLength: 1,
    maxLength: 64,
    examples: [defaultHeaderPrefix],
  });

const events = z
  .array(z.enum(webhookEvents))
  .min(1)
  .max(100)
  .transform((list) => [...new Set(list)])
  .meta({ examples: [['ticket.created', 'ticket.replied']] });

const channel = {
  name: line(255).meta({ examples: ['Team chat'] }),
  type: z.enum(channelTypes).meta({ examples: ['custom'] }),
  webhook_url: webhookUrl,
  events,
};
const channelSettings = {
  header_prefix: headerPrefix,
  include_test: z.boolean().meta({ description: 'Whether it also gets the events of test tickets.' }),
  is_active: z.boolean(),
};
export const channelInput = z.object({ ...channel, ...loosely(channelSettings) });
export const channelChangeInput = z.object({ ...channel, ...channelSettings }).partial();
/** Those that failed for good, by when their event was. */
export const redeliverInput = z
  .object({
    since: moment().meta({ examples: ['2026-09-11T09:30:00Z'] }),
    until: moment().optional().meta({ description: 'Default: now.' }),
  })
  .refine(({ since, until }) => until === undefined || until >= since, {
    path: ['until'],
    error: 'must not be before since.',
  });
/** What the outbox sends again, or now. */
export const retryInput = z.object({
  status: z.enum(['queued', 'failed']).meta({
    description: 'queued: what waits for its next try leaves now. failed: what failed for good is queued again.',
    examples: ['failed'],
  }),
  since: moment()
    .optional()
    .meta({ description: 'Of what failed: when, at the earliest. Default: all.', examples: ['2026-09-11T09:30:00Z'] }),
});
export type ChannelInput = z.output<typeof channelInput>;
export type ChannelChangeInput = z.output<typeof channelChangeInput>;

/** Checks shapes only: the rules of each kind check fields, operators, values and regular expressions. */
export const condition = z
  .object({
    field: z.string().max(255),
    operator: z.string().max(32),
    value: z.unknown().optional(),
    negate: z.boolean().nullish(),
  })
  .meta({ examples: [{ field: 'subject', operator: 'contains', value: 'invoice' }] });
// Numbers in strings are accepted as ids everywhere.
const idValue = resourceId();

export const action = z
  .object({ type: z.string().max(32), value: z.unknown().optional() })
  .overwrite((given) => {
    if (idActions.some((type) => type === given.type)) return { ...given, value: asMeant(idValue, given.value) };
    const person = given.type === 'add_participant' ? addressee.safeParse(given.value) : null;
    return person?.success ? { ...given, value: person.data } : given;
  })
  .meta({ examples: [{ type: 'add_tags', value: ['billing'] }] });

/** Checks shapes only: `rules/validation` checks fields, operators, values and regular expressions. */
const rule = {
  name: line(255).meta({ examples: ['Invoices to billing'] }),
  conditions: z.array(condition).max(50),
  actions: z.array(action).min(1).max(50),
};
export const ruleSettings = {
  position: z.int().min(1).max(1_000_000),
  is_active: z.boolean(),
  match: z.enum(ruleMatches),
  stop_processing: z.boolean(),
};
export const ruleInput = z.object({ ...rule, ...loosely(ruleSettings) });
export const ruleChangeInput = z.object({ ...rule, ...ruleSettings }).partial();
export type RuleInput = z.output<typeof ruleInput>;
export type RuleChangeInput = z.output<typeof ruleChangeInput>;
