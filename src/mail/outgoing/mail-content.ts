// What the desk's mails are made of: the frame that all have, and the content of each kind.

import type { AnswerProblem } from '../../domain/mail/answer.ts';
import type { MailboxAlarm } from '../../domain/mail/mailbox-alarms.ts';
import type { NotificationKind } from '../../domain/notifications/notification.ts';
import type { Locale } from '../../domain/people/preferences.ts';
import type { Cell, GroupBy, MetricName, ReportName, ReportTime } from '../../domain/reports/metrics.ts';
import type { SlaClock } from '../../domain/sla/clock.ts';
import type { Deadline } from '../../domain/sla/deadline.ts';
import type { Rating } from '../../domain/tickets/satisfaction.ts';
import type { Part } from './text-and-html.ts';

export interface Mailbox {
  name: string;
  address: string;
}

export interface MailAttachment {
  filename: string;
  contentType: string;
  content: Uint8Array;
}

/**
 * Where the recipient reads the ticket. `isOpen`: people who have it can answer without a code. `isShared`: everyone who reads
 * the mail has it, and proves who they are before they write.
 */
export interface CustomerLink {
  url: string;
  isOpen: boolean;
  isShared: boolean;
  /** Where the author of the ticket says how the help was; null in a mail that does not ask. */
  rating?: Record<Rating, string> | null;
}

export interface MailFrame {
  /** `color`: the brand's, in mails to customers. */
  site: { name: string; color: string | null };
  /** The recipient's language, as far as the desk knows it. */
  locale: Locale;
  from: Mailbox;
  to: Mailbox;
  /** Where a mail program switches off mails of this kind. */
  unsubscribeUrl?: string | null;
  /** When more than one person reads it. `goesTo`: to whom of them, or beside them, it goes this time. */
  readers?: { to: readonly Mailbox[]; cc: readonly Mailbox[]; goesTo: readonly string[] };
  /** The recipient's own; null for agents, and when the site gives customers no links. */
  link: CustomerLink | null;
  ticket: { ulid: string; reference: string; subject: string } | null;
  /** Null when the desk takes no mail; then there is no Reply-To. */
  inboundDomain: string | null;
  /** A mailbox that takes the answers instead. It may know no addresses with a plus, so References say what they answer. */
  replyTo?: string | null;
  /** Of an agent or a side conversation, before the @; without one, answers come to the ticket's. */
  answerAddress: string | null;
  /** Written to a header, so that a desk ignores its own mail but not another desk's. */
  deskId: string;
  messageId: string;
  inReplyTo: string | null;
  references: readonly string[];
  at: number;
  /** The site's own words for a mail to a customer. */
  template?: RenderedTemplate | null;
}

/** `link`: where the recipient's own goes. */
export interface RenderedTemplate {
  subject: string | null;
  parts: (Extract<Part, { kind: 'words' | 'code' }> | { kind: 'link' })[];
}

export type CustomerMail =
  /** `isProven`: the application vouches for the author, so the subject can be repeated. */
  | { kind: 'acknowledgement' | 'form_receipt' | 'ticket_resolved' | 'satisfaction'; isProven: boolean }
  | { kind: 'customer_link' }
  | { kind: 'customer_code'; code: string }
  | {
      kind: 'agent_reply';
      /** A rule wrote it. */
      isAutomated: boolean;
      /** A person has read the subject, or the application vouches for the author. */
      isProven: boolean;
      agentName: string | null;
      /** As plain text. */
      body: string;
      /** Of what was written in Markdown, safe; null for plain text. */
      html: string | null;
      attachments: readonly MailAttachment[];
      /** The name of its writer, or their address. */
      answered: { authorName: string; body: string; at: number } | null;
    };

/** A ticket as its mails show it to an agent. */
export interface TicketAtAGlance {
  url: string;
  customer: { name: string | null; address: string } | null;
  /** Addresses of those who get a reply in Cc. */
  others: readonly string[];
  clocks: readonly { clock: SlaClock; dueAt: number | null; doneAt: number | null; isPaused: boolean }[];
  /** Newest first. */
  messages: readonly { name: string | null; body: string; at: number }[];
  timeZone: string;
  /** What an answer becomes without a command. */
  answersAre: 'note' | 'reply';
}

/** About one ticket; agents can answer it. */
export type AgentMail = { ticket: TicketAtAGlance; more?: number; choicesUrl?: string } & (
  | { kind: 'assigned'; by: string | null }
  | { kind: 'team_assigned'; by: string | null }
  | { kind: 'team_waiting' }
  | { kind: 'mentioned'; by: string | null; body: string }
  | { kind: 'customer_replied'; authorName: string | null }
  | { kind: 'sla_warning' | 'sla_breached'; deadline: Deadline }
  | { kind: 'side_answered'; from: string; body: string }
  | { kind: 'answer_noted'; problem: AnswerProblem; line: string }
);

/** `ticket` is null for what is about a site or the desk. */
export interface DigestItem {
  kind: NotificationKind;
  ticket: { reference: string; subject: string } | null;
  url: string;
}

type ReportCells = Readonly<Partial<Record<MetricName, Cell>>>;

/** A report as a mail tells it. */
export interface ReportNumbers {
  report: ReportName;
  metrics: readonly MetricName[];
  time: ReportTime;
  /** Dates; `to` is in it. */
  from: string;
  to: string;
  total: ReportCells;
  /** As many days before. */
  before: ReportCells;
  groupBy: GroupBy | null;
  groups: readonly { group: string | number | null; label: string | null; cells: ReportCells }[];
}

export type MailContent =
  | CustomerMail
  | AgentMail
  | {
      kind: 'assigned_together';
      by: string | null;
      tickets: readonly { site: string; reference: string; subject: string; url: string }[];
      url: string;
    }
  | { kind: 'digest'; items: readonly DigestItem[]; url: string; choicesUrl: string }
  | { kind: 'report'; name: string; numbers: ReportNumbers; url: string; choicesUrl: string }
  | { kind: 'channel_disabled'; channelName: string; reason: string; command: string; url: string }
  | { kind: 'mailbox_alarm'; alarm: MailboxAlarm; address: string; reason: string; command: string }
  | { kind: 'invitation'; by: string | null; url: string }
  | { kind: 'canary'; proof: string }
  | { kind: 'password_reset'; url: string }
  | {
      kind: 'side_message';
      subject: string;
      agentName: string | null;
      body: string;
      quoted: string | null;
      attachments: readonly MailAttachment[];
    }
  | { kind: 'rule'; subject: string; body: string }
  | { kind: 'forward'; subject: string; attachments: readonly MailAttachment[] };
