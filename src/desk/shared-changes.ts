// Tells of changes of what belongs to several sites, such as teams and shared macros.

import type { Tx } from '../engine/database.ts';
import { allSiteIds, siteById } from '../store/sites/sites.ts';
import { audit } from './audit.ts';
import type { Context } from './context.ts';
import { record } from './record.ts';

interface Shared {
  id: number;
  name: string;
}

/**
 * Tells of a change of what several sites have: in the audit log, and to each site that has it or had it.
 * @param sitesOf ids; none for every site
 */
export function tellShared<Row extends Shared>(
  tx: Tx,
  ctx: Context,
  type: 'team' | 'macro',
  [before, after]: readonly [Row | null, Row | null],
  sitesOf: (row: Row) => readonly number[],
): void {
  const change = before === null ? 'created' : after === null ? 'deleted' : 'updated';
  const row = (after ?? before) as Row;
  const { id, name } = row;
  const [only = null, ...more] = sitesOf(row);
  const siteId = more.length === 0 ? only : null;
  audit(tx, ctx, { action: `${type}.${change}`, target: { type, id, name }, siteId, before, after });
  const concerned = [before, after].flatMap((one) => (one === null ? [] : [sitesOf(one)]));
  const ids = concerned.some(({ length }) => length === 0) ? allSiteIds(tx) : concerned.flat();
  for (const site of new Set(ids)) {
    const ulid = siteById(tx, site)?.ulid;
    if (ulid === undefined) continue;
    const data = { site_ulid: ulid, [type]: id, change };
    record(tx, ctx, { kind: 'site.updated', siteId: site, ticketId: null, data });
  }
}
