// Turns the stored material of a delivery into a channel notification or a mail.

import type { DeliveryMaterial } from '../desk/outbox/content.ts';
import { linkUrl } from '../desk/people/sign-in-links.ts';
import { DeskError } from '../domain/errors.ts';
import { authorMails } from '../domain/event.ts';
import { slaClocks } from '../domain/sla-clock.ts';
import { referenceOf } from '../domain/ticket.ts';
import { type ComposedMail, composeMail } from '../mail/outgoing/compose.ts';
import type { MailAttachment, MailContent } from '../mail/outgoing/mail-content.ts';
import type { Message } from '../store/messages.ts';
import type { Author } from '../store/people.ts';
import type { Notification } from './notification.ts';
import { formatNotification } from './platforms/formats.ts';

function gone(what: string): DeskError {
  return new DeskError('not_found', `The ${what} of this delivery no longer exists.`);
}

export function notificationOf(material: DeliveryMaterial, baseUrl: string): Notification {
  const { delivery, site, channel, ticket, event } = material;
  if (!site) throw gone('site');
  const envelope = {
    deliveryId: delivery.ulid,
    at: event?.createdAt ?? delivery.createdAt,
    url: ticket ? ticketUrl(baseUrl, ticket.ulid) : baseUrl,
    site: { id: site.id, slug: site.slug, name: site.name },
  };
  if (delivery.event === 'channel.test')
    return { ...envelope, event: 'channel.test', ticket: null, channelName: channel?.name ?? '' };
  if (!ticket || !event) throw gone('ticket');
  const notified = {
    ulid: ticket.ulid,
    id: ticket.id,
    reference: referenceOf(ticket.id),
    subject: ticket.subject,
    status: delivery.payload.status ?? ticket.status,
    priority: material.priorityName,
    authorName: nameOf(material.author),
  };
  switch (delivery.event) {
    case 'ticket.created':
    case 'ticket.replied': {
      const { message, messageAuthor } = material;
      if (!message) throw gone('message');
      return {
        ...envelope,
        event: delivery.event,
        ticket: notified,
        message: {
          ulid: message.ulid,
          body: message.body,
          isAgent: message.isAgent,
          agentName: message.agentName,
          authorName: message.isAgent ? notified.authorName : message.authorName || nameOf(messageAuthor),
          authorExternalId: (message.isAgent ? material.author : messageAuthor)?.externalId ?? null,
        },
      };
    }
    case 'ticket.status_changed':
      return {
        ...envelope,
        event: delivery.event,
        ticket: notified,
        oldStatus: String(event.data.old_status),
        newStatus: String(event.data.new_status),
      };
    case 'ticket.assigned':
      return {
        ...envelope,
        event: delivery.event,
        ticket: notified,
        assignee: material.assignee && { id: material.assignee.id, name: material.assignee.name },
      };
    case 'ticket.sla_warning':
    case 'ticket.sla_breached':
      return { ...envelope, event: delivery.event, ticket: notified, deadline: deadlineOf(material) };
    default:
      throw new Error(`${delivery.event} is not a notification`);
  }
}

function nameOf(author: Author | null): string | null {
  return author && (author.name || author.email);
}

export function requestBodyOf(material: DeliveryMaterial, baseUrl: string): string | null {
  if (!material.channel) return null;
  try {
    return formatNotification(material.channel.type, notificationOf(material, baseUrl));
  } catch (error) {
    if (error instanceof DeskError) return null;
    throw error;
  }
}

function ticketUrl(baseUrl: string, ulid: string): string {
  return `${baseUrl}/tickets/${ulid}`;
}

function deadlineOf({ event, delivery }: DeliveryMaterial) {
  const due = Date.parse(String(event?.data.due_at));
  const type = slaClocks.find((clock) => clock === event?.data.sla_type);
  if (type === undefined) throw gone('SLA clock');
  return {
    type,
    minutesRemaining: Number(event?.data.minutes_remaining ?? 0),
    dueAt: Number.isNaN(due) ? delivery.createdAt : due,
  };
}

export interface MailSettings {
  baseUrl: string;
  inboundDomain: string;
  from: string;
  deskId: string;
}

export async function mailOf(
  material: DeliveryMaterial,
  settings: MailSettings,
  attachments: readonly MailAttachment[],
): Promise<ComposedMail> {
  const { delivery, site, deskName, customerLink } = material;
  const isToCustomer = authorMails.some((event) => event === delivery.event);
  const brand = isToCustomer ? site?.settings.brand : undefined;
  const name = brand?.name ?? site?.name ?? deskName;
  const isOfOneTicket = delivery.event !== 'mail.customer_code' && material.assigned.length < 2;
  const ticket = isOfOneTicket ? material.ticket : null;
  const references = isOfOneTicket ? material.references : [];
  return composeMail(
    {
      site: { name, color: brand?.color ?? null },
      locale: site?.settings.locale ?? 'en',
      link: customerLink && { url: settings.baseUrl + customerLink.path, isOpen: customerLink.isOpen },
      from: {
        name: site?.settings.mail_from_name || name,
        address: site?.settings.mail_from_address || settings.from,
      },
      to: { name: delivery.payload.recipient_name ?? '', address: delivery.recipient ?? '' },
      ticket: ticket && { ulid: ticket.ulid, reference: referenceOf(ticket.id), subject: ticket.subject },
      inboundDomain: settings.inboundDomain,
      deskId: settings.deskId,
      messageId: delivery.mailMessageId ?? '',
      inReplyTo: references.at(-1) ?? null,
      references: references.slice(0, -1),
      at: delivery.createdAt,
    },
    await contentOf(material, settings.baseUrl, attachments),
  );
}

async function wordsOf({ body, bodyFormat, html }: Pick<Message, 'body' | 'bodyFormat' | 'html'>) {
  if (bodyFormat !== 'markdown' || html === null) return { body, html: null };
  const { writtenAsText } = await import('../mail/outgoing/written-text.ts');
  return { body: writtenAsText(body, html), html };
}

function assignedTogether({ assigned, event }: DeliveryMaterial, baseUrl: string): MailContent {
  return {
    kind: 'assigned_together',
    by: event?.actor.name ?? null,
    tickets: assigned.map(({ id, ulid, subject }) => ({
      reference: referenceOf(id),
      subject,
      url: ticketUrl(baseUrl, ulid),
    })),
    url: `${baseUrl}/inbox/mine`,
  };
}

async function contentOf(
  material: DeliveryMaterial,
  baseUrl: string,
  attachments: readonly MailAttachment[],
): Promise<MailContent> {
  const { delivery, ticket, message, answered, event } = material;
  if (delivery.event === 'mail.channel_disabled') {
    const channel = material.subjectChannel;
    if (!channel) throw gone('channel');
    const slug = material.site?.slug ?? '';
    return {
      kind: 'channel_disabled',
      channelName: channel.name,
      reason: delivery.payload.reason ?? '',
      command: `helpdesk channel enable ${channel.id} --site ${slug}`,
      url: `${baseUrl}/api/v1/sites/${slug}/webhook-channels/${channel.id}`,
    };
  }
  if (delivery.event === 'mail.invitation' || delivery.event === 'mail.password_reset') {
    if (material.linkSecret === null) throw gone('link');
    return delivery.event === 'mail.invitation'
      ? {
          kind: 'invitation',
          by: delivery.payload.by ?? null,
          url: linkUrl(baseUrl, 'invitation', material.linkSecret),
        }
      : { kind: 'password_reset', url: linkUrl(baseUrl, 'reset', material.linkSecret) };
  }
  if (delivery.event === 'mail.customer_code') {
    if (material.customerCode === null) throw gone('code');
    return { kind: 'customer_code', code: material.customerCode };
  }
  if (delivery.event === 'mail.forward')
    return { kind: 'forward', subject: delivery.payload.subject ?? '', attachments };
  if (!ticket) throw gone('ticket');
  const url = ticketUrl(baseUrl, ticket.ulid);
  switch (delivery.event) {
    case 'mail.acknowledgement':
      return { kind: 'acknowledgement', isProven: material.author?.isVerified ?? false };
    case 'mail.form_receipt':
      return { kind: 'form_receipt', isProven: material.author?.isVerified ?? false };
    case 'mail.customer_link':
      if (material.customerLink === null) throw gone('link');
      return { kind: 'customer_link' };
    case 'mail.ticket_resolved':
      return { kind: 'ticket_resolved', isProven: material.author?.isVerified ?? false };
    case 'mail.agent_reply':
      if (!message) throw gone('message');
      return {
        kind: 'agent_reply',
        agentName: message.agentName,
        ...(await wordsOf(message)),
        attachments,
        answered: answered && { authorName: answered.authorName, body: answered.body, at: answered.createdAt },
      };
    case 'mail.assigned':
      if (material.assigned.length > 1) return assignedTogether(material, baseUrl);
      return {
        kind: 'assigned',
        by: event?.actor.name ?? null,
        url,
        authorName: material.author?.name ?? null,
        body: message?.body ?? ticket.subject,
      };
    case 'mail.customer_replied':
      if (!message) throw gone('message');
      return { kind: 'customer_replied', url, authorName: message.authorName, body: message.body };
    case 'mail.sla_warning':
      return { kind: 'sla_warning', url, deadline: deadlineOf(material) };
    case 'mail.sla_breached':
      return { kind: 'sla_breached', url, deadline: deadlineOf(material) };
    default:
      throw new Error(`${delivery.event} is not a mail`);
  }
}
