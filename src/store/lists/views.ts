// Saved views and each agent's order of them.

import type { InferSelectModel } from 'drizzle-orm';
import { query, type Tx } from '../../engine/database.ts';
import { rowsOf, selectFrom } from '../../engine/statements.ts';
import { views } from '../schema/views.ts';

export type View = InferSelectModel<typeof views>;

export const viewRows = rowsOf(views);

export const sharedViews = selectFrom(views, 'WHERE is_shared = 1 ORDER BY id').all<[]>;

export const viewsOfAgent = selectFrom(
  views,
  `WHERE agent_id = ?1 OR is_shared = 1
   ORDER BY (SELECT position FROM view_positions WHERE agent_id = ?1 AND view_id = views.id) NULLS LAST, id`,
).all<[agentId: number]>;

export const viewsNaming = selectFrom(views, 'WHERE instr(lower(name || filter), lower(?)) > 0').all<[text: string]>;

export function orderViews(tx: Tx, agentId: number, ids: readonly number[]): void {
  query(tx, 'DELETE FROM view_positions WHERE agent_id = ?').run(agentId);
  const place = query(tx, 'INSERT INTO view_positions (agent_id, view_id, position) VALUES (?, ?, ?)');
  for (const [position, id] of ids.entries()) place.run(agentId, id, position);
}
