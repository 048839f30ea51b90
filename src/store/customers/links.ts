// Links to tickets that customers hold.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../base/clock.ts';
import type { StoredActor } from '../../domain/actor.ts';
import { query, type Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement } from '../../engine/statements.ts';
import { customerLinks } from '../schema/customers.ts';
import { forgetAddresses } from './proofs.ts';

export type CustomerLink = InferSelectModel<typeof customerLinks>;

const insertRow = insertInto(customerLinks);
// Begins with the time of the link, so that new ones lie side by side in the index; older ones lack it.
const timeDigits = 10;

export function insertCustomerLink(tx: Tx, given: Omit<CustomerLink, 'id'>): CustomerLink {
  const row = { ...given, tokenHash: given.ulid.slice(0, timeDigits) + given.tokenHash };
  return { ...row, id: insertRow(tx, row) };
}

export const customerLinkById = selectFrom(customerLinks, 'WHERE id = ?').get<[id: number]>;

export const customerLinkByUlid = selectFrom(customerLinks, 'WHERE ulid = ?').get<[ulid: string]>;

export const customerLinkByHash = selectFrom(
  customerLinks,
  'WHERE ticket_id IN (SELECT value FROM json_each(?1)) AND substr(token_hash, -length(?2)) = ?2 LIMIT 1',
).get<[ticketIds: readonly number[], hash: string]>;

/** The link in a mail. */
export const customerLinkOfDelivery = selectFrom(customerLinks, 'WHERE delivery_id = ? ORDER BY id DESC LIMIT 1').get<
  [deliveryId: number]
>;

/** Newest first. */
export const linksOfTickets = selectFrom(
  customerLinks,
  'WHERE ticket_id IN (SELECT value FROM json_each(?)) ORDER BY id DESC LIMIT ?',
).all<[ticketIds: readonly number[], limit: number]>;

/** The one that a list of this address opens the ticket by. */
export const listLinkOf = selectFrom(
  customerLinks,
  "WHERE ticket_id = ? AND address = ? AND kind = 'list' AND revoked_at IS NULL LIMIT 1",
).get<[ticketId: number, address: string]>;

export const countRequestedLinks = statement(
  "SELECT count(*) AS total FROM customer_links WHERE ticket_id = ? AND kind = 'requested' AND created_at > ?",
).number<[ticketId: number, since: Instant]>;

export const noteLinkUse = statement('UPDATE customer_links SET uses = uses + 1, last_used_at = ?2 WHERE id = ?1').run<
  [id: number, now: Instant]
>;

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

/** When the links of a ticket were last revoked, by anyone but the application whose token they were. */
export function lastRevocation(tx: Tx, ticketId: number): Instant | null {
  const found = query<{ at: Instant | null }>(
    tx,
    "SELECT max(revoked_at) AS at FROM customer_links WHERE ticket_id = ? AND revoked_by ->> '$.type' IS NOT 'application'",
  );
  return found.get(ticketId)?.at ?? null;
}

/**
 * Also ends their visits. Returns how many links there were to revoke.
 *
 * @param kind only these; all by default
 */
export function revokeLinks(
  tx: Tx,
  ticketIds: readonly number[],
  by: StoredActor,
  now: Instant,
  kind: CustomerLink['kind'] | null = null,
): number {
  const wanted = JSON.stringify(ticketIds);
  const among = 'ticket_id IN (SELECT value FROM json_each(?)) AND kind = coalesce(?, kind)';
  query(tx, `DELETE FROM customer_visits WHERE link_id IN (SELECT id FROM customer_links WHERE ${among})`).run(
    wanted,
    kind,
  );
  return query(
    tx,
    `UPDATE customer_links SET revoked_at = ?, revoked_by = ? WHERE revoked_at IS NULL AND ${among}`,
  ).run(now, JSON.stringify(by), wanted, kind).changes;
}
