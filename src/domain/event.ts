// Events by name. Every change of a ticket is one, numbered in the transaction of the change.

/** The events a webhook channel can subscribe to (docs/spec/api.md#outgoing-webhooks). */
export const webhookEvents = [
  'ticket.created',
  'ticket.replied',
  'ticket.status_changed',
  'ticket.assigned',
  'ticket.sla_warning',
  'ticket.sla_breached',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

export const eventKinds = [
  ...webhookEvents,
  'ticket.updated',
  'ticket.note_added',
  'ticket.note_changed',
  'ticket.note_deleted',
  'ticket.reply_scheduled',
  'ticket.reply_withdrawn',
  'ticket.reply_resent',
  'ticket.attachment_added',
  'ticket.attachment_removed',
  'ticket.links_revoked',
  'ticket.access_token_replaced',
  'ticket.merged',
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

export const mailKinds = [
  'mail.acknowledgement',
  'mail.agent_reply',
  'mail.ticket_resolved',
  'mail.form_receipt',
  'mail.customer_link',
  'mail.customer_code',
  'mail.assigned',
  'mail.customer_replied',
  'mail.sla_warning',
  'mail.sla_breached',
  'mail.channel_disabled',
  'mail.forward',
  'mail.invitation',
  'mail.password_reset',
] as const;
export type MailKind = (typeof mailKinds)[number];
export const authorMails: readonly MailKind[] = [
  'mail.acknowledgement',
  'mail.agent_reply',
  'mail.ticket_resolved',
  'mail.form_receipt',
  'mail.customer_link',
  'mail.customer_code',
];

/** Mails about what agents can take back: they wait for `undoMs`, and leave only if it is still so. */
export const undoableMails: readonly MailKind[] = ['mail.assigned', 'mail.ticket_resolved'];
export const undoMs = 10_000;

export type DeliveryEvent = WebhookEvent | 'channel.test' | MailKind;

export interface DeliveryPayload {
  status?: string;
  recipient_name?: string | null;
  message_id?: number;
  channel_id?: number;
  reason?: string;
  inbound_id?: number;
  subject?: string;
  /** The secret of a link that lets an agent in. */
  link_sealed?: string;
  /** Six digits that prove that a browser belongs to the recipient. */
  code_sealed?: string;
  by?: string | null;
  /** Of a mail about assigned tickets: those beside its own. */
  tickets?: number[];
}
