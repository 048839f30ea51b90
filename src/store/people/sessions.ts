// Sessions of agents who signed in.

import type { InferSelectModel } from 'drizzle-orm';
import type { Instant } from '../../base/clock.ts';
import type { Role } from '../../domain/actor.ts';
import type { SecondFactorPolicy } from '../../domain/people/preferences.ts';
import { sessionLimits } from '../../domain/people/sign-in.ts';
import { query, type Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement, updateById } from '../../engine/statements.ts';
import { sessions } from '../schema/agents.ts';
import { remembered } from '../sites/catalogue-cache.ts';

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

export const sessionsOfAgent = selectFrom(sessions, 'WHERE agent_id = ? ORDER BY last_used_at DESC, id DESC').all<
  [agentId: number]
>;

export const deleteSession = statement('DELETE FROM sessions WHERE id = ?').run<[id: number]>;

export const deleteSessionsOfAgent = statement('DELETE FROM sessions WHERE agent_id = ? AND id IS NOT ?').run<
  [agentId: number, keptId: number | null]
>;

const used = statement('UPDATE sessions SET last_used_at = max(last_used_at, ?2) WHERE id = ?1').run<
  [id: number, at: Instant]
>;

export function markSessionUsed(tx: Tx, id: number, at: Instant): void {
  used(tx, id, at);
  query(
    tx,
    'UPDATE agents SET last_seen_at = max(coalesce(last_seen_at, 0), ?2) WHERE id = (SELECT agent_id FROM sessions WHERE id = ?1)',
  ).run(id, at);
}

/** Those unused for longest, without the `most` that were used last. */
export const sessionsBeyond = statement(
  `SELECT id FROM (SELECT id, last_used_at FROM sessions WHERE agent_id = ? ORDER BY last_used_at DESC, id DESC LIMIT -1 OFFSET ?)
   ORDER BY last_used_at, id`,
).column<number, [agentId: number, most: number]>;

export function purgeSessions(tx: Tx, now: Instant, limit: number): number {
  return query(
    tx,
    `DELETE FROM sessions WHERE id IN (SELECT id FROM (
       SELECT id FROM sessions INDEXED BY sessions_by_use WHERE last_used_at <= ?1
       UNION SELECT id FROM sessions INDEXED BY sessions_by_age WHERE created_at <= ?2) LIMIT ?3)`,
  ).run(now - sessionLimits.unusedMs, now - sessionLimits.longestMs, limit).changes;
}
