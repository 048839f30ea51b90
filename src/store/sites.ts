// Sites: by their id, ulid, slug and secrets.

import { and, asc, count, eq, gt, type InferSelectModel, inArray, sql } from 'drizzle-orm';
import type { Instant } from '../base/clock.ts';
import type { Scope } from '../domain/actor.ts';
import { remembered } from './catalogue-cache.ts';
import { statement, type Tx } from './database.ts';
import { sites } from './schema.ts';
import { insertInto, updateById } from './statements.ts';

export type Site = InferSelectModel<typeof sites>;

export const insertSite = insertInto(sites);

export const updateSite = updateById(sites);

const isHere = sql`${sites.id} NOT IN (SELECT site_id FROM site_removals)`;

const byId = statement((db) =>
  db
    .select()
    .from(sites)
    .where(and(eq(sites.id, sql.placeholder('id')), isHere))
    .prepare(),
);

const byUlid = statement((db) =>
  db
    .select()
    .from(sites)
    .where(and(eq(sites.ulid, sql.placeholder('ulid')), isHere))
    .prepare(),
);

const bySlug = statement((db) =>
  db
    .select()
    .from(sites)
    .where(and(eq(sites.slug, sql.placeholder('slug')), isHere))
    .prepare(),
);

const byToken = statement((db) =>
  db
    .select()
    .from(sites)
    .where(and(eq(sites.tokenHash, sql.placeholder('hash')), isHere))
    .prepare(),
);

const byPreviousToken = statement((db) =>
  db
    .select()
    .from(sites)
    .where(
      and(
        eq(sites.previousTokenHash, sql.placeholder('hash')),
        isHere,
        gt(sites.previousTokenExpiresAt, sql.placeholder('now')),
      ),
    )
    .prepare(),
);

const byInboundSecret = statement((db) =>
  db
    .select()
    .from(sites)
    .where(and(eq(sites.inboundSecretHash, sql.placeholder('hash')), isHere))
    .prepare(),
);

const byPreviousInboundSecret = statement((db) =>
  db
    .select()
    .from(sites)
    .where(
      and(
        eq(sites.previousInboundSecretHash, sql.placeholder('hash')),
        isHere,
        gt(sites.previousInboundSecretExpiresAt, sql.placeholder('now')),
      ),
    )
    .prepare(),
);

export function siteById(tx: Tx, id: number): Site | undefined {
  return remembered(tx, `site ${id}`, () => byId(tx).get({ id }));
}

export function siteByUlid(tx: Tx, ulid: string): Site | undefined {
  return byUlid(tx).get({ ulid: ulid.toUpperCase() });
}

export function siteBySlug(tx: Tx, slug: string): Site | undefined {
  return bySlug(tx).get({ slug });
}

export function siteByTokenHash(tx: Tx, hash: string, now: Instant): Site | undefined {
  return (
    remembered(tx, `site of token ${hash}`, () => byToken(tx).get({ hash })) ?? byPreviousToken(tx).get({ hash, now })
  );
}

export function siteByInboundSecretHash(tx: Tx, hash: string, now: Instant): Site | undefined {
  return byInboundSecret(tx).get({ hash }) ?? byPreviousInboundSecret(tx).get({ hash, now });
}

export function listSites(tx: Tx, scope: Scope, limit: number, offset: number): { rows: Site[]; total: number } {
  if (scope.length === 0) return { rows: [], total: 0 };
  const where = scope === 'all' ? isHere : and(inArray(sites.id, [...scope]), isHere);
  return {
    rows: tx.db.select().from(sites).where(where).orderBy(asc(sites.id)).limit(limit).offset(offset).all(),
    total: tx.db.select({ total: count() }).from(sites).where(where).get()?.total ?? 0,
  };
}
