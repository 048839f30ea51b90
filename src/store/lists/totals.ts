// Totals kept by triggers: the number of tickets per site and status.

import { query, type Tx } from '../../engine/database.ts';
import { allOf, isAmong, ofSites, type Sql, statusesOf, type TicketFilter } from './filter.ts';

export function keptTotal(tx: Tx, filter: TicketFilter): number {
  const parts: Sql[] = [isAmong('status', statusesOf(filter))];
  parts.push(...ofSites(filter.sites));
  for (const siteId of filter.exceptSiteIds) parts.push({ text: 'site_id <> ?', values: [siteId] });
  parts.push({ text: 'is_spam = 0', values: [] });
  if (!filter.includeTest) parts.push({ text: 'is_test = 0', values: [] });
  const { text, values } = allOf(parts);
  return (
    query<{ total: number }>(tx, `SELECT coalesce(sum(total), 0) AS total FROM ticket_counts WHERE ${text}`).get(
      ...values,
    )?.total ?? 0
  );
}
