// Updates a ticket in the full-text index, in the transaction of the change.

import type { Tx } from '../store/database.ts';
import { bodiesOfTicket } from '../store/messages.ts';
import { authorById } from '../store/people.ts';
import { indexTicket, maxIndexedCharacters } from '../store/search.ts';
import { ticketById } from '../store/tickets.ts';

export function reindexTicket(tx: Tx, ticketId: number): void {
  const ticket = ticketById(tx, ticketId);
  if (!ticket) return;
  const author = authorById(tx, ticket.authorId);
  indexTicket(
    tx,
    ticket,
    {
      subject: ticket.subject,
      authorName: author?.name ?? null,
      authorEmail: author?.email ?? '',
      bodies: bodiesOfTicket(tx, ticketId, maxIndexedCharacters),
    },
    false,
  );
}
