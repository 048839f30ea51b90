// What tickets of sites can be given, of several sites in one read.

import { isInScope } from '../../domain/actor.ts';
import type { Tx } from '../../engine/database.ts';
import { agentsOfSite } from '../../store/people/agents.ts';
import { isOfSite } from '../../store/people/teams.ts';
import { categoryRows, customFieldRows, priorityRows, senderRows } from '../../store/sites/catalogue.ts';
import { authorise, siteNamed } from '../access.ts';
import type { Context } from '../context.ts';
import { teams } from '../people/teams.ts';
import { macros } from '../tickets/macros.ts';

/** Of those of the named sites that the caller sees. All lists are in the order that they have on each site. @param mostMacros of each site */
export function ticketChoices(tx: Tx, ctx: Context, names: readonly string[], mostMacros: number) {
  authorise(ctx, 'read');
  const sites = byId(names.flatMap((name) => siteNamed(tx, name) ?? [])).filter(({ id }) => isInScope(ctx.actor, id));
  const [everyTeam, everyMacro] = [teams.list(tx, ctx, null), macros.list(tx, ctx, null)];
  const found = sites.map((site) => ({
    site,
    categories: categoryRows.list(tx, site.id),
    priorities: priorityRows.list(tx, site.id),
    customFields: customFieldRows.list(tx, site.id),
    senders: senderRows.list(tx, site.id),
    agents: agentsOfSite(tx, site.id),
    teams: everyTeam.filter((team) => isOfSite(team, site.id)),
    macros: everyMacro.filter(({ siteId }) => siteId === null || siteId === site.id).slice(0, mostMacros),
  }));
  const [teamsOfAny, macrosOfAny] = [
    new Set(found.flatMap((of) => of.teams)),
    new Set(found.flatMap((of) => of.macros)),
  ];
  return {
    sites: found,
    agents: byId(found.flatMap((of) => of.agents)).sort((one, other) => one.id - other.id),
    teams: everyTeam.filter((team) => teamsOfAny.has(team)),
    macros: everyMacro.filter((macro) => macrosOfAny.has(macro)),
  };
}

/** Each row once. */
function byId<Row extends { id: number }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
