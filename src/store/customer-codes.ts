// Codes that confirm an address.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../base/clock.ts';
import { query, type Tx } from './database.ts';
import { customerCodes } from './schema/customers.ts';
import { insertInto, selectFrom } from './statements.ts';

type CustomerCode = InferSelectModel<typeof customerCodes>;

export const insertCode = insertInto(customerCodes);

// The next one that is asked for replaces it.
const newest = selectFrom(
  customerCodes,
  'INDEXED BY customer_codes_by_asker WHERE asker_hash = ? ORDER BY id DESC LIMIT 1',
);

export function newestCodeOf(tx: Tx, askerHash: string): CustomerCode | undefined {
  return newest.get(tx, askerHash);
}

interface Budget {
  siteId: number;
  address: string;
  isByLink: boolean;
}

export function countCodes(tx: Tx, { siteId, address, isByLink }: Budget, since: Instant): number {
  return (
    query<{ total: number }>(
      tx,
      'SELECT count(*) AS total FROM customer_codes WHERE site_id = ? AND address = ? AND created_at > ? AND is_by_link = ?',
    ).get(siteId, address, since, isByLink ? 1 : 0)?.total ?? 0
  );
}

/** @param most where counting ends */
export function countShortCodes(tx: Tx, siteId: number, since: Instant, digits: number, most: number): number {
  return (
    query<{ total: number }>(
      tx,
      'SELECT count(*) AS total FROM (SELECT 1 FROM customer_codes INDEXED BY customer_codes_by_site WHERE site_id = ? AND created_at > ? AND digits = ? LIMIT ?)',
    ).get(siteId, since, digits, most)?.total ?? 0
  );
}

export function countAttempt(tx: Tx, id: number): void {
  query(tx, 'UPDATE customer_codes SET attempts = attempts + 1 WHERE id = ?').run(id);
}

export function useUpCode(tx: Tx, id: number, now: Instant): void {
  query(tx, 'UPDATE customer_codes SET expires_at = ? WHERE id = ?').run(now, id);
}

export function purgeCodes(tx: Tx, before: Instant, limit: number): number {
  return query(
    tx,
    'DELETE FROM customer_codes WHERE id IN (SELECT id FROM customer_codes WHERE created_at <= ? LIMIT ?)',
  ).run(before, limit).changes;
}
