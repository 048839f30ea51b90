// Input of the ticket verbs, in the wire's names, so that an error's path is the caller's own.

import * as z from 'zod';
import { cleanContext, consoleLevels, contextGroups, contextLimits, contextSources } from '../context.ts';
import { mostMentions, sendLimits } from '../limits.ts';
import { draftTabs, maxTags, tagPattern, ticketStatuses, writtenFormats } from '../ticket.ts';
import { isUlid } from '../ulid.ts';
import { email, line, moment, optionalLine, optionalParagraph, paragraph, resourceId } from './fields.ts';
import { asText } from './lenient.ts';

const contextGroupSchema = Object.fromEntries(
  Object.entries(contextGroups).map(([group, keys]) => [
    group,
    { type: 'object', properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])) },
  ]),
);

/** Accepts any value; `cleanContext` decides. The metadata documents the shape that is kept. */
const context = z
  .unknown()
  .transform((value, check) => {
    const { context: cleaned, errors } = cleanContext(value);
    for (const [path, messages] of Object.entries(errors)) {
      for (const message of messages) check.addIssue({ code: 'custom', message, path: path.split('.').slice(1) });
    }
    return cleaned;
  })
  .meta({
    type: ['object', 'null'],
    description: `Diagnostics. Unknown keys and wrong types are dropped, strings are cut to ${contextLimits.stringCharacters} characters, and the newest ${contextLimits.consoleEntries} console entries are kept. extra has at most ${contextLimits.extraBytes} bytes of JSON, nested at most ${contextLimits.extraDepth} levels deep.`,
    properties: {
      source: { type: 'string', enum: [...contextSources] },
      ...contextGroupSchema,
      console: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            level: { type: 'string', enum: [...consoleLevels] },
            message: { type: 'string' },
            at: { type: 'string', format: 'date-time' },
          },
        },
      },
      extra: {},
    },
    examples: [{ source: 'web', app: { name: 'shop', version: '4.2.0' }, user: { external_id: 'u-17', plan: 'pro' } }],
  });

export const tags = z
  .array(z.string().regex(tagPattern, { error: 'must have 1 to 32 lower-case letters, digits and hyphens.' }))
  .max(maxTags, { error: `must have at most ${maxTags} tags.` })
  .refine((list) => new Set(list).size === list.length, { error: 'must not repeat a tag.' })
  .meta({ uniqueItems: true, examples: [['billing', 'eu']] });

const customFieldValues = z
  .record(z.string(), z.unknown())
  .meta({ description: "Values by the field's key. null removes a value.", examples: [{}] });

const newTicket = {
  email: email(),
  name: optionalLine(255).nullish(),
  subject: line(255).meta({ examples: ['Cannot save my settings'] }),
  message: paragraph(10_000).meta({ examples: ['The button does nothing since this morning.'] }),
  category_id: resourceId().nullish(),
  priority_id: resourceId().nullish(),
  custom_fields: customFieldValues.nullish(),
  context: context.optional(),
  tags: tags.nullish(),
  is_test: z.boolean().nullish(),
};

export const ingestTicketInput = z.object(newTicket);
export type IngestTicketInput = z.output<typeof ingestTicketInput>;

export const agentTicketInput = z.object({
  ...newTicket,
  site_id: resourceId(),
  assigned_to: resourceId().nullish(),
});
export type AgentTicketInput = z.output<typeof agentTicketInput>;

export const customerReplyInput = z.object({ body: paragraph(10_000).meta({ examples: ['It still fails.'] }) });
export type CustomerReplyInput = z.output<typeof customerReplyInput>;

export const status = z.enum(ticketStatuses).meta({ examples: ['resolved'] });

const words = {
  body_format: z
    .enum(writtenFormats)
    .nullish()
    .meta({ description: 'Markdown is shown and mailed as HTML too. Default: text.' }),
  mentions: z
    .array(resourceId())
    .max(mostMentions)
    .nullish()
    .meta({ description: 'Ids of agents to whose attention it comes.', examples: [[]] }),
  attachment_ids: z
    .array(resourceId())
    .max(20)
    .nullish()
    .meta({ examples: [[]] }),
};

export const agentReplyInput = z.object({
  body: paragraph(10_000).meta({ examples: ['Thank you, this is fixed now.'] }),
  ...words,
  is_internal: z.boolean().nullish(),
  agent_name: optionalLine(255).nullish(),
  agent_id: resourceId().nullish(),
  status: status.nullish(),
  send_at: moment()
    .nullish()
    .meta({ description: 'When it is sent, at most 90 days ahead. Until then only agents see it.', examples: [null] }),
  hold_seconds: z
    .int()
    .min(1)
    .max(sendLimits.holdSeconds)
    .nullish()
    .meta({
      description: 'Sent after this time, in which it can be withdrawn. Not together with send_at.',
      examples: [null],
    }),
  after_message: z
    .string()
    .refine(isUlid, { error: 'must be the ulid of a message.' })
    .transform((text) => text.toUpperCase())
    .nullish()
    .meta({
      type: 'string',
      description:
        'ulid of the newest message that the agent has seen. If someone else wrote a public message since, the answer is 409 stale_thread.',
      examples: [null],
    }),
});
export type AgentReplyInput = z.output<typeof agentReplyInput>;

export const noteInput = z.object({
  body: paragraph(10_000).meta({ examples: ['Seen in the logs of Tuesday.'] }),
  ...words,
  agent_name: optionalLine(255).nullish(),
});
export type NoteInput = z.output<typeof noteInput>;

/** The new text of a note: what goes with the text is replaced too. */
export const noteChangeInput = noteInput.pick({ body: true, body_format: true, mentions: true });
export type NoteChangeInput = z.output<typeof noteChangeInput>;

export const draftInput = z.object({
  // Longer than a message can be: nothing that was typed is lost.
  body: optionalParagraph(50_000).meta({ examples: ['Dear Mia,'] }),
  body_format: words.body_format,
  tab: z.enum(draftTabs).nullish(),
  attachment_ids: words.attachment_ids,
});
export type DraftInput = z.output<typeof draftInput>;

export const ticketChangeInput = z.object({
  status: status.optional(),
  category_id: resourceId().nullish(),
  priority_id: resourceId().optional(),
  assigned_to: resourceId().nullish(),
  tags: tags.optional(),
  custom_fields: customFieldValues.optional(),
  subject: line(255).optional(),
  add_tags: tags.optional(),
  remove_tags: tags.optional(),
  snoozed_until: moment().nullish().meta({
    description: 'In the future, at most a year ahead: the ticket is pending until then. null opens it again.',
  }),
  is_spam: z.boolean().optional(),
});
export type TicketChangeInput = z.output<typeof ticketChangeInput>;

export const mergeInput = z.object({
  into: z
    .union([z.string().min(1).max(64), resourceId()])
    .meta({ description: 'ulid or id', examples: ['01K4VJ8Q4N7RM2ZC6B0T3XWYDE'] }),
});

export const splitInput = z.object({
  message: z
    .string()
    .refine(isUlid, { error: 'must be the ulid of a message.' })
    .transform((text) => text.toUpperCase())
    .meta({
      type: 'string',
      description: 'The first message that becomes part of the new ticket.',
      examples: ['01K4VJ8Q4N7RM2ZC6B0T3XWYDE'],
    }),
  subject: line(255)
    .nullish()
    .meta({ examples: ['Another question'] }),
  only: z
    .boolean()
    .optional()
    .meta({ description: 'Only this message moves, and those after it stay. Default: false.' }),
});
export type SplitInput = z.output<typeof splitInput>;

const externalId = () =>
  z
    .preprocess(asText, z.string().trim().min(1).max(255))
    .meta({ type: ['string', 'integer'], minLength: 1, maxLength: 255 });

export const userInput = z.object({ external_id: externalId() }).meta({ examples: [{ external_id: 'user-17' }] });

export const anonymiseInput = z
  .object({
    site_id: resourceId(),
    external_id: externalId().optional(),
    // Looser than `email()`: an address stored by an earlier version must be found too.
    email: z
      .string()
      .trim()
      .min(1)
      .max(1000)
      .meta({ examples: ['mia@example.org'] })
      .optional(),
  })
  .refine((input) => (input.external_id === undefined) !== (input.email === undefined), {
    error: 'must be given without email, or email without it.',
    path: ['external_id'],
  });
export type AnonymiseInput = z.output<typeof anonymiseInput>;
