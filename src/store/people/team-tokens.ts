// Team tokens.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../base/clock.ts';
import type { Scope } from '../../domain/actor.ts';
import type { Tx } from '../../engine/database.ts';
import { rowsOf, selectFrom, statement } from '../../engine/statements.ts';
import { teamTokens } from '../schema/agents.ts';
import { isOfSites } from '../scope.ts';

export type TeamToken = InferSelectModel<typeof teamTokens>;

export const teamTokenRows = rowsOf(teamTokens);

export const teamTokenByHash = selectFrom(teamTokens, 'WHERE token_hash = ? AND (expires_at IS NULL OR expires_at > ?)')
  .get<[hash: string, now: Instant]>;

/** Tokens of these sites. Those of the whole desk are in the scope of all sites only. */
export function listTeamTokens(
  tx: Tx,
  scope: Scope,
  limit: number,
  offset: number,
): { rows: TeamToken[]; total: number } {
  const { text, values } = isOfSites(scope) ?? { text: 'TRUE', values: [] };
  return {
    rows: selectFrom(teamTokens, `WHERE ${text} ORDER BY id LIMIT ? OFFSET ?`).all(tx, ...values, limit, offset),
    total: statement(`SELECT count(*) FROM team_tokens WHERE ${text}`).number(tx, ...values),
  };
}

/** Returns how many there were. */
export const deleteTokensOfSite = statement('DELETE FROM team_tokens WHERE site_id = ?').run<[siteId: number]>;

export const markTeamTokenUsed = statement(
  'UPDATE team_tokens SET last_used_at = max(coalesce(last_used_at, 0), ?2) WHERE id = ?1',
).run<[id: number, at: Instant]>;
