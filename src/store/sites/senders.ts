// Which addresses sites write from. Those of default senders are in the settings of their sites.

import type { Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';
import { remembered } from './catalogue-cache.ts';

const everyAddress = statement(`SELECT address FROM senders WHERE address IS NOT NULL
  UNION SELECT settings ->> '$.mail_from_address' FROM sites`).column<string>;

/** Whether a site writes from this address. Asked for each mail to a customer. */
export function isSenderOfSite(tx: Tx, address: string): boolean {
  return remembered(tx, 'addresses of senders', () => new Set(everyAddress(tx))).has(address);
}

export const isSenderOfOtherSite = statement(`SELECT 1 FROM senders WHERE address = ?1 AND site_id <> ?2
  UNION ALL SELECT 1 FROM sites WHERE settings ->> '$.mail_from_address' = ?1 AND id <> ?2 LIMIT 1`).has<
  [address: string, siteId: number]
>;
