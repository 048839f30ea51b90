// Notes that the desk itself adds to a ticket, for automatic replies and rules.

import { truncate } from '../../domain/text.ts';
import type { Tx } from '../../engine/database.ts';
import { indexLater } from '../../store/lists/search-waiting.ts';
import type { Message } from '../../store/tickets/messages.ts';
import { type Ticket, ticketById, updateTicket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { record } from '../record.ts';
import { addMessage } from './messages.ts';

export function insertNote(
  tx: Tx,
  ctx: Context,
  ticket: Ticket,
  body: string,
  wholeBody: string | null = null,
): Message {
  const note = addMessage(tx, ctx, ticket.id, {
    body: truncate(body, 10_000),
    isInternal: true,
    isAutomated: true,
    source: 'email',
    wholeBody,
  });
  const current = ticketById(tx, ticket.id) ?? ticket;
  updateTicket(tx, current, { messageCount: current.messageCount + 1, updatedAt: ctx.now });
  record(tx, ctx, {
    kind: 'ticket.note_added',
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: { ticket_ulid: ticket.ulid, message_ulid: note.ulid, is_agent: false },
  });
  indexLater(tx, 'ticket_search', ticket.id);
  return note;
}
