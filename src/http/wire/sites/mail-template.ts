// Mail templates on the wire.

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import type { TemplateSlot } from '../../../desk/sites/mail-templates.ts';
import { templateNames, templateVariables } from '../../../domain/mail/template.ts';
import { locales } from '../../../domain/people/preferences.ts';
import { maybeTime, named } from '../shapes.ts';

export const mailTemplateShape = named(
  'MailTemplate',
  z.object({
    id: z.int().nullable().meta({ description: "Of the site's own words." }),
    name: z.enum(templateNames),
    locale: z.enum(locales),
    subject: z.string().nullable(),
    body: z.string(),
    is_custom: z.boolean().meta({ description: "false: these are the desk's own words." }),
    own_words: z
      .object({ subject: z.string(), body: z.string() })
      .meta({ description: 'What the desk says without words of the site.' }),
    variables: z.array(z.string()),
    needed: z.array(z.string()),
    updated_at: maybeTime(),
  }),
);

export const shownMailShape = named(
  'ShownMail',
  z.object({ subject: z.string(), text: z.string(), html: z.string().meta({ description: 'A whole page.' }) }),
);

export function presentMailTemplate({ name, locale, row }: TemplateSlot, own: { subject: string; body: string }) {
  const { known, needed } = templateVariables[name];
  const { subject, body } = row ?? own;
  return {
    id: row?.id ?? null,
    name,
    locale,
    subject,
    body,
    is_custom: row !== null,
    own_words: own,
    variables: known,
    needed,
    updated_at: toWire(row?.updatedAt ?? null),
  };
}
