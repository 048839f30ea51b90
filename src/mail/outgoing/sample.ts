// A mail of the desk to a customer as an example, with an example's link and code.

import type { MailTemplate, TemplateName } from '../../domain/mail/template.ts';
import { type ComposedMail, composeMail } from './compose.ts';
import type { CustomerMail, MailFrame } from './mail-content.ts';
import { renderTemplate } from './template.ts';

const code = '123456';

const contents: Record<TemplateName, CustomerMail> = {
  acknowledgement: { kind: 'acknowledgement', isProven: false },
  resolved: { kind: 'ticket_resolved', isProven: false },
  satisfaction: { kind: 'satisfaction', isProven: false },
  receipt: { kind: 'form_receipt', isProven: false },
  new_link: { kind: 'customer_link' },
  code: { kind: 'customer_code', code },
};

type Frame = Omit<MailFrame, 'template' | 'link' | 'inReplyTo' | 'references' | 'answerAddress'>;

/** @param template null for the desk's own words */
export function composeSample(
  name: TemplateName,
  frame: Frame,
  template: MailTemplate | null,
  link: { baseUrl: string; isOpen: boolean } | null,
): ComposedMail {
  const ticket = frame.ticket ?? { ulid: '0'.repeat(26), reference: '#41', subject: '' };
  const values = { siteName: frame.site.name, reference: ticket.reference, code };
  // A code, and no ticket, in a mail that confirms an address. An answer to an example would open a ticket.
  const { replyTo: _, ...mail } = composeMail(
    {
      ...frame,
      ticket: name === 'code' ? null : ticket,
      link: link && {
        ...{ url: `${link.baseUrl}/t/example`, isOpen: link.isOpen, isShared: false },
        rating:
          name === 'satisfaction'
            ? { good: `${link.baseUrl}/rate/example`, bad: `${link.baseUrl}/rate/example` }
            : null,
      },
      answerAddress: null,
      inReplyTo: null,
      references: [],
      template: template && renderTemplate(template, values),
    },
    contents[name],
  );
  return mail;
}
