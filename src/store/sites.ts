// Sites: by their id, ulid, slug and secrets.

import { and, asc, count, eq, gt, type InferSelectModel, inArray, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Instant } from '../base/clock.ts';
import type { Scope } from '../domain/actor.ts';
import { remembered } from './catalogue-cache.ts';
import { statement, type Tx } from './database.ts';
import { sites } from './schema/sites.ts';
import { insertInto, updateById } from './statements.ts';

export type Site = InferSelectModel<typeof sites>;

export const insertSite = insertInto(sites);

export const updateSite = updateById(sites);

const isHere = sql`${sites.id} NOT IN (SELECT site_id FROM site_removals)`;

const siteWhere = (column: SQLiteColumn) =>
  statement((db) =>
    db
      .select()
      .from(sites)
      .where(and(eq(column, sql.placeholder('value')), isHere))
      .prepare(),
  );
const siteBefore = (column: SQLiteColumn, expiresAt: SQLiteColumn) =>
  statement((db) =>
    db
      .select()
      .from(sites)
      .where(and(eq(column, sql.placeholder('value')), isHere, gt(expiresAt, sql.placeholder('now'))))
      .prepare(),
  );
const byId = siteWhere(sites.id);
const byUlid = siteWhere(sites.ulid);
const bySlug = siteWhere(sites.slug);
const byToken = siteWhere(sites.tokenHash);
const byPreviousToken = siteBefore(sites.previousTokenHash, sites.previousTokenExpiresAt);
const byInboundSecret = siteWhere(sites.inboundSecretHash);
const byPreviousInboundSecret = siteBefore(sites.previousInboundSecretHash, sites.previousInboundSecretExpiresAt);

export function siteById(tx: Tx, id: number): Site | undefined {
  return remembered(tx, `site ${id}`, () => byId(tx).get({ value: id }));
}

export function siteByUlid(tx: Tx, ulid: string): Site | undefined {
  return byUlid(tx).get({ value: ulid.toUpperCase() });
}

export function siteBySlug(tx: Tx, slug: string): Site | undefined {
  return bySlug(tx).get({ value: slug });
}

export function siteByTokenHash(tx: Tx, hash: string, now: Instant): Site | undefined {
  return (
    remembered(tx, `site of token ${hash}`, () => byToken(tx).get({ value: hash })) ??
    byPreviousToken(tx).get({ value: hash, now })
  );
}

export function siteByInboundSecretHash(tx: Tx, hash: string, now: Instant): Site | undefined {
  return byInboundSecret(tx).get({ value: hash }) ?? byPreviousInboundSecret(tx).get({ value: hash, now });
}

export function listSites(tx: Tx, scope: Scope, limit: number, offset: number): { rows: Site[]; total: number } {
  if (scope.length === 0) return { rows: [], total: 0 };
  const where = scope === 'all' ? isHere : and(inArray(sites.id, [...scope]), isHere);
  return {
    rows: tx.db.select().from(sites).where(where).orderBy(asc(sites.id)).limit(limit).offset(offset).all(),
    total: tx.db.select({ total: count() }).from(sites).where(where).get()?.total ?? 0,
  };
}
