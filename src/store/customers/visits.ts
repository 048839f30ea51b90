// Browsers that may read a ticket by a link.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../base/clock.ts';
import { query, type Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement } from '../../engine/statements.ts';
import { customerVisits } from '../schema/customers.ts';

export type CustomerVisit = InferSelectModel<typeof customerVisits>;

const insertRow = insertInto(customerVisits);

/** After `most` visits by one link, the oldest of them end. */
export function insertVisit(tx: Tx, row: Omit<CustomerVisit, 'id'>, most: number): CustomerVisit {
  const visit = { ...row, id: insertRow(tx, row) };
  query(
    tx,
    'DELETE FROM customer_visits WHERE id IN (SELECT id FROM customer_visits WHERE link_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?)',
  ).run(row.linkId, most);
  return visit;
}

export const visitByHash = selectFrom(customerVisits, 'WHERE token_hash = ? AND expires_at > ?').get<
  [hash: string, now: Instant]
>;

export const deleteVisit = statement('DELETE FROM customer_visits WHERE token_hash = ?').run<[hash: string]>;

export const endVisitBy = statement('UPDATE customer_visits SET expires_at = min(expires_at, ?) WHERE token_hash = ?')
  .run<[at: Instant, hash: string]>;

export const purgeVisits = statement(
  'DELETE FROM customer_visits WHERE id IN (SELECT id FROM customer_visits WHERE expires_at <= ? LIMIT ?)',
).run<[now: Instant, limit: number]>;
