// Input of a site's form, in the wire's names.

import * as z from 'zod';
import { ingestTicketInput } from './tickets.ts';

/** What someone wrote into the form. Strangers choose no priority and no tags. */
export const formInput = ingestTicketInput.pick({
  email: true,
  name: true,
  subject: true,
  message: true,
  category_id: true,
  custom_fields: true,
});
export type FormInput = z.output<typeof formInput>;

export const formTicketInput = formInput.extend({
  site: z
    .string()
    .max(64)
    .meta({ description: "The site's slug.", examples: ['web-shop'] }),
  proof: z
    .string()
    .max(2000)
    .meta({
      description: 'The solution of a challenge: base64 of JSON, as ALTCHA sends it.',
      examples: ['eyJhbGdvcml0aG0iOiJTSEEtMjU2IiwiY2hhbGxlbmdlIjoi4oCmIn0='],
    }),
  website: z
    .string()
    .max(2000)
    .nullish()
    .meta({ description: 'A field that people do not see. What programs fill in is dropped.', examples: [''] }),
});
