// Addresses that bounce and get no more mail.

import type { Instant } from '../base/clock.ts';
import { query, type Tx } from './database.ts';

export function suppressAddress(tx: Tx, siteId: number, address: string, reason: string, at: Instant): void {
  query(tx, 'INSERT INTO mail_suppressions VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING').run(
    siteId,
    address,
    reason,
    at,
  );
}

export function isSuppressed(tx: Tx, siteId: number, address: string): boolean {
  return query(tx, 'SELECT 1 FROM mail_suppressions WHERE site_id = ? AND address = ?').get(siteId, address) !== null;
}

export function liftSuppression(tx: Tx, siteId: number, address: string): void {
  query(tx, 'DELETE FROM mail_suppressions WHERE site_id = ? AND address = ?').run(siteId, address);
}
