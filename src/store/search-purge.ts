// Removes erased words from the full-text indexes: they stay until their segments are merged, done here in pieces.

import { query, type Tx } from './database.ts';
import { flushDocuments, mergePages, type SearchIndex } from './documents.ts';

const pagesAtOnce = 16;

/** Call it after removing words that must not stay in the database file. */
export function purgeSearchIndexes(tx: Tx): void {
  query(
    tx,
    `INSERT INTO search_purges (name, is_under_way) VALUES ('ticket_search', 0), ('author_search', 0)
     ON CONFLICT DO UPDATE SET is_under_way = 0`,
  ).run();
}

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
  flushDocuments(tx);
  // A negative number starts a merge of everything, a positive one continues it.
  const isDone = !mergePages(tx, index, purge.is_under_way === 1 ? pagesAtOnce : -pagesAtOnce);
  if (isDone && purge.is_under_way === 1) query(tx, 'DELETE FROM search_purges WHERE name = ?').run(name);
  else query(tx, 'UPDATE search_purges SET is_under_way = 1 WHERE name = ?').run(name);
  return true;
}

function indexNamed(name: string): SearchIndex {
  return name === 'author_search' ? 'author_search' : 'ticket_search';
}
