// Tickets and authors whose full-text documents are still to be written.

import { query, type Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';

export type SearchIndex = 'ticket_search' | 'author_search';

/** Its document is written a moment later, from what is stored then (documents.ts). */
export const indexLater = statement('INSERT INTO search_waiting (name, id) VALUES (?, ?)').run<
  [index: SearchIndex, id: number]
>;

/** The number of the newest one that waits; null if none does. */
export function newestWaiting(tx: Tx): number | null {
  return query<{ seq: number | null }>(tx, 'SELECT max(seq) AS seq FROM search_waiting').get()?.seq ?? null;
}

/** Whether one waits that came no later than `seq`. */
export const isWaitingUpTo = statement('SELECT 1 FROM search_waiting WHERE seq <= ? LIMIT 1').has<[seq: number]>;
