// Agents and the sites that they belong to.

import { and, asc, count, eq, type InferSelectModel, sql } from 'drizzle-orm';
import { query, statement, type Tx } from './database.ts';
import { detach, isAttached } from './detachments.ts';
import { agentSites, agents } from './schema.ts';
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

export function agentsNamed(tx: Tx, name: string): Agent[] {
  return tx.db
    .select()
    .from(agents)
    .where(eq(sql`lower(${agents.name})`, name.trim().toLowerCase()))
    .all();
}

export function listAgents(tx: Tx, limit: number, offset: number): { rows: Agent[]; total: number } {
  return {
    rows: tx.db
      .select()
      .from(agents)
      .where(isAttached('agents', agents.id))
      .orderBy(asc(agents.id))
      .limit(limit)
      .offset(offset)
      .all(),
    total: tx.db.select({ total: count() }).from(agents).where(isAttached('agents', agents.id)).get()?.total ?? 0,
  };
}

export function deleteAgent(tx: Tx, id: number): void {
  detach(tx, 'agents', id);
}

export function agentSiteIds(tx: Tx, agentId: number): number[] {
  return tx.db
    .select({ siteId: agentSites.siteId })
    .from(agentSites)
    .where(eq(agentSites.agentId, agentId))
    .all()
    .map(({ siteId }) => siteId);
}

export function setAgentSites(tx: Tx, agentId: number, siteIds: readonly number[]): void {
  tx.db.delete(agentSites).where(eq(agentSites.agentId, agentId)).run();
  for (const siteId of siteIds) tx.db.insert(agentSites).values({ agentId, siteId }).run();
}

/** Agents of only this site become inactive: without it they would belong to every site. */
export function retireAgentsOnlyOf(tx: Tx, siteId: number): void {
  query(
    tx,
    `UPDATE agents SET is_active = 0 WHERE id IN (SELECT agent_id FROM agent_sites WHERE site_id = ?)
       AND NOT EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = agents.id AND site_id <> ?)`,
  ).run(siteId, siteId);
}

const agentsOfSiteRows = selectFrom(
  agents,
  `WHERE is_active = 1 AND role <> 'viewer' AND (
     NOT EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = agents.id)
     OR EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = agents.id AND site_id = ?)) ORDER BY id`,
);

export function agentsOfSite(tx: Tx, siteId: number): Agent[] {
  return agentsOfSiteRows.all(tx, siteId);
}
