// Input of the verbs on webhook channels and inbound rules, in the wire's names.

import * as z from 'zod';
import { channelTypes } from '../channel.ts';
import { webhookEvents } from '../event.ts';
import { defaultHeaderPrefix, headerPrefixProblem } from '../header-prefix.ts';
import { ruleMatches } from '../rules/rule.ts';
import { line, resourceId } from './fields.ts';
import { asMeant } from './lenient.ts';

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

export const channelInput = z.object({
  name: line(255).meta({ examples: ['Team chat'] }),
  type: z.enum(channelTypes).meta({ examples: ['custom'] }),
  webhook_url: webhookUrl,
  events,
  header_prefix: headerPrefix.nullish(),
  include_test: z.boolean().nullish().meta({ description: 'Whether it also gets the events of test tickets.' }),
  is_active: z.boolean().nullish(),
});
export const channelChangeInput = z.object({
  name: line(255)
    .meta({ examples: ['Team chat'] })
    .optional(),
  type: z.enum(channelTypes).optional(),
  webhook_url: webhookUrl.optional(),
  events: events.optional(),
  header_prefix: headerPrefix.optional(),
  include_test: z.boolean().optional(),
  is_active: z.boolean().optional(),
});
export type ChannelInput = z.output<typeof channelInput>;
export type ChannelChangeInput = z.output<typeof channelChangeInput>;

const condition = z
  .object({
    field: z.string().max(255),
    operator: z.string().max(32),
    value: z.unknown().optional(),
    negate: z.boolean().nullish(),
  })
  .meta({ examples: [{ field: 'subject', operator: 'contains', value: 'invoice' }] });
// The value of these actions is an id, and numbers in strings are accepted as ids everywhere.
const idActions = new Set(['set_category', 'set_priority', 'assign']);
const idValue = resourceId();

const action = z
  .object({ type: z.string().max(32), value: z.unknown().optional() })
  .overwrite((given) => ({ ...given, ...(idActions.has(given.type) ? { value: asMeant(idValue, given.value) } : {}) }))
  .meta({ examples: [{ type: 'add_tags', value: ['billing'] }] });

/** Checks shapes only: `rules/validation` checks fields, operators, values and regular expressions. */
export const ruleInput = z.object({
  name: line(255).meta({ examples: ['Invoices to billing'] }),
  position: z.int().min(1).max(1_000_000).nullish(),
  is_active: z.boolean().nullish(),
  match: z.enum(ruleMatches).nullish(),
  conditions: z.array(condition).max(50),
  actions: z.array(action).min(1).max(50),
  stop_processing: z.boolean().nullish(),
});
export const ruleChangeInput = z.object({
  name: line(255)
    .meta({ examples: ['Invoices to billing'] })
    .optional(),
  position: z.int().min(1).max(1_000_000).optional(),
  is_active: z.boolean().optional(),
  match: z.enum(ruleMatches).optional(),
  conditions: z.array(condition).max(50).optional(),
  actions: z.array(action).min(1).max(50).optional(),
  stop_processing: z.boolean().optional(),
});
export type RuleInput = z.output<typeof ruleInput>;
export type RuleChangeInput = z.output<typeof ruleChangeInput>;
