// What an agent has read (docs/spec/console.md#read-and-unread).

import type { AgentActor } from '../../domain/actor.ts';
import { isUnread } from '../../domain/tickets/ticket.ts';
import type { Tx } from '../../engine/database.ts';
import { putReadMark, readMarks } from '../../store/tickets/read-marks.ts';
import { authorise, findTicket } from '../access.ts';
import type { Context } from '../context.ts';
import { readTicketNotifications } from '../notifications/inbox.ts';

export function markTicket(tx: Tx, ctx: Context, actor: AgentActor, name: string, as: 'read' | 'unread'): void {
  authorise(ctx, 'read');
  const ticket = findTicket(tx, ctx, name);
  const mark = readMarks(tx, actor.agentId, [ticket.id]).get(ticket.id);
  if (as === 'read') readTicketNotifications(tx, ctx, actor.agentId, ticket.id);
  // Opening a ticket again and again writes once.
  if (isUnread(ticket, mark) === (as === 'unread')) return;
  putReadMark(tx, actor.agentId, ticket.id, as === 'read' ? ctx.now : null);
}
