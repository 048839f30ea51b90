// Links to tickets that customers hold.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../base/clock.ts';
import { query, type Tx } from './database.ts';
import { customerLinks } from './schema/customers.ts';
import { insertInto, selectFrom } from './statements.ts';

export type CustomerLink = InferSelectModel<typeof customerLinks>;

const insertRow = insertInto(customerLinks);
const byId = selectFrom(customerLinks, 'WHERE id = ?');
const byHash = selectFrom(customerLinks, 'WHERE token_hash = ?');
const byDelivery = selectFrom(customerLinks, 'WHERE delivery_id = ? ORDER BY id DESC LIMIT 1');

export function insertCustomerLink(tx: Tx, row: Omit<CustomerLink, 'id'>): CustomerLink {
  return { ...row, id: insertRow(tx, row) };
}

export function customerLinkById(tx: Tx, id: number): CustomerLink | undefined {
  return byId.get(tx, id);
}

export function customerLinkByHash(tx: Tx, hash: string): CustomerLink | undefined {
  return byHash.get(tx, hash);
}

/** The link in a mail. */
export function customerLinkOfDelivery(tx: Tx, deliveryId: number): CustomerLink | undefined {
  return byDelivery.get(tx, deliveryId);
}

export function noteLinkUse(tx: Tx, id: number, now: Instant): void {
  query(tx, 'UPDATE customer_links SET uses = uses + 1, last_used_at = ? WHERE id = ?').run(now, id);
}

/** Of an erased author's ticket, with their visits. */
export function deleteCustomerLinks(tx: Tx, ticketId: number): void {
  query(tx, 'DELETE FROM customer_links WHERE ticket_id = ?').run(ticketId);
}
