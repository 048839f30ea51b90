// Queues the webhooks and mails that an event causes, in the transaction of the event.

import { toWire } from '../../base/clock.ts';
import { newUlid } from '../../base/ids.ts';
import { normaliseEmail } from '../../domain/address.ts';
import type { CustomerLinkKind } from '../../domain/customer-link.ts';
import {
  type DeliveryPayload,
  type EventData,
  type EventKind,
  type MailKind,
  undoableMails,
  undoMs,
  type WebhookEvent,
  webhookEvents,
} from '../../domain/event.ts';
import { hourMs } from '../../domain/instant.ts';
import { abilitiesOf } from '../../domain/roles.ts';
import { type Agent, agentById, agentsOfSite } from '../../store/agents.ts';
import { wasAcknowledged } from '../../store/author-mails.ts';
import type { Tx } from '../../store/database.ts';
import { type Message, messageByUlid, updateMessage } from '../../store/messages.ts';
import { insertDelivery } from '../../store/outbox.ts';
import { type Author, authorById } from '../../store/people.ts';
import { channelRows } from '../../store/site-catalogue.ts';
import { type Site, siteById } from '../../store/sites.ts';
import { isSuppressed } from '../../store/suppressions.ts';
import { type Ticket, ticketById } from '../../store/tickets.ts';
import type { Context } from '../context.ts';
import { createCustomerLink } from '../customer/links.ts';
import { isGivenBack, joinAssigned } from './undoable.ts';

const isWebhookEvent = (kind: EventKind): kind is WebhookEvent => (webhookEvents as readonly string[]).includes(kind);

export function enqueue(
  tx: Tx,
  ctx: Context,
  kind: EventKind,
  subject: Ticket | number,
  data: EventData,
  seq: number,
): void {
  if (!isWebhookEvent(kind)) return;
  const ticket = typeof subject === 'number' ? ticketById(tx, subject) : subject;
  if (!ticket) return;
  if (ticket.isSpam) {
    if (ticket.isTest) return;
    // What an agent writes is meant for the author all the same.
    if (kind === 'ticket.replied' && data.is_agent === true) enqueueMail(tx, ctx, kind, ticket, data, seq);
    return;
  }
  for (const channel of channelRows.list(tx, ticket.siteId)) {
    // A channel that was created inactive has nothing to catch up on.
    const isHeld = !channel.isActive && channel.disabledAt !== null;
    if (!channel.events.includes(kind) || !(channel.isActive || isHeld)) continue;
    if (ticket.isTest && !channel.includeTest) continue;
    insertDelivery(tx, {
      ulid: newUlid(ctx.now),
      siteId: ticket.siteId,
      channelId: channel.id,
      ticketId: ticket.id,
      eventSeq: seq,
      event: kind,
      payload: { status: typeof data.new_status === 'string' ? data.new_status : ticket.status },
      recipient: null,
      mailMessageId: null,
      createdAt: ctx.now,
    });
  }
  if (!ticket.isTest) enqueueMail(tx, ctx, kind, ticket, data, seq);
}

/** At most one acknowledgement per address in this time (docs/spec/behaviour.md#outbound-mail). */
const acknowledgedMs = hourMs;

// An unverified name may be text that someone else wants to send to this address.
export function calledBy(author: Author): string | null {
  return author.isVerified ? author.name : null;
}

/** Agents can switch off mails about their work; the names of these are those of the notices. */
const wants = (agent: Agent, event: MailKind) => !agent.mutedNotices.some((notice) => notice === event);

/** No one hears of what they did themselves. */
const mayTell = ({ actor }: Context, agent: Agent, event: MailKind) =>
  agent.isActive && wants(agent, event) && !(actor.kind === 'agent' && actor.agentId === agent.id);

function isWrittenBy(tx: Tx, { authorId }: Message, agent: Agent): boolean {
  const author = authorId === null ? undefined : authorById(tx, authorId);
  return author !== undefined && normaliseEmail(author.email) === normaliseEmail(agent.email);
}

interface Recipient {
  name: string | null;
  email: string;
}

export function queueMail(
  tx: Tx,
  ctx: Context,
  siteId: number | null,
  ticketId: number | null,
  seq: number | null,
  event: MailKind,
  to: Recipient,
  extra: DeliveryPayload = {},
): void {
  const address = normaliseEmail(to.email);
  // Do not mail an address that bounced, and tell the agents at once.
  if (siteId !== null && isSuppressed(tx, siteId, address)) {
    if (extra.message_id !== undefined) {
      updateMessage(tx, extra.message_id, {
        delivery: { status: 'bounced', at: toWire(ctx.now), error: 'Earlier mail to this address bounced.' },
      });
    }
    return;
  }
  const ulid = newUlid(ctx.now);
  const row = {
    ulid,
    siteId,
    channelId: null,
    ticketId,
    eventSeq: seq,
    event,
    payload: { recipient_name: to.name, ...extra },
    recipient: address,
    mailMessageId: `<${ulid}@${ctx.mailDomain}>`,
    createdAt: ctx.now,
  };
  const deliveryId = insertDelivery(tx, row, undoableMails.includes(event) ? undoMs : 0);
  const kind = linksOfMails[event];
  if (kind !== undefined && ticketId !== null) addLink(tx, ctx, ticketId, kind, address, deliveryId, extra);
}

const linksOfMails: Partial<Record<MailKind, CustomerLinkKind>> = {
  'mail.acknowledgement': 'mail',
  'mail.agent_reply': 'mail',
  'mail.ticket_resolved': 'mail',
  'mail.form_receipt': 'form',
  'mail.customer_link': 'requested',
};

function addLink(
  tx: Tx,
  ctx: Context,
  ticketId: number,
  kind: CustomerLinkKind,
  address: string,
  deliveryId: number,
  extra: DeliveryPayload,
): void {
  const ticket = ticketById(tx, ticketId);
  const site = ticket && siteById(tx, ticket.siteId);
  if (!ticket || site?.settings.customer_links === 'off') return;
  createCustomerLink(tx, ctx, { ticket, address, kind, deliveryId, messageId: extra.message_id ?? null });
}

/** Who said that it is solved knows it; where links write without a code, that may have been someone else. */
function isKnownToAuthor({ actor }: Context, { settings }: Site, author: Author): boolean {
  // Rules can resolve mail sent in someone else's name.
  if (actor.kind === 'rule') return true;
  return actor.kind === 'author' && actor.authorId === author.id && settings.customer_links !== 'open';
}

function enqueueMail(tx: Tx, ctx: Context, kind: WebhookEvent, ticket: Ticket, data: EventData, seq: number): void {
  const site = siteById(tx, ticket.siteId);
  const author = authorById(tx, ticket.authorId);
  if (!site || !author) return;
  const assignee = ticket.assigneeId === null ? undefined : agentById(tx, ticket.assigneeId);
  const toAuthor = (event: MailKind, extra: DeliveryPayload = {}) => {
    if (author.anonymisedAt === null)
      queueMail(tx, ctx, site.id, ticket.id, seq, event, { name: calledBy(author), email: author.email }, extra);
  };
  const toAgents = (event: MailKind, agents: readonly Agent[]) => {
    for (const agent of agents)
      if (mayTell(ctx, agent, event)) queueMail(tx, ctx, site.id, ticket.id, seq, event, agent);
  };
  switch (kind) {
    case 'ticket.created':
      if (
        site.settings.acknowledge &&
        data.acknowledge !== false &&
        !wasAcknowledged(tx, author.email, ctx.now - acknowledgedMs)
      )
        toAuthor('mail.acknowledgement');
      return;
    case 'ticket.replied': {
      const message = typeof data.message_ulid === 'string' ? messageByUlid(tx, data.message_ulid) : undefined;
      if (!message) return;
      if (!message.isAgent) {
        if (assignee && !isWrittenBy(tx, message, assignee)) toAgents('mail.customer_replied', [assignee]);
      } else if (author.anonymisedAt === null) {
        updateMessage(tx, message.id, { delivery: { status: 'queued', at: toWire(ctx.now), error: null } });
        toAuthor('mail.agent_reply', { message_id: message.id });
      }
      return;
    }
    case 'ticket.status_changed':
      if (data.new_status === 'resolved' && site.settings.notify_resolved && !isKnownToAuthor(ctx, site, author))
        toAuthor('mail.ticket_resolved');
      return;
    case 'ticket.assigned': {
      const to = data.changes?.assigned_to?.to;
      const agent = typeof to === 'number' ? agentById(tx, to) : undefined;
      if (!agent || !mayTell(ctx, agent, 'mail.assigned') || isGivenBack(tx, ctx, ticket, agent)) return;
      if (!joinAssigned(tx, ctx, ticket, agent)) toAgents('mail.assigned', [agent]);
      return;
    }
    case 'ticket.sla_warning':
    case 'ticket.sla_breached':
      toAgents(
        kind === 'ticket.sla_warning' ? 'mail.sla_warning' : 'mail.sla_breached',
        assignee?.isActive ? [assignee] : ownersAndAdmins(tx, site.id),
      );
      return;
  }
}

function ownersAndAdmins(tx: Tx, siteId: number): Agent[] {
  return agentsOfSite(tx, siteId).filter(({ role }) => abilitiesOf(role).includes('manage'));
}

export function queueForward(
  tx: Tx,
  ctx: Context,
  siteId: number,
  address: string,
  inboundId: number,
  subject: string,
): void {
  queueMail(
    tx,
    ctx,
    siteId,
    null,
    null,
    'mail.forward',
    { name: null, email: address },
    { inbound_id: inboundId, subject },
  );
}
