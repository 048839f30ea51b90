// Events by name. Every change of a ticket is one, numbered in the transaction of the change.

import type { AnswerProblem } from './mail/answer.ts';
import type { MailboxAlarm } from './mail/mailbox-alarms.ts';
import type { TemplateName } from './mail/template.ts';
import type { Locale } from './people/preferences.ts';

/** The events a webhook channel can subscribe to (docs/spec/api.md#outgoing-webhooks). */
export const ticketWebhooks = [
  'ticket.created',
  'ticket.replied',
  'ticket.status_changed',
  'ticket.assigned',
  'ticket.participants_changed',
  'ticket.sla_warning',
  'ticket.sla_breached',
  'ticket.rated',
] as const;
export type TicketWebhook = (typeof ticketWebhooks)[number];
/** Only channels of who sees all sites can take them. */
export const deskWideAlarms = ['backup.failed', 'disk.low'] as const;
export type DeskWideAlarm = (typeof deskWideAlarms)[number];
export const webhookEvents = [
  ...ticketWebhooks,
  'mailbox.alarm',
  'inbound.held',
  'channel.disabled',
  ...deskWideAlarms,
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

export const eventKinds = [
  ...ticketWebhooks,
  'ticket.updated',
  'ticket.note_added',
  'ticket.note_changed',
  'ticket.note_deleted',
  'ticket.reply_scheduled',
  'ticket.reply_withdrawn',
  'ticket.reply_resent',
  'ticket.side_conversation_changed',
  'ticket.attachment_added',
  'ticket.attachment_removed',
  'ticket.attachment_checked',
  'ticket.links_revoked',
  'ticket.access_token_replaced',
  'ticket.merged',
  'ticket.unmerged',
  'ticket.split',
  'author.anonymised',
  'site.created',
  'site.updated',
  'site.deleted',
] as const;
export type EventKind = (typeof eventKinds)[number];

/** Keys are the wire's: an event is stored as it is shown. */
export type EventData = {
  changes?: Record<string, { from: unknown; to: unknown }>;
  [key: string]: unknown;
};

/** To customers: the author of the ticket, participants, and who got a copy. */
export const authorMails = [
  'mail.acknowledgement',
  'mail.agent_reply',
  'mail.reply_copy',
  'mail.ticket_resolved',
  'mail.satisfaction',
  'mail.form_receipt',
  'mail.customer_link',
  'mail.customer_code',
] as const;

/** To an agent about one ticket: they can answer it by mail. */
export const agentMails = [
  'mail.assigned',
  'mail.team_assigned',
  'mail.team_waiting',
  'mail.mentioned',
  'mail.customer_replied',
  'mail.sla_warning',
  'mail.sla_breached',
  'mail.answer_noted',
  'mail.side_answered',
] as const;

export const mailKinds = [
  ...authorMails,
  ...agentMails,
  'mail.side_message',
  'mail.channel_disabled',
  'mail.mailbox_alarm',
  'mail.canary',
  'mail.digest',
  'mail.report',
  'mail.forward',
  'mail.rule',
  'mail.invitation',
  'mail.password_reset',
  'mail.template_test',
] as const;
export type MailKind = (typeof mailKinds)[number];
export const isAuthorMail = (event: string): boolean => authorMails.some((one) => one === event);
export const isAgentMail = (event: string): boolean => agentMails.some((one) => one === event);

/** Mails about what agents can take back: they wait for `undoMs`, and leave only if it is still so. */
export const undoableMails: readonly MailKind[] = ['mail.assigned', 'mail.ticket_resolved', 'mail.satisfaction'];
export const undoMs = 10_000;

export type DeliveryEvent =
  | WebhookEvent
  | 'channel.test'
  | 'rule.webhook'
  | MailKind
  | 'push.test'
  | 'push.notification';

export interface DeliveryPayload {
  status?: string;
  recipient_name?: string | null;
  message_id?: number;
  side_message_id?: number;
  channel_id?: number;
  notification_id?: number;
  mailbox_id?: number;
  alarm?: MailboxAlarm;
  /** What proves that a canary is the desk's own. */
  canary?: string;
  reason?: string;
  inbound_id?: number;
  subject?: string;
  /** The secret of a link that lets an agent in. */
  link_sealed?: string;
  /** Six digits that prove that a browser belongs to the recipient. */
  code_sealed?: string;
  by?: string | null;
  /** Of the example of a template. */
  template?: TemplateName;
  locale?: Locale;
  /** Of a mail about assigned tickets: those beside its own. */
  tickets?: number[];
  /** Of a mail about notifications: whose, and which share its time. */
  told?: { agent_id: number; mail_at: number };
  /** A saved report that is mailed, to whom, and the days that it is about. */
  report?: { id: number; agent_id: number; from: string; to: string };
  /** Why an agent's answer by mail was only noted. */
  answer?: { problem: AnswerProblem; line: string };
}
