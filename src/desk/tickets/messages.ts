// Adds a message to a ticket.

import { newUlid } from '../../base/ids.ts';
import type { Tx } from '../../engine/database.ts';
import { insertMessage, type Message } from '../../store/tickets/messages.ts';
import type { Context } from '../context.ts';

type NewMessage = Pick<Message, 'body' | 'source'> & Partial<Omit<Message, 'id' | 'ticketId' | 'createdAt'>>;

export function addMessage(tx: Tx, ctx: Context, ticketId: number, message: NewMessage): Message {
  return insertMessage(tx, {
    ulid: newUlid(ctx.now),
    ticketId,
    authorId: null,
    agentId: null,
    agentName: null,
    authorName: null,
    bodyFormat: 'text',
    isInternal: false,
    isAutomated: false,
    isAgent: false,
    senderVerified: null,
    delivery: null,
    html: null,
    wholeBody: null,
    ...message,
    createdAt: ctx.now,
  });
}
