// Sites: by their id, ulid, slug and secrets.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../base/clock.ts';
import type { Scope } from '../../domain/actor.ts';
import type { Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement, updateById } from '../../engine/statements.ts';
import { sites } from '../schema/sites.ts';
import { isOfSites } from '../scope.ts';
import { remembered } from './catalogue-cache.ts';

export type Site = InferSelectModel<typeof sites>;

export const insertSite = insertInto(sites);

export const updateSite = updateById(sites);

const isHere = 'id NOT IN (SELECT site_id FROM site_removals)';
const siteWhere = (condition: string) => selectFrom(sites, `WHERE ${condition} AND ${isHere}`);
const byId = siteWhere('id = ?');
const byUlid = siteWhere('ulid = ?');
const byToken = siteWhere('token_hash = ?');
const byPreviousToken = siteWhere('previous_token_hash = ? AND previous_token_expires_at > ?');
const byInboundSecret = siteWhere('inbound_secret_hash = ?');
const byPreviousInboundSecret = siteWhere(
  'previous_inbound_secret_hash = ? AND previous_inbound_secret_expires_at > ?',
);

export function siteById(tx: Tx, id: number): Site | undefined {
  return remembered(tx, `site ${id}`, () => byId.get(tx, id));
}

export const allSiteIds = statement(`SELECT id FROM sites WHERE ${isHere}`).column<number>;

export function siteByUlid(tx: Tx, ulid: string): Site | undefined {
  return byUlid.get(tx, ulid.toUpperCase());
}

export const siteBySlug = siteWhere('slug = ?').get<[slug: string]>;

export function siteByTokenHash(tx: Tx, hash: string, now: Instant): Site | undefined {
  return remembered(tx, `site of token ${hash}`, () => byToken.get(tx, hash)) ?? byPreviousToken.get(tx, hash, now);
}

export function siteByInboundSecretHash(tx: Tx, hash: string, now: Instant): Site | undefined {
  return byInboundSecret.get(tx, hash) ?? byPreviousInboundSecret.get(tx, hash, now);
}

export function listSites(tx: Tx, scope: Scope, limit: number, offset: number): { rows: Site[]; total: number } {
  if (scope.length === 0) return { rows: [], total: 0 };
  const { text, values } = isOfSites(scope, 'id') ?? { text: 'TRUE', values: [] };
  const where = `WHERE ${text} AND ${isHere}`;
  return {
    rows: selectFrom(sites, `${where} ORDER BY id LIMIT ? OFFSET ?`).all(tx, ...values, limit, offset),
    total: statement(`SELECT count(*) FROM sites ${where}`).number(tx, ...values),
  };
}
