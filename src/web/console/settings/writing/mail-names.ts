// What the mails of the desk are called, and when they are sent.

import { t } from './messages.ts';
import type { MailTemplate } from './wire.ts';

export const mailNames = (): Record<MailTemplate['name'], { name: string; when: string }> => ({
  acknowledgement: { name: t.mailAcknowledgement, when: t.whenAcknowledgement },
  resolved: { name: t.mailResolved, when: t.whenResolved },
  satisfaction: { name: t.mailSatisfaction, when: t.whenSatisfaction },
  receipt: { name: t.mailReceipt, when: t.whenReceipt },
  new_link: { name: t.mailNewLink, when: t.whenNewLink },
  code: { name: t.mailCode, when: t.whenCode },
});

export const idOfTemplate = ({ name, locale }: Pick<MailTemplate, 'name' | 'locale'>) => `${name}-${locale}`;
