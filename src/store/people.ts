// Authors and team tokens.

import { and, asc, count, eq, gt, type InferSelectModel, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { Instant } from '../base/clock.ts';
import type { Scope } from '../domain/actor.ts';
import { hasAddress } from './author-address.ts';
import { query, statement, type Tx } from './database.ts';
import { putDocument } from './documents.ts';
import { teamTokens } from './schema/agents.ts';
import { authors } from './schema/tickets.ts';
import { insertInto, selectFrom, updateById } from './statements.ts';

export type Author = InferSelectModel<typeof authors>;
export type TeamToken = InferSelectModel<typeof teamTokens>;

const insertAuthorRow = insertInto(authors);
const updateAuthorRow = updateById(authors);
const authorByIdQuery = selectFrom(authors, 'WHERE id = ?');
const manyAuthors = selectFrom(authors, 'WHERE id IN (SELECT value FROM json_each(?))');
const byAddress = selectFrom(authors, `WHERE site_id = ?1 AND ${hasAddress('email = ?2')} ORDER BY id`);
const byExternalId = statement((db) =>
  db
    .select()
    .from(authors)
    .where(and(eq(authors.siteId, sql.placeholder('siteId')), eq(authors.externalId, sql.placeholder('externalId'))))
    .prepare(),
);
const unverifiedByEmail = statement((db) =>
  db
    .select()
    .from(authors)
    .where(
      and(
        eq(authors.siteId, sql.placeholder('siteId')),
        isNull(authors.externalId),
        eq(authors.email, sql.placeholder('email')),
      ),
    )
    .prepare(),
);

export function authorById(tx: Tx, id: number): Author | undefined {
  return authorByIdQuery.get(tx, id);
}

export function authorsByIds(tx: Tx, ids: readonly number[]): Author[] {
  return manyAuthors.all(tx, JSON.stringify(ids));
}

export function authorByExternalId(tx: Tx, siteId: number, externalId: string): Author | undefined {
  return byExternalId(tx).get({ siteId, externalId });
}

export function unverifiedAuthorByEmail(tx: Tx, siteId: number, email: string): Author | undefined {
  return unverifiedByEmail(tx).get({ siteId, email });
}

export function authorsByEmail(tx: Tx, siteId: number, email: string): Author[] {
  return byAddress.all(tx, siteId, email);
}

export function erasedAuthor(
  tx: Tx,
  siteId: number,
  by: { externalIds: readonly string[] } | { emails: readonly string[] },
): Author | undefined {
  const known =
    'emails' in by
      ? inArray(authors.erasedEmail, [...by.emails])
      : inArray(authors.erasedExternalId, [...by.externalIds]);
  return tx.db
    .select()
    .from(authors)
    .where(and(eq(authors.siteId, siteId), known))
    .orderBy(sql`${authors.id} desc`)
    .get();
}

export function wasErasedSince(tx: Tx, siteId: number, emails: readonly string[], since: Instant): boolean {
  return (
    query(
      tx,
      `SELECT 1 FROM authors INDEXED BY authors_by_erased_email
       WHERE site_id = ? AND erased_email IN (SELECT value FROM json_each(?)) AND anonymised_at > ? LIMIT 1`,
    ).get(siteId, JSON.stringify(emails), since) !== null
  );
}

export function erasedAuthors(tx: Tx): Author[] {
  return tx.db.select().from(authors).where(isNotNull(authors.anonymisedAt)).all();
}

export function erasedAuthorsAmong(tx: Tx, ids: readonly number[]): Author[] {
  return manyAuthors.all(tx, JSON.stringify(ids)).filter(({ anonymisedAt }) => anonymisedAt !== null);
}

export function erasedAuthorsAfter(tx: Tx, id: number, limit: number): Author[] {
  return tx.db
    .select()
    .from(authors)
    .where(and(gt(authors.id, id), isNotNull(authors.anonymisedAt)))
    .orderBy(authors.id)
    .limit(limit)
    .all();
}

export function authorsAfter(tx: Tx, id: number, limit: number): Author[] {
  return tx.db.select().from(authors).where(gt(authors.id, id)).orderBy(authors.id).limit(limit).all();
}

function indexAuthor(tx: Tx, id: number, email: string, name: string | null, isNew: boolean): void {
  putDocument(tx, 'author_search', id, [email, name ?? ''], isNew);
}

export function reindexAuthor(tx: Tx, { id, email, name }: Author): void {
  indexAuthor(tx, id, email, name, false);
}

export function insertAuthor(tx: Tx, author: Omit<Author, 'id'>): Author {
  const id = insertAuthorRow(tx, author);
  indexAuthor(tx, id, author.email, author.name, true);
  return { ...author, id };
}

export function updateAuthor(tx: Tx, author: Author, change: Partial<Author>): Author {
  const changed = { ...author, ...change };
  updateAuthorRow(tx, author.id, change);
  if (changed.email !== author.email || changed.name !== author.name) {
    indexAuthor(tx, author.id, changed.email, changed.name, false);
  }
  return changed;
}

export const insertTeamToken = insertInto(teamTokens);
const tokenByHash = statement((db) =>
  db
    .select()
    .from(teamTokens)
    .where(
      and(
        eq(teamTokens.tokenHash, sql.placeholder('hash')),
        or(isNull(teamTokens.expiresAt), gt(teamTokens.expiresAt, sql.placeholder('now'))),
      ),
    )
    .prepare(),
);
const tokenUsed = statement((db) =>
  db
    .update(teamTokens)
    .set({ lastUsedAt: sql`max(coalesce(last_used_at, 0), ${sql.placeholder('at')})` })
    .where(eq(teamTokens.id, sql.placeholder('id')))
    .prepare(),
);

export function teamTokenByHash(tx: Tx, hash: string, now: Instant): TeamToken | undefined {
  return tokenByHash(tx).get({ hash, now });
}

export function teamTokenById(tx: Tx, id: number): TeamToken | undefined {
  return tx.db.select().from(teamTokens).where(eq(teamTokens.id, id)).get();
}

export const updateTeamToken = updateById(teamTokens);

/** Tokens of these sites. Those of the whole desk are in the scope of all sites only. */
export function listTeamTokens(
  tx: Tx,
  scope: Scope,
  limit: number,
  offset: number,
): { rows: TeamToken[]; total: number } {
  const isListed = scope === 'all' ? undefined : inArray(teamTokens.siteId, [...scope]);
  return {
    rows: tx.db.select().from(teamTokens).where(isListed).orderBy(asc(teamTokens.id)).limit(limit).offset(offset).all(),
    total: tx.db.select({ total: count() }).from(teamTokens).where(isListed).get()?.total ?? 0,
  };
}

/** Returns how many there were. */
export function deleteTokensOfSite(tx: Tx, siteId: number): number {
  return query(tx, 'DELETE FROM team_tokens WHERE site_id = ?').run(siteId).changes;
}

export function deleteTeamToken(tx: Tx, id: number): void {
  tx.db.delete(teamTokens).where(eq(teamTokens.id, id)).run();
}

export function markTeamTokenUsed(tx: Tx, id: number, at: Instant): void {
  tokenUsed(tx).run({ id, at });
}
