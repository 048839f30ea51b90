// The sites that an actor can see, as SQL conditions.

import type { Scope } from '../domain/actor.ts';
import { query, type Tx } from '../engine/database.ts';
import { remembered } from './sites/catalogue-cache.ts';

/** With four statuses per site, merged lists stay below the 500 parts that SQLite allows in a statement. */
const mostMerged = 32;

/** Null if the whole desk is read. */
export function sitesToMerge(scope: Scope): readonly number[] | null {
  if (scope === 'all') return null;
  const sites = [...new Set(scope)];
  return sites.length <= mostMerged ? sites : null;
}

/** Every site of the scope, once. */
export function sitesIn(tx: Tx, scope: Scope): readonly number[] {
  if (scope !== 'all') return [...new Set(scope)];
  return remembered(tx, 'sites', () =>
    query<{ id: number }>(tx, 'SELECT id FROM sites')
      .all()
      .map(({ id }) => id),
  );
}

/** Null for all sites. For no site, a condition that matches nothing. */
export function isOfSites(scope: Scope, column = 'site_id'): { text: string; values: number[] } | null {
  if (scope === 'all') return null;
  const sites = [...new Set(scope)];
  if (sites.length === 0) return { text: '0', values: [] };
  if (sites.length === 1) return { text: `${column} = ?`, values: sites };
  return { text: `${column} IN (${sites.map(() => '?').join(', ')})`, values: sites };
}
