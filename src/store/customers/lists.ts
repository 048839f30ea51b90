// Browsers that asked for the tickets of an address.

import type { Instant } from '../../base/clock.ts';
import { query, type Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement } from '../../engine/statements.ts';
import { customerLists } from '../schema/customers.ts';
import { hasAddress } from './author-address.ts';

export const insertList = insertInto(customerLists);

export const listByHash = selectFrom(customerLists, 'WHERE token_hash = ? AND site_id = ? AND expires_at > ?').get<
  [hash: string, siteId: number, now: Instant]
>;

export const proveList = statement('UPDATE customer_lists SET proven_at = ?2, expires_at = ?3 WHERE token_hash = ?1')
  .run<[hash: string, now: Instant, expiresAt: Instant]>;

export const deleteList = statement('DELETE FROM customer_lists WHERE token_hash = ?').run<[hash: string]>;

export const purgeLists = statement(
  'DELETE FROM customer_lists WHERE id IN (SELECT id FROM customer_lists WHERE expires_at <= ? LIMIT ?)',
).run<[now: Instant, limit: number]>;

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
