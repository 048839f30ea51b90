// Macros on the wire (docs/spec/console.md#macros).

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import type { Context } from '../../../desk/context.ts';
import type { FilledMacro } from '../../../desk/tickets/apply-macro.ts';
import { canChangeMacro, isOwnMacro } from '../../../desk/tickets/macros.ts';
import { macroFormats } from '../../../domain/tickets/macro.ts';
import { ticketStatuses } from '../../../domain/tickets/ticket.ts';
import type { Macro } from '../../../store/tickets/macros.ts';
import { presenter } from '../presenter.ts';
import { id, maybeTime, named, time } from '../shapes.ts';

const changed = {
  status: z.enum(ticketStatuses).optional(),
  priority_id: id().optional(),
  category_id: id().nullish(),
  team_id: id().nullish(),
  add_tags: z.array(z.string()).optional(),
  remove_tags: z.array(z.string()).optional(),
};

export const macroShape = named(
  'Macro',
  z.object({
    id: id(),
    name: z.string(),
    body: z.string(),
    body_format: z.enum(macroFormats),
    changes: z.object({
      ...changed,
      assigned_to: z.union([z.literal('me'), id()]).nullish(),
      snooze_hours: z.int().optional(),
    }),
    site_id: id().nullable(),
    is_shared: z.boolean(),
    is_own: z.boolean(),
    can_change: z.boolean(),
    position: z.int(),
    created_at: time(),
    updated_at: time(),
  }),
);

export const filledMacroShape = named(
  'FilledMacro',
  z.object({
    body: z.string(),
    body_format: z.enum(macroFormats),
    changes: z.object({ ...changed, assigned_to: id().nullish(), snoozed_until: maybeTime().optional() }),
  }),
);

export const presentMacro = presenter(macroShape, (macro: Macro, ctx: Context) => ({
  is_own: isOwnMacro(ctx, macro),
  can_change: canChangeMacro(ctx, macro),
}));

export function presentFilled({ body, bodyFormat, changes }: FilledMacro) {
  const { snoozed_until: until, ...rest } = changes;
  return {
    body,
    body_format: bodyFormat,
    changes: until === undefined ? rest : { ...rest, snoozed_until: toWire(until) },
  };
}
