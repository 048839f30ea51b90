// Removes erased words from the full-text indexes: they stay until their segments are merged, done here in pieces.

import { query, type Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';
import { mergePages, writeWaiting } from './documents.ts';
import type { SearchIndex } from './search-waiting.ts';

const pagesAtOnce = 16;

/** Call it after removing words that must not stay in the database file. */
export const purgeSearchIndexes =
  statement(`INSERT INTO search_purges (name, is_under_way) VALUES ('ticket_search', 0), ('author_search', 0)
     ON CONFLICT DO UPDATE SET is_under_way = 0`).run<[]>;

export function searchPurgesDue(tx: Tx, mostBlocks: number): string[] {
  return query<{ name: string }>(tx, 'SELECT name FROM search_purges')
    .all()
    .map(({ name }) => name)
    .filter((name) => {
      const counted = query<{ blocks: number }>(
        tx,
        `SELECT count(*) AS blocks FROM (SELECT 1 FROM ${indexNamed(name)}_data LIMIT ?)`,
      ).get(mostBlocks + 1);
      return (counted?.blocks ?? 0) <= mostBlocks;
    });
}

export function purgeSearchIndex(tx: Tx, name: string): boolean {
  const purge = query<{ is_under_way: number }>(tx, 'SELECT is_under_way FROM search_purges WHERE name = ?').get(name);
  if (purge === null) return false;
  const index = indexNamed(name);
  // Erased words of documents that still wait would stay.
  if (writeWaiting(tx)) return true;
  // A negative number starts a merge of everything, a positive one continues it.
  const isDone = !mergePages(tx, index, purge.is_under_way === 1 ? pagesAtOnce : -pagesAtOnce);
  if (isDone && purge.is_under_way === 1) query(tx, 'DELETE FROM search_purges WHERE name = ?').run(name);
  else query(tx, 'UPDATE search_purges SET is_under_way = 1 WHERE name = ?').run(name);
  return true;
}

function indexNamed(name: string): SearchIndex {
  return name === 'author_search' ? 'author_search' : 'ticket_search';
}
