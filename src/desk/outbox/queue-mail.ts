// Queues one mail, with its recipient's link.

import { newUlid } from '../../base/ids.ts';
import type { CustomerLinkKind } from '../../domain/customers/link.ts';
import { type DeliveryPayload, isAuthorMail, type MailKind, undoableMails, undoMs } from '../../domain/event.ts';
import { normaliseEmail } from '../../domain/mail/address.ts';
import type { Tx } from '../../engine/database.ts';
import type { Author } from '../../store/customers/authors.ts';
import { customerLinkOfDelivery } from '../../store/customers/links.ts';
import { isSuppressed } from '../../store/mail/suppressions.ts';
import { type Delivery, insertDelivery, waitingAcknowledgementsOf } from '../../store/outbox/outbox.ts';
import { mailboxRows } from '../../store/sites/catalogue.ts';
import { siteById } from '../../store/sites/sites.ts';
import { messageById } from '../../store/tickets/messages.ts';
import { type Ticket, ticketById } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { createCustomerLink } from '../customers/links.ts';
import { isOwnAddress } from '../mail/own-address.ts';
import { routeOf } from './mail-route.ts';

// An unverified name may be text that someone else wants to send to this address.
export function calledBy(author: Author): string | null {
  return author.isVerified ? author.name : null;
}

export function queueMail(
  tx: Tx,
  ctx: Context,
  siteId: number | null,
  ticketId: number | null,
  seq: number | null,
  event: MailKind,
  to: { name: string | null; email: string },
  extra: DeliveryPayload = {},
  link = linksOfMails[event],
  holdMs = undoableMails.includes(event) ? undoMs : 0,
): void {
  if (ctx.isSilent) return;
  const address = normaliseEmail(to.email);
  if (siteId !== null && isSuppressed(tx, siteId, address)) return;
  // It would come back as a ticket, or be taken for the desk's own.
  if (isAuthorMail(event) && isOwnAddress(tx, ctx, address)) return;
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
    mailboxId: mailboxFor(tx, ctx, siteId, ticketId, event, extra.message_id),
  };
  const deliveryId = insertDelivery(tx, row, holdMs);
  if (event === linkedWhenClaimed) return;
  if (link !== undefined && siteId !== null && ticketId !== null)
    addLink(tx, ctx, { id: ticketId, siteId }, link, address, deliveryId, extra);
}

/** In whose line it waits. It leaves as is right then, in another line if senders or mailboxes have changed. */
function mailboxFor(
  tx: Tx,
  ctx: Context,
  siteId: number | null,
  ticketId: number | null,
  event: MailKind,
  messageId: number | undefined,
): number | null {
  const site = siteId === null ? undefined : siteById(tx, siteId);
  if (site === undefined || mailboxRows.list(tx, site.id).length === 0) return null;
  const ticket = ticketId === null ? null : (ticketById(tx, ticketId) ?? null);
  const message = messageId === undefined ? null : (messageById(tx, messageId) ?? null);
  return routeOf(tx, ctx, site, event, ticket, message).through?.id ?? null;
}

const linksOfMails: Partial<Record<MailKind, CustomerLinkKind>> = {
  'mail.acknowledgement': 'mail',
  'mail.ticket_resolved': 'mail',
  'mail.satisfaction': 'mail',
  'mail.form_receipt': 'form',
  'mail.customer_link': 'requested',
};

// Nearly every new ticket has one, and its link takes six pages of the log: those of several mails that are claimed together share them.
const linkedWhenClaimed: MailKind = 'mail.acknowledgement';

/** The link of a mail that leaves now, if it was queued without. */
export function linkClaimed(tx: Tx, ctx: Context, { id, event, siteId, ticketId, recipient, payload }: Delivery): void {
  if (event !== linkedWhenClaimed || siteId === null || ticketId === null || recipient === null) return;
  if (customerLinkOfDelivery(tx, id) !== undefined) return;
  addLink(tx, ctx, { id: ticketId, siteId }, 'mail', recipient, id, payload);
}

/** Before the links of a ticket are revoked: those of mails that wait are among them. */
export function linkWaiting(tx: Tx, ctx: Context, ticketId: number): void {
  for (const delivery of waitingAcknowledgementsOf(tx, ticketId)) linkClaimed(tx, ctx, delivery);
}

function addLink(
  tx: Tx,
  ctx: Context,
  ticket: Pick<Ticket, 'id' | 'siteId'>,
  kind: CustomerLinkKind,
  address: string,
  deliveryId: number,
  extra: DeliveryPayload,
): void {
  if (siteById(tx, ticket.siteId)?.settings.customer_links === 'off') return;
  const to = kind === 'shared' ? '' : address;
  createCustomerLink(tx, ctx, { ticket, address: to, kind, deliveryId, messageId: extra.message_id ?? null });
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
