// Which addresses sites write from. Those of default senders are in the settings of their sites.

import { statement } from '../../engine/statements.ts';

const ofSites = (where: string) => `SELECT 1 FROM senders WHERE address = ?1 ${where.replace('site', 'site_id')}
  UNION ALL SELECT 1 FROM sites WHERE settings ->> '$.mail_from_address' = ?1 ${where.replace('site', 'id')} LIMIT 1`;

/** Whether a site writes from this address. */
export const isSenderOfSite = statement(ofSites('')).has<[address: string]>;

export const isSenderOfOtherSite = statement(ofSites('AND site <> ?2')).has<[address: string, siteId: number]>;
