// Automatic assignment: a ticket goes to one of a team who is there and has room (docs/spec/people.md#automatic-assignment).

import type { EventData } from '../../domain/event.ts';
import { isAwayAt } from '../../domain/people/availability.ts';
import { type AssignmentWay, nextOf } from '../../domain/people/turns.ts';
import type { Tx } from '../../engine/database.ts';
import { agentsOfSite } from '../../store/people/agents.ts';
import { openTicketsOf, type Team, takeTurn, turnsOf } from '../../store/people/teams.ts';
import { type Ticket, updateTicket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { record } from '../record.ts';

/**
 * Gives the ticket to the team, and to one of it. The turn is stored with it, so it is fair over restarts and machines.
 * If no one can take it, it stays with the team, and the history says why. The caller has checked that the team is of its site.
 */
export function assignFromTeam(tx: Tx, ctx: Context, ticket: Ticket, team: Team, way: AssignmentWay): Ticket {
  const turns = turnsOf(tx, team.id);
  const members = agentsOfSite(tx, ticket.siteId).filter(({ id }) => turns.has(id));
  const counts = way === 'least_open' || team.maxOpenPerAgent !== null;
  const { agentId, reason } = nextOf(
    members.map((agent) => ({
      agentId: agent.id,
      isAway: isAwayAt(agent, ctx.now),
      // The ticket itself takes no one's room.
      openTickets: counts ? openTicketsOf(tx, agent.id, ticket.id) : 0,
      turn: turns.get(agent.id) ?? 0,
    })),
    team.maxOpenPerAgent,
    way,
  );
  if (agentId !== undefined) takeTurn(tx, team.id, agentId);
  const isOther = agentId !== undefined && agentId !== ticket.assigneeId;
  const changes: NonNullable<EventData['changes']> = {};
  if (ticket.teamId !== team.id) changes.team_id = { from: ticket.teamId, to: team.id };
  if (isOther) changes.assigned_to = { from: ticket.assigneeId, to: agentId };
  const hasChanged = Object.keys(changes).length > 0;
  if (!hasChanged && reason === undefined) return ticket;
  const changed = hasChanged
    ? updateTicket(tx, ticket, { teamId: team.id, ...(isOther ? { assigneeId: agentId } : {}), updatedAt: ctx.now })
    : ticket;
  record(tx, ctx, {
    kind: hasChanged ? 'ticket.assigned' : 'ticket.updated',
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: {
      ticket_ulid: ticket.ulid,
      ...(hasChanged ? { changes } : {}),
      ...(reason === undefined ? {} : { team: team.id, not_assigned: reason }),
    },
  });
  return changed;
}
