// Customers on the wire (docs/spec/console.md#customers).

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import type { Customer } from '../../../desk/customers/customers.ts';
import type { Ticket } from '../../../store/tickets/tickets.ts';
import type { Lookups } from '../lookups.ts';
import { authorShape, presentAuthor } from '../people/people.ts';
import { id, maybeTime, named, time } from '../shapes.ts';
import { presentTicket, ticketShape } from '../tickets/ticket.ts';

export const customerShape = named(
  'Customer',
  authorShape.extend({
    site_id: id(),
    ticket_count: z.int().meta({ description: 'Without tests and spam; counted up to 1,000.' }),
    open_count: z.int().meta({ description: 'Those that are open or pending.' }),
    last_ticket_at: maybeTime(),
  }),
);

export const customerDetailShape = named(
  'CustomerDetail',
  customerShape.extend({
    created_at: time(),
    tickets: z.array(ticketShape).meta({ description: 'The newest 20.' }),
  }),
);

export function presentCustomer({ author, tickets }: Customer) {
  return {
    ...presentAuthor(author),
    site_id: author.siteId,
    ticket_count: tickets.total,
    open_count: tickets.unsolved,
    last_ticket_at: toWire(tickets.lastAt),
  };
}

export function presentCustomerDetail(customer: Customer, newest: readonly Ticket[], look: Lookups) {
  return {
    ...presentCustomer(customer),
    created_at: toWire(customer.author.createdAt),
    tickets: newest.map((ticket) => presentTicket(ticket, look)),
  };
}
