// What a customer writes to an agent who is away can go back to the team (docs/spec/people.md#who-is-there).

import { isAwayAt } from '../../domain/people/availability.ts';
import type { Tx } from '../../engine/database.ts';
import { agentById } from '../../store/people/agents.ts';
import { teamById } from '../../store/people/teams.ts';
import { type Ticket, updateTicket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { record } from '../record.ts';

export function backToTeam(tx: Tx, ctx: Context, ticket: Ticket): Ticket {
  const { assigneeId, teamId } = ticket;
  if (assigneeId === null || teamId === null || !teamById(tx, teamId)?.returnsWhenAway) return ticket;
  const agent = agentById(tx, assigneeId);
  if (!agent || !isAwayAt(agent, ctx.now)) return ticket;
  const changed = updateTicket(tx, ticket, { assigneeId: null, updatedAt: ctx.now });
  record(tx, ctx, {
    kind: 'ticket.assigned',
    siteId: ticket.siteId,
    ticketId: ticket.id,
    actor: { kind: 'desk' },
    data: {
      ticket_ulid: ticket.ulid,
      changes: { assigned_to: { from: assigneeId, to: null } },
      ...{ team: teamId, is_away: true },
    },
  });
  return changed;
}
