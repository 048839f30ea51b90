// Team tokens: issuing, changing and revoking them (docs/spec/api.md#team-tokens).

import { hashSecret, randomSecret, sha256Hex } from '../../base/crypto.ts';
import { can, includesSite, type Scope, scopeOf, type TokenAbility } from '../../domain/actor.ts';
import { DeskError, invalid, notFound } from '../../domain/errors.ts';
import type { TokenChangeInput, TokenInput } from '../../domain/input/people.ts';
import { mostTokens } from '../../domain/sites/limits.ts';
import type { Tx } from '../../engine/database.ts';
import { listTeamTokens, type TeamToken, teamTokenRows } from '../../store/people/team-tokens.ts';
import { siteById } from '../../store/sites/sites.ts';
import { authorise, requirePerson, requireVersion } from '../access.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';

const target = ({ id, name }: TeamToken) => ({ type: 'token', id, name }) as const;

/** A token of the whole desk is in the scope of those who see all sites. */
function reaches(scope: Scope, siteId: number | null): boolean {
  return siteId === null ? scope === 'all' : includesSite(scope, siteId);
}

/** Refuses to give a token more than the caller has. */
function requireWithin(
  tx: Tx,
  ctx: Context,
  token: { abilities: readonly TokenAbility[]; siteId: number | null },
): void {
  const { siteId, abilities } = token;
  if (siteId !== null && (!siteById(tx, siteId) || !reaches(scopeOf(ctx.actor), siteId)))
    throw invalid('site_id', 'does not name a site.');
  const missing = abilities.find((ability) => !can(ctx.actor, ability));
  if (missing === undefined && reaches(scopeOf(ctx.actor), siteId)) return;
  const what = missing === undefined ? 'all sites' : `the ability "${missing}"`;
  throw new DeskError('forbidden', `You cannot give a token ${what}, which you do not have yourself.`, {
    reason: 'beyond_your_rights',
  });
}

function requireFuture(ctx: Context, expiresAt: number | null | undefined): void {
  if (expiresAt != null && expiresAt <= ctx.now) throw invalid('expires_at', 'must be in the future.');
}

/** The secret is returned only here. */
export function issueToken(tx: Tx, ctx: Context, input: TokenInput): { token: TeamToken; secret: string } {
  authorise(ctx, 'manage');
  requirePerson(ctx);
  const abilities = [...new Set(input.abilities)];
  const siteId = input.site_id ?? input.site ?? null;
  if (input.site != null && input.site !== siteId) throw invalid('site', 'must be the same as site_id.');
  requireWithin(tx, ctx, { abilities, siteId });
  requireFuture(ctx, input.expires_at);
  const { total } = listTeamTokens(tx, 'all', 1, 0);
  if (total >= mostTokens)
    throw invalid('name', `cannot be added: the desk already has ${total} tokens, and ${mostTokens} is the limit.`);
  const secret = randomSecret('hdt');
  const row = {
    name: input.name,
    tokenHash: hashSecret(secret),
    abilities,
    siteId,
    expiresAt: input.expires_at ?? null,
    lastUsedAt: null,
    createdAt: ctx.now,
  };
  const token = teamTokenRows.insert(tx, row);
  audit(tx, ctx, { action: 'token.issued', target: target(token), siteId, after: token });
  return { token, secret };
}

export function findToken(tx: Tx, ctx: Context, id: number): TeamToken {
  authorise(ctx, 'manage');
  requirePerson(ctx);
  const token = teamTokenRows.get(tx, id);
  if (!token || !reaches(scopeOf(ctx.actor), token.siteId)) throw notFound('token');
  return token;
}

/** The tokens of the caller's sites; those of the whole desk are for who sees all sites. */
export function listTokens(tx: Tx, ctx: Context, limit: number, offset: number): { rows: TeamToken[]; total: number } {
  authorise(ctx, 'manage');
  return listTeamTokens(tx, scopeOf(ctx.actor), limit, offset);
}

/** Of what can be changed. */
export function tokenEtag({ id, name, abilities, expiresAt }: TeamToken): string {
  return `"token-${sha256Hex(JSON.stringify([id, name, abilities, expiresAt])).slice(0, 16)}"`;
}

/** Neither the token before nor after the change can do more than the caller. */
export function changeToken(
  tx: Tx,
  ctx: Context,
  id: number,
  input: TokenChangeInput,
  ifMatch: readonly string[] | null,
): TeamToken {
  const token = findToken(tx, ctx, id);
  requireVersion(ifMatch, tokenEtag(token));
  const change: Partial<TeamToken> = {};
  if (input.name !== undefined) change.name = input.name;
  if (input.abilities !== undefined) change.abilities = [...new Set(input.abilities)];
  if (input.expires_at !== undefined) change.expiresAt = input.expires_at;
  const changed = { ...token, ...change };
  requireWithin(tx, ctx, token);
  requireWithin(tx, ctx, changed);
  requireFuture(ctx, input.expires_at);
  teamTokenRows.update(tx, id, change);
  audit(tx, ctx, {
    action: 'token.updated',
    target: target(token),
    siteId: token.siteId,
    before: token,
    after: change,
  });
  return changed;
}

export function revokeToken(tx: Tx, ctx: Context, id: number): TeamToken {
  const token = findToken(tx, ctx, id);
  teamTokenRows.remove(tx, id);
  audit(tx, ctx, { action: 'token.revoked', target: target(token), siteId: token.siteId, before: token });
  return token;
}
