// Agents and the sites that they belong to.

import { and, count, eq, type InferSelectModel, sql } from 'drizzle-orm';
import type { Scope } from '../domain/actor.ts';
import { query, statement, type Tx } from './database.ts';
import { detach, isAttached } from './detachments.ts';
import { agentSites, agents } from './schema/agents.ts';
import { insertInto, selectFrom, updateById } from './statements.ts';

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
  mutedNotices: [],
  hasShortcuts: true,
  oidcIssuer: null,
  oidcSubject: null,
} as const satisfies Partial<Record<keyof Agent, unknown>>;

const insertRow = insertInto(agents);
export function insertAgent(tx: Tx, agent: NewAgent): number {
  return insertRow(tx, { ...freshAgent, mutedNotices: [], ...agent });
}

export const updateAgent = updateById(agents);
const agentByIdQuery = statement((db) =>
  db
    .select()
    .from(agents)
    .where(and(eq(agents.id, sql.placeholder('id')), isAttached('agents', agents.id)))
    .prepare(),
);

export function agentById(tx: Tx, id: number): Agent | undefined {
  return agentByIdQuery(tx).get({ id });
}

export function agentByEmail(tx: Tx, email: string): Agent | undefined {
  return tx.db
    .select()
    .from(agents)
    .where(eq(sql`lower(${agents.email})`, email.toLowerCase()))
    .get();
}

export function agentBySubject(tx: Tx, issuer: string, subject: string): Agent | undefined {
  return tx.db
    .select()
    .from(agents)
    .where(and(eq(agents.oidcIssuer, issuer), eq(agents.oidcSubject, subject), isAttached('agents', agents.id)))
    .get();
}

export function agentsNamed(tx: Tx, name: string): Agent[] {
  return tx.db
    .select()
    .from(agents)
    .where(eq(sql`lower(${agents.name})`, name.trim().toLowerCase()))
    .all();
}

const inScope = selectFrom(
  agents,
  `WHERE id NOT IN (SELECT id FROM detachments WHERE kind = 'agents')
     AND (?1 IS NULL
       OR NOT EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = agents.id)
       OR EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = agents.id AND site_id IN (SELECT value FROM json_each(?1))))
   ORDER BY id`,
);

export function agentsInScope(tx: Tx, scope: Scope): Agent[] {
  return inScope.all(tx, scope === 'all' ? null : JSON.stringify(scope));
}

export function countAgents(tx: Tx): number {
  return tx.db.select({ total: count() }).from(agents).where(isAttached('agents', agents.id)).get()?.total ?? 0;
}

export function deleteAgent(tx: Tx, id: number): void {
  detach(tx, 'agents', id);
}

export function setAgentSites(tx: Tx, agentId: number, siteIds: readonly number[]): void {
  tx.db.delete(agentSites).where(eq(agentSites.agentId, agentId)).run();
  for (const siteId of siteIds) tx.db.insert(agentSites).values({ agentId, siteId }).run();
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

const agentsOfSiteRows = selectFrom(
  agents,
  `WHERE is_active = 1 AND role <> 'viewer' AND (
     NOT EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = agents.id)
     OR EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = agents.id AND site_id = ?)) ORDER BY id`,
);

const agentsSeeingSiteRows = selectFrom(
  agents,
  `WHERE is_active = 1 AND (
     role = 'owner' OR NOT EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = agents.id)
     OR EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = agents.id AND site_id = ?)) ORDER BY id`,
);

export function agentsSeeingSite(tx: Tx, siteId: number): Agent[] {
  return agentsSeeingSiteRows.all(tx, siteId);
}

export function agentsOfSite(tx: Tx, siteId: number): Agent[] {
  return agentsOfSiteRows.all(tx, siteId);
}

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
export function countOtherOwners(tx: Tx, id: number): number {
  return (
    query<{ total: number }>(
      tx,
      `SELECT count(*) AS total FROM agents WHERE role = 'owner' AND is_active = 1 AND id <> ?
         AND (password_hash IS NOT NULL OR oidc_subject IS NOT NULL OR EXISTS (SELECT 1 FROM passkeys WHERE agent_id = agents.id))`,
    ).get(id)?.total ?? 0
  );
}
