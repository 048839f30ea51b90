// Addresses that bounce and get no more mail.

import type { Instant } from '../../base/clock.ts';
import { statement } from '../../engine/statements.ts';

export const suppressAddress = statement('INSERT INTO mail_suppressions VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')
  .run<[siteId: number, address: string, reason: string, at: Instant]>;

export const isSuppressed = statement('SELECT 1 FROM mail_suppressions WHERE site_id = ? AND address = ?').has<
  [siteId: number, address: string]
>;

export const liftSuppression = statement('DELETE FROM mail_suppressions WHERE site_id = ? AND address = ?').run<
  [siteId: number, address: string]
>;
