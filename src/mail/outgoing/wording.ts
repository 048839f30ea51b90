// The subjects and texts of the desk's mails (docs/spec/behaviour.md#outbound-mail).

import { readingAlarms } from '../../domain/mail/mailbox-alarms.ts';
import { fit, oneLine } from '../../domain/plain-text.ts';
import { isToAgent, letterToAgent, subjectToAgent } from './agent-letters.ts';
import { isCustomerMail, letterToCustomer, subjectToCustomer } from './customer-letters.ts';
import type { AgentMail, CustomerMail, MailContent, MailFrame } from './mail-content.ts';
import { mailboxWords } from './mailbox-words.ts';
import { letterOfReport, subjectOfReport } from './report-letter.ts';
import { type Letter, named, type Part } from './text-and-html.ts';

export function subjectOf(frame: MailFrame, content: MailContent): string {
  if (isCustomerMail(content)) return subjectToCustomer(frame, content);
  if (isToAgent(content)) return subjectToAgent(frame, content);
  if (content.kind === 'report') return subjectOfReport(frame, content);
  const { site } = frame;
  if (content.kind === 'channel_disabled') {
    return fit(`Channel disabled: ${oneLine(content.channelName)} (${oneLine(site.name)})`, 300);
  }
  if (content.kind === 'mailbox_alarm')
    return fit(
      `${mailboxWords[frame.locale].titles[content.alarm]}: ${oneLine(content.address)} (${oneLine(site.name)})`,
      300,
    );
  if (content.kind === 'canary') return 'Helpdesk checks that mail comes back';
  if (content.kind === 'invitation') return fit(`Invitation to ${oneLine(site.name)}`, 300);
  if (content.kind === 'password_reset') return fit(`Choose a new password for ${oneLine(site.name)}`, 300);
  return fit(content.kind === 'forward' ? `Fwd: ${oneLine(content.subject)}` : oneLine(content.subject), 300);
}

export function letterOf(frame: MailFrame, content: MailContent): Letter {
  if (isCustomerMail(content)) return letterToCustomer(frame, content);
  if (isToAgent(content)) return letterToAgent(frame, content);
  if (content.kind === 'mailbox_alarm') return { language: frame.locale, ...letterAboutMailbox(frame, content) };
  if (content.kind === 'report') return letterOfReport(frame, content);
  return { language: 'en', ...letterInEnglish(frame, content) };
}

function letterAboutMailbox(
  { site, locale }: MailFrame,
  { alarm, address, reason, command }: Extract<MailContent, { kind: 'mailbox_alarm' }>,
): Omit<Letter, 'language'> {
  const words = mailboxWords[locale];
  const name = named(site.name, words.aDesk);
  const mailbox = words.mailbox(oneLine(address), name);
  const sentence = (text: string): Part => ({ kind: 'sentence', text });
  const isUnread = readingAlarms.some((one) => one === alarm);
  const isLook = alarm === 'failing' || alarm === 'quiet' || alarm === 'missing_mail' || alarm === 'canary';
  const said =
    alarm === 'canary'
      ? words.canary
      : alarm === 'quiet'
        ? words.quiet
        : alarm === 'missing_mail'
          ? words.missing
          : words.ends;
  return {
    parts: [
      sentence(isUnread ? words.unread(mailbox) : said(mailbox)),
      { kind: 'quote', introduction: words.reason, text: reason },
      ...(isUnread ? [sentence(words.kept)] : []),
      sentence(`${isLook ? words.toLook : words.whenChanged}: ${command}`),
    ],
    footer: `${name} · ${words.footer}`,
  };
}

type InEnglish = Exclude<
  MailContent,
  CustomerMail | AgentMail | { kind: 'assigned_together' | 'digest' | 'mailbox_alarm' | 'report' }
>;

function letterInEnglish(frame: MailFrame, content: InEnglish): Omit<Letter, 'language'> {
  const site = named(frame.site.name, 'the support desk');
  const sentence = (text: string): Part => ({ kind: 'sentence', text });

  switch (content.kind) {
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
    case 'canary':
      return {
        parts: [sentence('Helpdesk sent this mail to itself, and deletes it when it has seen it.')],
        footer: `${site} · Sent by Helpdesk.`,
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
    // In no language: the desk adds no words to what the agent wrote.
    case 'side_message':
      return {
        parts: [
          { kind: 'words', text: content.body, html: null },
          ...(content.agentName ? [sentence(`${oneLine(content.agentName)}, ${site}`)] : []),
          ...(content.quoted === null ? [] : [{ kind: 'words', text: content.quoted, html: null } as const]),
        ],
        footer: site,
      };
    // In the words of the rule.
    case 'rule':
      return { parts: [{ kind: 'words', text: content.body, html: null }], footer: `${site} · Helpdesk` };
    case 'forward':
      return {
        parts: [sentence(`A rule of ${site} forwarded this mail to you. The original is attached.`)],
        footer: `${site} · Forwarded by Helpdesk.`,
      };
  }
}
