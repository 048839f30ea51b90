// What customers do with their ticket by its link (docs/spec/customer.md#a-ticket-by-its-link).

import { notFound } from '../../domain/errors.ts';
import type { TicketStatus } from '../../domain/tickets/ticket.ts';
import type { Tx } from '../../engine/database.ts';
import { siteById } from '../../store/sites/sites.ts';
import type { Ticket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { changeStatus } from '../tickets/ticket-status.ts';
import type { Visit } from './visits.ts';

/** "This is solved", or "It is not solved". */
export function settleAsCustomer(tx: Tx, ctx: Context, { thread }: Visit, status: TicketStatus): Ticket {
  const site = siteById(tx, thread.siteId);
  if (!site) throw notFound('ticket');
  return changeStatus(tx, ctx, site, thread, status);
}
