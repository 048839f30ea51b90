// Who follows or mutes which ticket, and who hears of what happens on it.

import type { Following } from '../../domain/notifications/notification.ts';
import type { Preferences } from '../../domain/notifications/preferences.ts';
import { query, type Tx } from '../../engine/database.ts';
import { selectFrom, statement } from '../../engine/statements.ts';
import type { Agent } from '../people/agents.ts';
import { ticketFollowers } from '../schema/notifications.ts';

export const followersOf = selectFrom(ticketFollowers, 'WHERE ticket_id = ? ORDER BY agent_id').all<[ticketId: number]>;

const among = selectFrom(ticketFollowers, 'WHERE agent_id = ? AND ticket_id IN (SELECT value FROM json_each(?))');

/** Those tickets that the agent follows or has muted. */
export const followingsOf = (tx: Tx, agentId: number, ticketIds: readonly number[]): Map<number, Following> =>
  new Map(among.all(tx, agentId, ticketIds).map(({ ticketId, isMuted }) => [ticketId, isMuted ? 'muted' : 'yes']));

/** What someone has decided stays. */
export const followUnlessDecided = statement(
  'INSERT INTO ticket_followers (ticket_id, agent_id, is_muted, created_at) VALUES (?, ?, 0, ?) ON CONFLICT DO NOTHING',
).run<[ticketId: number, agentId: number, at: number]>;

/** Who follows a ticket also follows the one that it is merged into. */
export const followMerged = statement(
  `INSERT INTO ticket_followers (ticket_id, agent_id, is_muted, created_at)
   SELECT ?2, agent_id, 0, ?3 FROM ticket_followers WHERE ticket_id = ?1 AND is_muted = 0 ON CONFLICT DO NOTHING`,
).run<[sourceId: number, targetId: number, at: number]>;

/** Who followed the target only since the merge and did not choose to since, unless another merge has them follow it. */
export const unfollowMerged = statement(
  `DELETE FROM ticket_followers WHERE ticket_id = ?2 AND is_muted = 0 AND created_at = ?3
   AND agent_id IN (SELECT agent_id FROM ticket_followers WHERE ticket_id = ?1 AND is_muted = 0)
   AND agent_id NOT IN (SELECT agent_id FROM merges JOIN ticket_followers ON ticket_id = source_id
     WHERE target_id = ?2 AND source_id <> ?1 AND is_muted = 0)`,
).run<[sourceId: number, targetId: number, mergedAt: number]>;

export const putFollower = statement(
  `INSERT INTO ticket_followers (ticket_id, agent_id, is_muted, created_at) VALUES (?, ?, ?, ?)
   ON CONFLICT DO UPDATE SET is_muted = excluded.is_muted, created_at = excluded.created_at`,
).run<[ticketId: number, agentId: number, isMuted: number, at: number]>;

export const removeFollower = statement('DELETE FROM ticket_followers WHERE ticket_id = ? AND agent_id = ?').run<
  [ticketId: number, agentId: number]
>;

export interface Hearer {
  agent: Pick<Agent, 'id' | 'email' | 'name' | 'locale' | 'timeZone'>;
  preferences: Partial<Preferences>;
  isMuted: boolean;
}

const seesSite = `(?3 IS NULL OR role = 'owner' OR NOT EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = agents.id)
  OR EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = agents.id AND site_id = ?3))`;

/** Those of these agents, and with a ticket of its followers, who are active and see the site. */
export function hearersOf(
  tx: Tx,
  named: readonly number[],
  { ticketId, siteId, withFollowers }: { ticketId: number | null; siteId: number | null; withFollowers: boolean },
): Hearer[] {
  const rows = query<Hearer['agent'] & { preferences: string; isMuted: number | null }>(
    tx,
    `SELECT agents.id, email, name, locale, time_zone AS timeZone, notification_preferences AS preferences,
       is_muted AS isMuted
     FROM agents LEFT JOIN ticket_followers ON ticket_followers.ticket_id = ?2 AND agent_id = agents.id
     WHERE agents.id IN (SELECT value FROM json_each(?1)
         UNION SELECT agent_id FROM ticket_followers WHERE ?4 AND ticket_id = ?2)
       AND is_active = 1 AND ${seesSite} ORDER BY agents.id`,
  ).all(JSON.stringify(named), ticketId, siteId, withFollowers ? 1 : 0);
  return rows.map(({ preferences, isMuted, ...agent }) => ({
    agent,
    preferences: JSON.parse(preferences),
    isMuted: isMuted === 1,
  }));
}
