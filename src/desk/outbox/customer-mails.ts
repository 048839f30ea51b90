// Mails that a customer asked for on a page: a new link, a code, the receipt of a form (docs/customers.md).
// Callers count how often an address may ask.

import type { Tx } from '../../engine/database.ts';
import { authorById } from '../../store/customers/authors.ts';
import { siteById } from '../../store/sites/sites.ts';
import type { Ticket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { calledBy, queueMail } from './queue-mail.ts';

/** To the address on the ticket; no mail where links are off. */
export function mailRequestedLink(tx: Tx, ctx: Context, ticket: Ticket): void {
  if (siteById(tx, ticket.siteId)?.settings.customer_links === 'off') return;
  mailAuthor(tx, ctx, ticket, 'mail.customer_link');
}

/** In place of an acknowledgement, and whether or not the site sends those: it brings the link. */
export function mailFormReceipt(tx: Tx, ctx: Context, ticket: Ticket): void {
  mailAuthor(tx, ctx, ticket, 'mail.form_receipt');
}

function mailAuthor(tx: Tx, ctx: Context, ticket: Ticket, event: 'mail.customer_link' | 'mail.form_receipt'): void {
  const author = authorById(tx, ticket.authorId);
  if (ticket.isSpam || !author || author.anonymisedAt !== null) return;
  queueMail(tx, ctx, ticket.siteId, ticket.id, null, event, { name: calledBy(author), email: author.email });
}

/**
 * @param ticket the one that the browser shows, or the newest of the address when it shows none
 * @param code six digits
 */
export function mailCustomerCode(
  tx: Tx,
  ctx: Context,
  { ticket, address, code }: { ticket: Ticket; address: string; code: string },
): void {
  const author = authorById(tx, ticket.authorId);
  if (ticket.isSpam || !author || author.anonymisedAt !== null) return;
  const sealed = { code_sealed: ctx.seal.seal(code) };
  queueMail(tx, ctx, ticket.siteId, ticket.id, null, 'mail.customer_code', { name: null, email: address }, sealed);
}
