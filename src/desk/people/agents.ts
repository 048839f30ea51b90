// Agents: adding, changing and removing them, and who can do that (docs/spec/people.md#agents).

import { sha256Hex } from '../../base/crypto.ts';
import { can, type Role, scopeOf, scopeOfAgent } from '../../domain/actor.ts';
import type { AuditAction } from '../../domain/audit.ts';
import { conflict, DeskError, invalid, notFound } from '../../domain/errors.ts';
import type { AgentChangeInput, AgentInput } from '../../domain/input/people.ts';
import { normaliseEmail } from '../../domain/mail/address.ts';
import { canManagePerson } from '../../domain/people/roles.ts';
import { mostAgents } from '../../domain/sites/limits.ts';
import type { Tx } from '../../engine/database.ts';
import {
  type Agent,
  type AgentFacts,
  agentByEmail,
  agentById,
  agentFacts,
  agentsInScope,
  agentsOfSite,
  countAgents,
  countOtherOwners,
  deleteAgent,
  insertAgent,
  setAgentSites,
  updateAgent,
} from '../../store/people/agents.ts';
import { deletePasskeysOfAgent, deleteTotpSecret, putRecoveryCodes } from '../../store/people/factors.ts';
import { deleteSignInLinksOfAgent } from '../../store/people/sign-in-links.ts';
import { siteById } from '../../store/sites/sites.ts';
import { authorise, findSite, requirePerson, requireVersion } from '../access.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import { endEverySession } from './sessions.ts';

export interface AgentAccount extends Agent, AgentFacts {}

function withFacts(tx: Tx, agents: readonly Agent[]): AgentAccount[] {
  const facts = agentFacts(
    tx,
    agents.map(({ id }) => id),
  );
  return agents.map((agent) => ({ ...agent, ...(facts.get(agent.id) as AgentFacts) }));
}

export function accountOf(tx: Tx, agent: Agent): AgentAccount {
  return withFacts(tx, [agent])[0] as AgentAccount;
}

/** 403 unless the caller manages such people. */
function requireManaged(ctx: Context, { role, siteIds }: { role: Role; siteIds: readonly number[] }): void {
  requirePerson(ctx);
  const { actor } = ctx;
  const isManaged =
    actor.kind === 'agent'
      ? canManagePerson(actor, { role, scope: scopeOfAgent({ role, siteIds }) })
      : can(actor, 'own');
  if (!isManaged)
    throw new DeskError('forbidden', 'You can only manage members and viewers whose sites are all yours.', {
      reason: 'beyond_your_role',
    });
}

/** A site that is out of the caller's scope looks like one that does not exist. */
function requireSites(tx: Tx, ctx: Context, siteIds: readonly number[]): number[] {
  const scope = scopeOf(ctx.actor);
  for (const [at, id] of siteIds.entries())
    if (!siteById(tx, id) || (scope !== 'all' && !scope.includes(id)))
      throw invalid(`sites.${at}`, 'does not name a site.');
  return [...new Set(siteIds)];
}

function requireFreeEmail(tx: Tx, email: string, own: number | null): void {
  const other = agentByEmail(tx, email);
  if (other && other.id !== own) throw conflict('Another agent already has this e-mail address.', 'email_taken');
}

const hasWayIn = ({ passwordHash, oidcSubject, hasPasskey }: AgentAccount) =>
  passwordHash !== null || oidcSubject !== null || hasPasskey;

/** Admins must not get into the account of someone who has joined, by a link or at another address. */
function requireEntry(ctx: Context, agent: AgentAccount): void {
  if (!hasWayIn(agent) || can(ctx.actor, 'own')) return;
  throw new DeskError('forbidden', `${agent.name} has already joined. Only owners can change how they sign in.`, {
    reason: 'has_joined',
  });
}

/** 409 where the desk would be left without an active owner who can sign in. */
function requireAnotherOwner(tx: Tx, agent: AgentAccount): void {
  if (agent.role !== 'owner' || !agent.isActive || !hasWayIn(agent) || countOtherOwners(tx, agent.id) > 0) return;
  throw conflict(
    `${agent.name} is the last active owner who can sign in. Make another agent an owner first.`,
    'last_owner',
  );
}

export function addAgent(tx: Tx, ctx: Context, input: AgentInput): AgentAccount {
  authorise(ctx, 'manage');
  const siteIds = requireSites(tx, ctx, input.sites ?? []);
  const role = input.role ?? 'member';
  requireManaged(ctx, { role, siteIds });
  requireFreeEmail(tx, input.email, null);
  const total = countAgents(tx);
  if (total >= mostAgents)
    throw invalid('email', `cannot be added: the desk already has ${total} agents, and ${mostAgents} is the limit.`);
  const { email, name } = input;
  const id = insertAgent(tx, { email, name, role, isActive: input.is_active ?? true, createdAt: ctx.now });
  setAgentSites(tx, id, siteIds);
  const agent = readAgent(tx, ctx, id);
  auditAgent(tx, ctx, 'agent.created', null, agent);
  return agent;
}

/** A row about an agent; of their one site, when they have exactly one. */
function auditAgent(
  tx: Tx,
  ctx: Context,
  action: AuditAction,
  before: AgentAccount | null,
  after: AgentAccount | null,
): void {
  const { id, name, siteIds } = (after ?? before) as AgentAccount;
  const [siteId] = siteIds.length === 1 ? siteIds : [];
  const side = (agent: AgentAccount | null) => agent && { ...agent, sites: agent.siteIds };
  const target = { type: 'agent', id, name } as const;
  audit(tx, ctx, { action, target, siteId: siteId ?? null, before: side(before), after: side(after) });
}

/** What of an agent's sites the caller knows; null for an agent who shares none with them. */
function asSeen(ctx: Context, agent: AgentAccount): AgentAccount | null {
  const scope = scopeOf(ctx.actor);
  if (scope === 'all' || agent.siteIds.length === 0) return agent;
  const siteIds = agent.siteIds.filter((id) => scope.includes(id));
  return siteIds.length === 0 ? null : { ...agent, siteIds };
}

function findVisible(tx: Tx, ctx: Context, agent: Agent | undefined): AgentAccount {
  const account = agent && accountOf(tx, agent);
  if (!account || asSeen(ctx, account) === null) throw notFound('agent');
  return account;
}

/** With all of their sites, also those that the caller does not see: for deciding, not for showing. */
export function agentToChange(tx: Tx, ctx: Context, id: number): AgentAccount {
  authorise(ctx, 'manage');
  const agent = findVisible(tx, ctx, agentById(tx, id));
  requireManaged(ctx, agent);
  return agent;
}

/** An agent whom the caller can give a link that lets them in. */
export function agentToInvite(tx: Tx, ctx: Context, id: number): AgentAccount {
  const agent = agentToChange(tx, ctx, id);
  requireEntry(ctx, agent);
  return agent;
}

export function readAgent(tx: Tx, ctx: Context, id: number): AgentAccount {
  authorise(ctx, 'manage');
  return asSeen(ctx, findVisible(tx, ctx, agentById(tx, id))) as AgentAccount;
}

/** By id or e-mail address. */
export function findAgent(tx: Tx, ctx: Context, name: string): AgentAccount {
  authorise(ctx, 'manage');
  const agent = /^\d{1,15}$/.test(name) ? agentById(tx, Number(name)) : agentByEmail(tx, normaliseEmail(name));
  return asSeen(ctx, findVisible(tx, ctx, agent)) as AgentAccount;
}

/** Of what can be changed, as the caller sees it. */
export function agentEtag({ id, name, email, role, isActive, siteIds }: AgentAccount): string {
  return `"agent-${sha256Hex(JSON.stringify([id, name, email, role, isActive, siteIds])).slice(0, 16)}"`;
}

export function changeAgent(
  tx: Tx,
  ctx: Context,
  id: number,
  input: AgentChangeInput,
  ifMatch: readonly string[] | null = null,
): AgentAccount {
  const agent = agentToChange(tx, ctx, id);
  requireVersion(ifMatch, agentEtag(readAgent(tx, ctx, id)));
  const change: Partial<Agent> = {};
  if (input.email !== undefined && input.email !== agent.email) {
    requireEntry(ctx, agent);
    requireFreeEmail(tx, input.email, id);
    change.email = input.email;
    // They went to the old address.
    deleteSignInLinksOfAgent(tx, id);
  }
  if (input.name !== undefined) change.name = input.name;
  if (input.role != null) change.role = input.role;
  if (input.is_active != null) change.isActive = input.is_active;
  if (change.isActive && !agent.isActive && agent.role !== 'owner' && agent.siteIds.length === 0 && input.sites == null)
    throw invalid('sites', 'must be sent too: no site is listed for this agent, and an empty list means every site.');
  const siteIds = input.sites == null ? agent.siteIds : requireSites(tx, ctx, input.sites);
  const { role = agent.role, isActive = agent.isActive } = change;
  requireManaged(ctx, { role, siteIds });
  if (role !== 'owner' || !isActive) requireAnotherOwner(tx, agent);
  updateAgent(tx, id, change);
  if (input.sites != null) setAgentSites(tx, id, siteIds);
  if (!isActive) endEverySession(tx, id);
  const changed = readAgent(tx, ctx, id);
  auditAgent(tx, ctx, 'agent.updated', agent, changed);
  return changed;
}

/** For an agent whose last site goes. */
export function retireAgent(tx: Tx, ctx: Context, agent: Agent): void {
  const before = accountOf(tx, agent);
  updateAgent(tx, agent.id, { isActive: false });
  endEverySession(tx, agent.id);
  auditAgent(tx, ctx, 'agent.updated', before, { ...before, isActive: false });
}

/** Gone at once. Their tickets become unassigned a few at a time, and the history keeps the name. */
export function removeAgent(tx: Tx, ctx: Context, id: number): void {
  const agent = agentToChange(tx, ctx, id);
  requireAnotherOwner(tx, agent);
  endEverySession(tx, id);
  auditAgent(tx, ctx, 'agent.deleted', agent, null);
  deleteAgent(tx, id);
}

/** Removes every factor, recovery codes too, and ends the agent's sessions: the way back in for someone who lost them. */
export function resetSecondFactor(tx: Tx, ctx: Context, id: number): void {
  const agent = agentToChange(tx, ctx, id);
  if (!hasWayIn({ ...agent, hasPasskey: false })) requireAnotherOwner(tx, agent);
  deleteTotpSecret(tx, id);
  putRecoveryCodes(tx, id, []);
  deletePasskeysOfAgent(tx, id);
  endEverySession(tx, id);
  audit(tx, ctx, { action: 'second_factor.removed', target: { type: 'agent', id, name: agent.name } });
}

/** Agents who share a site with the caller. */
export function listAllAgents(tx: Tx, ctx: Context): AgentAccount[] {
  authorise(ctx, 'manage');
  return withFacts(tx, agentsInScope(tx, scopeOf(ctx.actor))).flatMap((agent) => asSeen(ctx, agent) ?? []);
}

export function listAssignableAgents(tx: Tx, ctx: Context, site: string): Agent[] {
  authorise(ctx, 'read');
  return agentsOfSite(tx, findSite(tx, ctx, site).id);
}

export function isAgentOfSite(tx: Tx, siteId: number, agentId: number): boolean {
  return agentsOfSite(tx, siteId).some(({ id }) => id === agentId);
}
