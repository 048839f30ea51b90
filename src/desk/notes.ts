// Notes that the desk itself puts on a ticket: what a machine answered, what a rule has to say.

import { newUlid } from '../base/ids.ts';
import { truncate } from '../domain/text.ts';
import type { Tx } from '../store/database.ts';
import { insertMessage, type Message } from '../store/messages.ts';
import { type Ticket, ticketById, updateTicket } from '../store/tickets.ts';
import { type Context, record } from './record.ts';
import { reindexTicket } from './search-index.ts';

export function insertNote(
  tx: Tx,
  ctx: Context,
  ticket: Ticket,
  body: string,
  wholeBody: string | null = null,
): Message {
  const note = insertMessage(tx, {
    ulid: newUlid(ctx.now),
    ticketId: ticket.id,
    authorId: null,
    agentId: null,
    agentName: null,
    authorName: null,
    body: truncate(body, 10_000),
    bodyFormat: 'text',
    isInternal: true,
    isAutomated: true,
    isAgent: false,
    source: 'email',
    senderVerified: null,
    delivery: null,
    html: null,
    wholeBody,
    createdAt: ctx.now,
  });
  const current = ticketById(tx, ticket.id) ?? ticket;
  updateTicket(tx, current, { messageCount: current.messageCount + 1, updatedAt: ctx.now });
  record(tx, ctx, {
    kind: 'ticket.note_added',
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: { ticket_ulid: ticket.ulid, message_ulid: note.ulid, is_agent: false },
  });
  reindexTicket(tx, ticket.id);
  return note;
}
