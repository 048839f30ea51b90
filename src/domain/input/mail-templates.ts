// Input of the verbs on mail templates, in the wire's names.

import * as z from 'zod';
import { optionalLine, paragraph, resourceId } from './fields.ts';

const subject = optionalLine(200)
  .nullish()
  .meta({ description: "One line. null or empty: the desk's own.", examples: ['We have your message'] });
const body = paragraph(10_000).meta({
  description: 'Markdown with variables such as {{site.name}}; {{link}} and {{code}} stand on a line of their own.',
  examples: ['Thank you for writing to {{site.name}}.\n\n{{link}}'],
});

export const mailTemplateInput = z.object({ subject, body });
export type MailTemplateInput = z.output<typeof mailTemplateInput>;

export const templatePreviewInput = z.object({
  subject,
  body: body.nullish().meta({ description: 'null: as it is now', examples: [null] }),
  ticket: z
    .union([z.string().min(1).max(64), resourceId()])
    .nullish()
    .meta({ description: 'ulid or id of a ticket whose data to show; null: an example', examples: [null] }),
});
export type TemplatePreviewInput = z.output<typeof templatePreviewInput>;

export const templateTestInput = z.object({
  agent_id: resourceId()
    .nullish()
    .meta({ description: 'Who gets it; null: the agent who asks', examples: [null] }),
});
