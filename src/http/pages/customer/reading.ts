// What the customers' pages read, with the same functions as their calls.

import { ticketStatuses } from '../../../domain/ticket.ts';
import { readCustomerPage } from '../../api/customer/thread.ts';
import { listCustomerTickets } from '../../api/portal/own-tickets.ts';
import { readPortal } from '../../api/portal/sites.ts';
import type { Edge } from '../../operation.ts';
import type { CustomerReading } from './routes.ts';

export function customerReading(edge: Edge): CustomerReading {
  return {
    thread: (cookies, ulid, before) => readCustomerPage(edge, cookies, ulid, before),
    portal: (slug) => readPortal(edge, slug),
    tickets: (cookies, slug, query) => listCustomerTickets(edge, cookies, slug, askedIn(query)),
  };
}

/** What an address cannot mean is left out: a page answers, where the call refuses. */
function askedIn(query: URLSearchParams) {
  const [status, cursor] = [query.get('status'), query.get('cursor') ?? ''];
  return {
    q: query.get('q')?.slice(0, 200) ?? '',
    status: ticketStatuses.filter((one) => one === status),
    ...(/^\d{1,15}$/.test(cursor) ? { cursor: Number(cursor) } : {}),
  };
}
