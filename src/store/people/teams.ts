// Teams: agents who share the tickets of some sites. There are few, and each list and rule reads them, so they are kept in memory.

import type { InferSelectModel } from 'drizzle-orm';
import { query, type Tx } from '../../engine/database.ts';
import { insertInto, statement, updateById } from '../../engine/statements.ts';
import { detach, isAttached } from '../detachments.ts';
import { teamMembers, teamSites, teams } from '../schema/agents.ts';
import { remembered } from '../sites/catalogue-cache.ts';

type TeamRow = InferSelectModel<typeof teams>;
export interface Team extends TeamRow {
  memberIds: readonly number[];
  /** Empty: it is of every site. */
  siteIds: readonly number[];
}

/** By name. */
export function allTeams(tx: Tx): readonly Team[] {
  return remembered(tx, 'teams', () =>
    query<Omit<TeamRow, 'returnsWhenAway'> & { memberIds: string; siteIds: string; returnsWhenAway: number }>(
      tx,
      `SELECT id, name, max_open_per_agent AS maxOpenPerAgent, version, created_at AS createdAt,
         wait_minutes AS waitMinutes, returns_when_away AS returnsWhenAway,
         (SELECT json_group_array(agent_id) FROM team_members WHERE team_id = teams.id) AS memberIds,
         (SELECT json_group_array(site_id) FROM team_sites WHERE team_id = teams.id) AS siteIds
       FROM teams WHERE ${isAttached('teams')} ORDER BY lower(name)`,
    )
      .all()
      .map((row) => ({
        ...row,
        returnsWhenAway: row.returnsWhenAway === 1,
        memberIds: JSON.parse(row.memberIds),
        siteIds: JSON.parse(row.siteIds),
      })),
  );
}

export const teamById = (tx: Tx, id: number): Team | undefined => allTeams(tx).find((team) => team.id === id);

export const isOfSite = ({ siteIds }: Pick<Team, 'siteIds'>, siteId: number): boolean =>
  siteIds.length === 0 || siteIds.includes(siteId);

const insertRow = insertInto(teams);
const freshTeam = { maxOpenPerAgent: null, waitMinutes: null, returnsWhenAway: false } as const;

export const insertTeam = (tx: Tx, row: Pick<TeamRow, 'name' | 'createdAt'> & Partial<TeamRow>): number =>
  insertRow(tx, { ...freshTeam, ...row, version: 1 });

export const updateTeam = updateById(teams);

/** Tickets drop it a few at a time. */
export const deleteTeam = (tx: Tx, id: number): void => detach(tx, 'teams', id);

const insertMember = insertInto(teamMembers);
const dropMembers = statement(
  'DELETE FROM team_members WHERE team_id = ? AND agent_id NOT IN (SELECT value FROM json_each(?))',
).run<[teamId: number, kept: readonly number[]]>;

/** Who stays keeps their turn. */
export function setTeamMembers(tx: Tx, { id, memberIds }: Pick<Team, 'id' | 'memberIds'>, agentIds: readonly number[]) {
  dropMembers(tx, id, agentIds);
  for (const agentId of agentIds) if (!memberIds.includes(agentId)) insertMember(tx, { teamId: id, agentId, turn: 0 });
}

const clearSites = statement('DELETE FROM team_sites WHERE team_id = ?').run<[teamId: number]>;
const insertSite = insertInto(teamSites);

export function setTeamSites(tx: Tx, teamId: number, siteIds: readonly number[]): void {
  clearSites(tx, teamId);
  for (const siteId of siteIds) insertSite(tx, { teamId, siteId });
}

export function turnsOf(tx: Tx, teamId: number): Map<number, number> {
  const rows = query<{ agentId: number; turn: number }>(
    tx,
    'SELECT agent_id AS agentId, turn FROM team_members WHERE team_id = ?',
  ).all(teamId);
  return new Map(rows.map(({ agentId, turn }) => [agentId, turn]));
}

export const takeTurn = statement(
  `UPDATE team_members SET turn = 1 + (SELECT max(turn) FROM team_members WHERE team_id = ?1)
   WHERE team_id = ?1 AND agent_id = ?2`,
).run<[teamId: number, agentId: number]>;

/** More than the limit of any team. */
const mostCounted = 1000;

/** How many open tickets an agent has, without this one. */
export const openTicketsOf = statement(
  `SELECT count(*) FROM (SELECT 1 FROM tickets INDEXED BY tickets_by_assignee
   WHERE assignee_id = ? AND status = 'open' AND is_test = 0 AND is_spam = 0 AND id <> ? LIMIT ${mostCounted})`,
).number<[agentId: number, exceptTicketId: number]>;

export const leaveTeams = statement('DELETE FROM team_members WHERE agent_id = ?').run<[agentId: number]>;
