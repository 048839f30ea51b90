// Agents and the sites that they belong to.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../base/clock.ts';
import type { Scope } from '../../domain/actor.ts';
import { query, type Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement, updateById } from '../../engine/statements.ts';
import { detach, isAttached } from '../detachments.ts';
import { agentSites, agents } from '../schema/agents.ts';
import { leaveTeams } from './teams.ts';

export type Agent = InferSelectModel<typeof agents>;
type NewAgent = Pick<Agent, 'email' | 'name' | 'role' | 'isActive' | 'createdAt'>;

export const freshAgent = {
  passwordHash: null,
  invitedAt: null,
  lastSeenAt: null,
  locale: null,
  timeZone: null,
  signature: '',
  theme: 'system',
  hasShortcuts: true,
  oidcIssuer: null,
  oidcSubject: null,
  notificationPreferences: {},
  isAway: false,
  awayUntil: null,
  awayNote: null,
} as const satisfies Partial<Record<keyof Agent, unknown>>;

const insertRow = insertInto(agents);
export function insertAgent(tx: Tx, agent: NewAgent): number {
  return insertRow(tx, { ...freshAgent, ...agent });
}

export const updateAgent = updateById(agents);

export const agentById = selectFrom(agents, `WHERE id = ? AND ${isAttached('agents')}`).get<[id: number]>;

const byEmail = selectFrom(agents, 'WHERE lower(email) = ?');

export function agentByEmail(tx: Tx, email: string): Agent | undefined {
  return byEmail.get(tx, email.toLowerCase());
}

export const agentBySubject = selectFrom(
  agents,
  `WHERE oidc_issuer = ? AND oidc_subject = ? AND ${isAttached('agents')}`,
).get<[issuer: string, subject: string]>;

const named = selectFrom(agents, 'WHERE lower(name) = ?');

export function agentsNamed(tx: Tx, name: string): Agent[] {
  return named.all(tx, name.trim().toLowerCase());
}

const inScope = selectFrom(
  agents,
  `WHERE ${isAttached('agents')}
     AND (?1 IS NULL
       OR NOT EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = agents.id)
       OR EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = agents.id AND site_id IN (SELECT value FROM json_each(?1))))
   ORDER BY id`,
);

export function agentsInScope(tx: Tx, scope: Scope): Agent[] {
  return inScope.all(tx, scope === 'all' ? null : JSON.stringify(scope));
}

export const countAgents = statement(`SELECT count(*) FROM agents WHERE ${isAttached('agents')}`).number<[]>;

export function deleteAgent(tx: Tx, id: number): void {
  leaveTeams(tx, id);
  detach(tx, 'agents', id);
}

const clearSites = statement('DELETE FROM agent_sites WHERE agent_id = ?').run<[agentId: number]>;
const insertAgentSite = insertInto(agentSites);

export function setAgentSites(tx: Tx, agentId: number, siteIds: readonly number[]): void {
  clearSites(tx, agentId);
  for (const siteId of siteIds) insertAgentSite(tx, { agentId, siteId });
}

/** Active agents who have no other site, without owners: with the site gone they would belong to every site. */
export function agentsOnlyOf(tx: Tx, siteId: number): Agent[] {
  return onlyOfSite.all(tx, siteId, siteId);
}
const onlyOfSite = selectFrom(
  agents,
  `WHERE is_active = 1 AND role <> 'owner' AND id IN (SELECT agent_id FROM agent_sites WHERE site_id = ?)
     AND NOT EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = agents.id AND site_id <> ?)`,
);

const seesSite = `is_active = 1 AND (
     role = 'owner' OR NOT EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = agents.id)
     OR EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = agents.id AND site_id = ?1))`;

export const agentsSeeingSite = selectFrom(agents, `WHERE ${seesSite} ORDER BY id`).all<[siteId: number]>;

/** Of these addresses, those of agents who see the site, and when each became an agent of the desk. */
export const agentsAmong = statement(`SELECT lower(email) AS email, created_at AS since FROM agents
  WHERE lower(email) IN (SELECT value FROM json_each(?2)) AND ${seesSite}`).all<
  { email: string; since: Instant },
  [siteId: number, addresses: readonly string[]]
>;

export const agentsOfSite = selectFrom(
  agents,
  `WHERE is_active = 1 AND role <> 'viewer' AND (
     NOT EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = agents.id)
     OR EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = agents.id AND site_id = ?)) ORDER BY id`,
).all<[siteId: number]>;

export interface AgentFacts {
  siteIds: number[];
  hasTotp: boolean;
  hasPasskey: boolean;
  hasRecoveryCodes: boolean;
}

type Flags = Record<'hasTotp' | 'hasPasskey' | 'hasRecoveryCodes', number>;

export function agentFacts(tx: Tx, ids: readonly number[]): Map<number, AgentFacts> {
  const rows = query<{ id: number; siteIds: string } & Flags>(
    tx,
    `SELECT id, (SELECT json_group_array(site_id) FROM agent_sites WHERE agent_id = agents.id) AS siteIds,
       EXISTS (SELECT 1 FROM totp_secrets WHERE agent_id = agents.id AND confirmed_at IS NOT NULL) AS hasTotp,
       EXISTS (SELECT 1 FROM passkeys WHERE agent_id = agents.id) AS hasPasskey,
       EXISTS (SELECT 1 FROM recovery_codes WHERE agent_id = agents.id AND used_at IS NULL) AS hasRecoveryCodes
     FROM agents WHERE id IN (SELECT value FROM json_each(?))`,
  ).all(JSON.stringify(ids));
  return new Map(
    rows.map(({ id, siteIds, hasTotp, hasPasskey, hasRecoveryCodes }) => [
      id,
      {
        siteIds: JSON.parse(siteIds),
        hasTotp: hasTotp === 1,
        hasPasskey: hasPasskey === 1,
        hasRecoveryCodes: hasRecoveryCodes === 1,
      },
    ]),
  );
}

/** Owners who can sign in, without this one. */
export const countOtherOwners =
  statement(`SELECT count(*) AS total FROM agents WHERE role = 'owner' AND is_active = 1 AND id <> ?
         AND (password_hash IS NOT NULL OR oidc_subject IS NOT NULL OR EXISTS (SELECT 1 FROM passkeys WHERE agent_id = agents.id))`)
    .number<[id: number]>;
