// Sessions of agents who signed in.

import { and, asc, eq, type InferSelectModel, ne, sql } from 'drizzle-orm';
import type { Instant } from '../base/clock.ts';
import type { Role } from '../domain/actor.ts';
import type { SecondFactorPolicy } from '../domain/preferences.ts';
import { sessionLimits } from '../domain/sign-in.ts';
import { remembered } from './catalogue-cache.ts';
import { query, statement, type Tx } from './database.ts';
import { sessions } from './schema/agents.ts';
import { insertInto, selectFrom, updateById } from './statements.ts';

export type Session = InferSelectModel<typeof sessions>;

export const insertSession = insertInto(sessions);
export const updateSession = updateById(sessions);

interface AgentRights {
  name: string;
  role: Role;
  isActive: boolean;
  siteIds: readonly number[];
  policy: SecondFactorPolicy;
}

type SessionItself = Pick<
  Session,
  'id' | 'agentId' | 'method' | 'hasSecondFactor' | 'confirmedAt' | 'lastUsedAt' | 'createdAt'
>;

export type SignedIn = SessionItself & Omit<AgentRights, 'isActive'>;

const sessionText = `SELECT id, agent_id AS agentId, method, has_second_factor AS hasSecondFactor, confirmed_at AS confirmedAt,
    last_used_at AS lastUsedAt, created_at AS createdAt
  FROM sessions WHERE last_used_at > ?2 AND created_at > ?3 AND`;

const byHash = `${sessionText} token_hash = ?1`;
const byId = `${sessionText} id = ?1`;

const rightsText = `SELECT name, role, is_active AS isActive,
    (SELECT json_group_array(site_id) FROM agent_sites WHERE agent_id = agents.id) AS siteIds,
    (SELECT require_second_factor FROM desk_settings) AS policy
  FROM agents WHERE id = ?`;

/** The same for every request until an agent, their sites or the desk's rule changes. */
function rightsOf(tx: Tx, agentId: number): AgentRights | undefined {
  return remembered(tx, `rights of agent ${agentId}`, () => {
    type Row = Omit<AgentRights, 'isActive' | 'siteIds'> & { isActive: number; siteIds: string };
    const row = query<Row>(tx, rightsText).get(agentId);
    return row === null ? undefined : { ...row, isActive: row.isActive === 1, siteIds: JSON.parse(row.siteIds) };
  });
}

function signedIn(tx: Tx, text: string, value: string | number, now: Instant): SignedIn | undefined {
  const session = query<Omit<SessionItself, 'hasSecondFactor'> & { hasSecondFactor: number }>(tx, text).get(
    value,
    now - sessionLimits.unusedMs,
    now - sessionLimits.longestMs,
  );
  const rights = session === null ? undefined : rightsOf(tx, session.agentId);
  if (session === null || !rights?.isActive) return undefined;
  const { name, role, siteIds, policy } = rights;
  return { ...session, hasSecondFactor: session.hasSecondFactor === 1, name, role, siteIds, policy };
}

/** Undefined if the session has ended or its agent is inactive. */
export function signedInByHash(tx: Tx, hash: string, now: Instant): SignedIn | undefined {
  return signedIn(tx, byHash, hash, now);
}

export function signedInById(tx: Tx, id: number, now: Instant): SignedIn | undefined {
  return signedIn(tx, byId, id, now);
}

const ofAgent = selectFrom(sessions, 'WHERE agent_id = ? ORDER BY last_used_at DESC, id DESC');

export function sessionsOfAgent(tx: Tx, agentId: number): Session[] {
  return ofAgent.all(tx, agentId);
}

export function deleteSession(tx: Tx, id: number): void {
  tx.db.delete(sessions).where(eq(sessions.id, id)).run();
}

export function deleteSessionsOfAgent(tx: Tx, agentId: number, keptId: number | null): void {
  const others = eq(sessions.agentId, agentId);
  tx.db
    .delete(sessions)
    .where(keptId === null ? others : and(others, ne(sessions.id, keptId)))
    .run();
}

const used = statement((db) =>
  db
    .update(sessions)
    .set({ lastUsedAt: sql`max(last_used_at, ${sql.placeholder('at')})` })
    .where(eq(sessions.id, sql.placeholder('id')))
    .prepare(),
);

export function markSessionUsed(tx: Tx, id: number, at: Instant): void {
  used(tx).run({ id, at });
  query(
    tx,
    'UPDATE agents SET last_seen_at = max(coalesce(last_seen_at, 0), ?2) WHERE id = (SELECT agent_id FROM sessions WHERE id = ?1)',
  ).run(id, at);
}

export function sessionsBeyond(tx: Tx, agentId: number, most: number): number[] {
  const all = tx.db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.agentId, agentId))
    .orderBy(asc(sessions.lastUsedAt), asc(sessions.id))
    .all();
  return all.slice(0, Math.max(0, all.length - most)).map(({ id }) => id);
}

export function purgeSessions(tx: Tx, now: Instant, limit: number): number {
  return query(
    tx,
    `DELETE FROM sessions WHERE id IN (SELECT id FROM (
       SELECT id FROM sessions INDEXED BY sessions_by_use WHERE last_used_at <= ?1
       UNION SELECT id FROM sessions INDEXED BY sessions_by_age WHERE created_at <= ?2) LIMIT ?3)`,
  ).run(now - sessionLimits.unusedMs, now - sessionLimits.longestMs, limit).changes;
}
