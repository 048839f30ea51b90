// Browsers that may read a ticket by a link.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../base/clock.ts';
import { query, type Tx } from './database.ts';
import { customerVisits } from './schema/customers.ts';
import { insertInto, selectFrom } from './statements.ts';

export type CustomerVisit = InferSelectModel<typeof customerVisits>;

const insertRow = insertInto(customerVisits);
const byHash = selectFrom(customerVisits, 'WHERE token_hash = ? AND expires_at > ?');

/** After `most` visits by one link, the oldest of them end. */
export function insertVisit(tx: Tx, row: Omit<CustomerVisit, 'id'>, most: number): CustomerVisit {
  const visit = { ...row, id: insertRow(tx, row) };
  query(
    tx,
    'DELETE FROM customer_visits WHERE id IN (SELECT id FROM customer_visits WHERE link_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?)',
  ).run(row.linkId, most);
  return visit;
}

export function visitByHash(tx: Tx, hash: string, now: Instant): CustomerVisit | undefined {
  return byHash.get(tx, hash, now);
}

export function deleteVisit(tx: Tx, hash: string): void {
  query(tx, 'DELETE FROM customer_visits WHERE token_hash = ?').run(hash);
}

export function purgeVisits(tx: Tx, now: Instant, limit: number): number {
  return query(
    tx,
    'DELETE FROM customer_visits WHERE id IN (SELECT id FROM customer_visits WHERE expires_at <= ? LIMIT ?)',
  ).run(now, limit).changes;
}

export function livingVisits(tx: Tx, ids: readonly number[], now: Instant): Set<number> {
  const rows = query<{ id: number }>(
    tx,
    'SELECT id FROM customer_visits WHERE id IN (SELECT value FROM json_each(?)) AND expires_at > ?',
  ).all(JSON.stringify(ids), now);
  return new Set(rows.map(({ id }) => id));
}
