// Everything that a delivery is made of, read when it leaves.

import { type Agent, agentById } from '../../store/agents.ts';
import { mailThread } from '../../store/author-mails.ts';
import { customerLinkOfDelivery } from '../../store/customer-links.ts';
import type { Tx } from '../../store/database.ts';
import { readDeskSettings } from '../../store/desk-settings.ts';
import { type Event, eventBySeq } from '../../store/events.ts';
import { type InboundMail, inboundMailById } from '../../store/inbound.ts';
import {
  type Attachment,
  attachmentsOfTicket,
  customerMessageBefore,
  firstPublicMessage,
  type Message,
  messageByUlid,
} from '../../store/messages.ts';
import { type Delivery, deliveryById } from '../../store/outbox.ts';
import { type Author, authorById } from '../../store/people.ts';
import { anyChannel, anyPriority, type Channel } from '../../store/site-catalogue.ts';
import { type Site, siteById } from '../../store/sites.ts';
import { type Ticket, ticketById } from '../../store/tickets.ts';
import type { Context } from '../context.ts';
import { customerLinkUrl, isLinkAlive } from '../customer/links.ts';
import { stillAssigned } from './undoable.ts';

export interface DeliveryMaterial {
  delivery: Delivery;
  /** Null for a mail to an agent about signing in. */
  site: Site | null;
  channel: Channel | null;
  /** Newest first; two during a rotation. */
  webhookUrl: string | null;
  signingSecrets: string[];
  event: Event | null;
  ticket: Ticket | null;
  author: Author | null;
  priorityName: string | null;
  message: Message | null;
  messageAuthor: Author | null;
  assignee: Agent | null;
  assigned: Ticket[];
  attachments: Attachment[];
  answered: Message | null;
  references: string[];
  forwarded: InboundMail | null;
  subjectChannel: Channel | null;
  deskName: string;
  /** The secret of a link that lets an agent in. */
  linkSecret: string | null;
  /** The recipient's, unless it has ended. */
  customerLink: { path: string; isOpen: boolean } | null;
  customerCode: string | null;
}

export function loadDelivery(tx: Tx, ctx: Context, id: number): DeliveryMaterial | null {
  const delivery = deliveryById(tx, id);
  return delivery?.status === 'queued' ? materialOf(tx, ctx, delivery) : null;
}

/** Whatever its status. Null when its site was removed. */
export function materialOf(tx: Tx, ctx: Context, delivery: Delivery): DeliveryMaterial | null {
  const site = delivery.siteId === null ? null : siteById(tx, delivery.siteId);
  if (site === undefined) return null;
  const channel = delivery.channelId === null ? null : (anyChannel(tx, delivery.channelId) ?? null);
  const assigned = delivery.event === 'mail.assigned' ? stillAssigned(tx, delivery) : [];
  const ticket = assigned[0] ?? (delivery.ticketId === null ? null : (ticketById(tx, delivery.ticketId) ?? null));
  const event = delivery.eventSeq === null ? null : (eventBySeq(tx, delivery.eventSeq) ?? null);
  const messageUlid = event?.data.message_ulid;
  const message =
    typeof messageUlid === 'string'
      ? (messageByUlid(tx, messageUlid) ?? null)
      : // Someone who is assigned a ticket wants to read what it is about.
        delivery.event === 'mail.assigned' && ticket !== null
        ? (firstPublicMessage(tx, ticket.id) ?? null)
        : null;
  const assignedTo = event?.data.changes?.assigned_to?.to;
  const isReply = delivery.event === 'mail.agent_reply' && ticket !== null && message !== null;
  const signingSecrets: string[] = [];
  if (channel) {
    signingSecrets.push(ctx.seal.open(channel.signingSecretSealed));
    if (channel.previousSigningSecretSealed !== null && (channel.previousSigningSecretExpiresAt ?? 0) > ctx.now) {
      signingSecrets.push(ctx.seal.open(channel.previousSigningSecretSealed));
    }
  }
  return {
    delivery,
    site,
    channel,
    webhookUrl: channel && ctx.seal.open(channel.webhookUrlSealed),
    signingSecrets,
    event,
    ticket,
    author: ticket === null ? null : (authorById(tx, ticket.authorId) ?? null),
    priorityName: ticket === null ? null : (anyPriority(tx, ticket.priorityId)?.name ?? null),
    message,
    messageAuthor: message?.authorId == null ? null : (authorById(tx, message.authorId) ?? null),
    assignee: typeof assignedTo === 'number' ? (agentById(tx, assignedTo) ?? null) : null,
    assigned,
    attachments: isReply
      ? attachmentsOfTicket(tx, message.ticketId).filter(({ messageId }) => messageId === message.id)
      : [],
    answered: isReply ? (customerMessageBefore(tx, message) ?? null) : null,
    references:
      ticket === null || delivery.recipient === null ? [] : mailThread(tx, ticket.id, delivery.recipient, delivery),
    forwarded:
      delivery.payload.inbound_id === undefined ? null : (inboundMailById(tx, delivery.payload.inbound_id) ?? null),
    subjectChannel:
      delivery.payload.channel_id === undefined ? null : (anyChannel(tx, delivery.payload.channel_id) ?? null),
    deskName: readDeskSettings(tx).name,
    linkSecret: delivery.payload.link_sealed === undefined ? null : ctx.seal.open(delivery.payload.link_sealed),
    customerLink: customerLinkIn(tx, ctx, delivery, ticket, site),
    customerCode: delivery.payload.code_sealed === undefined ? null : ctx.seal.open(delivery.payload.code_sealed),
  };
}

function customerLinkIn(
  tx: Tx,
  ctx: Context,
  delivery: Delivery,
  ticket: Ticket | null,
  site: Site | null,
): DeliveryMaterial['customerLink'] {
  const link = ticket === null || delivery.recipient === null ? undefined : customerLinkOfDelivery(tx, delivery.id);
  if (ticket === null || link === undefined || !isLinkAlive(tx, ctx, link)) return null;
  const isOpen = site?.settings.customer_links === 'open';
  return { path: customerLinkUrl(ctx.seal, '', ticket.ulid, link.ulid), isOpen };
}
