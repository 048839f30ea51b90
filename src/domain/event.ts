// What can happen, by name. Every change of a ticket is one of these, numbered in the transaction of the change.

/** The events that a webhook channel can subscribe to (docs/spec/api.md#outgoing-webhooks). */
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
  'ticket.attachment_added',
  'ticket.merged',
  'author.anonymised',
  'site.created',
  'site.updated',
  'site.deleted',
] as const;
export type EventKind = (typeof eventKinds)[number];

/** What an event says beside who and when; keys are the wire's, since it is stored as it is shown. */
export type EventData = {
  changes?: Record<string, { from: unknown; to: unknown }>;
  [key: string]: unknown;
};

/** The mails that the desk sends (docs/spec/behaviour.md#outbound-mail). */
export const mailKinds = [
  'mail.acknowledgement',
  'mail.agent_reply',
  'mail.ticket_resolved',
  'mail.assigned',
  'mail.customer_replied',
  'mail.sla_warning',
  'mail.sla_breached',
  'mail.channel_disabled',
  'mail.forward',
] as const;
export type MailKind = (typeof mailKinds)[number];
/** Those that go to a ticket's author. */
export const authorMails: readonly MailKind[] = ['mail.acknowledgement', 'mail.agent_reply', 'mail.ticket_resolved'];

/** What a delivery is about. */
export type DeliveryEvent = WebhookEvent | 'channel.test' | MailKind;

/** What must be told as it was, not as it is when the delivery leaves; keys as stored. */
export interface DeliveryPayload {
  status?: string;
  recipient_name?: string | null;
  message_id?: number;
  channel_id?: number;
  reason?: string;
  inbound_id?: number;
  subject?: string;
}
