// Input of the verbs on macros, in the wire's names.

import * as z from 'zod';
import { macroFormats } from '../tickets/macro.ts';
import { line, loosely, optionalParagraph, resourceId } from './fields.ts';
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
    team_id: resourceId()
      .nullish()
      .meta({ examples: [null] }),
    add_tags: tags.optional(),
    remove_tags: tags.optional(),
    snooze_hours: z.int().min(1).max(8760).optional(),
  })
  .meta({ examples: [{ status: 'pending', add_tags: ['waiting'] }] });
/** As they are stored too. */
export type MacroChanges = z.output<typeof macroChanges>;

const body = optionalParagraph(10_000).meta({
  description: 'Can name {{author.name}}, {{ticket.reference}}, {{agent.name}}, {{site.name}} and {{field.key}}.',
  examples: ['Hello {{author.name}},'],
});
const settings = {
  body,
  body_format: z.enum(macroFormats).meta({ examples: ['text'] }),
  changes: macroChanges,
  is_shared: z.boolean(),
  position: z.int().min(0).max(1_000_000),
};
const name = line(100).meta({ examples: ['Ask for the order number'] });
const site = resourceId()
  .nullish()
  .meta({ description: 'null: for every site', examples: [null] });

export const macroInput = z.object({ name, ...loosely(settings), site_id: site });
export type MacroInput = z.output<typeof macroInput>;

export const macroChangeInput = z.object({ name, ...settings, site_id: site }).partial();
export type MacroChangeInput = z.output<typeof macroChangeInput>;
