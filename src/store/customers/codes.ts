// Codes that confirm an address.

import type { Instant } from '../../base/clock.ts';
import { query, type Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement } from '../../engine/statements.ts';
import { customerCodes } from '../schema/customers.ts';

export const insertCode = insertInto(customerCodes);

export const codeById = selectFrom(customerCodes, 'WHERE id = ?').get<[id: number]>;

// The next one that is asked for replaces it.
export const newestCodeOf = selectFrom(
  customerCodes,
  'INDEXED BY customer_codes_by_asker WHERE asker_hash = ? ORDER BY id DESC LIMIT 1',
).get<[askerHash: string]>;

interface Budget {
  siteId: number;
  address: string;
  isByLink: boolean;
  networkHash: string;
}

/** Codes of an address, and those of them that the same network asked for. */
export function countCodes(
  tx: Tx,
  { siteId, address, isByLink, networkHash }: Budget,
  since: Instant,
): { all: number; ofNetwork: number } {
  const counted = query<{ all: number; ofNetwork: number }>(
    tx,
    `SELECT count(*) AS "all", count(*) FILTER (WHERE network_hash = ?) AS ofNetwork FROM customer_codes
     WHERE site_id = ? AND address = ? AND created_at > ? AND is_by_link = ?`,
  ).get(networkHash, siteId, address, since, isByLink ? 1 : 0);
  return counted ?? { all: 0, ofNetwork: 0 };
}

/** @param most where counting ends */
export const countShortCodes = statement(
  'SELECT count(*) AS total FROM (SELECT 1 FROM customer_codes INDEXED BY customer_codes_by_site WHERE site_id = ? AND created_at > ? AND digits = ? LIMIT ?)',
).number<[siteId: number, since: Instant, digits: number, most: number]>;

export const countAttempt = statement('UPDATE customer_codes SET attempts = attempts + 1 WHERE id = ?').run<
  [id: number]
>;

export const useUpCode = statement('UPDATE customer_codes SET expires_at = ?2 WHERE id = ?1').run<
  [id: number, now: Instant]
>;

export const purgeCodes = statement(
  'DELETE FROM customer_codes WHERE id IN (SELECT id FROM customer_codes WHERE created_at <= ? LIMIT ?)',
).run<[before: Instant, limit: number]>;
