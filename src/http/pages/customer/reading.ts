// What the customers' pages read, with the same functions as their calls.

import { readCustomerThread } from '../../api/customer/thread.ts';
import { readPortal } from '../../api/portal/sites.ts';
import type { Edge } from '../../operation.ts';
import type { CustomerReading } from './routes.ts';

export function customerReading(edge: Edge): CustomerReading {
  return {
    thread: (cookies, ulid) => readCustomerThread(edge, cookies, ulid),
    portal: (slug) => readPortal(edge, slug),
    tickets: () => null,
  };
}
