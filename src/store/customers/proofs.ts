// Addresses that a browser has confirmed.

import type { Instant } from '../../base/clock.ts';
import { query, type Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';

export interface ProvenAddress {
  siteId: number;
  address: string;
}

/** After `most` addresses in one browser, the oldest proofs end. */
export function saveProof(
  tx: Tx,
  browserHash: string,
  { siteId, address }: ProvenAddress,
  now: Instant,
  most: number,
): void {
  query(
    tx,
    `INSERT INTO customer_proofs (site_id, address, browser_hash, proven_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (browser_hash, site_id, address) DO UPDATE SET proven_at = excluded.proven_at`,
  ).run(siteId, address, browserHash, now);
  query(
    tx,
    `DELETE FROM customer_proofs WHERE id IN (
       SELECT id FROM customer_proofs WHERE browser_hash = ? ORDER BY proven_at DESC, id DESC LIMIT -1 OFFSET ?)`,
  ).run(browserHash, most);
}

export function isProven(tx: Tx, browserHash: string, { siteId, address }: ProvenAddress, since: Instant): boolean {
  return (
    query(
      tx,
      'SELECT 1 FROM customer_proofs WHERE browser_hash = ? AND site_id = ? AND address = ? AND proven_at > ?',
    ).get(browserHash, siteId, address, since) !== null
  );
}

/** Of one browser on one site, the newest first. */
export const addressesOfBrowser = statement(
  'SELECT address FROM customer_proofs WHERE browser_hash = ? AND site_id = ? AND proven_at > ? ORDER BY proven_at DESC',
).column<string, [browserHash: string, siteId: number, since: Instant]>;

/** By any browser; null if never. */
export function lastProvenAt(tx: Tx, { siteId, address }: ProvenAddress): Instant | null {
  const text = 'SELECT max(proven_at) AS at FROM customer_proofs WHERE site_id = ? AND address = ?';
  return query<{ at: Instant | null }>(tx, text).get(siteId, address)?.at ?? null;
}

export const hasProofs = statement('SELECT 1 FROM customer_proofs WHERE browser_hash = ? LIMIT 1').has<
  [browserHash: string]
>;

export const deleteProofs = statement(
  'DELETE FROM customer_proofs WHERE browser_hash = ?1 AND (?2 IS NULL OR site_id = ?2)',
).run<[browserHash: string, siteId: number | null]>;

export const purgeProofs = statement(
  'DELETE FROM customer_proofs WHERE id IN (SELECT id FROM customer_proofs WHERE proven_at <= ? LIMIT ?)',
).run<[before: Instant, limit: number]>;

export function addressesProven(tx: Tx, siteId: number, addresses: readonly string[], since: Instant): Set<string> {
  const rows = query<{ address: string }>(
    tx,
    `SELECT DISTINCT address FROM customer_proofs INDEXED BY customer_proofs_by_address
     WHERE site_id = ? AND address IN (SELECT value FROM json_each(?)) AND proven_at > ?`,
  ).all(siteId, JSON.stringify(addresses), since);
  return new Set(rows.map(({ address }) => address));
}

/** Everything by which browsers have shown, or want to show, that they read the mail of these addresses. */
export function forgetAddresses(tx: Tx, siteId: number, addresses: readonly string[]): void {
  for (const table of ['customer_proofs', 'customer_lists', 'customer_codes'])
    query(tx, `DELETE FROM ${table} WHERE site_id = ? AND address IN (SELECT value FROM json_each(?))`).run(
      siteId,
      JSON.stringify(addresses),
    );
}
