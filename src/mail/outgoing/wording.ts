// The subjects and texts of the desk's mails (docs/spec/behaviour.md#outbound-mail).

import { deadlineInWords } from '../../domain/deadline.ts';
import { invalid } from '../../domain/errors.ts';
import { fit, oneLine } from '../../domain/plain-text.ts';
import { isCustomerMail, letterToCustomer, subjectToCustomer } from './customer-letters.ts';
import type { CustomerMail, MailContent, MailFrame } from './mail-content.ts';
import { type Letter, named, type Part } from './text-and-html.ts';
import { threadSubject } from './thread-subject.ts';

export function subjectOf(frame: MailFrame, content: MailContent): string {
  if (isCustomerMail(content)) return subjectToCustomer(frame, content);
  const { ticket, site } = frame;
  if (content.kind === 'channel_disabled') {
    return fit(`Channel disabled: ${oneLine(content.channelName)} (${oneLine(site.name)})`, 300);
  }
  if (content.kind === 'invitation') return fit(`Invitation to ${oneLine(site.name)}`, 300);
  if (content.kind === 'password_reset') return fit(`Choose a new password for ${oneLine(site.name)}`, 300);
  if (content.kind === 'assigned_together')
    return fit(`Assigned to you: ${content.tickets.length} tickets (${oneLine(site.name)})`, 300);
  if (content.kind === 'forward') return fit(`Fwd: ${oneLine(content.subject)}`, 300);
  if (!ticket) throw invalid('ticket', 'is missing');
  const marks = {
    assigned: 'Assigned to you: ',
    customer_replied: 'Customer replied: ',
    sla_warning: 'SLA warning: ',
    sla_breached: 'SLA breached: ',
  };
  return threadSubject(ticket.reference, ticket.subject, marks[content.kind]);
}

const mostListed = 50;

export function letterOf(frame: MailFrame, content: MailContent): Letter {
  return isCustomerMail(content)
    ? letterToCustomer(frame, content)
    : { language: 'en', ...letterToAgent(frame, content) };
}

function letterToAgent(frame: MailFrame, content: Exclude<MailContent, CustomerMail>): Omit<Letter, 'language'> {
  const reference = frame.ticket?.reference ?? '';
  const site = named(frame.site.name, 'the support desk');
  const sentence = (text: string): Part => ({ kind: 'sentence', text });
  const toAgent = `${site} · Sent by Helpdesk because you are responsible for this ticket.`;
  const about = frame.ticket ? `${reference} ${oneLine(frame.ticket.subject)}` : '';

  switch (content.kind) {
    case 'assigned':
      return {
        parts: [
          sentence(`${named(content.by, 'Helpdesk')} assigned this ticket to you.`),
          sentence(about),
          customersWords(content),
          { kind: 'link', label: `Open ${reference}`, url: content.url },
        ],
        footer: toAgent,
      };
    case 'assigned_together':
      return {
        parts: [
          sentence(`${named(content.by, 'Helpdesk')} assigned ${content.tickets.length} tickets to you.`),
          {
            kind: 'list',
            items: content.tickets.slice(0, mostListed).map(({ reference, subject, url }) => ({
              text: `${reference} ${oneLine(subject)}`,
              url,
            })),
          },
          ...(content.tickets.length > mostListed
            ? [sentence(`And ${content.tickets.length - mostListed} more.`)]
            : []),
          { kind: 'link', label: 'Open your tickets', url: content.url },
        ],
        footer: `${site} · Sent by Helpdesk because you are responsible for these tickets.`,
      };
    case 'customer_replied':
      return {
        parts: [customersWords(content), { kind: 'link', label: `Open ${reference}`, url: content.url }],
        footer: toAgent,
      };
    case 'sla_warning':
    case 'sla_breached':
      return {
        parts: [
          sentence(about),
          sentence(deadlineInWords(content.deadline)),
          { kind: 'link', label: `Open ${reference}`, url: content.url },
        ],
        footer: toAgent,
      };
    case 'channel_disabled':
      return {
        parts: [
          sentence(`Helpdesk disabled the channel ${named(content.channelName, '(no name)')} of ${site}.`),
          { kind: 'quote', introduction: 'Reason:', text: content.reason },
          sentence('Helpdesk keeps new events for 7 days and sends them in order when you enable the channel again.'),
          sentence(`When the receiver works again, run: ${content.command}`),
          { kind: 'link', label: 'View the channel in the API', url: content.url },
        ],
        footer: `${site} · Sent by Helpdesk to the owners of this desk.`,
      };
    case 'invitation':
      return {
        parts: [
          sentence(`${named(content.by, 'The team')} invites you to work on tickets in ${site}.`),
          { kind: 'link', label: 'Accept the invitation', url: content.url },
          sentence('The link works once, within seven days.'),
        ],
        footer: `${site} · Sent by Helpdesk because someone added you as an agent.`,
      };
    case 'password_reset':
      return {
        parts: [
          sentence(`Someone asked for a new password for your account in ${site}.`),
          { kind: 'link', label: 'Choose a new password', url: content.url },
          sentence(
            'The link works once, within an hour. If you did not ask for it, ignore this mail: your password stays the same.',
          ),
        ],
        footer: `${site} · Sent by Helpdesk.`,
      };
    case 'forward':
      return {
        parts: [sentence(`A rule of ${site} forwarded this mail to you. The original is attached.`)],
        footer: `${site} · Forwarded by Helpdesk.`,
      };
  }
}

function customersWords({ authorName, body }: { authorName: string | null; body: string }): Part {
  return { kind: 'quote', introduction: `${named(authorName, 'The customer')} wrote:`, text: body };
}
