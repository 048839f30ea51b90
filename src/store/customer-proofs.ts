// Addresses that a browser has confirmed.

import type { Instant } from '../base/clock.ts';
import { query, type Tx } from './database.ts';

export interface ProvenAddress {
  siteId: number;
  address: string;
}

export function isProven(tx: Tx, browserHash: string, { siteId, address }: ProvenAddress, since: Instant): boolean {
  return (
    query(
      tx,
      'SELECT 1 FROM customer_proofs WHERE browser_hash = ? AND site_id = ? AND address = ? AND proven_at > ?',
    ).get(browserHash, siteId, address, since) !== null
  );
}

/** By any browser; null if never. */
export function lastProvenAt(tx: Tx, { siteId, address }: ProvenAddress): Instant | null {
  const text = 'SELECT max(proven_at) AS at FROM customer_proofs WHERE site_id = ? AND address = ?';
  return query<{ at: Instant | null }>(tx, text).get(siteId, address)?.at ?? null;
}
