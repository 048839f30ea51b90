// What agents send of side conversations (docs/spec/conversations.md#forward-and-side-conversations).

import * as z from 'zod';
import { sideLimits } from '../tickets/side-conversation.ts';
import { isUlid } from '../ulid.ts';
import { line, paragraph, resourceId } from './fields.ts';
import { people } from './tickets.ts';

const body = paragraph(10_000).meta({ examples: ['Can you look at this?'] });
const attachmentIds = z
  .array(resourceId())
  .max(50)
  .nullish()
  .meta({ description: 'Files of this ticket, which go along.', examples: [[]] });

export const sideConversationInput = z.object({
  to: people(sideLimits.people)
    .refine((list) => list.length > 0, { error: 'must name at least one address.' })
    .meta({ examples: [[{ email: 'parts@supplier.example', name: 'Parts' }]] }),
  subject: line(255).meta({ examples: ['Broken hinge, order 4711'] }),
  body,
  attachment_ids: attachmentIds,
  quote: z
    .union([z.literal('conversation'), z.string().refine(isUlid, { error: 'must be the ulid of a message.' })])
    .nullish()
    .meta({
      type: 'string',
      description: 'The ulid of a message that is quoted below the text, or conversation: the newest public messages.',
      examples: ['conversation'],
    }),
});
export type SideConversationInput = z.output<typeof sideConversationInput>;

export const sideMessageInput = z.object({ body, attachment_ids: attachmentIds });
export type SideMessageInput = z.output<typeof sideMessageInput>;

export const sideConversationChangeInput = z.object({ is_closed: z.boolean().meta({ examples: [true] }) });
