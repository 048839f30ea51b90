// Teams: adding, changing and removing them (docs/spec/people.md#teams).

import { includesSite, type Scope, scopeOf } from '../../domain/actor.ts';
import { conflict, invalid } from '../../domain/errors.ts';
import type { TeamChangeInput, TeamInput } from '../../domain/input/teams.ts';
import { mostTeams } from '../../domain/sites/limits.ts';
import type { Tx } from '../../engine/database.ts';
import { agentById } from '../../store/people/agents.ts';
import {
  allTeams,
  deleteTeam,
  insertTeam,
  isOfSite,
  setTeamMembers,
  setTeamSites,
  type Team,
  teamById,
  updateTeam,
} from '../../store/people/teams.ts';
import { siteById } from '../../store/sites/sites.ts';
import { listScope, requireWholeDesk } from '../access.ts';
import type { Context } from '../context.ts';
import { type SharedNoun, sharedNoun } from '../shared-nouns.ts';
import { columnsOf } from '../sites/catalogue/columns.ts';

/** What of a team's sites the caller knows; null if they share none with it. */
function asSeen(team: Team, scope: Scope): Team | null {
  if (scope === 'all' || team.siteIds.length === 0) return team;
  const siteIds = team.siteIds.filter((id) => includesSite(scope, id));
  return siteIds.length === 0 ? null : { ...team, siteIds };
}

export function isTeamOfSite(tx: Tx, siteId: number, id: number): boolean {
  const team = teamById(tx, id);
  return team !== undefined && isOfSite(team, siteId);
}

/** 403 unless the caller sees all of its sites. */
function requireAllSites(ctx: Context, { siteIds }: Pick<Team, 'siteIds'>): void {
  const scope = scopeOf(ctx.actor);
  if (siteIds.length === 0 || !siteIds.every((id) => includesSite(scope, id))) requireWholeDesk(ctx);
}

/** Throws `invalid` for sites that the caller does not see, and for agents who do not exist. */
function check(tx: Tx, ctx: Context, { name, members, sites }: TeamChangeInput, own: number | null): void {
  const scope = scopeOf(ctx.actor);
  for (const [at, id] of (sites ?? []).entries())
    if (!siteById(tx, id) || !includesSite(scope, id)) throw invalid(`sites.${at}`, 'does not name a site.');
  for (const [at, id] of (members ?? []).entries())
    if (!agentById(tx, id)) throw invalid(`members.${at}`, 'does not name an agent.');
  const isTaken = allTeams(tx).some((team) => team.id !== own && team.name.toLowerCase() === name?.toLowerCase());
  if (isTaken) throw conflict('Another team already has this name.', 'name_taken');
}

export const teams: SharedNoun<Team, TeamInput, TeamChangeInput> = sharedNoun({
  noun: 'team',
  ability: 'manage',
  /** Those that tickets of the site can have, or of every site in scope. */
  list(tx, ctx, site) {
    const scope = listScope(tx, ctx, site);
    return allTeams(tx).flatMap((team) => asSeen(team, scope) ?? []);
  },
  get: teamById,
  seen: (_tx, ctx, team) => asSeen(team, scopeOf(ctx.actor)),
  requireChange: (_tx, ctx, team) => requireAllSites(ctx, team),
  insert(tx, ctx, input) {
    const { name, max_open_per_agent: maxOpenPerAgent = null, wait_minutes: waitMinutes = null } = input;
    const members = [...new Set(input.members ?? [])];
    const sites = [...new Set(input.sites ?? [])];
    check(tx, ctx, { name, members, sites }, null);
    requireAllSites(ctx, { siteIds: sites });
    if (allTeams(tx).length >= mostTeams)
      throw invalid('name', `cannot be added: the desk already has ${mostTeams} teams, which is the limit.`);
    const returnsWhenAway = input.returns_when_away ?? false;
    const id = insertTeam(tx, { name, maxOpenPerAgent, waitMinutes, returnsWhenAway, createdAt: ctx.now });
    setTeamMembers(tx, { id, memberIds: [] }, members);
    setTeamSites(tx, id, sites);
    return teams.find(tx, ctx, id);
  },
  update(tx, ctx, team, input) {
    const { id } = team;
    check(tx, ctx, input, id);
    if (input.sites !== undefined) requireAllSites(ctx, { siteIds: input.sites });
    updateTeam(tx, id, { ...columnsOf(input, team), version: team.version + 1 });
    if (input.members !== undefined) setTeamMembers(tx, team, [...new Set(input.members)]);
    if (input.sites !== undefined) setTeamSites(tx, id, [...new Set(input.sites)]);
    return teams.find(tx, ctx, id);
  },
  /** Its tickets drop it a few at a time. */
  delete: deleteTeam,
  sitesOf: ({ siteIds }) => siteIds,
  /** With its lists in the words of the audit log. */
  shown: (team) => ({ ...team, members: team.memberIds, sites: team.siteIds }),
});
export const { add: addTeam, change: changeTeam, remove: removeTeam, read: findTeam, list: listTeams } = teams;

/** Teams that have no other site: with the site gone they would be of every site. */
export function discardTeamsOnlyOf(tx: Tx, ctx: Context, siteId: number): void {
  for (const team of allTeams(tx).filter(({ siteIds: [first, ...more] }) => first === siteId && more.length === 0))
    teams.discard(tx, ctx, team);
}
