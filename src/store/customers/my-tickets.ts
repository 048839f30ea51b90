// The tickets of an address on a site, for the person who reads its mail.

import { query, type Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';
import { hasAddress } from './author-address.ts';
import type { ProvenAddress } from './proofs.ts';

const mostAuthors = 50;

/** Several, if an application knows people with the same address. */
export function authorIdsOfAddress(tx: Tx, { siteId, address }: ProvenAddress): number[] {
  const text = `SELECT id FROM authors WHERE site_id = ?1 AND ${hasAddress('email = ?2')} AND anonymised_at IS NULL ORDER BY id DESC LIMIT ?3`;
  return query<{ id: number }>(tx, text)
    .all(siteId, address, mostAuthors)
    .map(({ id }) => id);
}

/** Newest first, without spam and test tickets. */
export const ticketIdsBefore = statement(`SELECT id FROM tickets INDEXED BY tickets_by_author
     WHERE author_id IN (SELECT value FROM json_each(?)) AND is_test = 0 AND is_spam = 0 AND id < ? ORDER BY id DESC LIMIT ?`)
  .column<number, [authorIds: readonly number[], before: number, limit: number]>;

const mostMessages = 100;
const mostCharacters = 10_000;

/** Not from the search index, which holds notes too. Of a very long thread, its newest messages. */
export const publicTexts =
  statement(`SELECT substr(body, 1, ${mostCharacters}) AS body FROM messages INDEXED BY messages_by_ticket
     WHERE ticket_id = ? AND is_internal = 0 ORDER BY id DESC LIMIT ${mostMessages}`).column<
    string,
    [ticketId: number]
  >;

/** Without spam, and without those that were merged into another one of the same author. */
const listed = `author_id = ?1 AND is_spam = 0 AND (is_test = 0 OR ?2)
  AND NOT EXISTS (SELECT 1 FROM tickets AS target WHERE target.id = tickets.merged_into_id AND target.author_id = ?1)`;

/** One page of an author's tickets, newest first. */
export function pageOfAuthor(
  tx: Tx,
  authorId: number,
  { withTests, limit, offset }: { withTests: boolean; limit: number; offset: number },
): { ids: number[]; total: number } {
  const from = `FROM tickets INDEXED BY tickets_by_author WHERE ${listed}`;
  const rows = query<{ id: number }>(tx, `SELECT id ${from} ORDER BY created_at DESC, id DESC LIMIT ?3 OFFSET ?4`);
  const all = query<{ total: number }>(tx, `SELECT count(*) AS total ${from}`);
  return {
    ids: rows.all(authorId, Number(withTests), limit, offset).map(({ id }) => id),
    total: all.get(authorId, Number(withTests))?.total ?? 0,
  };
}
