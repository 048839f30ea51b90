// Macros. There are few, so each list reads all that an agent may see.

import type { InferSelectModel } from 'drizzle-orm';
import type { Scope } from '../../domain/actor.ts';
import { query, type Tx } from '../../engine/database.ts';
import { rowsOf, selectFrom, statement } from '../../engine/statements.ts';
import { macros } from '../schema/macros.ts';

export type Macro = InferSelectModel<typeof macros>;

export const macroRows = rowsOf(macros);
const visible = selectFrom(
  macros,
  `WHERE (is_shared = 1 OR agent_id = ?1) AND (site_id IS NULL OR ?2 IS NULL OR site_id IN (SELECT value FROM json_each(?2)))
     AND (site_id IS NULL OR site_id NOT IN (SELECT site_id FROM site_removals)) ORDER BY position, id`,
);

/** Shared ones and those of this agent: of these sites, and of all sites. */
export function macrosFor(tx: Tx, agentId: number | null, sites: Scope): Macro[] {
  return visible.all(tx, agentId, sites === 'all' ? null : JSON.stringify(sites));
}

export const macrosOfSite = selectFrom(macros, 'WHERE site_id = ? ORDER BY id').all<[siteId: number]>;

/** @param agentId null for those that are shared */
export function countMacros(tx: Tx, agentId: number | null): number {
  const text =
    agentId === null
      ? 'SELECT count(*) AS total FROM macros WHERE is_shared = 1 OR agent_id IS ?'
      : 'SELECT count(*) AS total FROM macros WHERE is_shared = 0 AND agent_id = ?';
  return query<{ total: number }>(tx, text).get(agentId)?.total ?? 0;
}

export const lastMacroPosition = statement('SELECT coalesce(max(position), 0) AS last FROM macros').number<[]>;
