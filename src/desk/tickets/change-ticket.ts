// Changing the fields of a ticket.

import { conflict, notFound } from '../../domain/errors.ts';
import type { TicketChangeInput } from '../../domain/input/tickets.ts';
import type { Tx } from '../../engine/database.ts';
import { indexLater } from '../../store/lists/search-waiting.ts';
import { siteById } from '../../store/sites/sites.ts';
import { type Ticket, updateTicket } from '../../store/tickets/tickets.ts';
import { authorise, findTicket, requireVersion } from '../access.ts';
import type { Context } from '../context.ts';
import { record } from '../record.ts';
import { catchUpClocks, markClocks, retarget } from '../sla/clocks.ts';
import { type AskedChange, askedChange } from './asked-change.ts';
import { assignFromTeam } from './assign-from-team.ts';
import { ticketEtag } from './find-ticket.ts';
import { breachColumns, changeStatus } from './ticket-status.ts';

/** Changes nothing if any field is refused (docs/spec/api.md#tickets). */
export function changeTicket(
  tx: Tx,
  ctx: Context,
  name: string | number,
  input: TicketChangeInput,
  ifMatch: readonly string[] | null,
): Ticket {
  authorise(ctx, 'write');
  const ticket = findTicket(tx, ctx, name);
  requireVersion(ifMatch, ticketEtag(ticket));
  const site = siteById(tx, ticket.siteId);
  if (!site) throw notFound('ticket');
  const asked = askedChange(tx, ctx, site, ticket, input);
  const { status, assigned, fromTeam } = asked;
  if (ticket.mergedIntoId !== null && ((status !== undefined && status !== ticket.status) || asked.changes.is_spam)) {
    throw conflict('This ticket was merged into another one. Change that one instead.', 'ticket_merged');
  }
  let changed = Object.keys(asked.changes).length === 0 ? ticket : changeColumns(tx, ctx, site, ticket, asked);
  if (fromTeam !== null) changed = assignFromTeam(tx, ctx, changed, fromTeam.team, fromTeam.way);
  else if (Object.keys(assigned.changes).length > 0) {
    changed = updateTicket(tx, changed, { ...assigned.columns, updatedAt: ctx.now });
    record(tx, ctx, {
      kind: 'ticket.assigned',
      siteId: site.id,
      ticketId: ticket.id,
      data: { ticket_ulid: ticket.ulid, changes: assigned.changes },
    });
  }
  return status === undefined ? changed : changeStatus(tx, ctx, site, changed, status);
}

function changeColumns(
  tx: Tx,
  ctx: Context,
  site: NonNullable<ReturnType<typeof siteById>>,
  ticket: Ticket,
  { changes, columns, priority }: AskedChange,
): Ticket {
  const isMarked = columns.isSpam !== undefined;
  const late = priority || isMarked ? catchUpClocks(tx, ctx, site, ticket) : ticket;
  const aimed = priority ? retarget(tx, site, late, priority) : {};
  const seq = record(tx, ctx, {
    kind: 'ticket.updated',
    siteId: site.id,
    ticketId: ticket.id,
    data: { ticket_ulid: ticket.ulid, changes },
  });
  const changed = updateTicket(tx, ticket, {
    ...columns,
    ...(late === ticket ? {} : breachColumns(late)),
    ...aimed,
    ...(isMarked ? markClocks(tx, ctx, site, { ...late, ...aimed }, columns.isSpam === true, seq) : {}),
    updatedAt: ctx.now,
  });
  if (changes.subject) indexLater(tx, 'ticket_search', ticket.id);
  return changed;
}
