// Authors.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../base/clock.ts';
import { query, type Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement, updateById } from '../../engine/statements.ts';
import { indexLater } from '../lists/search-waiting.ts';
import { authors } from '../schema/tickets.ts';
import { hasAddress } from './author-address.ts';

export type Author = InferSelectModel<typeof authors>;

const insertAuthorRow = insertInto(authors);
const updateAuthorRow = updateById(authors);

export const authorById = selectFrom(authors, 'WHERE id = ?').get<[id: number]>;

export const authorsByIds = selectFrom(authors, 'WHERE id IN (SELECT value FROM json_each(?))').all<
  [ids: readonly number[]]
>;

/** The author of a ticket and its participants. */
export const authorsOnTicket = selectFrom(
  authors,
  'WHERE id = ? OR id IN (SELECT author_id FROM participants WHERE ticket_id = ?)',
).all<[authorId: number, ticketId: number]>;

export const authorByExternalId = selectFrom(authors, 'WHERE site_id = ? AND external_id = ?').get<
  [siteId: number, externalId: string]
>;

export const unverifiedAuthorByEmail = selectFrom(authors, 'WHERE site_id = ? AND external_id IS NULL AND email = ?')
  .get<[siteId: number, email: string]>;

export const authorsByEmail = selectFrom(authors, `WHERE site_id = ?1 AND ${hasAddress('email = ?2')} ORDER BY id`).all<
  [siteId: number, email: string]
>;

export const erasedAuthorByEmail = selectFrom(
  authors,
  'WHERE site_id = ? AND erased_email IN (SELECT value FROM json_each(?)) ORDER BY id DESC LIMIT 1',
).get<[siteId: number, emails: readonly string[]]>;

export const erasedAuthorByExternalId = selectFrom(
  authors,
  'WHERE site_id = ? AND erased_external_id IN (SELECT value FROM json_each(?)) ORDER BY id DESC LIMIT 1',
).get<[siteId: number, externalIds: readonly string[]]>;

export const wasErasedSince = statement(`SELECT 1 FROM authors INDEXED BY authors_by_erased_email
       WHERE site_id = ? AND erased_email IN (SELECT value FROM json_each(?)) AND anonymised_at > ? LIMIT 1`).has<
  [siteId: number, emails: readonly string[], since: Instant]
>;

export const erasedAuthors = selectFrom(authors, 'WHERE anonymised_at IS NOT NULL').all<[]>;

export function erasedAuthorsAmong(tx: Tx, ids: readonly number[]): Author[] {
  return authorsByIds(tx, ids).filter(({ anonymisedAt }) => anonymisedAt !== null);
}

/** What is known of them. Works on older schemas too. */
export function erasedAuthorsAfter(tx: Tx, id: number, limit: number) {
  return query<
    Pick<Author, 'siteId' | 'id' | 'erasedExternalId' | 'erasedEmail' | 'anonymisedAt'> & { originUlid: string | null }
  >(
    tx,
    `SELECT authors.site_id AS siteId, authors.id, erased_external_id AS erasedExternalId, erased_email AS erasedEmail,
       anonymised_at AS anonymisedAt, origin_ulid AS originUlid
     FROM authors LEFT JOIN sites ON sites.id = authors.site_id
     WHERE authors.id > ? AND anonymised_at IS NOT NULL ORDER BY authors.id LIMIT ?`,
  ).all(id, limit);
}

export const authorsAfter = selectFrom(authors, 'WHERE id > ? ORDER BY id LIMIT ?').all<[id: number, limit: number]>;

export function insertAuthor(tx: Tx, author: Omit<Author, 'id'>): Author {
  const id = insertAuthorRow(tx, author);
  indexLater(tx, 'author_search', id);
  return { ...author, id };
}

export function updateAuthor(tx: Tx, author: Author, change: Partial<Author>): Author {
  const changed = { ...author, ...change };
  updateAuthorRow(tx, author.id, change);
  if (changed.email !== author.email || changed.name !== author.name) indexLater(tx, 'author_search', author.id);
  return changed;
}
