// Queues the webhooks and mails that an event causes, in the transaction of the event.

import { newUlid } from '../../base/ids.ts';
import {
  type EventData,
  type EventKind,
  type MailKind,
  type TicketWebhook,
  ticketWebhooks,
} from '../../domain/event.ts';
import { hourMs } from '../../domain/instant.ts';
import type { Tx } from '../../engine/database.ts';
import { type Author, authorById } from '../../store/customers/authors.ts';
import { wasAcknowledged } from '../../store/mail/author-mails.ts';
import { insertDelivery } from '../../store/outbox/outbox.ts';
import { channelRows } from '../../store/sites/catalogue.ts';
import { type Site, siteById } from '../../store/sites/sites.ts';
import { messageByUlid } from '../../store/tickets/messages.ts';
import { type Ticket, ticketById } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { calledBy, queueMail } from './queue-mail.ts';
import { queueReply } from './reply-mails.ts';

const isTicketWebhook = (kind: EventKind): kind is TicketWebhook =>
  (ticketWebhooks as readonly string[]).includes(kind);

export function enqueue(
  tx: Tx,
  ctx: Context,
  kind: EventKind,
  subject: Ticket | number,
  data: EventData,
  seq: number,
  author?: Author,
): void {
  if (!isTicketWebhook(kind)) return;
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
  if (!ticket.isTest) enqueueMail(tx, ctx, kind, ticket, data, seq, author);
}

/** At most one acknowledgement per address in this time (docs/spec/behaviour.md#outbound-mail). */
const acknowledgedMs = hourMs;

/** Who said that it is solved knows it; where links write without a code, that may have been someone else. */
export function isKnownToAuthor({ actor }: Context, { settings }: Site, author: Author): boolean {
  // Rules can resolve mail sent in someone else's name.
  if (actor.kind === 'rule') return true;
  return actor.kind === 'author' && actor.authorId === author.id && settings.customer_links !== 'open';
}

function enqueueMail(
  tx: Tx,
  ctx: Context,
  kind: TicketWebhook,
  ticket: Ticket,
  data: EventData,
  seq: number,
  author = authorById(tx, ticket.authorId),
): void {
  const site = siteById(tx, ticket.siteId);
  if (!site || !author) return;
  const toAuthor = (event: MailKind) => {
    if (author.anonymisedAt === null)
      queueMail(tx, ctx, site.id, ticket.id, seq, event, { name: calledBy(author), email: author.email });
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
      if (message?.isAgent && message.recipients !== null)
        queueReply(tx, ctx, ticket, seq, { id: message.id, recipients: message.recipients });
      return;
    }
    case 'ticket.status_changed':
      if (data.new_status !== 'resolved' || data.notify_author === false || isKnownToAuthor(ctx, site, author)) return;
      if (site.settings.notify_resolved) toAuthor('mail.ticket_resolved');
      else if (data.satisfaction_asked === 'mail') toAuthor('mail.satisfaction');
      return;
  }
}
