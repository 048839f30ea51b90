// Input of the verbs on macros, in the wire's names.

import * as z from 'zod';
import { macroFormats } from '../macro.ts';
import { line, optionalParagraph, resourceId } from './fields.ts';
import { status, tags } from './tickets.ts';

const macroChanges = z
  .object({
    status: status.optional(),
    priority_id: resourceId().optional(),
    category_id: resourceId().nullish(),
    assigned_to: z
      .union([z.literal('me'), resourceId()])
      .nullish()
      .meta({
        description: 'An agent, "me" for the agent who applies the macro, or null for no one.',
        examples: ['me'],
      }),
    add_tags: tags.optional(),
    remove_tags: tags.optional(),
    snooze_hours: z.int().min(1).max(8760).optional(),
  })
  .meta({ examples: [{ status: 'pending', add_tags: ['waiting'] }] });

const body = optionalParagraph(10_000).meta({
  description: 'Can name {{author.name}}, {{ticket.reference}}, {{agent.name}}, {{site.name}} and {{field.key}}.',
  examples: ['Hello {{author.name}},'],
});
const format = z.enum(macroFormats).meta({ examples: ['text'] });
const position = z.int().min(0).max(1_000_000);

export const macroInput = z.object({
  name: line(100).meta({ examples: ['Ask for the order number'] }),
  body: body.nullish(),
  body_format: format.nullish(),
  changes: macroChanges.nullish(),
  site_id: resourceId()
    .nullish()
    .meta({ description: 'null: for every site', examples: [null] }),
  is_shared: z.boolean().nullish(),
  position: position.nullish(),
});
export type MacroInput = z.output<typeof macroInput>;

export const macroChangeInput = z.object({
  name: line(100)
    .meta({ examples: ['Ask for the order number'] })
    .optional(),
  body: body.optional(),
  body_format: format.optional(),
  changes: macroChanges.optional(),
  site_id: resourceId()
    .nullish()
    .meta({ examples: [null] }),
  is_shared: z.boolean().optional(),
  position: position.optional(),
});
export type MacroChangeInput = z.output<typeof macroChangeInput>;
