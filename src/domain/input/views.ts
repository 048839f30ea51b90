// Input for saved views, in the wire's names. What a filter holds is checked against the query of the list.

import * as z from 'zod';
import { directions, ticketSorts } from '../tickets/ticket.ts';
import { line, resourceId } from './fields.ts';

const word = z.string().max(1000);
const value = z.union([word, z.int(), z.boolean(), z.array(z.union([word, z.int()])).max(100)]);

export const filterInput = z.record(z.string().max(64), value);

export const viewInput = z.object({
  name: line(80).meta({ examples: ['Urgent'] }),
  filter: filterInput.meta({
    description: 'Names and types of the query of GET /tickets, without sort, direction and pages. Lists are arrays.',
    examples: [{ status: ['open'], tag: ['vip'], assigned_to: ['me'] }],
  }),
  sort: z.enum(ticketSorts).optional(),
  direction: z.enum(directions).optional(),
  is_shared: z.boolean().optional(),
});
export type ViewInput = z.output<typeof viewInput>;

export const viewChangeInput = viewInput.partial();
export type ViewChangeInput = z.output<typeof viewChangeInput>;

export const viewOrderInput = z.object({
  order: z
    .array(resourceId())
    .max(1000)
    .meta({ examples: [[2, 1]] }),
});
