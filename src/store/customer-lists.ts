// Browsers that asked for the tickets of an address.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../base/clock.ts';
import { hasAddress } from './author-address.ts';
import { query, type Tx } from './database.ts';
import { customerLists } from './schema/customers.ts';
import { insertInto, selectFrom } from './statements.ts';

type CustomerList = InferSelectModel<typeof customerLists>;

export const insertList = insertInto(customerLists);

const byHash = selectFrom(customerLists, 'WHERE token_hash = ? AND site_id = ? AND expires_at > ?');

export function listByHash(tx: Tx, hash: string, siteId: number, now: Instant): CustomerList | undefined {
  return byHash.get(tx, hash, siteId, now);
}

export function proveList(tx: Tx, hash: string, now: Instant, expiresAt: Instant): void {
  query(tx, 'UPDATE customer_lists SET proven_at = ?, expires_at = ? WHERE token_hash = ?').run(now, expiresAt, hash);
}

export function deleteList(tx: Tx, hash: string): void {
  query(tx, 'DELETE FROM customer_lists WHERE token_hash = ?').run(hash);
}

export function purgeLists(tx: Tx, now: Instant, limit: number): number {
  return query(
    tx,
    'DELETE FROM customer_lists WHERE id IN (SELECT id FROM customer_lists WHERE expires_at <= ? LIMIT ?)',
  ).run(now, limit).changes;
}

/** The newest of an address's own tickets. */
export function newestTicketOfAddress(tx: Tx, siteId: number, address: string): number | null {
  return (
    query<{ id: number | null }>(
      tx,
      `SELECT max(newest) AS id FROM (
         SELECT (SELECT max(id) FROM tickets INDEXED BY tickets_by_author
                 WHERE author_id = authors.id AND is_test = 0 AND is_spam = 0) AS newest
         FROM authors WHERE site_id = ?1 AND ${hasAddress('email = ?2')} AND anonymised_at IS NULL)`,
    ).get(siteId, address)?.id ?? null
  );
}
