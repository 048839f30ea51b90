// How many views or reports there are.

import { query, type Tx } from '../../engine/database.ts';

/** Those of an agent, and those that everyone has. */
export const countSaved = (table: 'views' | 'saved_reports') => (tx: Tx, agentId: number | null) =>
  query<{ own: number; shared: number }>(
    tx,
    `SELECT (SELECT count(*) FROM ${table} INDEXED BY ${table}_by_agent WHERE agent_id = ?) AS own,
            (SELECT count(*) FROM ${table} INDEXED BY ${table}_shared WHERE is_shared = 1) AS shared`,
  ).get(agentId) ?? { own: 0, shared: 0 };
