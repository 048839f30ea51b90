// Teams hear of tickets that have waited too long for one of them (docs/spec/notifications.md).

import { dayMs, minuteMs } from '../../domain/instant.ts';
import type { Tx } from '../../engine/database.ts';
import { allTeams } from '../../store/people/teams.ts';
import { endWait, waitsOver } from '../../store/tickets/team-waits.ts';
import { ticketById } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { tellTeam } from './notify.ts';

// With all members of a team, some hundreds of notifications.
const ticketsAtOnce = 4;
// After an import or downtime, too many would come together for anyone to read.
const staleMs = dayMs;

/** Returns whether there may be more. */
export function tellWaiting(tx: Tx, ctx: Context): boolean {
  for (const team of allTeams(tx)) {
    if (team.waitMinutes === null) continue;
    const dueAt = ctx.now - team.waitMinutes * minuteMs;
    const due = waitsOver(tx, team.id, dueAt, ticketsAtOnce);
    for (const { ticketId, since } of due) {
      endWait(tx, ticketId);
      const ticket = ticketById(tx, ticketId);
      if (ticket && since > dueAt - staleMs) tellTeam(tx, ctx, ticket, 'team_waiting', null);
    }
    if (due.length === ticketsAtOnce) return true;
  }
  return false;
}
