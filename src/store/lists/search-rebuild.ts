// Writes all full-text documents again, after the form of what they hold has changed: beside the desk's work, from the newest.

import { query, type Tx } from '../../engine/database.ts';
import { rewriteSome } from './documents.ts';
import type { SearchIndex } from './search-waiting.ts';

type Rebuild = { name: SearchIndex; nextId: number };

const nextRebuild = (tx: Tx) =>
  query<Rebuild>(tx, 'SELECT name, next_id AS nextId FROM search_rebuilds ORDER BY name DESC LIMIT 1').get();

export const hasRebuilds = (tx: Tx): boolean => nextRebuild(tx) !== null;

/** For about 10 ms. */
export function rebuildSome(tx: Tx): void {
  const due = nextRebuild(tx);
  if (due === null) return;
  const nextId = rewriteSome(tx, due.name, due.nextId);
  if (nextId === null) query(tx, 'DELETE FROM search_rebuilds WHERE name = ?').run(due.name);
  else query(tx, 'UPDATE search_rebuilds SET next_id = ? WHERE name = ?').run(nextId, due.name);
}
