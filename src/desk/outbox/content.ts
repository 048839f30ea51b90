// Everything that a delivery is made of, read when it leaves.

import { isAuthorMail } from '../../domain/event.ts';
import { type MailTemplate, templateOfMail } from '../../domain/mail/template.ts';
import { localeOf } from '../../domain/sites/site.ts';
import type { Rating } from '../../domain/tickets/satisfaction.ts';
import type { Tx } from '../../engine/database.ts';
import { type Author, authorById } from '../../store/customers/authors.ts';
import { customerLinkOfDelivery } from '../../store/customers/links.ts';
import { readDeskSettings } from '../../store/desk-settings.ts';
import { type Event, eventBySeq } from '../../store/events.ts';
import { mailThread } from '../../store/mail/author-mails.ts';
import { type InboundMail, inboundMailById } from '../../store/mail/inbound.ts';
import { allMailboxes, sendingMailboxes } from '../../store/mail/mailboxes.ts';
import type { Notification } from '../../store/notifications/notifications.ts';
import { type Delivery, deliveryById } from '../../store/outbox/outbox.ts';
import { type Agent, agentById } from '../../store/people/agents.ts';
import { type Team, teamById } from '../../store/people/teams.ts';
import { anyChannel, anyPriority, type Channel, type Mailbox, mailboxRows } from '../../store/sites/catalogue.ts';
import { mailTemplate } from '../../store/sites/mail-templates.ts';
import { type Site, siteById } from '../../store/sites/sites.ts';
import {
  type Attachment,
  attachmentsOfTicket,
  customerMessageBefore,
  type Message,
  messageByUlid,
} from '../../store/tickets/messages.ts';
import { type Participant, participantsOf } from '../../store/tickets/participants.ts';
import {
  type SideConversation,
  type SideMessage,
  sideConversationById,
  sideMessageById,
  sideThread,
} from '../../store/tickets/side-conversations.ts';
import { type Ticket, ticketById } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { customerLinkUrl, isLinkAlive } from '../customers/links.ts';
import { asksIn, ratingPaths } from '../customers/satisfaction.ts';
import { sideAddress } from '../mail/side-address.ts';
import { asTold } from '../notifications/told.ts';
import { unsubscribeToken } from '../notifications/unsubscribe.ts';
import { type MailedReport, mailedReport } from '../reports/mailed-reports.ts';
import type { Sender } from '../sites/site-senders.ts';
import { everyoneOn } from '../tickets/recipients.ts';
import { filesOf } from '../tickets/side-conversations.ts';
import { type AgentView, agentViewOf } from './agent-view.ts';
import { canaryRoute, routeOf } from './mail-route.ts';
import { ownServer } from './own-server.ts';
import { type PushMaterial, pushOf } from './push.ts';
import { addressed } from './reply-mails.ts';
import { type AssignedTicket, stillAssigned } from './undoable.ts';

export interface DeliveryMaterial {
  delivery: Delivery;
  /** Of a mail about notifications, newest first; empty when its agent may see none of them any more. */
  told: { notification: Notification; ticket: Ticket | null }[] | null;
  /** What lets a mail program switch off this kind of mail. */
  unsubscribeToken: string | null;
  /** Null for a mail to an agent about signing in, or about tickets of several sites. */
  site: Site | null;
  channel: Channel | null;
  /** Newest first; two during a rotation. */
  webhookUrl: string | null;
  signingSecrets: string[];
  event: Event | null;
  ticket: Ticket | null;
  author: Author | null;
  /** Of a webhook. */
  participants: Participant[];
  priorityName: string | null;
  message: Message | null;
  messageAuthor: Author | null;
  assignee: Agent | null;
  team: Team | null;
  assigned: AssignedTicket[];
  attachments: Attachment[];
  answered: Message | null;
  answeredAuthor: Author | null;
  /** Null: only its recipient. */
  readers: ReturnType<typeof addressed>;
  references: string[];
  forwarded: InboundMail | null;
  subjectChannel: Channel | null;
  subjectMailbox: Mailbox | null;
  deskName: string;
  /** Whom its mail is from. Null without a site. */
  sender: Sender | null;
  /** Of mail: whose server takes it. Null: the desk's own does. */
  through: Mailbox | null;
  /** The desk's own server, where an owner has set it. */
  ownServer: Mailbox | null;
  /** The address of a mailbox that takes the answers. */
  answersTo: string | null;
  /** For an alarm about a mailbox and most mail of no site, on a desk without a mail server of its own. */
  otherMailbox: Mailbox | null;
  /** The site's own words for it. */
  template: MailTemplate | null;
  /** The secret of a link that lets an agent in. */
  linkSecret: string | null;
  /** The recipient's, unless it has ended. */
  customerLink: { path: string; isOpen: boolean; isShared: boolean; rating: Record<Rating, string> | null } | null;
  customerCode: string | null;
  /** What an agent reads about the ticket, in a mail that they can answer. */
  agentView: AgentView | null;
  side: { conversation: SideConversation; message: SideMessage; address: string } | null;
  push: PushMaterial | null;
  /** Null also when its reader does not get it any more. */
  report: MailedReport | null;
}

export function loadDelivery(tx: Tx, ctx: Context, id: number): DeliveryMaterial | null {
  const delivery = deliveryById(tx, id);
  return delivery?.status === 'queued' ? materialOf(tx, ctx, delivery) : null;
}

/** Whatever its status. Null when its site was removed. */
export function materialOf(tx: Tx, ctx: Context, queued: Delivery): DeliveryMaterial | null {
  const { delivery, told } = asTold(tx, queued);
  const assigned = delivery.event === 'mail.assigned' ? stillAssigned(tx, delivery) : [];
  const sites = new Set(assigned.map(({ siteId }) => siteId));
  const [siteId = null] = delivery.siteId === null && sites.size === 1 ? sites : [delivery.siteId];
  const site = siteId === null ? null : siteById(tx, siteId);
  if (site === undefined) return null;
  const channel = delivery.channelId === null ? null : (anyChannel(tx, delivery.channelId) ?? null);
  const ticket = assigned[0] ?? (delivery.ticketId === null ? null : (ticketById(tx, delivery.ticketId) ?? null));
  const event = delivery.eventSeq === null ? null : (eventBySeq(tx, delivery.eventSeq) ?? null);
  const messageUlid = event?.data.message_ulid;
  const message = typeof messageUlid === 'string' ? (messageByUlid(tx, messageUlid) ?? null) : null;
  const assignedTo = toOf(event, 'assigned_to', ticket?.assigneeId);
  const teamId = toOf(event, 'team_id', ticket?.teamId);
  const isReply =
    (delivery.event === 'mail.agent_reply' || delivery.event === 'mail.reply_copy') &&
    ticket !== null &&
    message !== null;
  const readers = isReply ? addressed(delivery, message.recipients) : null;
  // Words of someone who does not get the mail are not for those who do.
  const quotable = readers?.readers.map(({ email }) => email) ?? [delivery.recipient ?? ''];
  const answered = isReply ? (customerMessageBefore(tx, message, quotable) ?? null) : null;
  const signingSecrets: string[] = [];
  if (channel) {
    signingSecrets.push(ctx.seal.open(channel.signingSecretSealed));
    if (channel.previousSigningSecretSealed !== null && (channel.previousSigningSecretExpiresAt ?? 0) > ctx.now) {
      signingSecrets.push(ctx.seal.open(channel.previousSigningSecretSealed));
    }
  }
  const side = sideOf(tx, ctx, delivery);
  const subjectMailbox =
    delivery.payload.mailbox_id === undefined
      ? null
      : (allMailboxes(tx).find(({ id }) => id === delivery.payload.mailbox_id) ?? null);
  const usual = site && routeOf(tx, ctx, site, delivery.event, ticket, message);
  const route = usual && delivery.event === 'mail.canary' ? canaryRoute(usual, subjectMailbox) : usual;
  return {
    delivery,
    told:
      told?.map((notification) => ({
        notification,
        ticket: notification.ticketId === null ? null : (ticketById(tx, notification.ticketId) ?? null),
      })) ?? null,
    unsubscribeToken: unsubscribeToken(tx, ctx, delivery),
    site,
    channel,
    webhookUrl: channel && ctx.seal.open(channel.webhookUrlSealed),
    signingSecrets,
    event,
    ticket,
    author: ticket === null ? null : (authorById(tx, ticket.authorId) ?? null),
    participants: channel === null || ticket === null ? [] : participantsOf(tx, ticket.id),
    priorityName: ticket === null ? null : (anyPriority(tx, ticket.priorityId)?.name ?? null),
    message,
    messageAuthor: message?.authorId == null ? null : (authorById(tx, message.authorId) ?? null),
    assignee: typeof assignedTo === 'number' ? (agentById(tx, assignedTo) ?? null) : null,
    team: typeof teamId === 'number' ? (teamById(tx, teamId) ?? null) : null,
    assigned,
    attachments: isReply
      ? attachmentsOfTicket(tx, message.ticketId).filter(({ messageId }) => messageId === message.id)
      : side !== null && delivery.event === 'mail.side_message'
        ? filesOf(tx, side.conversation, side.message)
        : [],
    answered,
    answeredAuthor: answered?.authorId == null ? null : (authorById(tx, answered.authorId) ?? null),
    readers,
    side,
    references: referencesOf(tx, delivery, ticket, side, readers),
    forwarded:
      delivery.payload.inbound_id === undefined ? null : (inboundMailById(tx, delivery.payload.inbound_id) ?? null),
    subjectChannel:
      delivery.payload.channel_id === undefined ? null : (anyChannel(tx, delivery.payload.channel_id) ?? null),
    subjectMailbox,
    deskName: readDeskSettings(tx).name,
    template: site && templateOf(tx, site, delivery),
    sender: route?.sender ?? null,
    through: route?.through ?? null,
    ownServer: ownServer(tx, ctx),
    answersTo: answersTo(tx, site, delivery, route?.mailbox ?? null),
    otherMailbox: mayGoThroughOther(delivery, site) ? otherMailbox(tx, delivery) : null,
    linkSecret: delivery.payload.link_sealed === undefined ? null : ctx.seal.open(delivery.payload.link_sealed),
    customerLink: customerLinkIn(tx, ctx, delivery, ticket, site, event),
    agentView: agentViewOf(tx, ctx, delivery, assigned.length > 1 ? null : ticket, site),
    push: pushOf(tx, ctx, delivery),
    report: mailedReport(tx, delivery),
    customerCode: delivery.payload.code_sealed === undefined ? null : ctx.seal.open(delivery.payload.code_sealed),
  };
}

/** What an event made of a field; the current value where it left it as it was. */
function toOf(event: Event | null, field: string, current: number | null | undefined): unknown {
  const change = event?.data.changes?.[field];
  return change === undefined ? current : change.to;
}

/** Agents, and people outside, can answer to any mailbox of the site; customers to the one that wrote to them. */
function answersTo(tx: Tx, site: Site | null, { event }: Delivery, mailbox: Mailbox | null): string | null {
  if (mailbox?.incoming) return mailbox.address;
  if (site === null || isAuthorMail(event)) return null;
  return mailboxRows.list(tx, site.id).find((row) => row.incoming !== null && !row.isPaused)?.address ?? null;
}

/** No link that lets an agent in: who reads the mailbox finds it among what was sent. */
const mayGoThroughOther = ({ event, payload }: Delivery, site: Site | null) =>
  event === 'mail.mailbox_alarm' || (site === null && payload.link_sealed === undefined);

/** Best one of the same site; its own is better than none. */
function otherMailbox(tx: Tx, { siteId, payload }: Delivery): Mailbox | null {
  const able = sendingMailboxes(tx);
  const others = able.filter(({ id }) => id !== payload.mailbox_id);
  return others.find((one) => one.siteId === siteId) ?? others[0] ?? able[0] ?? null;
}

function templateOf(tx: Tx, site: Site, { event, payload }: Delivery): MailTemplate | null {
  const name = payload.template ?? templateOfMail(event);
  return name === undefined ? null : (mailTemplate(tx, site.id, name, payload.locale ?? localeOf(site)) ?? null);
}

function sideOf(tx: Tx, ctx: Context, { payload }: Delivery): DeliveryMaterial['side'] {
  const message = payload.side_message_id === undefined ? undefined : sideMessageById(tx, payload.side_message_id);
  const conversation = message && sideConversationById(tx, message.sideConversationId);
  return message && conversation ? { conversation, message, address: sideAddress(ctx, conversation) } : null;
}

function referencesOf(
  tx: Tx,
  delivery: Delivery,
  ticket: Ticket | null,
  side: DeliveryMaterial['side'],
  readers: DeliveryMaterial['readers'],
): string[] {
  if (delivery.recipient === null) return [];
  if (ticket !== null) return threadOf(tx, ticket, delivery, delivery.recipient, readers);
  return side === null ? [] : sideThread(tx, side.conversation.id, delivery.recipient, delivery.id);
}

/** Of a reply: what its readers have, with what people on the ticket wrote, which they may have too. */
function threadOf(
  tx: Tx,
  ticket: Ticket,
  delivery: Delivery,
  own: string,
  readers: DeliveryMaterial['readers'],
): string[] {
  if (readers === null) return mailThread(tx, ticket.id, [own], [own], delivery);
  const sentTo = [...new Set([own, ...readers.readers.map(({ email }) => email)])];
  const writers = everyoneOn(tx, ticket).map(({ email }) => email);
  return mailThread(tx, ticket.id, sentTo, [...sentTo, ...writers], delivery);
}

function customerLinkIn(
  tx: Tx,
  ctx: Context,
  delivery: Delivery,
  ticket: Ticket | null,
  site: Site | null,
  event: Event | null,
): DeliveryMaterial['customerLink'] {
  const link = ticket === null || delivery.recipient === null ? undefined : customerLinkOfDelivery(tx, delivery.id);
  if (ticket === null || link === undefined || !isLinkAlive(tx, ctx, link)) return null;
  const isOpen = site?.settings.customer_links === 'open' && link.kind !== 'shared';
  const isAsking = link.kind === 'mail' && event !== null && asksIn(tx, ticket, event);
  return {
    path: customerLinkUrl(ctx.seal, '', ticket.ulid, link.ulid),
    ...{ isOpen, isShared: link.kind === 'shared' },
    rating: isAsking ? ratingPaths(ctx.seal, link.ulid) : null,
  };
}
