// Input of the ticket verbs, in the wire's names, so that an error's path is the caller's own.

import * as z from 'zod';
import { assignmentWays } from '../people/turns.ts';
import { mostFilesOfMessage, mostMentions, mostTeamMentions, sendLimits } from '../sites/limits.ts';
import { cleanContext, consoleLevels, contextGroups, contextLimits, contextSources } from '../tickets/context.ts';
import { type Addressee, participantLimits } from '../tickets/participant.ts';
import { ratings, satisfactionLimits } from '../tickets/satisfaction.ts';
import { agentSources, draftTabs, maxTags, tagPattern, ticketStatuses, writtenFormats } from '../tickets/ticket.ts';
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

const person = z.object({ email: email(), name: optionalLine(255).nullish() });

export const addressee = person.transform(({ email, name }): Addressee => ({ email, name: name || null }));

/** Addresses, each with or without a name. */
export function people(most: number) {
  return z.array(addressee).max(most, { error: `must have at most ${most} addresses.` });
}

export const participantInput = person;

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
  cc: people(participantLimits.byApplication)
    .nullish()
    .meta({
      description: 'Who takes part beside the author. They get no mail until an agent answers.',
      examples: [[]],
    }),
};

export const ingestTicketInput = z.object(newTicket);
export type IngestTicketInput = z.output<typeof ingestTicketInput>;

const from = resourceId()
  .nullish()
  .meta({ description: 'Id of the sender that its mail is from, as all later mail of the ticket.', examples: [null] });

export const customerReplyInput = z.object({ body: paragraph(10_000).meta({ examples: ['It still fails.'] }) });
export type CustomerReplyInput = z.output<typeof customerReplyInput>;

/** What a customer says of the help. */
export const ratingInput = z.object({
  rating: z.enum(ratings).meta({ examples: ['good'] }),
  comment: optionalParagraph(satisfactionLimits.commentCharacters)
    .nullish()
    .meta({ description: 'Without it, the comment stays as it is; null or empty removes it.', examples: [null] }),
});

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
    .meta({ description: 'Ids of agents whom the message mentions. They are notified.', examples: [[]] }),
  team_mentions: z
    .array(resourceId())
    .max(mostTeamMentions)
    .nullish()
    .meta({ description: 'Ids of teams: all of their members who see the ticket are mentioned.', examples: [[]] }),
  attachment_ids: z
    .array(resourceId())
    .max(mostFilesOfMessage)
    .nullish()
    .meta({ examples: [[]] }),
};

export const agentTicketInput = z.object({
  ...newTicket,
  site_id: resourceId(),
  from,
  author_id: resourceId()
    .nullish()
    .meta({ description: 'Which customer, where several of the site have this address.', examples: [null] }),
  assigned_to: resourceId().nullish(),
  team_id: resourceId().nullish(),
  status: status.nullish().meta({ examples: ['open'] }),
  source: z.enum(agentSources).nullish().meta({ description: 'How it came about. Default: agent.' }),
  notify_author: z
    .boolean()
    .nullish()
    .meta({
      description:
        "true: the message is the agent's and is mailed to the customer. false: no mail at all; with the source agent the message is a note. Without it, the message is the customer's, who gets an acknowledgement.",
      examples: [null],
    }),
  body_format: words.body_format,
  attachment_ids: words.attachment_ids.meta({
    description: 'Files that the agent who signed in attached to the ticket "new".',
    examples: [[]],
  }),
});
export type AgentTicketInput = z.output<typeof agentTicketInput>;

const holdSeconds = z.int().min(1).max(sendLimits.holdSeconds).nullish();

export const agentReplyInput = z.object({
  body: paragraph(10_000).meta({ examples: ['Thank you, this is fixed now.'] }),
  ...words,
  is_internal: z.boolean().nullish(),
  agent_name: optionalLine(255).nullish(),
  agent_id: resourceId().nullish(),
  from,
  status: status.nullish(),
  to: people(participantLimits.ofReply)
    .nullish()
    .meta({
      description: 'Without to and cc: the author, and everyone who takes part in Cc. With one of them: no one else.',
      examples: [null],
    }),
  cc: people(participantLimits.ofReply)
    .nullish()
    .meta({ examples: [null] }),
  bcc: people(participantLimits.ofReply)
    .nullish()
    .meta({ description: 'They get copies of their own, without a link.', examples: [null] }),
  send_at: moment()
    .nullish()
    .meta({ description: 'When it is sent, at most 90 days ahead. Until then only agents see it.', examples: [null] }),
  hold_seconds: holdSeconds.meta({
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

export const resendInput = z.object({
  to: z
    .array(z.string().trim().toLowerCase().max(320))
    .min(1)
    .max(participantLimits.ofReply + 1)
    .nullish()
    .meta({ description: 'Of those whom the mail did not reach, to these only.', examples: [null] }),
});

export const noteInput = z.object({
  body: paragraph(10_000).meta({ examples: ['Seen in the logs of Tuesday.'] }),
  ...words,
  agent_name: optionalLine(255).nullish(),
  hold_seconds: holdSeconds.meta({
    description: 'Added after this time, in which it can be withdrawn.',
    examples: [null],
  }),
});
export type NoteInput = z.output<typeof noteInput>;

/** The new text of a note: what goes with the text is replaced too. */
export const noteChangeInput = noteInput.pick({ body: true, body_format: true, mentions: true, team_mentions: true });
export type NoteChangeInput = z.output<typeof noteChangeInput>;

const mostDraftFields = 100_000;

export const draftInput = z.object({
  // Longer than a message can be: nothing that was typed is lost.
  body: optionalParagraph(50_000).meta({ examples: ['Dear Mia,'] }),
  body_format: words.body_format,
  tab: z.enum(draftTabs).nullish(),
  attachment_ids: words.attachment_ids,
  fields: z
    .record(z.string().max(40), z.unknown())
    .refine((fields) => JSON.stringify(fields).length <= mostDraftFields, { error: 'must be shorter.' })
    .nullish()
    .meta({
      description: 'What its writer keeps beside the text, such as whom it goes to. The desk does not look into it.',
      examples: [null],
    }),
});
export type DraftInput = z.output<typeof draftInput>;

export const ticketChangeInput = z.object({
  status: status.optional(),
  category_id: resourceId().nullish(),
  priority_id: resourceId().optional(),
  assigned_to: resourceId().nullish(),
  team_id: resourceId().nullish().meta({ description: 'A team of its site; null for none. The assignee stays.' }),
  assign_from_team: z.enum(assignmentWays).optional().meta({
    description:
      'Assigns it to one of its team, or of that in team_id, who is there and has room. Not together with assigned_to.',
  }),
  tags: tags.optional(),
  custom_fields: customFieldValues.optional(),
  subject: line(255).optional(),
  sender_id: resourceId().nullish().meta({ description: 'The sender that it answers from; null: the default one.' }),
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
    external_id: externalId().nullish(),
    // Looser than `email()`: an address stored by an earlier version must be found too.
    email: z
      .string()
      .trim()
      .min(1)
      .max(1000)
      .meta({ examples: ['mia@example.org'] })
      .nullish(),
  })
  .refine((input) => (input.external_id == null) !== (input.email == null), {
    error: 'must be given without email, or email without it.',
    path: ['external_id'],
  });
export type AnonymiseInput = z.output<typeof anonymiseInput>;
