// Links to tickets that customers hold.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../base/clock.ts';
import type { StoredActor } from '../domain/actor.ts';
import { forgetAddresses } from './customer-proofs.ts';
import { query, type Tx } from './database.ts';
import { customerLinks } from './schema/customers.ts';
import { insertInto, selectFrom } from './statements.ts';

export type CustomerLink = InferSelectModel<typeof customerLinks>;

const insertRow = insertInto(customerLinks);
const byId = selectFrom(customerLinks, 'WHERE id = ?');
// Begins with the time of the link, so that new ones lie side by side in the index; older ones lack it.
const byHash = selectFrom(
  customerLinks,
  'WHERE ticket_id IN (SELECT value FROM json_each(?1)) AND substr(token_hash, -length(?2)) = ?2 LIMIT 1',
);
const timeDigits = 10;
const byDelivery = selectFrom(customerLinks, 'WHERE delivery_id = ? ORDER BY id DESC LIMIT 1');

const ofTickets = selectFrom(
  customerLinks,
  'WHERE ticket_id IN (SELECT value FROM json_each(?)) ORDER BY id DESC LIMIT ?',
);
const ofList = selectFrom(
  customerLinks,
  "WHERE ticket_id = ? AND address = ? AND kind = 'list' AND revoked_at IS NULL LIMIT 1",
);

export function insertCustomerLink(tx: Tx, given: Omit<CustomerLink, 'id'>): CustomerLink {
  const row = { ...given, tokenHash: given.ulid.slice(0, timeDigits) + given.tokenHash };
  return { ...row, id: insertRow(tx, row) };
}

export function customerLinkById(tx: Tx, id: number): CustomerLink | undefined {
  return byId.get(tx, id);
}

export function customerLinkByHash(tx: Tx, ticketIds: readonly number[], hash: string): CustomerLink | undefined {
  return byHash.get(tx, JSON.stringify(ticketIds), hash);
}

/** The link in a mail. */
export function customerLinkOfDelivery(tx: Tx, deliveryId: number): CustomerLink | undefined {
  return byDelivery.get(tx, deliveryId);
}

/** Newest first. */
export function linksOfTickets(tx: Tx, ticketIds: readonly number[], limit: number): CustomerLink[] {
  return ofTickets.all(tx, JSON.stringify(ticketIds), limit);
}

/** The one that a list of this address opens the ticket by. */
export function listLinkOf(tx: Tx, ticketId: number, address: string): CustomerLink | undefined {
  return ofList.get(tx, ticketId, address);
}

export function countRequestedLinks(tx: Tx, ticketId: number, since: Instant): number {
  return (
    query<{ total: number }>(
      tx,
      "SELECT count(*) AS total FROM customer_links WHERE ticket_id = ? AND kind = 'requested' AND created_at > ?",
    ).get(ticketId, since)?.total ?? 0
  );
}

export function noteLinkUse(tx: Tx, id: number, now: Instant): void {
  query(tx, 'UPDATE customer_links SET uses = uses + 1, last_used_at = ? WHERE id = ?').run(now, id);
}

/** Of an erased author's ticket, with their visits. */
export function deleteCustomerLinks(tx: Tx, { id, siteId }: { id: number; siteId: number }): void {
  const addresses = query<{ address: string }>(tx, 'SELECT DISTINCT address FROM customer_links WHERE ticket_id = ?');
  forgetAddresses(
    tx,
    siteId,
    addresses.all(id).map(({ address }) => address),
  );
  query(tx, 'DELETE FROM customer_links WHERE ticket_id = ?').run(id);
}

/** Also ends their visits. Returns how many links there were to revoke. */
export function revokeLinks(tx: Tx, ticketIds: readonly number[], by: StoredActor, now: Instant): number {
  const wanted = JSON.stringify(ticketIds);
  const among = 'ticket_id IN (SELECT value FROM json_each(?))';
  query(tx, `DELETE FROM customer_visits WHERE link_id IN (SELECT id FROM customer_links WHERE ${among})`).run(wanted);
  return query(
    tx,
    `UPDATE customer_links SET revoked_at = ?, revoked_by = ? WHERE revoked_at IS NULL AND ${among}`,
  ).run(now, JSON.stringify(by), wanted).changes;
}
