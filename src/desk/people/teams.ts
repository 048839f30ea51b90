// Teams: adding, changing and removing them (docs/spec/people.md#teams).

import { includesSite, type Scope, scopeOf } from '../../domain/actor.ts';
import { conflict, invalid, notFound } from '../../domain/errors.ts';
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
import { authorise, listScope, requireVersion, requireWholeDesk } from '../access.ts';
import type { Context } from '../context.ts';
import { tellShared } from '../shared-changes.ts';

export const teamEtag = ({ id, version }: Team) => `"team-${id}-${version}"`;

/** What of a team's sites the caller knows; null if they share none with it. */
function asSeen(team: Team, scope: Scope): Team | null {
  if (scope === 'all' || team.siteIds.length === 0) return team;
  const siteIds = team.siteIds.filter((id) => includesSite(scope, id));
  return siteIds.length === 0 ? null : { ...team, siteIds };
}

/** Those that tickets of the site can have, or of every site in scope. */
export function listTeams(tx: Tx, ctx: Context, site: string | null): Team[] {
  const scope = listScope(tx, ctx, site);
  return allTeams(tx).flatMap((team) => asSeen(team, scope) ?? []);
}

export function findTeam(tx: Tx, ctx: Context, id: number): Team {
  authorise(ctx, 'read');
  return visibleTeam(tx, ctx, id);
}

function visibleTeam(tx: Tx, ctx: Context, id: number): Team {
  const team = teamById(tx, id);
  const seen = team && asSeen(team, scopeOf(ctx.actor));
  if (!seen) throw notFound('team');
  return seen;
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

export function addTeam(tx: Tx, ctx: Context, input: TeamInput): Team {
  authorise(ctx, 'manage');
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
  const team = visibleTeam(tx, ctx, id);
  tell(tx, ctx, null, team);
  return team;
}

export function changeTeam(
  tx: Tx,
  ctx: Context,
  id: number,
  input: TeamChangeInput,
  ifMatch: readonly string[] | null,
): Team {
  const team = teamToChange(tx, ctx, id);
  requireVersion(ifMatch, teamEtag(team));
  check(tx, ctx, input, id);
  if (input.sites !== undefined) requireAllSites(ctx, { siteIds: input.sites });
  updateTeam(tx, id, {
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(input.max_open_per_agent === undefined ? {} : { maxOpenPerAgent: input.max_open_per_agent }),
    ...(input.wait_minutes === undefined ? {} : { waitMinutes: input.wait_minutes }),
    ...(input.returns_when_away === undefined ? {} : { returnsWhenAway: input.returns_when_away }),
    version: team.version + 1,
  });
  if (input.members !== undefined) setTeamMembers(tx, team, [...new Set(input.members)]);
  if (input.sites !== undefined) setTeamSites(tx, id, [...new Set(input.sites)]);
  const changed = visibleTeam(tx, ctx, id);
  tell(tx, ctx, team, changed);
  return changed;
}

/** Its tickets drop it a few at a time. */
export function removeTeam(tx: Tx, ctx: Context, id: number, ifMatch: readonly string[] | null): void {
  const team = teamToChange(tx, ctx, id);
  requireVersion(ifMatch, teamEtag(team));
  discardTeam(tx, ctx, team);
}

/** Teams that have no other site: with the site gone they would be of every site. */
export function discardTeamsOnlyOf(tx: Tx, ctx: Context, siteId: number): void {
  for (const team of allTeams(tx).filter(({ siteIds: [first, ...more] }) => first === siteId && more.length === 0))
    discardTeam(tx, ctx, team);
}

function discardTeam(tx: Tx, ctx: Context, team: Team): void {
  deleteTeam(tx, team.id);
  tell(tx, ctx, team, null);
}

function teamToChange(tx: Tx, ctx: Context, id: number): Team {
  authorise(ctx, 'manage');
  visibleTeam(tx, ctx, id);
  const team = teamById(tx, id);
  if (!team) throw notFound('team');
  requireAllSites(ctx, team);
  return team;
}

/** With its lists in the words of the audit log. */
const side = (team: Team | null) => team && { ...team, members: team.memberIds, sites: team.siteIds };

const tell = (tx: Tx, ctx: Context, before: Team | null, after: Team | null) =>
  tellShared(tx, ctx, 'team', [side(before), side(after)], ({ siteIds }) => siteIds);
