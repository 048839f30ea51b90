// What tickets of sites can be given, on the wire.

import * as z from 'zod';
import type { Context } from '../../../desk/context.ts';
import type { ticketChoices } from '../../../desk/sites/ticket-choices.ts';
import { agentShape, presentAgent, presentTeam, teamShape } from '../people/people.ts';
import { id, named } from '../shapes.ts';
import { macroShape, presentMacro } from '../tickets/macro.ts';
import {
  categoryShape,
  customFieldShape,
  presentCategory,
  presentCustomField,
  presentPriority,
  priorityShape,
} from './catalogue.ts';
import { presentSender, senderShape } from './sender.ts';

export const ticketChoicesShape = named(
  'TicketChoices',
  z.object({
    sites: z.array(
      z.object({
        site_id: id(),
        categories: z.array(categoryShape),
        priorities: z.array(priorityShape),
        custom_fields: z.array(customFieldShape),
        senders: z.array(senderShape),
        agents: z.array(id()).meta({ description: 'Ids, as of teams and macros.' }),
        teams: z.array(id()),
        macros: z.array(id()),
      }),
    ),
    agents: z.array(agentShape),
    teams: z.array(teamShape),
    macros: z.array(macroShape),
  }),
);

export function presentTicketChoices(
  { sites, agents, teams, macros }: ReturnType<typeof ticketChoices>,
  ctx: Context,
  deskAddress: string,
): z.output<typeof ticketChoicesShape> {
  return {
    sites: sites.map(({ site, ...of }) => ({
      site_id: site.id,
      categories: of.categories.map((row) => presentCategory(row)),
      priorities: of.priorities.map((row) => presentPriority(row, row.id === site.defaultPriorityId)),
      custom_fields: of.customFields.map((row) => presentCustomField(row)),
      senders: of.senders.map((row) => presentSender(row, site, deskAddress)),
      agents: of.agents.map((row) => row.id),
      teams: of.teams.map((row) => row.id),
      macros: of.macros.map((row) => row.id),
    })),
    agents: agents.map((row) => presentAgent(row, ctx.now)),
    teams: teams.map((row) => presentTeam(row)),
    macros: macros.map((row) => presentMacro(row, ctx)),
  };
}
