// Input of the verbs on senders, in the wire's names.

import * as z from 'zod';
import { mostSelectors } from '../mail/sender.ts';
import { email, loosely, optionalLine } from './fields.ts';

const name = optionalLine(255)
  .nullable()
  .meta({ description: "null: the site's name", examples: ['Web shop'] });
const settings = {
  dkim_selectors: z
    .array(
      z
        .string()
        .toLowerCase()
        .regex(/^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?){0,3}$/, {
          error: 'must be a DKIM selector, as in selector._domainkey.example.org.',
        }),
    )
    .max(mostSelectors)
    .meta({
      description: 'Those that your mail server signs with. Without any, the check looks for the usual ones.',
      examples: [[]],
    }),
  is_default: z.boolean(),
  sort_order: z.int().min(0).max(1_000_000),
};

export const senderInput = z.object({ address: email(), name: name.optional(), ...loosely(settings) });
export type SenderInput = z.output<typeof senderInput>;

export const senderChangeInput = z
  .object({
    address: email().nullable().meta({ description: 'null: the address of the desk' }),
    name,
    ...settings,
  })
  .partial();
export type SenderChangeInput = z.output<typeof senderChangeInput>;
