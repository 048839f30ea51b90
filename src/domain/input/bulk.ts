// Input of a change of many tickets, in the wire's names.

import * as z from 'zod';
import { sendLimits } from '../sites/limits.ts';
import { isUlid } from '../ulid.ts';
import { resourceId } from './fields.ts';
import { ticketChangeInput } from './tickets.ts';

const mostTicketsAtOnce = 200;

const ticketUlid = z
  .string()
  .refine(isUlid, { error: 'must be the ulid of a ticket.' })
  .transform((text) => text.toUpperCase())
  .meta({ type: 'string', examples: ['01K4VJ8Q4N7RM2ZC6B0T3XWYDE'] });

const bulkChange = ticketChangeInput
  .extend({
    macro_id: resourceId().optional().meta({
      description: 'Applies a macro: its changes, and its text as a reply. Other fields go before its changes.',
    }),
    hold_seconds: z
      .int()
      .min(1)
      .max(sendLimits.holdSeconds)
      .optional()
      .meta({
        description: 'For the reply of a macro: sent after this time, in which it can be withdrawn.',
        examples: [10],
      }),
    merge_into: ticketUlid.optional(),
  })
  .refine(
    (change) =>
      change.merge_into === undefined || Object.values(change).filter((value) => value !== undefined).length === 1,
    {
      error: 'must not be sent with other changes.',
      path: ['merge_into'],
    },
  )
  .refine((change) => change.hold_seconds === undefined || change.macro_id !== undefined, {
    error: 'must be sent with macro_id.',
    path: ['hold_seconds'],
  })
  .meta({ examples: [{ status: 'pending', add_tags: ['waiting'] }] });

export const bulkInput = z.object({
  tickets: z
    .array(ticketUlid)
    .min(1)
    .max(mostTicketsAtOnce)
    .refine((ulids) => new Set(ulids).size === ulids.length, { error: 'must not repeat a ticket.' })
    .meta({ uniqueItems: true, examples: [['01K4VJ8Q4N7RM2ZC6B0T3XWYDE']] }),
  change: bulkChange,
});
export type BulkChange = z.output<typeof bulkChange>;
