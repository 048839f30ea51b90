// Agents and team tokens.

import { hashSecret, randomSecret } from '../base/crypto.ts';
import { normaliseEmail } from '../domain/address.ts';
import type { AuditAction } from '../domain/audit.ts';
import { conflict, DeskError, invalid, notFound } from '../domain/errors.ts';
import type { AgentChangeInput, AgentInput, TokenInput } from '../domain/input/people.ts';
import { mostAgents } from '../domain/limits.ts';
import {
  type Agent,
  agentByEmail,
  agentById,
  agentSiteIds,
  agentsOfSite,
  deleteAgent,
  insertAgent,
  listAgents,
  setAgentSites,
  updateAgent,
} from '../store/agents.ts';
import type { Tx } from '../store/database.ts';
import {
  deleteTeamToken,
  insertTeamToken,
  listTeamTokens,
  type TeamToken,
  teamTokenByHash,
  teamTokenById,
} from '../store/people.ts';
import { siteById } from '../store/sites.ts';
import { authorise, findSite, requireWholeDesk } from './access.ts';
import { audit } from './audit.ts';
import type { Context } from './context.ts';

export interface AgentWithSites extends Agent {
  siteIds: number[];
}

function withSites(tx: Tx, agent: Agent): AgentWithSites {
  return { ...agent, siteIds: agentSiteIds(tx, agent.id) };
}

function requireSites(tx: Tx, siteIds: readonly number[]): void {
  for (const [at, id] of siteIds.entries())
    if (!siteById(tx, id)) throw invalid(`site_ids.${at}`, 'does not name a site.');
}

export function addAgent(tx: Tx, ctx: Context, input: AgentInput): AgentWithSites {
  authorise(ctx, 'manage');
  requireWholeDesk(ctx);
  if (agentByEmail(tx, input.email)) throw conflict('Another agent already has this e-mail address.', 'email_taken');
  const { total } = listAgents(tx, 1, 0);
  if (total >= mostAgents)
    throw invalid('email', `cannot be added: the desk already has ${total} agents, and ${mostAgents} is the limit.`);
  requireSites(tx, input.site_ids ?? []);
  const id = insertAgent(tx, {
    email: input.email,
    name: input.name,
    role: input.role ?? 'member',
    isActive: input.is_active ?? true,
    createdAt: ctx.now,
  });
  setAgentSites(tx, id, [...new Set(input.site_ids ?? [])]);
  const agent = readAgent(tx, ctx, id);
  auditAgent(tx, ctx, 'agent.created', null, agent);
  return agent;
}

function auditAgent(
  tx: Tx,
  ctx: Context,
  action: AuditAction,
  before: AgentWithSites | null,
  after: AgentWithSites | null,
): void {
  const { id, name, siteIds } = (after ?? before) as AgentWithSites;
  const [siteId] = siteIds.length === 1 ? siteIds : [];
  audit(tx, ctx, { action, target: { type: 'agent', id, name }, siteId: siteId ?? null, before, after });
}

function readAgent(tx: Tx, ctx: Context, id: number): AgentWithSites {
  authorise(ctx, 'read');
  const agent = agentById(tx, id);
  if (!agent) throw notFound('agent');
  return withSites(tx, agent);
}

export function findAgent(tx: Tx, ctx: Context, name: string): AgentWithSites {
  authorise(ctx, 'read');
  const agent = /^\d{1,15}$/.test(name) ? agentById(tx, Number(name)) : agentByEmail(tx, normaliseEmail(name));
  if (!agent) throw notFound('agent');
  return withSites(tx, agent);
}

export function changeAgent(tx: Tx, ctx: Context, id: number, input: AgentChangeInput): AgentWithSites {
  authorise(ctx, 'manage');
  requireWholeDesk(ctx);
  const agent = readAgent(tx, ctx, id);
  const change: Partial<Agent> = {};
  if (input.email !== undefined) {
    const other = agentByEmail(tx, input.email);
    if (other && other.id !== id) throw conflict('Another agent already has this e-mail address.', 'email_taken');
    change.email = input.email;
  }
  if (input.name !== undefined) change.name = input.name;
  if (input.role != null) change.role = input.role;
  if (input.is_active != null) change.isActive = input.is_active;
  updateAgent(tx, agent.id, change);
  if (input.site_ids != null) {
    requireSites(tx, input.site_ids);
    setAgentSites(tx, id, [...new Set(input.site_ids)]);
  }
  const changed = readAgent(tx, ctx, id);
  auditAgent(tx, ctx, 'agent.updated', agent, changed);
  return changed;
}

/** Unassigns the agent's tickets; their messages keep the name. */
export function removeAgent(tx: Tx, ctx: Context, id: number): void {
  authorise(ctx, 'manage');
  requireWholeDesk(ctx);
  auditAgent(tx, ctx, 'agent.deleted', readAgent(tx, ctx, id), null);
  deleteAgent(tx, id);
}

export function listAllAgents(
  tx: Tx,
  ctx: Context,
  limit: number,
  offset: number,
): { rows: AgentWithSites[]; total: number } {
  authorise(ctx, 'read');
  requireWholeDesk(ctx);
  const { rows, total } = listAgents(tx, limit, offset);
  return { rows: rows.map((agent) => withSites(tx, agent)), total };
}

export function listAssignableAgents(tx: Tx, ctx: Context, site: string): Agent[] {
  authorise(ctx, 'read');
  return agentsOfSite(tx, findSite(tx, ctx, site).id);
}

const tokenTarget = ({ id, name }: TeamToken) => ({ type: 'token', id, name }) as const;

/** The secret is returned only here (docs/spec/api.md#team-tokens). */
export function issueToken(tx: Tx, ctx: Context, input: TokenInput): { token: TeamToken; secret: string } {
  authorise(ctx, 'manage');
  requireWholeDesk(ctx);
  if (input.site_id != null && !siteById(tx, input.site_id)) throw invalid('site_id', 'does not name a site.');
  if (input.expires_at != null && input.expires_at <= ctx.now) throw invalid('expires_at', 'must be in the future.');
  const secret = randomSecret('hdt');
  const row = {
    name: input.name,
    tokenHash: hashSecret(secret),
    abilities: [...new Set(input.abilities)],
    siteId: input.site_id ?? null,
    expiresAt: input.expires_at ?? null,
    lastUsedAt: null,
    createdAt: ctx.now,
  };
  const token = { ...row, id: insertTeamToken(tx, row) };
  audit(tx, ctx, { action: 'token.issued', target: tokenTarget(token), siteId: token.siteId, after: token });
  return { token, secret };
}

export function listTokens(tx: Tx, ctx: Context, limit: number, offset: number): { rows: TeamToken[]; total: number } {
  authorise(ctx, 'manage');
  requireWholeDesk(ctx);
  return listTeamTokens(tx, limit, offset);
}

export function revokeToken(tx: Tx, ctx: Context, id: number): TeamToken {
  authorise(ctx, 'manage');
  requireWholeDesk(ctx);
  const token = teamTokenById(tx, id);
  if (!token) throw notFound('token');
  deleteTeamToken(tx, id);
  audit(tx, ctx, { action: 'token.revoked', target: tokenTarget(token), siteId: token.siteId, before: token });
  return token;
}

export function authenticateToken(tx: Tx, secret: string, now: number): TeamToken {
  const token = teamTokenByHash(tx, hashSecret(secret), now);
  if (!token)
    throw new DeskError('unauthenticated', 'This API token is unknown or expired.', { reason: 'unknown_token' });
  return token;
}

export function isAgentOfSite(tx: Tx, siteId: number, agentId: number): boolean {
  return agentsOfSite(tx, siteId).some(({ id }) => id === agentId);
}
