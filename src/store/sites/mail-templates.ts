// The templates of a site's mails to customers.

import type { InferSelectModel } from 'drizzle-orm';
import type { TemplateName } from '../../domain/mail/template.ts';
import type { Locale } from '../../domain/people/preferences.ts';
import { insertInto, selectFrom, statement } from '../../engine/statements.ts';
import { mailTemplates } from '../schema/sites.ts';

export type MailTemplateRow = InferSelectModel<typeof mailTemplates>;

export const insertMailTemplate = insertInto(mailTemplates);

export const templatesOfSite = selectFrom(mailTemplates, 'WHERE site_id = ? ORDER BY id').all<[siteId: number]>;

export const mailTemplate = selectFrom(mailTemplates, 'WHERE site_id = ? AND name = ? AND locale = ?').get<
  [siteId: number, name: TemplateName, locale: Locale]
>;

export const deleteMailTemplate = statement('DELETE FROM mail_templates WHERE id = ?').run<[id: number]>;
